"""What points alone tell of a figure: its lines, what is missing, its shape, its facing; frames of bones; and rules of few numbers."""

import json
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from benchmarks.neural_ik.missing import Evidence, Neighbours, analytic_pose, complete
from neurarig_addon.core.gait.inputs.print_edits import PrintEdit, PrintEdits
from neurarig_addon.core.geometry.rotation import normalized
from neurarig_addon.core.logic.profile import FOLDER, Profile
from neurarig_addon.core.neural.analytic.anchor import Analytic, Anchor
from neurarig_addon.core.neural.analytic.figure_filter import FigureFilter
from neurarig_addon.core.neural.analytic.figure_shape import FigureShape
from neurarig_addon.core.neural.analytic.network_body import NetworkBody
from neurarig_addon.core.neural.frames import BoneFrames, shortest_turn
from neurarig_addon.core.neural.points import INDEX, JOINTS, POINTS, parent_of
from neurarig_addon.core.neural.tracking import Tracking
from tests.core.bone_trees import carried, primary_children, to_axes, to_basis
from tests.core.record.condensed import Answer
from tests.core.record.poses import LOCKS, posed, subject
from tests.core.record.skeletons import asked

FRAMES = 5
HIDDEN: dict[str, tuple[str, ...]] = {
    "nothing": (),
    "all but six": tuple(name for name in POINTS if name not in LOCKS["six"]),
    "an arm": ("shoulder.L", "elbow.L", "wrist.L", "hand_tip.L"),
    "middles": ("elbow.L", "elbow.R", "knee.L", "knee.R"),
    "the trunk": ("spine1", "spine2", "spine3", "neck", "collar.L", "collar.R"),
    "the head": ("neck", "head", "head_top"),
    "pelvis and hips": ("pelvis", "hip.L", "hip.R", "spine1"),
    "a side": tuple(name for name in POINTS if name.endswith(".R")),
    "ends": ("hand_tip.L", "hand_tip.R", "ball.L", "ball.R", "toe_tip.L", "toe_tip.R", "head_top"),
    "all but the hips": tuple(name for name in POINTS if not name.startswith("hip.")),
    "everything": tuple(POINTS),
}


def weights_of(hidden: tuple[str, ...]) -> np.ndarray:
    """Return 1 for points that are seen."""
    return np.array([0.0 if name in hidden else 1.0 for name in POINTS])


def anchored(hidden: str) -> Callable[[], Answer]:
    """Return what points tell that are seen in part, alike in all frames and frame by frame, whole and half trusted."""

    def answer() -> Answer:
        body = subject()
        anchor, draw = Anchor.of(body.rest), np.random.default_rng(3)
        _, _, points = posed(body, 14, FRAMES)
        points = points + 0.01 * draw.normal(size=points.shape)
        seen, found, many = weights_of(HIDDEN[hidden]), {}, points.shape[:2]
        kinds = {
            "alike": seen,
            "half": seen * draw.uniform(0.2, 0.9, many[1]),
            "by frame": seen * draw.choice([0.0, 0.6, 1.0], (FRAMES, len(POINTS))),
        }
        for name, weights in kinds.items():
            analytic = solve(anchor, points, weights)
            found[name] = [analytic.rotations, analytic.root, analytic.trunk, analytic.twists_shown]
        broken = points.copy()
        broken[1, INDEX["knee.L"]], broken[2, INDEX["spine2"]], broken[3] = np.nan, np.inf, points[3, :1]
        analytic = analytic_pose(anchor, Neighbours.of(body.rest), broken, seen)[0]
        found["broken"] = [analytic.rotations, analytic.root]
        evidence = Evidence.of(Neighbours.of(body.rest), kinds["half"])
        found["complete"] = [evidence, complete(Neighbours.of(body.rest), evidence, points * evidence.shown)]
        return found

    return answer


def solve(anchor: Anchor, points: np.ndarray, weights: np.ndarray) -> Analytic:
    """Return the analytic pose, completed where joints are missing."""
    if weights[..., : len(JOINTS)].min() == 1.0:
        return anchor.solve(points, weights)
    return analytic_pose(anchor, Neighbours.of(subject().rest), points, weights)[0]


def shaped(hidden: str, sigma: float) -> Callable[[], Answer]:
    """Return points as figures usually have them."""

    def answer() -> Answer:
        body = subject()
        tables, draw = NetworkBody.of(body.rest), np.random.default_rng(5)
        _, _, many = posed(body, 15, 40)
        shape = FigureShape.of(many, np.broadcast_to(tables.rest, many.shape), np.full(len(many), tables.height))
        points = many[:FRAMES] + sigma * draw.normal(size=(FRAMES, len(POINTS), 3))
        weights, found = weights_of(HIDDEN[hidden]), {}
        variances = np.full(len(POINTS), sigma**2) * draw.uniform(0.5, 2.0, len(POINTS))
        plain, around = (FigureFilter.of(shape, tables, weights, variances, around=where) for where in (None, many[0]))
        found["applied"] = [one.apply(points) for one in (plain, around)]
        by_frame = FigureFilter.of(
            shape, tables, np.tile(weights, (FRAMES, 1)) * draw.uniform(0.2, 1.0, (FRAMES, len(POINTS))), np.tile(variances, (FRAMES, 1))
        )
        return {**found, "by frame": by_frame.apply(points)}

    return answer


def framed() -> Answer:
    """Return frames of bones of drawn trees, and turns that are half a circle."""
    draw, found = np.random.default_rng(6), {}
    for number in range(6):
        parents = np.array([-1, *(int(draw.integers(0, n)) for n in range(1, 9))])
        heads = draw.normal(size=(9, 3))
        heads[4] = heads[parents[4]]
        tails = heads + draw.normal(0.0, 0.3, (9, 3))
        found[f"children {number}"] = primary_children(heads, tails, parents)
    body = subject()
    frames = BoneFrames.of_points(body.rest)
    rotations, _, _ = posed(body, 16, FRAMES)
    found["frames"] = [
        frames.aligned,
        to_axes(frames, rotations),
        carried(frames, rotations),
        frames.directions,
        to_basis(frames, rotations),
    ]
    start = normalized(draw.normal(size=(6, 3)))
    end = np.where(np.arange(6)[:, None] % 2, -start, normalized(draw.normal(size=(6, 3))))
    found["turns"] = shortest_turn(start, end, normalized(draw.normal(size=(6, 3))))
    found["parents"] = [parent_of(name) for name in POINTS if name != "pelvis"]
    return found


def streamed_with_gaps() -> Answer:
    """Return points of a stream of which some are no numbers, far, or late."""
    draw, tracking, found = np.random.default_rng(7), Tracking(), []
    for number in range(25):
        points = draw.normal(0.0, 0.02, (27, 3)) + 0.1 * number
        points[number % 5] = (np.inf, np.nan, 1e3)[number % 3]
        found.append(tracking.follow(points, (0.0, 0.01, 0.03)[number % 3], (0.0, 0.02, 0.5)[number % 3]))
    return {"points": [one for one, _ in found], "noise": [left for _, left in found]}


def wrong_edits() -> Answer:
    """Return what is said of edits that no print could have."""
    draw, found = np.random.default_rng(8), {}
    limits = {"along": 1e5, "yaw": 6.3, "slope": 3.2, "touch": 1.0, "lift": 1.0, "height": 1e5}
    for name, most in limits.items():
        for factor in (0.99, -0.99, 1.02, -1.02, np.nan, np.inf):
            found[f"{name} {factor}"] = asked(
                lambda name=name, value=most * factor: PrintEdits.of([PrintEdit(0, 1, **{name: value})]).edits
            )
    for side, number in ((2, 1), (-1, 1), (0, 10_000_001), (1, -10_000_000), (0, 1.5)):
        found[f"{side} {number}"] = asked(lambda side=side, number=number: PrintEdits.of([PrintEdit(side, number)]).edits)
    found["twice"] = asked(lambda: PrintEdits.of([PrintEdit(0, 1), PrintEdit(0, 1, yaw=0.1)]).edits)
    order = [(int(side), int(number)) for side in (0, 1) for number in range(5)]
    found["order"] = [edit.key for edit in PrintEdits.of([PrintEdit(*order[n]) for n in draw.permutation(10)]).edits]
    return {"said": found}


def wrong_profiles() -> Answer:
    """Return what is said of profiles of which one number or text is another."""
    text, found, draw = (FOLDER / "1_plain_biped.json").read_text(encoding="utf-8"), {}, np.random.default_rng(9)
    places = list(_leaves(json.loads(text), ()))
    short = [place for place, value in places if not isinstance(value, str) or len(value) < 40]
    for number in range(220):
        place = short[int(draw.integers(len(short)))]
        document = json.loads(text)
        owner = document
        for key in place[:-1]:
            owner = owner[key]
        value = owner[place[-1]]
        others = (value + 1, value - 1, 1000, -1, 0, None) if isinstance(value, int | float) else ("", f"{value}x", 3, None)
        owner[place[-1]] = others[int(draw.integers(len(others)))]
        bad = json.dumps(document)
        found[f"{number}"] = asked(lambda bad=bad: [Profile.from_json(bad).outputs, Profile.from_json(bad).inputs])
    return {"said": found}


def _leaves(value: Any, place: tuple) -> Iterator[tuple[tuple, Any]]:
    """Yield where in a document its texts and numbers stand, and these."""
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in parts:
        yield from _leaves(part, (*place, key))
    if isinstance(value, str | int | float):
        yield place, value


def cases() -> dict[str, Callable[[], Answer]]:
    """Return the scenarios by name."""
    return {
        **{f"anchored, hidden {hidden}": anchored(hidden) for hidden in HIDDEN},
        **{
            f"shaped, hidden {hidden}, {sigma}": shaped(hidden, sigma)
            for hidden, sigma in (("nothing", 0.02), ("all but six", 0.0), ("an arm", 0.03))
        },
        "framed": framed,
        "streamed with gaps": streamed_with_gaps,
        "wrong edits": wrong_edits,
        "wrong profiles": wrong_profiles,
    }
