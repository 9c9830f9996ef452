"""Poses apart from who has them: flipped, one side as the other, on another body, between two poses."""

import numpy as np
import pytest

from neurarig_addon.core.geometry.rotation import about_y, about_z, transposed
from neurarig_addon.core.neural.figure_pose import FigurePose, in_between
from neurarig_addon.core.neural.points import INDEX, JOINTS, PARENTS, mirrored_rows
from tests.core.neural_rigs import angles, body, random_turns

BUILDS = ["one spine bone", "three spine bones", "no clavicles, A-pose", "I-pose with twist bones"]


def some_pose(build: str, seed: int = 3) -> FigurePose:
    """Return a pose of a body, off its middle."""
    subject = body(build)
    turns = random_turns(np.random.default_rng(seed), (len(JOINTS),), 0.4)
    for joint, parent in enumerate(PARENTS[1 : len(JOINTS)], 1):
        turns[joint] = turns[parent] @ turns[joint]
    return FigurePose(turns, subject.rest[0] + [0.1, 0.2, -0.1])


@pytest.mark.parametrize("build", BUILDS)
def test_a_flipped_pose_is_the_mirror_image(build: str) -> None:
    subject, pose = body(build), some_pose(build)
    mirrored = pose.points(subject)[mirrored_rows()] * [1.0, -1.0, 1.0]
    assert np.abs(pose.flipped().points(subject) - mirrored).max() < 1e-3
    again = pose.flipped().flipped()
    assert (
        np.abs(again.rotations - pose.rotations).max() < 1e-12
        and np.abs(again.root - pose.root).max() < 1e-12
    )


def test_the_other_side_is_turned_as_the_mirror_image_seen_from_the_trunk() -> None:
    pose = some_pose("three spine bones")
    for side, other in (("L", "R"), ("R", "L")):
        found = pose.with_side(side)
        same = [row for row, name in enumerate(JOINTS) if not name.endswith(f".{other}")]
        assert np.abs(found.rotations[same] - pose.rotations[same]).max() == 0.0
        across = np.outer([1.0, -1.0, 1.0], [1.0, -1.0, 1.0])
        for stem in ("hip", "knee", "collar", "shoulder", "elbow", "wrist"):
            ours, theirs = INDEX[f"{stem}.{side}"], INDEX[f"{stem}.{other}"]
            local, expected = (
                found.rotations[PARENTS[row]].T @ found.rotations[row] for row in (theirs, ours)
            )
            assert np.abs(local - expected * across).max() < 1e-12


def test_a_pose_on_a_larger_body_has_its_angles_and_feet_on_the_same_ground() -> None:
    small, large = body("three spine bones"), body("no clavicles, A-pose")
    pose = some_pose("three spine bones")
    there = pose.carried_over(small, large)
    assert np.abs(there.rotations - pose.rotations).max() == 0.0
    feet = [INDEX[f"{part}.{side}"] for part in ("ankle", "ball", "toe_tip") for side in "LR"]
    size = large.character.body.leg_length / small.character.body.leg_length
    above = [
        one.points(who)[feet, 2].min() - who.at_rest[feet, 2].min()
        for one, who in ((pose, small), (there, large))
    ]
    assert above[1] == pytest.approx(size * above[0], abs=1e-9)
    back = there.carried_over(large, small)
    assert np.abs(back.root - pose.root).max() < 1e-9


@pytest.mark.parametrize("build", BUILDS)
def test_an_in_between_goes_on_arcs_and_holds_standing_feet(build: str) -> None:
    subject = body(build)
    first = FigurePose(transposed(subject.turns) @ subject.turns, subject.rest[0])
    lowered = first.rotations.copy()
    for side in "LR":
        lowered[INDEX[f"hip.{side}"]] = about_y(np.array(-0.5))
        lowered[INDEX[f"knee.{side}"]] = about_y(np.array(0.5))
    arm = [INDEX[f"{part}.L"] for part in ("shoulder", "elbow", "wrist")]
    lowered[arm] = about_z(np.array(-1.2)) @ lowered[arm]
    second = FigurePose(lowered, first.root)
    drop = (second.points(subject) - first.points(subject))[INDEX["ankle.L"]]
    second = FigurePose(lowered, first.root - drop)
    starts, ends = first.points(subject), second.points(subject)
    feet = [INDEX[f"ankle.{side}"] for side in "LR"]
    shoulder, wrist = INDEX["shoulder.L"], INDEX["wrist.L"]
    for share in (0.0, 0.25, 0.5, 1.0):
        away, root = in_between(subject, first, second, share)
        now = subject.tree.points(away, subject.tree.heads(away, root))[0]
        expected = starts[feet] + share * (ends[feet] - starts[feet])
        assert np.linalg.norm(now[feet] - expected, axis=1).max() < 1e-4
        long = np.linalg.norm(starts[wrist] - starts[shoulder])
        # not through the chord
        assert np.linalg.norm(now[wrist] - now[shoulder]) == pytest.approx(long, rel=1e-3)
    assert np.degrees(angles(away, second.turned(subject)[0])).max() < 0.5
