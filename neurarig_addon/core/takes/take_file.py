"""A take as text: short JSON, of which every number is checked before use."""

import json
from collections.abc import Mapping
from typing import Any

import numpy as np

from ..character.body import LEFT, RIGHT
from ..contract.channels import CHANNELS
from ..errors import NeuraRigError
from ..files import json_text
from ..files.json_text import numbers_of, rounded, text_of
from ..gait.inputs.print_edits import LARGEST_STEP
from ..gait.inputs.take import (
    ABOVE,
    ABOVE_IS_LENGTH,
    AHEAD,
    DUTY,
    FOOT,
    FOOT_IS_LENGTH,
    KNEES,
    OUTWARD,
    SAMPLES,
    TOE_OUT,
    Take,
)
from ..skeleton.roles import SIDES

FORMAT, VERSION = "neurarig-take", 1
DIGITS = 4  # decimals: a tenth of a millimetre on a leg of a metre, and of a milliradian
LONGEST_NAME = 200
MOST_CYCLES = 2000
MOST_TURNS = 64  # bones
MOST_LENGTH, MOST_ANGLE = 2.0, 6.3  # leg lengths, radians
LIMITS = {
    "speed": (0.001, 50.0),
    "way": (-1.0, 1e5),
    "paces": (0.05, 20.0),
    "strides": (0.05, 20.0),
    "beat": (-0.45, 0.45),
}
STEP_LIMITS = {AHEAD: 3.0, OUTWARD: 3.0, TOE_OUT: np.pi + 1e-3, DUTY: 1.0}
_KNEES = tuple(f"knee.{side}" for side in SIDES)
_ABOVE = (*(CHANNELS[number] for number in ABOVE), *_KNEES)
_FEET = tuple(f"{axis}.{side}" for side in SIDES for axis in FOOT)


def to_json(take: Take) -> str:
    """Return a take as text."""
    feet = take.feet.reshape(len(take.feet), -1)
    content = {
        "format": FORMAT,
        "version": VERSION,
        "name": take.name[:LONGEST_NAME],
        "samples": SAMPLES,
        "speed": round(take.vhat, DIGITS),
        "beat": round(take.beat, DIGITS),
        "way": rounded(take.at, DIGITS),
        "paces": rounded(take.paces, DIGITS),
        "strides": rounded(take.strides, DIGITS),
        "first": take.first,
        "steps": rounded(take.steps, DIGITS),
        "begins": rounded(take.begins, DIGITS),
        "ends": rounded(take.ends, DIGITS),
        "start": take.start,
        "above": {name: rounded(column, DIGITS) for name, column in zip(_ABOVE, take.above.T, strict=True)},
        "feet": {name: rounded(column, DIGITS) for name, column in zip(_FEET, feet.T, strict=True)},
        "turns": {role: rounded(turn, DIGITS) for role, turn in take.turns.items()},
    }
    return json.dumps(content, separators=(",", ":"), ensure_ascii=False) + "\n"


def from_json(text: str | bytes, where: str) -> Take:
    """Return the take in a text; raises NeuraRigError, saying `where` and what is wrong, if it is not one."""
    try:
        return _checked(json_text.document(text, FORMAT, VERSION, "a recorded walk"))
    except ValueError as problem:
        raise NeuraRigError(
            f"{where} cannot be used: {problem}. Remove it, and make it again from its clip."
        ) from None


def _checked(content: Mapping[str, Any]) -> Take:
    if content.get("samples") != SAMPLES:
        raise ValueError(f"its curves do not have {SAMPLES} samples a cycle")
    way = numbers_of(content, "way", (None,), LIMITS["way"])
    if (np.diff(way) <= 0.0).any():
        raise ValueError("'way' does not rise")
    steps = numbers_of(content, "steps", (None, 2, DUTY + 1), (-4.0, 4.0))
    if any((np.abs(steps[..., column]) > most).any() for column, most in STEP_LIMITS.items()):
        raise ValueError("'steps' are farther off the planned ones than anybody's")
    begins, ends = (
        numbers_of(content, name, (2,), (-float(LARGEST_STEP), float(LARGEST_STEP)))
        for name in ("begins", "ends")
    )
    if (ends <= begins).any() or len(steps) > MOST_CYCLES:
        raise ValueError("it is too long, or ends before it begins")
    above = _columns(content, "above", _ABOVE, np.append(ABOVE_IS_LENGTH, [False] * KNEES))
    feet = _columns(content, "feet", _FEET, np.tile(FOOT_IS_LENGTH, 2)).reshape(
        -1, RIGHT - LEFT + 1, len(FOOT)
    )
    if len(way) < 2 or len(above) < 2 or len(feet) != len(above):
        raise ValueError("its numbers are not as many as those of a recorded walk")
    if len(above) > MOST_CYCLES * SAMPLES:
        raise ValueError("it is too long")
    return Take(
        name=text_of(content, "name", LONGEST_NAME),
        vhat=float(numbers_of(content, "speed", (), LIMITS["speed"])),
        at=way,
        paces=numbers_of(content, "paces", (len(way),), LIMITS["paces"]),
        strides=numbers_of(content, "strides", (len(way),), LIMITS["strides"]),
        beat=float(numbers_of(content, "beat", (), LIMITS["beat"])),
        first=_whole(content, "first"),
        steps=steps,
        begins=begins,
        ends=ends,
        start=_whole(content, "start"),
        above=above,
        feet=feet,
        turns=_turns(content, len(above)),
    )


def _columns(
    content: Mapping[str, Any], name: str, columns: tuple[str, ...], is_length: np.ndarray
) -> np.ndarray:
    """Return the named columns `(rows, n)` of a text."""
    given = content.get(name)
    if not isinstance(given, dict) or set(given) != set(columns):
        raise ValueError(f"'{name}' does not name the curves of a walk")
    rows = len(given[columns[0]]) if isinstance(given[columns[0]], list) else 0
    most = np.where(is_length, MOST_LENGTH, MOST_ANGLE)
    return np.stack(
        [numbers_of(given, column, (rows,), (-most[row], most[row])) for row, column in enumerate(columns)],
        -1,
    )


def _turns(content: Mapping[str, Any], rows: int) -> dict[str, np.ndarray]:
    given = content.get("turns")
    if (
        not isinstance(given, dict)
        or len(given) > MOST_TURNS
        or not all(isinstance(role, str) for role in given)
    ):
        raise ValueError("'turns' does not name bones")
    return {role: numbers_of(given, role, (rows, 3), (-MOST_ANGLE, MOST_ANGLE)) for role in given}


def _whole(content: Mapping[str, Any], name: str) -> int:
    found = float(numbers_of(content, name, (), (-float(LARGEST_STEP), float(LARGEST_STEP))))
    if found != round(found):
        raise ValueError(f"'{name}' is not a whole number")
    return round(found)
