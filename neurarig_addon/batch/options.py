"""The options of the command line that a job may give, and a job's values as arguments."""

from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from typing import Any

from ..core.errors import NeuraRigError
from .table import is_number

FLAG, ONE, PAIR, MANY, PAIRS = (
    "true",
    "a text or a number",
    "two whole numbers, such as [1, 96]",
    "a list",
    "a table",
)
FILES = ("prints", "profile")  # options whose value may be a file
_BAKE = dict.fromkeys(("bake", "loop", "push_nla"), FLAG) | dict.fromkeys(
    ("target", "keys", "tolerance", "step"), ONE
)
# Command -> option -> what it takes. Names of characters, files, styles and speeds have keys of their own in
# a job.
OPTIONS: dict[str, dict[str, str]] = {
    "walk": {
        **dict.fromkeys(
            (
                "mode",
                "gait",
                "lead",
                "hop_on",
                "path",
                "ground",
                "arrive",
                "start_turn",
                "end_turn",
                "facing",
            ),
            ONE,
        ),
        **dict.fromkeys(
            (
                "face",
                "look_at",
                "stand_on",
                "prints",
                "travel_with",
                "controls",
                "hands",
                "preset",
                "profile",
            ),
            ONE,
        ),
        **dict.fromkeys(("seed", "person", "blend_into", "blend_frame", "blend_seconds"), ONE),
        **dict.fromkeys(("in_stride", "blend_back"), FLAG),
        "frames": PAIR,
        "marker": MANY,
        "act": MANY,
        "set": PAIRS,
        **_BAKE,
    },
    "retarget": {
        **dict.fromkeys(("controls", "root", "follow", "stride", "arm_spacing", "start", "step", "to"), ONE),
        **dict.fromkeys(("fill_start", "fill_end", "continue_for", "continue_speed", "continue_turn"), ONE),
        **dict.fromkeys(
            ("no_contacts", "mirror", "begin_here", "fit_range", "fill", "until_scene_end", "end_standing"),
            FLAG,
        ),
    },
    "set": {
        **dict.fromkeys(("clips", "convention", "travel", "format", "preset", "names"), ONE),
        "clip": MANY,
    },
}


def arguments(where: str, command: str, given: Mapping[str, Any]) -> list[str]:
    """Return options as arguments of a command; raises NeuraRigError, beginning with `where`, for what it
    does not have."""
    found: list[str] = []
    for name, value in given.items():
        kinds = OPTIONS[command]
        if name not in kinds:
            near = get_close_matches(name, kinds, n=1)
            meant = f"did you mean '{near[0]}'?" if near else f"choose from {', '.join(sorted(kinds))}."
            raise NeuraRigError(f"{where}: '{command}' has no option '{name}' in a job; {meant}")
        texts = list(_texts(kinds[name], value))
        if not texts and value is not False:
            raise NeuraRigError(f"{where}: the option '{name}' needs {kinds[name]}, not {value!r}.")
        found += _flagged(f"--{name.replace('_', '-')}", kinds[name], texts)
    return found


def _flagged(flag: str, kind: str, texts: list[str]) -> list[str]:
    """Return the arguments of one option; `=` keeps a value that begins with a dash a value."""
    if kind == FLAG:
        return [flag] * len(texts)
    return [flag, *texts] if kind == PAIR else [f"{flag}={text}" for text in texts]


def _texts(kind: str, value: Any) -> Iterator[str]:
    """Yield the values of an option as texts; none if it cannot have that value."""
    if kind == FLAG:
        yield from ["true"] if value is True else []
    elif kind == ONE:
        yield from [_text(value)] if _is_plain(value) else []
    elif kind == PAIR:
        whole = (
            isinstance(value, list)
            and len(value) == 2
            and all(isinstance(one, int) and not isinstance(one, bool) for one in value)
        )
        yield from map(str, value) if whole else []
    elif kind == MANY:
        yield from (
            map(_text, value) if isinstance(value, list) and value and all(map(_is_plain, value)) else []
        )
    elif isinstance(value, Mapping) and value and all(map(_is_plain, value.values())):
        yield from (f"{name}={_text(one)}" for name, one in value.items())


def _is_plain(value: object) -> bool:
    return is_number(value) or (isinstance(value, str) and bool(value.strip()) and value.isprintable())


def _text(value: object) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)
