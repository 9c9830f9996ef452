"""Serve a logic profile to game engines, without Blender: `python -m neurarig_addon.link serve --profile
plain`."""

import argparse
import signal
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from ..core.errors import NeuraRigError
from ..core.files.given_file import exists
from ..core.logic.profile import FOLDER, Profile
from . import packets
from .brains import OnlineBrains
from .handshake import LOOPBACK, is_loopback
from .server import Server, Status

FAILED = 1
_LINE_S, _LOG_S = 0.5, 10.0  # seconds between status lines on a terminal, and in a file


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command line and return its exit status; an error is one sentence on stderr."""
    options = _parser().parse_args(arguments)
    try:
        return _serve(options)
    except NeuraRigError as error:
        print(f"neurarig: {error}", file=sys.stderr)
        return FAILED


def _serve(options: argparse.Namespace) -> int:
    """Serve until Ctrl-C or SIGTERM."""
    profile = Profile.load(_profile_path(options.profile))
    brains = OnlineBrains.of(profile, options.weights)
    for ending in (signal.SIGINT, signal.SIGTERM):  # shells start background processes with SIGINT ignored
        signal.signal(ending, signal.default_int_handler)
    with Server(profile, brains, options.host, options.port, options.debug_port) as server:
        status = Status(server)
        try:
            _announce(server, profile.name, options.host)
            server.run(_reporter(status.line))
        except KeyboardInterrupt:
            print(f"\nEnded. {status.line()}")
    return 0


def _announce(server: Server, name: str, host: str) -> None:
    if not is_loopback(host):
        print(
            f"neurarig: other computers can reach this server at '{host}'; packets are not secret.",
            file=sys.stderr,
        )
    places = f"{_place(server.address)}, ideal targets on {_place(server.debug_address)}"
    print(f"Serving '{name}' on {places}. Ctrl-C ends.", flush=True)


def _profile_path(given: str) -> Path:
    """Return the given file, or the bundled profile of that name."""
    shipped = FOLDER / f"{given}.json"
    return shipped if exists(shipped) and not exists(Path(given)) else Path(given)


def _reporter(line: Callable[[], str]) -> Callable[[], None]:
    """Return a function that prints the status at intervals: on a terminal over the previous line, else as a
    new line."""
    on_terminal = sys.stdout.isatty()
    every = _LINE_S if on_terminal else _LOG_S
    begin, end = ("\r\x1b[K", "") if on_terminal else ("", "\n")
    due = time.monotonic() + every

    def report() -> None:
        nonlocal due
        if time.monotonic() >= due:
            due = time.monotonic() + every
            print(f"{begin}{line()}", end=end, flush=True)

    return report


def _place(address: tuple | None) -> str:
    return "no port" if address is None else f"{address[0]} port {address[1]}"


def _port(text: str) -> int:
    if not text.isdecimal() or int(text) > 65_535:
        raise argparse.ArgumentTypeError(
            f"'{text}' is not a port; use a number from 0 (any free one) to 65535"
        )
    return int(text)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m neurarig_addon.link", description="The live link between a game engine and NeuraRig."
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    serve = commands.add_parser("serve", help="learn a profile from an engine's frames, and answer them")
    serve.add_argument(
        "--profile",
        required=True,
        metavar="FILE",
        help="a logic profile, or the name of one that comes with NeuraRig",
    )
    serve.add_argument(
        "--weights",
        type=Path,
        metavar="FILE",
        help="trained weights to begin with; default: none, learn from the stream",
    )
    serve.add_argument(
        "--host",
        default=LOOPBACK,
        metavar="ADDRESS",
        help="where to listen (default: %(default)s, this computer only)",
    )
    serve.add_argument(
        "--port",
        type=_port,
        default=packets.SERVER_PORT,
        help="for frames and answers (default: %(default)s)",
    )
    serve.add_argument(
        "--debug-port",
        type=_port,
        default=packets.DEBUG_PORT,
        help="for ideal targets (default: %(default)s)",
    )
    return parser


if __name__ == "__main__":
    sys.exit(main())
