"""The command line: ``gameserver play`` for one machine, ``serve`` and ``computer`` for many, and small tools."""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final

from gameserver.settings import BadSetting, Settings, describe, read_settings

INTERRUPTED: Final = 130


def main(arguments: list[str] | None = None) -> int:
    """Run a command; the exit status. 2: it could not be understood, 1: it did not succeed."""
    parsed = _parser().parse_args(arguments)
    run: Callable[[argparse.Namespace], int] = parsed.run
    try:
        return run(parsed)
    except BadSetting as error:
        return _fail(f"{error} (`gameserver config` explains every variable)")
    except BrokenPipeError:  # the reader, `head` for instance, has had enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="gameserver", description="Shuanglu: backgammon against the computer")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    play = commands.add_parser("play", help="all on this machine: server, computer, and a store if none is given")
    play.set_defaults(run=_play)
    serve = commands.add_parser("serve", help="a web server on the store at REDIS_URL")
    serve.set_defaults(run=_serve)
    computer = commands.add_parser("computer", help="a computer's worker on the store at REDIS_URL")
    computer.add_argument("--threads", type=_threads, default=1, help="how many turns it thinks about at a time")
    computer.add_argument("--tethered", action="store_true", help=argparse.SUPPRESS)  # ends with its standard input
    computer.set_defaults(run=_computer)
    config = commands.add_parser("config", help="explain and check the environment variables")
    config.set_defaults(run=_config)

    plays = commands.add_parser("plays", help="every complete play of a position and roll")
    plays.add_argument("xgid", nargs="?", help="for example 'XGID=-b----E-C---eE---c-e----B-:0:0:1:52:0:0:0:0:10'")
    plays.add_argument("--jsonl", action="store_true", help='answer lines like {"position": ..., "dice": [5, 2]}')
    plays.set_defaults(run=_plays)
    choose = commands.add_parser("choose", help="the play that a level of the computer makes")
    choose.add_argument("level", choices=("beginner", "normal", "expert"))
    choose.add_argument("xgid", nargs="?")
    choose.add_argument("--jsonl", action="store_true", help='answer lines like {"position": ..., "dice": [5, 2]}')
    choose.set_defaults(run=_choose)
    hint = commands.add_parser("hint", help="the best plays, with chances and reasons")
    hint.add_argument("xgid")
    hint.set_defaults(run=_hint)
    log = commands.add_parser("log", help="the events of a session, one commit a line")
    log.add_argument("session", help="32 hex digits")
    log.set_defaults(run=_log)
    archive = commands.add_parser("archive", help="move sessions whose time is over to files, or read these")
    archive.add_argument("directory", type=Path, nargs="?", help="where the files are; needs ARCHIVE=1 to write there")
    archive.add_argument("--read", type=Path, metavar="FILE", help="print the records of a file, one a line")
    archive.add_argument("--session", metavar="ID", help="print the record of one session, as `verify` reads it")
    archive.set_defaults(run=_archive)
    rebuild = commands.add_parser("rebuild-index", help="enter every session of the store in its player's list anew")
    rebuild.set_defaults(run=_rebuild)
    verify = commands.add_parser("verify", help="check the dice of a record")
    verify.add_argument("record", type=Path)
    verify.set_defaults(run=_verify)
    return parser


def _threads(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= 64:
        raise argparse.ArgumentTypeError("must be a number from 1 to 64")
    return int(text)


def _fail(reason: str) -> int:
    print(f"gameserver: {reason}", file=sys.stderr)
    return 1


# --- Servers; what they import is heavy, so each command imports only what it runs


def _play(_: argparse.Namespace) -> int:
    from gameserver import processes

    # Ctrl-C is how a player ends it: no failure, least of all one that `make` would report.
    status = _run(lambda: processes.play(read_settings(os.environ)))
    return 0 if status == INTERRUPTED else status


def _serve(_: argparse.Namespace) -> int:
    from gameserver import processes

    return _run(lambda: processes.serve(read_settings(os.environ)))


def _computer(parsed: argparse.Namespace) -> int:
    from gameserver import processes

    return _run(lambda: processes.computer(_settings_without_key(), parsed.threads, tethered=parsed.tethered))


def _run(process: Callable[[], None]) -> int:
    from gameserver.processes import CannotRun

    try:
        process()
    except CannotRun as error:
        return _fail(str(error))
    except KeyboardInterrupt:
        return INTERRUPTED
    return 0


def _settings_without_key() -> Settings:
    """For whoever signs nothing: the key need not be known there."""
    return read_settings(os.environ, signs=False)


def _config(_: argparse.Namespace) -> int:
    print(describe(os.environ))
    read_settings(os.environ)
    return 0


# --- Tools


def _plays(parsed: argparse.Namespace) -> int:
    from gameserver.backgammon import answer_line, describe_plays

    return _answer(parsed, lambda xgid: "\n".join(describe_plays(xgid)), answer_line)


def _choose(parsed: argparse.Namespace) -> int:
    from gameserver.computer.tools import choose_line, choose_text

    level = parsed.level
    return _answer(parsed, lambda xgid: choose_text(level, xgid), lambda line: choose_line(level, line))


def _hint(parsed: argparse.Namespace) -> int:
    from gameserver.computer.tools import hint_text

    return _answer(parsed, hint_text, None)


def _answer(
    parsed: argparse.Namespace, describe_one: Callable[[str], str], answer_one: Callable[[str], str] | None
) -> int:
    """Answer about one XGID, or about each line of standard input."""
    if answer_one is not None and parsed.jsonl:
        if isinstance(sys.stdin, io.TextIOWrapper):
            # A line that is no UTF-8 is answered like any other that can't be read.
            sys.stdin.reconfigure(encoding="utf-8", errors="surrogateescape")
        for line in sys.stdin:
            if line.strip():
                print(answer_one(line), flush=True)
        return 0
    if not parsed.xgid:
        return _fail("an XGID is needed, or --jsonl with lines on standard input")
    try:
        print(describe_one(parsed.xgid))
    except ValueError as error:
        return _fail(str(error))
    return 0


def _log(parsed: argparse.Namespace) -> int:
    from gameserver.processes import CannotRun, log_lines
    from gameserver.session.ids import session_id_from_hex

    try:
        session = session_id_from_hex(parsed.session)
    except ValueError as error:
        return _fail(str(error))
    try:
        lines = log_lines(_settings_without_key(), session)
    except CannotRun as error:
        return _fail(str(error))
    if not lines:
        return _fail("there is no such session")
    print("\n".join(lines))
    return 0


def _archive(parsed: argparse.Namespace) -> int:
    from gameserver.archive import CannotArchive, find, read_archive
    from gameserver.processes import CannotRun, archive_to
    from gameserver.session.ids import session_id_from_hex

    if (parsed.read is None) == (parsed.directory is None) or (parsed.read and parsed.session):
        return _fail("give a directory, to write to or to look for a --session in; or --read FILE")
    try:
        if parsed.read is not None:
            for record in read_archive(parsed.read):
                print(record.decode())
        elif parsed.session is not None:
            found = find(parsed.directory, session_id_from_hex(parsed.session))
            if found is None:
                return _fail("there is no such session in the archive")
            print(found.decode())
        else:
            moved, unreadable = archive_to(_settings_without_key(), parsed.directory)
            print(f"{moved} session(s) archived")
            return _fail(f"{unreadable} session(s) can't be read and stay in the store") if unreadable else 0
    except (CannotArchive, CannotRun, ValueError) as error:
        if isinstance(error, BadSetting):
            raise
        return _fail(str(error))
    return 0


def _rebuild(_: argparse.Namespace) -> int:
    from gameserver.processes import CannotRun, rebuild

    try:
        entered, left_out = rebuild(_settings_without_key())
    except CannotRun as error:
        return _fail(str(error))
    print(f"{entered} session(s) are in their players' lists")
    return _fail(f"{left_out} session(s) can't be: the log says why") if left_out else 0


def _verify(parsed: argparse.Namespace) -> int:
    from gameserver.session.record import DiceDoNotFit, UnreadableRecord, read_record, verify

    try:
        verified = verify(*read_record(parsed.record.read_bytes()))
    except OSError as error:
        return _fail(f"{parsed.record}: {error.strerror}")
    except (UnreadableRecord, DiceDoNotFit) as error:
        return _fail(f"{parsed.record}: {error}")
    print(f"the dice fit: {verified.games} game(s), {verified.rolls} rolls")
    return 0


if __name__ == "__main__":
    sys.exit(main())
