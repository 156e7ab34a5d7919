"""A player's devices over HTTP: inviting another, joining, the list, signing out.

The way of an invitation: the first device has a code made and shows it; the second asks with it; the first sees who
asks and answers; the second fetches the answer, and with it the cookie by which it is a device of that player from
then on. The two digits of the check stand on both, so that nobody approves a stranger who was quicker.
"""

import secrets
import unicodedata
from collections.abc import Callable
from typing import Any, Final, Literal, TypeVar

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from gameserver.session.ids import ID_BYTES, PlayerId
from gameserver.session.refusals import Code
from gameserver.store import Store
from gameserver.store.devices import Device, TooManyDevices
from gameserver.store.invitations import STANDS_MS, Answer, Asker, Invitation
from gameserver.store.quotas import HOUR_MS, MINUTE_MS
from gameserver.web import api
from gameserver.web.api import Api, Caller, Problem
from gameserver.web.devices_names import device_name
from gameserver.web.identity import COOKIE, OWN_COOKIE, DeviceId, Identity, Visitor
from gameserver.web.limits import Exhausted, address_of

ALPHABET: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""32 characters that are hard to confuse. Source: Douglas Crockford, https://www.crockford.com/base32.html"""
CODE_LENGTH: Final = 8
"""40 random bits: all the tries that are allowed in ten minutes hit a certain code once in 500 million times."""
_AS_MEANT: Final = str.maketrans({"O": "0", "I": "1", "L": "1", "\N{MINUS SIGN}": None})

CODES_AN_HOUR: Final = 20
TRIES: Final = 20
TRIES_WITHIN_MS: Final = 10 * MINUTE_MS
ALL_TRIES_A_MINUTE: Final = 200


class _Code(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    code: str


class _Answer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    code: str
    approve: bool


class _Join(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    code: str
    games: Literal["bring", "leave"]


_Body = TypeVar("_Body", _Code, _Answer, _Join)

NO_CODE: Final = (404, "no-code", "this code is wrong, was used, or is older than ten minutes")


def read_code(text: str) -> str:
    """A code as its maker meant it, however it was typed. Raises Problem where it can't be one."""
    plain = unicodedata.normalize("NFKC", text).upper().translate(_AS_MEANT)
    code = "".join(each for each in plain if not each.isspace() and unicodedata.category(each) != "Pd")
    if len(code) != CODE_LENGTH or not set(code) <= set(ALPHABET):
        raise Problem(*NO_CODE)
    return code


def new_code() -> str:
    return "".join(secrets.choice(ALPHABET) for _ in range(CODE_LENGTH))


class DeviceRoutes:
    """The routes under ``/api/devices``. ``now``: ms since 1970."""

    def __init__(self, store: Store, identity: Identity, now: Callable[[], int]) -> None:
        self._devices = store.devices
        self._invitations = store.invitations
        self._players = store.players
        self._quotas = store.quotas
        self._identity = identity
        self._now = now

    def routes(self, answering: Api) -> list[Route]:
        return [
            answering.route("GET", "/api/devices", self._list),
            answering.route("DELETE", "/api/devices/{device}", self._sign_out),
            answering.route("POST", "/api/devices/invite", self._invite),
            answering.route("POST", "/api/devices/asker", self._asker),
            answering.route("POST", "/api/devices/answer", self._answer),
            answering.route("POST", "/api/devices/join", self._join),
            answering.route("POST", "/api/devices/joined", self._joined),
        ]

    # --- The list

    async def _list(self, request: Request, caller: Caller) -> Response:
        here = caller.visitor.device
        listed = {here: self._told(request)} | await self._devices.listed(caller.player)
        return api.json(
            {
                "devices": [
                    {"id": device.hex(), "name": told.name, "seen": told.seen, "here": device == here}
                    for device, told in listed.items()
                ]
            }
        )

    async def _sign_out(self, request: Request, caller: Caller) -> Response:
        try:
            device = bytes.fromhex(request.path_params["device"])
        except ValueError:
            device = b""
        if len(device) != ID_BYTES or not await self._devices.sign_out(caller.player, device):
            raise Problem(404, "no-device", "you have no such device")
        return Response(status_code=204)

    # --- On the device that invites

    async def _invite(self, request: Request, caller: Caller) -> Response:
        await self._count(f"codes:{caller.player.hex()}", CODES_AN_HOUR, HOUR_MS, "codes an hour")
        if not await self._devices.may_grow(caller.player):
            raise Problem(409, Code.TOO_MANY, "there are too many devices; sign one out first")
        code = new_code()
        if not await self._invitations.open(code, *caller.visitor):
            raise Problem(503, Code.OVERLOADED, "no code could be made; try again")
        return api.json({"code": f"{code[:4]}-{code[4:]}", "seconds": STANDS_MS // 1000}, 201)

    async def _asker(self, request: Request, caller: Caller) -> Response:
        invitation = await self._invitations.look(read_code((await _read(request, _Code)).code))
        if invitation is None or invitation.player != caller.player:
            raise Problem(*NO_CODE)
        asker = invitation.asker
        return api.json(_state(invitation) | ({} if asker is None else {"name": asker.name, "check": asker.check}))

    async def _answer(self, request: Request, caller: Caller) -> Response:
        given = await _read(request, _Answer)
        code = read_code(given.code)
        invitation = await self._invitations.look(code)
        if invitation is None or invitation.player != caller.player or invitation.asker is None:
            raise Problem(*NO_CODE)
        if given.approve and invitation.answer is None and not await self._devices.may_grow(caller.player):
            raise Problem(409, Code.TOO_MANY, "there are too many devices; sign one out first")
        answer = await self._invitations.answer(code, caller.player, _spoken(approve=given.approve))
        if answer is None:
            raise Problem(*NO_CODE)
        if answer is Answer.APPROVED:
            # From now on this player has several devices, and these are two of them.
            asker = invitation.asker
            both = {caller.visitor.device: self._told(request), asker.joins_as: Device(asker.name, self._now())}
            await self._devices.join(caller.player, both, ())
        return api.json({"state": answer})

    # --- On the device that joins

    async def _join(self, request: Request, caller: Caller) -> Response:
        wanted = await _read(request, _Join)
        await self._count_try(caller.player, address_of(request))
        visitor = caller.visitor
        check = await self._invitations.ask(
            read_code(wanted.code),
            Asker(
                player=visitor.player,
                device=visitor.device,
                name=self._told(request).name,
                check=f"{secrets.randbelow(100):02}",
                brings_games=wanted.games == "bring",
                joins_as=secrets.token_bytes(ID_BYTES),
            ),
        )
        if check is None:
            raise Problem(*NO_CODE)
        if not check:
            raise Problem(409, "same-player", "this device is the same player already")
        return api.json({"state": "asked", "check": check})

    async def _joined(self, request: Request, caller: Caller) -> Response:
        invitation = await self._invitations.look(read_code((await _read(request, _Code)).code))
        asker = None if invitation is None else invitation.asker
        if invitation is None or asker is None or (asker.player, asker.device) != caller.visitor:
            raise Problem(*NO_CODE)
        response = api.json(_state(invitation))
        if invitation.answer is Answer.APPROVED:
            has_games = bool(caller.others) or await self._has_sessions(caller.player)
            others = (asker.player, *caller.others) if asker.brings_games and has_games else ()
            try:
                joining = {asker.joins_as: Device(asker.name, self._now())}
                await self._devices.join(invitation.player, joining, others)
            except TooManyDevices as error:
                raise Problem(409, Code.TOO_MANY, str(error)) from None
            joined = Visitor(PlayerId(invitation.player), DeviceId(asker.joins_as))
            self._identity.give(response, request, joined, cookie=COOKIE)
            if not asker.brings_games and has_games:
                self._identity.give(response, request, caller.visitor, cookie=OWN_COOKIE)
        return response

    # --- Shared

    def _told(self, request: Request) -> Device:
        return Device(device_name(request.headers.get("user-agent", "")), self._now())

    async def _has_sessions(self, player: PlayerId) -> bool:
        return bool(await self._players.count_unfinished(player) or await self._players.count_finished(player))

    async def _count_try(self, player: PlayerId, address: str | None) -> None:
        """Count one code that is tried, right or wrong: before it is looked at, and the player's own bound first."""
        text = "codes that are tried"
        await self._count(f"tries:{player.hex()}", TRIES, TRIES_WITHIN_MS, text)
        if address is not None:
            await self._count(f"tries:{address}", TRIES, TRIES_WITHIN_MS, text)
        await self._count("tries", ALL_TRIES_A_MINUTE, MINUTE_MS, text)

    async def _count(self, what: str, bound: int, window_ms: int, text: str) -> None:
        if wait := await self._quotas.take(what, bound, window_ms):
            raise Exhausted(f"too many {text}", wait)


def _state(invitation: Invitation) -> dict[str, Any]:
    return {"state": invitation.answer or ("open" if invitation.asker is None else "asked")}


def _spoken(*, approve: bool) -> Answer:
    return Answer.APPROVED if approve else Answer.REFUSED


async def _read(request: Request, kind: type[_Body]) -> _Body:
    try:
        return msgspec.json.decode(await api.body(request), type=kind)
    except (msgspec.DecodeError, msgspec.ValidationError) as error:
        raise Problem(400, Code.MALFORMED, str(error)) from None
