"""The file of an act: short JSON with named numbers, validated completely before use."""

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from ..contract.channels import CHANNELS, IS_LENGTH
from ..errors import NeuraRigError
from ..files import json_text
from ..files.given_file import content_of
from ..files.json_text import lines, named_texts, numbers_by_channel, numbers_of, rounded
from ..files.whole_file import write_text
from .act import BASES, PARTS, SURFACES, Act, ActContact, Curves, in_order

FORMAT, VERSION = "neurarig-act", 1
LARGEST_FILE = 400 * 2**10  # bytes
MOST_KNOTS, MOST_CONTACTS = 400, 40
LONGEST_S = 60.0
LONGEST_NAME, _LONGEST_TEXT = 64, 400
DIGITS = 4
_MOST_ANGLE, _FARTHEST = 12.6, 10.0
_MOST = dict(zip(CHANNELS, np.where(IS_LENGTH, 4.0, _MOST_ANGLE).tolist(), strict=True))
_TEXTS, _SPANS = ("name", "description", "credit"), ("flight", "hold")
SHIPPED = Path(__file__).resolve().parents[2] / "data" / "acts"


def to_json(act: Act) -> str:
    """Return an act as the text of its file."""
    values = {
        name: rounded(row, DIGITS)
        for name, row in zip(CHANNELS, act.curves.values.T, strict=True)
        if np.round(row, DIGITS).any()
    }
    content = {
        "format": FORMAT,
        "version": VERSION,
        **{name: getattr(act, name) for name in _TEXTS},
        "base": act.base,
        "at": rounded(act.curves.at, DIGITS),
        "travel": rounded(act.travel(act.curves.at)[:, 0], DIGITS),
        **{name: rounded(span, DIGITS) for name in _SPANS if (span := getattr(act, name))},
        **({} if act.arms is None else {"arms": rounded(act.arms(act.curves.at), DIGITS)}),
        **({} if act.ways == 1 else {"ways": act.ways}),
        "contacts": [_written(contact) for contact in act.contacts],
        "channels": values,
    }
    return lines(content)


def from_json(text: str | bytes, where: str) -> Act:
    """Return the act in a file's text; raises NeuraRigError, saying `where` and what is wrong, for anything
    else."""
    try:
        return _checked(json_text.document(text, FORMAT, VERSION, "an act"))
    except ValueError as problem:
        raise NeuraRigError(f"{where} cannot be used as an act: {problem}; learn the act again.") from None


def read_act(path: Path) -> Act:
    """Return the act in a file; raises NeuraRigError, naming the file, if there is none."""
    return from_json(content_of(path, LARGEST_FILE, "choose an act's file"), f"'{path.name}'")


def write_act(path: Path, act: Act) -> None:
    """Write an act's file; raises NeuraRigError if it cannot be written."""
    write_text(path, to_json(act))


@lru_cache(maxsize=1)
def shipped_acts() -> Mapping[str, Act]:
    """Return the bundled acts by identifier, e.g. 'JUMP', in the order of their files."""
    return {path.stem.partition("_")[2].upper(): read_act(path) for path in sorted(SHIPPED.glob("*.json"))}


def _written(contact: ActContact) -> dict[str, Any]:
    found: dict[str, Any] = {
        "part": contact.part,
        "on": contact.on,
        "time": rounded([contact.begin, contact.end], DIGITS),
    }
    if any(contact.place):
        found["place"] = rounded(contact.place, DIGITS)
    if contact.heading:
        found["heading"] = round(contact.heading, DIGITS)
    return found


def _checked(content: Mapping[str, Any]) -> Act:
    if content.get("base") not in BASES:
        raise ValueError(f"its base is none of {', '.join(BASES)}")
    at = numbers_of(content, "at", (None,), (0.0, LONGEST_S))
    if not 2 <= len(at) <= MOST_KNOTS or at[0] != 0.0 or (np.diff(at) <= 0.0).any():
        raise ValueError(f"its times do not rise from 0, or are not 2 to {MOST_KNOTS}")
    travel = numbers_of(content, "travel", (len(at),), (-1.0, 2.0)) if "travel" in content else at / at[-1]
    if travel[0] != 0.0 or travel[-1] != 1.0:
        raise ValueError("'travel' does not lead from 0 to 1")
    spans = {name: _span(content, name, float(at[-1])) for name in _SPANS if name in content}
    arms = Curves(at, numbers_of(content, "arms", (len(at), 2), (0.0, 1.0))) if "arms" in content else None
    return Act(
        **named_texts(content, _TEXTS, LONGEST_NAME, _LONGEST_TEXT),
        base=content["base"],
        curves=Curves(at, _channels(content, len(at))),
        travel=Curves(at, travel[:, None]),
        contacts=_contacts(content, float(at[-1])),
        flight=spans.get("flight"),
        hold=spans.get("hold"),
        arms=arms,
        ways=int(numbers_of(content, "ways", (), (1.0, len(at) - 1.0))) if "ways" in content else 1,
    )


def _span(content: Mapping[str, Any], name: str, seconds: float) -> tuple[float, float]:
    begin, end = numbers_of(content, name, (2,), (0.0, seconds))
    if begin >= end:
        raise ValueError(f"'{name}' ends before it begins")
    return float(begin), float(end)


def _channels(content: Mapping[str, Any], count: int) -> np.ndarray:
    return np.ascontiguousarray(numbers_by_channel(content, "channels", _MOST, (count,)).T)


def _contacts(content: Mapping[str, Any], seconds: float) -> tuple[ActContact, ...]:
    given = content.get("contacts", [])
    if (
        not isinstance(given, list)
        or len(given) > MOST_CONTACTS
        or not all(isinstance(one, dict) for one in given)
    ):
        raise ValueError(f"'contacts' is not a list of at most {MOST_CONTACTS}")
    found = []
    for one in given:
        if one.get("part") not in PARTS or one.get("on", SURFACES[0]) not in SURFACES:
            raise ValueError(f"a contact is not of {', '.join(PARTS)} on {', '.join(SURFACES)}")
        begin, end = _span(one, "time", seconds)
        place = numbers_of(one, "place", (3,), (-_FARTHEST, _FARTHEST)) if "place" in one else np.zeros(3)
        heading = (
            float(numbers_of(one, "heading", (), (-_MOST_ANGLE, _MOST_ANGLE))) if "heading" in one else 0.0
        )
        ahead, left, up = map(float, place)
        found.append(
            ActContact(one["part"], begin, end, one.get("on", SURFACES[0]), (ahead, left, up), heading)
        )
    return in_order(found)
