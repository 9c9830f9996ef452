"""Neural Pose as animators drag: targets pulled, stances changed, far goals reached, by a centimetre at a
time, on bodies of all builds.

What is counted is what an animator would see: joints that flip within a centimetre, hips and waists that turn
though nobody turned them, and targets within reach that are not reached.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from benchmarks.table import Row
from neurarig_addon.blender.neural_pose.empties import HELD_AT_FIRST, SETS
from neurarig_addon.core.geometry.rotation import to_euler, transposed
from neurarig_addon.core.neural.drag.drag import Drag
from neurarig_addon.core.neural.drag.holds import Holds, PoseBefore
from neurarig_addon.core.neural.point_body import PointBody
from neurarig_addon.core.neural.points import INDEX, POINTS
from tests.core.neural_rigs import angles, body

BODIES = ("three spine bones", "no clavicles, A-pose", "one spine bone", "I-pose with twist bones")
PULL, STEP = 0.30, 0.01  # metres, of a body of human size
WAYS = {
    "ahead": (1, 0, 0),
    "back": (-1, 0, 0),
    "left": (0, 1, 0),
    "right": (0, -1, 0),
    "up": (0, 0, 1),
    "down": (0, 0, -1),
}
STANCES = [
    (feet, way, far)
    for feet in ("L", "R", "both")
    for way in ("apart", "together", "ahead", "askew")
    for far in (0.15, 0.3)
]
# of the left ankle
FLOOR = [(ahead, aside) for ahead in (-0.1, 0.1, 0.25, 0.45, 0.6) for aside in (-0.4, 0.0, 0.4)]
FLOOR_BODIES = BODIES[:2]
KEPT = [INDEX[f"{stem}.{side}"] for stem in ("knee", "hip", "elbow") for side in "LR"]
SOLES = [INDEX[f"{stem}.{side}"] for stem in ("ankle", "ball", "toe_tip") for side in "LR"]
PELVIS, CHEST = INDEX["pelvis"], INDEX["spine3"]


class Seen(NamedTuple):
    """What a drag does: by how much a bone turns within one step at most, the pelvis about the vertical, and
    the chest against the pelvis, degrees, how far from their places the dragged points are in the end, and
    how high above the soles the lowest of `KEPT` is, metres of a body of human size."""

    what: str
    turned: float
    hips: float
    waist: float
    missed: float
    lowest: float


def rows() -> list[Row]:
    """Pull, change stances and reach on each body."""
    pulls = [seen for subject in bodies() for seen in _pulls(subject)]
    stances = [seen for subject in bodies() for seen in _stances(subject)]
    goals = [seen for subject in bodies() for seen in _goals(subject)]
    floor = [seen for build in FLOOR_BODIES for seen in _floor(body(build))]
    return [
        *_counted(f"{len(pulls)} pulls of 30 cm", pulls),
        _lowest(pulls),
        *_counted(f"{len(stances)} stance changes", stances),
        Row(
            "a hand to the floor, a hand overhead, a step of 60 cm: farthest miss",
            1e3 * max(seen.missed for seen in goals),
            0.1,
            "mm",
        ),
        Row("    joints that turn more than 30 degrees within 1 cm", _share(goals, 30.0)[0], 0.0, ""),
        Row(
            f"{len(floor)} places on the floor for a hand: farthest miss",
            1e3 * max(seen.missed for seen in floor),
            0.1,
            "mm",
        ),
        Row("    joints that turn more than 15 degrees within 1 cm", _share(floor, 15.0)[0], 0.0, ""),
        _lowest(floor),
    ]


def _lowest(seen: list[Seen]) -> Row:
    lowest = min(seen, key=lambda one: one.lowest)
    return Row(
        "    lowest knee, hip or elbow above the soles",
        1e3 * lowest.lowest,
        0.0,
        "mm",
        at_least=True,
        note=lowest.what,
    )


def _counted(words: str, seen: list[Seen]) -> list[Row]:
    (flips, _), (jumps, share) = _share(seen, 30.0), _share(seen, 15.0)
    hips, waist = max(one.hips for one in seen), max(one.waist for one in seen)
    turning = sum(one.hips > 15.0 for one in seen)
    return [
        Row(f"{words}: some joint turns more than 30 degrees within 1 cm", flips, 0.0, ""),
        Row("    more than 15 degrees", share, 2.0, "%", note=f"{jumps} of {len(seen)}"),
        Row("    pelvis turns more than 15 degrees", turning, 0.0, "", note=f"at most {hips:.1f} degrees"),
        Row("    widest waist", waist, 35.0, "deg"),
    ]


def _share(seen: list[Seen], most: float) -> tuple[int, float]:
    count = sum(one.turned > most for one in seen)
    return count, 100.0 * count / len(seen)


def bodies() -> Iterator[PointBody]:
    """Return the bodies, one after the other."""
    for build in BODIES:
        yield body(build)


def _pulls(body: PointBody) -> Iterator[Seen]:
    """Pull each target along each way."""
    size = body.size
    for name in SETS["MAIN"]:
        for way in WAYS.values():
            yield follow(body, {name: PULL * size * np.array(way)})


def _stances(body: PointBody) -> Iterator[Seen]:
    """Move one foot or both."""
    size = body.size
    for feet, way, far in STANCES:
        moves = {}
        for side, sign in (("L", 1.0), ("R", -1.0)):
            if feet in (side, "both"):
                forward = 1.0 if feet != "both" or side == "L" else -1.0
                ways = {
                    "apart": (0.0, sign, 0.0),
                    "together": (0.0, -0.5 * sign, 0.0),
                    "ahead": (forward, 0.0, 0.0),
                    "askew": (0.7 * forward, 0.7 * sign, 0.0),
                }
                moves[f"ankle.{side}"] = far * size * np.array(ways[way])
        yield follow(body, moves)


def _goals(body: PointBody) -> Iterator[Seen]:
    """Put a hand to the floor and overhead, and step out."""
    rest, size = body.at_rest, body.size
    floor = np.array(
        [rest[INDEX["ankle.L"], 0] + 0.35 * size, 0.15 * size, rest[INDEX["toe_tip.L"], 2] + 0.05 * size]
    )
    above = rest[INDEX["shoulder.L"]] + size * np.array([0.1, 0.05, 0.45])
    yield follow(body, {"wrist.L": floor - rest[INDEX["wrist.L"]]})
    yield follow(body, {"wrist.L": above - rest[INDEX["wrist.L"]]})
    yield follow(body, {"ankle.L": np.array([0.6 * size, 0.0, 0.0])})


def _floor(body: PointBody) -> Iterator[Seen]:
    """Put a hand to the floor around the feet."""
    rest, size = body.at_rest, body.size
    for ahead, aside in FLOOR:
        place = size * np.array([ahead, aside, 0.05]) + [
            *rest[INDEX["ankle.L"], :2],
            rest[INDEX["toe_tip.L"], 2],
        ]
        yield follow(body, {"wrist.L": place - rest[INDEX["wrist.L"]]})


def main_targets(body: PointBody) -> tuple[Drag, np.ndarray]:
    """Return a body at rest with the seven main targets as they are at first, and where they are `(27, 3)`,
    NaN for the others."""
    base = PoseBefore.of(body, transposed(body.turns), body.at_rest)
    points = np.full((len(POINTS), 3), np.nan)
    rows = [INDEX[name] for name in SETS["MAIN"]]
    points[rows] = body.at_rest[rows]
    return Drag.of(
        body, base, Holds.of(SETS["MAIN"], locked=HELD_AT_FIRST.intersection(SETS["MAIN"]))
    ), points


def follow(body: PointBody, moves: dict[str, np.ndarray]) -> Seen:
    """Move targets, name -> way `(3,)` in metres, by a centimetre at a time."""
    drag, start = main_targets(body)
    farthest = max(float(np.linalg.norm(way)) for way in moves.values())
    shares = np.linspace(0.0, 1.0, int(np.ceil(farthest / (STEP * body.size))) + 1)
    points = np.tile(start, (len(shares), 1, 1))
    for name, way in moves.items():
        points[:, INDEX[name]] += shares[:, None] * way
    away, root = drag.apply(points)
    heads = body.tree.heads(away, root)
    posed = body.tree.points(away, heads)
    joints = body.rotations(body.moved(away, heads))
    waist = transposed(joints[:, PELVIS]) @ joints[:, CHEST]
    missed = {name: float(np.linalg.norm(posed[-1, INDEX[name]] - points[-1, INDEX[name]])) for name in moves}
    return Seen(
        what=", ".join(f"{name} {np.round(100.0 * way)} cm" for name, way in moves.items()),
        turned=float(np.degrees(angles(away[1:], away[:-1])).max()),
        hips=float(np.degrees(np.abs(to_euler(joints[:, PELVIS])[1])).max()),
        waist=float(np.degrees(angles(waist, waist[:1])).max()),
        missed=max(missed.values()),
        lowest=float((posed[:, KEPT, 2].min(axis=1) - posed[:, SOLES, 2].min(axis=1)).min()) / body.size,
    )
