"""Skipping, galloping and hopping as data: the order of contacts, how feet land and leave, what the body
does.

No recordings of skipping were used. Contact and flight times follow published figures for skipping and
children's gallop
(Minetti 1998, Fiers et al. 2013: the leading foot strikes a third of a cycle after the trailing one; each
stands for about a fifth
of a second; the flight follows the leading foot).  The curves were drawn by hand.

In the file a contact names its footfall; `landed`: cycles at which the last foot of a step lands; `carries`:
the foot that never stands.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from ...character.body import LEFT, RIGHT
from ...contract.channels import CHANNELS
from ...files import json_text
from ...files.json_text import numbers_of
from ...shipped import DATA
from .contacts import Contact, CycleContacts

STORE = DATA / "bounces.json"
FORMAT, VERSION = "neurarig-bounces", 1
SIDES = {"left": LEFT, "right": RIGHT}
RESTS = 0.05  # cycles after the last foot of a step has landed
MOST = 180.0  # degrees, or leg lengths


@dataclass(frozen=True)
class Footfall:
    """A foot from one contact to its next, as knots `(n, 2)` of smooth curves.

    `rolls`: degrees of pitch over the share of the stance, heel up positive. Over the share of the swing:
    `turns`, degrees of
    pitch; `ahead` and `up`, leg lengths added to the straight path. Of a foot that stands on its toes:
    `tips`, degrees that these are pitched over their tips in the stance, and `curls`, that they bend against
    the foot in the swing; None for toes that stay flat under a rising heel.
    """

    rolls: np.ndarray
    turns: np.ndarray
    ahead: np.ndarray
    up: np.ndarray
    tips: np.ndarray | None = None
    curls: np.ndarray | None = None


@dataclass(frozen=True)
class Bounce:
    """A gait that bounces.

    `footfalls`: of each contact, in the order of `Contacts.which`. `body`: per channel, in leg lengths and
    degrees, over the cycle from
    the left foot's first contact: the mean, then cosine and sine of each harmonic. `carried`: the same for a
    foot that never stands.
    `vhat`: natural dimensionless speed; `rate`: cycles at that speed, x sqrt(leg / g), and `quickens`, its
    slope over vhat.
    `shortens`: share of contact time lost per vhat above natural, within bounds; hops at speed would throw
    the body about.
    `lead`: leg lengths the hips are ahead of the prints.  `mirrored`: left and right are swapped.
    """

    contacts: CycleContacts
    footfalls: tuple[Footfall, ...]
    body: Mapping[str, np.ndarray]
    carried: Mapping[str, np.ndarray]
    vhat: float
    rate: float
    quickens: float
    shortens: float
    lead: float
    mirrored: bool = False


@lru_cache(maxsize=2)
def bounces(store: Path = STORE) -> Mapping[str, Bounce]:
    """Return the bundled bounces of a file by name."""
    return from_json(store.read_bytes())


def from_json(text: str | bytes) -> Mapping[str, Bounce]:
    """Return the bounces in a file's text by name; raises KeyError if it lacks one of their parts, ValueError
    if that is anything else."""
    content = json_text.document(text, FORMAT, VERSION, "a file of bouncing gaits")
    footfalls = {name: Footfall(**_rows(curves, (None, 2))) for name, curves in content["footfalls"].items()}
    return {name: _bounce(given, footfalls) for name, given in content["bounces"].items()}


def _bounce(given: dict[str, Any], footfalls: Mapping[str, Footfall]) -> Bounce:
    cycle = given["cycle"]
    contacts = tuple(Contact(SIDES[one["side"]], one["begins"], one["lasts"], one["bears"]) for one in cycle)
    carried = SIDES[given["carries"]] if "carries" in given else None
    pace: dict[str, Any] = {
        name: float(numbers_of(given, name, (), (0.0, MOST)))
        for name in ("vhat", "rate", "quickens", "shortens", "lead")
    }
    return Bounce(
        contacts=CycleContacts(contacts, given["landed"] + RESTS, given["every"], carried),
        footfalls=tuple(footfalls[one["footfall"]] for one in cycle),
        body=waves_of(given["body"]),
        carried=waves_of(given.get("carried", {})),
        **pace,
    )


def waves_of(given: Mapping[str, Any]) -> dict[str, np.ndarray]:
    """Return harmonics of channels by their names."""
    if not set(given) <= set(CHANNELS):
        raise ValueError("a bounce names something that is not a channel of a walk")
    return _rows(given, (None,))


def _rows(given: Mapping[str, Any], shape: tuple[int | None, ...]) -> dict[str, np.ndarray]:
    return {name: numbers_of(given, name, shape, (-MOST, MOST)) for name in given}
