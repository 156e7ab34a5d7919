"""Functions that run inside the store, each atomically on the keys of one shard.

A script does not roll back: whatever it wrote before an error stays. So each checks first, and writes last what makes
the rest count.
"""

import hashlib
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Script:
    """A Lua function, called by the SHA-1 of its body."""

    body: str
    sha: str


def _script(body: str, flags: str = "") -> Script:
    # The shebang makes the store refuse a call it cannot finish (out of memory, not a primary) before it begins.
    text = "#!lua" + flags + "\n" + body
    return Script(text, hashlib.sha1(text.encode(), usedforsecurity=False).hexdigest())


_HEAD_OF: Final = """
-- Version and id of a log's last commit (0 and '' where there is none); of a packed log (see `packed`) also the value.
local function head_of(key)
  local last = redis.pcall('XREVRANGE', key, '+', '-', 'COUNT', 1)
  if last.err then
    local packed = redis.call('GET', key)
    return (struct.unpack('>I4', packed, 2)), string.sub(packed, 6, 21), packed
  end
  if not last[1] then
    return 0, ''
  end
  return tonumber(string.match(last[1][1], '^%d+')), last[1][2][2]
end
"""

APPEND: Final = _script("""
-- KEYS log, secrets, turns, channel; ages, fence and the sessions to be packed where one of them is used
-- ARGV base version, base id ('' before the first entry), commit id, commit, turn that is now due or '',
--   how long the session is kept (ms), the session to enter for the archiver or '' where it expires,
--   '' or, where the commit is to be on a replica before it is published (by the caller), '1',
--   the session where this is its last commit, or ''; [game, secret]
-- Returns the new version (the same where this very commit stands there already); or 0 where another secret is kept for
-- the game; or {version, id} of the head.
local base = tonumber(ARGV[1])
local version = base + 1
local at = string.format('%d-0', version)
-- As `head_of` does; a function of its own would cost every move.
local last = redis.pcall('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)
local packed = last.err and redis.call('GET', KEYS[1])
local head_version, head_id = 0, ''
if packed then
  head_version, head_id = struct.unpack('>I4c16', packed, 2)
elseif last[1] then
  head_version, head_id = tonumber(string.match(last[1][1], '^%d+')), last[1][2][2]
end
if packed or head_version ~= base or head_id ~= ARGV[2] then
  -- The id alone does not tell: the same command sent to two servers is two commits, and only one of them counts.
  local there
  if packed then
    local length = struct.unpack('>I4', packed, 22)
    there = version == head_version and head_id == ARGV[3] and string.sub(packed, 26, 25 + length) == ARGV[4]
  else
    local entry = redis.call('XRANGE', KEYS[1], at, at)[1]
    there = entry and entry[2][2] == ARGV[3] and entry[2][4] == ARGV[4]
  end
  if there then
    if ARGV[8] ~= '' then
      redis.call('SET', KEYS[6], '1', 'PX', 1000)
    end
    return version
  end
  return {head_version, head_id}
end
if ARGV[10] and redis.call('HSETNX', KEYS[2], ARGV[10], ARGV[11]) == 0
    and redis.call('HGET', KEYS[2], ARGV[10]) ~= ARGV[11] then
  return 0
end
if ARGV[5] ~= '' then
  redis.call('XADD', KEYS[3], '*', 'turn', ARGV[5])
end
redis.call('XADD', KEYS[1], at, 'id', ARGV[3], 'commit', ARGV[4])
-- By the store's own clock: those of the servers may differ, and jump.
local now
if ARGV[7] ~= '' or ARGV[9] ~= '' then
  local time = redis.call('TIME')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end
if ARGV[7] == '' then
  redis.call('PEXPIRE', KEYS[1], ARGV[6])
  redis.call('PEXPIRE', KEYS[2], ARGV[6])
else
  redis.call('ZADD', KEYS[5], now + ARGV[6], ARGV[7])
  redis.call('PERSIST', KEYS[1])
  redis.call('PERSIST', KEYS[2])
end
if ARGV[9] ~= '' then
  redis.call('ZADD', KEYS[7], now, ARGV[9])
end
if ARGV[8] == '' then
  local after = base == 0 and string.rep('\\0', 16) or ARGV[2]
  redis.call('SPUBLISH', KEYS[4], 'c' .. struct.pack('>I8', version) .. after .. ARGV[3] .. ARGV[4])
end
return version
""")

READ_FENCED: Final = _script(
    """
-- KEYS log, fence
-- ARGV first id, count
-- Returns the entries, or the whole of a packed log. The write makes this connection's WAIT cover what others wrote
-- before.
redis.call('SET', KEYS[2], '1', 'PX', 1000)
local entries = redis.pcall('XRANGE', KEYS[1], ARGV[1], '+', 'COUNT', ARGV[2])
return entries.err and redis.call('GET', KEYS[1]) or entries
""",
    flags=" flags=allow-oom",
)

OVER: Final = _script(
    """
-- KEYS sessions by a time
-- ARGV how many to skip, how many at most, for how long (ms)
-- Returns the sessions whose time has been over for so long by the store's clock, the longest first.
local now = redis.call('TIME')
return redis.call('ZRANGE', KEYS[1], '-inf', now[1] * 1000 + math.floor(now[2] / 1000) - ARGV[3], 'BYSCORE',
  'LIMIT', ARGV[1], ARGV[2])
""",
    " flags=no-writes",
)

PACK: Final = _script(
    _HEAD_OF
    + """
-- KEYS log, sessions to be packed
-- ARGV session, version and id of its last commit, the packed log
-- Returns 1, or 0 where the log is not this stream (any more). It keeps its time to live.
local version, id, packed = head_of(KEYS[1])
local is_this = not packed and version == tonumber(ARGV[2]) and id == ARGV[3]
if is_this then
  redis.call('SET', KEYS[1], ARGV[4], 'KEEPTTL')
end
-- Where its end was lost it stays: it will come to another, and may have already.
if is_this or packed or version == 0 then
  redis.call('ZREM', KEYS[2], ARGV[1])
end
return is_this and 1 or 0
""",
    " flags=allow-oom",
)

DELETE_ARCHIVED: Final = _script(
    _HEAD_OF
    + """
-- KEYS log, secrets, hint, ages
-- ARGV session, version and commit id at which it was archived (0 and '' for an empty log)
-- Returns 1, or 0 where the session has gone on since.
local version, id = head_of(KEYS[1])
if version > 0 and (version ~= tonumber(ARGV[2]) or id ~= ARGV[3]) then
  return 0
end
redis.call('ZREM', KEYS[4], ARGV[1])
redis.call('UNLINK', KEYS[1], KEYS[2], KEYS[3])
return 1
""",
    " flags=allow-oom",
)

REQUEUE: Final = _script("""
-- KEYS turns, mark of the session
-- ARGV turn, how long the mark stays (ms), bound of the queue
-- Returns 1, or 0 where the turn was queued again a moment ago or the queue is long.
if redis.call('XLEN', KEYS[1]) >= tonumber(ARGV[3]) then
  return 0
end
if not redis.call('SET', KEYS[2], '1', 'NX', 'PX', ARGV[2]) then
  return 0
end
redis.call('XADD', KEYS[1], '*', 'turn', ARGV[1])
return 1
""")

TAKE: Final = _script("""
-- KEYS turns of some shards
-- ARGV group, consumer, count, idle time (ms) after which another consumer's turns are taken over; '' for not now
-- Returns {index of the shard in KEYS from 1, receipt, turn, 1 if taken over} for at most count turns.
local taken, left = {}, tonumber(ARGV[3])
local function keep(index, entries, again)
  for _, entry in ipairs(entries or {}) do
    taken[#taken + 1] = {index, entry[1], entry[2][2], again}
    left = left - 1
  end
end
if ARGV[4] ~= '' then
  for index, key in ipairs(KEYS) do
    local from = '0-0'
    while left > 0 and from do
      -- It looks at ten times the count only: turns that were taken a moment ago must not hide those behind them.
      local found = redis.call('XAUTOCLAIM', key, ARGV[1], ARGV[2], ARGV[4], from, 'COUNT', left)
      keep(index, found[2], 1)
      from = found[1] ~= '0-0' and found[1]
    end
  end
end
for index, key in ipairs(KEYS) do
  if left == 0 then break end
  local streams = redis.call('XREADGROUP', 'GROUP', ARGV[1], ARGV[2], 'COUNT', left, 'STREAMS', key, '>')
  keep(index, streams and streams[1] and streams[1][2], 0)
end
return taken
""")

DONE: Final = _script(
    """
-- KEYS turns of one shard, log of the turn's session
-- ARGV group, receipt, [version, id] of the commit by which the turn is done
-- Returns 1, or 0 where the log does not hold that commit (or the turn has left already). A packed log is of a
-- session in which no turn is due any more.
if ARGV[3] then
  local at = ARGV[3] .. '-0'
  local found = redis.pcall('XRANGE', KEYS[2], at, at)
  if not found.err and (not found[1] or found[1][2][2] ~= ARGV[4]) then
    return 0
  end
end
-- One without the other would leave the turn in the stream for ever, or give it out again.
redis.call('XACK', KEYS[1], ARGV[1], ARGV[2])
return redis.call('XDEL', KEYS[1], ARGV[2])
""",
    " flags=allow-oom",
)

SET_ASIDE: Final = _script(
    """
-- KEYS turns of one shard
-- ARGV group, receipt, number
-- Returns 1 where this turn was given out so many times: it leaves the queue; otherwise 0.
local pending = redis.call('XPENDING', KEYS[1], ARGV[1], ARGV[2], ARGV[2], 1)[1]
if not pending or pending[4] < tonumber(ARGV[3]) then
  return 0
end
redis.call('XACK', KEYS[1], ARGV[1], ARGV[2])
return redis.call('XDEL', KEYS[1], ARGV[2])
""",
    " flags=allow-oom",
)

SWEEP: Final = _script("""
-- KEYS turns of one shard
-- ARGV group, idle time (ms)
-- Forgets the consumers that hold nothing and have not been heard of for so long; returns how many.
local swept = 0
for _, fields in ipairs(redis.call('XINFO', 'CONSUMERS', KEYS[1], ARGV[1])) do
  local consumer = {}
  for i = 1, #fields, 2 do
    consumer[fields[i]] = fields[i + 1]
  end
  if consumer.pending == 0 and consumer.idle > tonumber(ARGV[2]) then
    redis.call('XGROUP', 'DELCONSUMER', KEYS[1], ARGV[1], consumer.name)
    swept = swept + 1
  end
end
return swept
""")

ASK_HINT: Final = _script("""
-- KEYS queue of hints, mark of the session
-- ARGV request, commit id, how long the mark stays (ms), bound of the queue
-- Returns 1 queued; 2 already waiting for the same commit; 0 another is waiting; -1 the queue is full.
local waiting = redis.call('GET', KEYS[2])
if waiting then
  return waiting == ARGV[2] and 2 or 0
end
if redis.call('LLEN', KEYS[1]) >= tonumber(ARGV[4]) then
  return -1
end
redis.call('SET', KEYS[2], ARGV[2], 'PX', ARGV[3])
redis.call('RPUSH', KEYS[1], ARGV[1])
return 1
""")

ANSWER_HINT: Final = _script("""
-- KEYS last hint of the session, channel
-- ARGV version and commit id as published, commit id, answer, how long it is kept (ms)
redis.call('SET', KEYS[1], ARGV[2] .. ARGV[3], 'PX', ARGV[4])
redis.call('SPUBLISH', KEYS[2], 'h' .. ARGV[1] .. ARGV[3])
return 1
""")

UNMARK_HINT: Final = _script(
    """
-- KEYS mark of the session
-- ARGV commit id
-- Lets the next hint of the session be asked for, unless it already was: then the mark is that one's.
if redis.call('GET', KEYS[1]) == ARGV[1] then
  return redis.call('DEL', KEYS[1])
end
return 0
""",
    " flags=allow-oom",
)

ADD_SESSION: Final = _script("""
-- KEYS unfinished, finished
-- ARGV session, time (ms), bound, how long the index is kept (ms)
-- Returns 1, or 0 where the player has too many unfinished sessions. A session that is there already stays as it is.
local known = redis.call('ZSCORE', KEYS[1], ARGV[1]) or redis.call('ZSCORE', KEYS[2], ARGV[1])
local room = redis.call('ZCARD', KEYS[1]) < tonumber(ARGV[3])
if not known and room then
  redis.call('ZADD', KEYS[1], ARGV[2], ARGV[1])
end
redis.call('PEXPIRE', KEYS[1], ARGV[4])
redis.call('PEXPIRE', KEYS[2], ARGV[4])
return (known or room) and 1 or 0
""")

FINISH_SESSION: Final = _script("""
-- KEYS unfinished, finished
-- ARGV session, time (ms), bound of the finished ones (the oldest are dropped from the index), how long it is kept (ms)
redis.call('ZREM', KEYS[1], ARGV[1])
redis.call('ZADD', KEYS[2], 'NX', ARGV[2], ARGV[1])
redis.call('ZREMRANGEBYRANK', KEYS[2], 0, -1 - tonumber(ARGV[3]))
redis.call('PEXPIRE', KEYS[1], ARGV[4])
redis.call('PEXPIRE', KEYS[2], ARGV[4])
return 1
""")

DEVICE_STANDING: Final = _script(
    """
-- KEYS devices of the player, other players
-- ARGV device
-- Returns {0 where it was signed out, 0 where the player has but one device, other players whose sessions came along}.
local told = redis.call('HGET', KEYS[1], ARGV[1])
return {told == '' and 0 or 1, redis.call('EXISTS', KEYS[1]), redis.call('SMEMBERS', KEYS[2])}
""",
    " flags=no-writes",
)

DEVICE_SEEN: Final = _script("""
-- KEYS devices of the player, other players
-- ARGV device, what is told of it, how long entries are kept (s)
if redis.call('EXISTS', KEYS[1]) == 0 or redis.call('HGET', KEYS[1], ARGV[1]) == '' then
  return 0
end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
redis.call('EXPIRE', KEYS[1], ARGV[3])
redis.call('EXPIRE', KEYS[2], ARGV[3])
return 1
""")

DEVICES_JOIN: Final = _script("""
-- KEYS devices of the player, other players
-- ARGV how long entries are kept (s), bound of the other players, count, [device, what is told] x count, players...
-- Returns 1, or 0 where too many players' games have come along.
local first = 4 + 2 * ARGV[3]
local more = 0
for i = first, #ARGV do
  more = more + 1 - redis.call('SISMEMBER', KEYS[2], ARGV[i])
end
if redis.call('SCARD', KEYS[2]) + more > tonumber(ARGV[2]) then
  return 0
end
for i = 4, first - 1, 2 do
  redis.call('HSETNX', KEYS[1], ARGV[i], ARGV[i + 1])
end
for i = first, #ARGV do
  redis.call('SADD', KEYS[2], ARGV[i])
end
redis.call('EXPIRE', KEYS[1], ARGV[1])
redis.call('EXPIRE', KEYS[2], ARGV[1])
return 1
""")

DEVICE_SIGN_OUT: Final = _script(
    """
-- KEYS devices of the player
-- ARGV device
-- Returns 1, or 0 where the player has no such device. Its entry stays, to say that it was signed out.
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 then
  return 0
end
redis.call('HSET', KEYS[1], ARGV[1], '')
return 1
""",
    " flags=allow-oom",  # also where the store is full a stolen device can be shut out
)

OPEN_INVITATION: Final = _script("""
-- KEYS invitation
-- ARGV player, device that invites, how long it stands (ms)
-- Returns 1, or 0 where this code is taken.
if redis.call('EXISTS', KEYS[1]) == 1 then
  return 0
end
redis.call('HSET', KEYS[1], 'player', ARGV[1], 'by', ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return 1
""")

ASK_TO_JOIN: Final = _script("""
-- KEYS invitation
-- ARGV player and device that ask, name, check, '1' where its games come along, id that the device gets
-- Returns the check that counts, '' for the player who invites, or nil: no such invitation, or used by somebody else.
local inviter = redis.call('HGET', KEYS[1], 'player')
if not inviter then
  return false
end
if inviter == string.sub(ARGV[1], 1, 16) then
  return ''
end
if redis.call('HSETNX', KEYS[1], 'asker', ARGV[1]) == 1 then
  redis.call('HSET', KEYS[1], 'name', ARGV[2], 'check', ARGV[3], 'bring', ARGV[4], 'device', ARGV[5])
elseif redis.call('HGET', KEYS[1], 'asker') ~= ARGV[1] then
  return false
end
return redis.call('HGET', KEYS[1], 'check')
""")

ANSWER_ASKER: Final = _script("""
-- KEYS invitation
-- ARGV player who invites, answer
-- Returns the answer that counts, the first one; nil where nobody asks this player.
if redis.call('HGET', KEYS[1], 'player') ~= ARGV[1] or redis.call('HEXISTS', KEYS[1], 'asker') == 0 then
  return false
end
redis.call('HSETNX', KEYS[1], 'answer', ARGV[2])
return redis.call('HGET', KEYS[1], 'answer')
""")

COUNT: Final = _script("""
-- KEYS counter
-- ARGV bound, window (ms)
-- Returns 0, or after how many ms there is room again. Counts at most bound in a window that begins with the first.
local count = tonumber(redis.call('GET', KEYS[1]) or '0')
if count >= tonumber(ARGV[1]) then
  return math.max(1, redis.call('PTTL', KEYS[1]))
end
if redis.call('INCR', KEYS[1]) == 1 then
  redis.call('PEXPIRE', KEYS[1], ARGV[2])
end
return 0
""")

ALL: Final = (
    APPEND,
    OVER,
    PACK,
    DELETE_ARCHIVED,
    READ_FENCED,
    REQUEUE,
    TAKE,
    DONE,
    SET_ASIDE,
    SWEEP,
    ASK_HINT,
    ANSWER_HINT,
    UNMARK_HINT,
    ADD_SESSION,
    FINISH_SESSION,
)
