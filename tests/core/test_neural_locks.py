"""What of a body can be locked, and how far its limbs reach."""

import numpy as np
import pytest

from neurarig_addon.core.neural.points import INDEX, POINTS
from neurarig_addon.core.neural.reach.lock_plan import LockPlan, lockable
from tests.core.neural_rigs import BUILDS, body
from tests.refusals import refuses

LIMBS = [
    (f"{a}.{side}", f"{b}.{side}", f"{c}.{side}")
    for a, b, c in (("hip", "knee", "ankle"), ("shoulder", "elbow", "wrist"))
    for side in "LR"
]


@pytest.mark.parametrize("build", BUILDS)
def test_what_is_called_lockable_can_be_locked_and_nothing_else(build: str) -> None:
    subject = body(build)
    for point in POINTS:
        if lockable(subject, point):
            plan = LockPlan.of(subject, (point,))
            assert plan.wanted[0] == INDEX[point]
        else:
            with refuses(point.replace(".", r"\.")):
                LockPlan.of(subject, (point,))


def test_a_hand_brings_its_wrist_and_a_toe_tip_its_whole_foot() -> None:
    subject = body("three spine bones")
    names = lambda plan: [POINTS[row] for row in plan.wanted]  # noqa: E731
    assert names(LockPlan.of(subject, ("hand_tip.L",))) == ["hand_tip.L", "wrist.L"]
    toes = LockPlan.of(subject, ("toe_tip.R",))
    assert names(toes) == ["toe_tip.R", "ball.R", "ankle.R"]
    assert [(POINTS[joint], POINTS[by]) for joint, by in toes.brought] == [
        ("ball.R", "toe_tip.R"),
        ("ankle.R", "ball.R"),
    ]
    assert [POINTS[aim.point] for aim in toes.aimed] == ["ball.R", "toe_tip.R"], "from the ankle on"
    assert names(LockPlan.of(subject, ("head_top",))) == ["head_top"], "the trunk takes the head along"
    both = LockPlan.of(subject, ("knee.L", "ankle.L"))
    assert not both.bent and [POINTS[aim.point] for aim in both.aimed] == ["knee.L", "ankle.L"]


@pytest.mark.parametrize(
    "names",
    [("wrist.L",), ("wrist.L", "ankle.R", "neck"), ("pelvis", "ankle.L", "ankle.R"), ("elbow.R", "head")],
)
def test_a_plan_asks_of_a_larger_body_the_same_times_its_size(names: tuple[str, ...]) -> None:
    small, large = (LockPlan.of(body("three spine bones", size=size), names).trunk for size in (1.0, 2.0))
    for part, factor in {
        "arms": 2.0,
        "ease": 1.0,
        "root_ease": 4.0,
        "least": 2.0,
        "most": 2.0,
        "pull": 1.0,
        "size": 2.0,
    }.items():
        np.testing.assert_allclose(
            getattr(large, part),
            factor * np.asarray(getattr(small, part)),
            rtol=1e-6,
            atol=1e-12,
            err_msg=part,
        )


def test_a_limb_reaches_from_folded_to_nearly_straight_and_a_locked_middle_is_as_far_as_its_bone() -> None:
    subject = body("three spine bones")
    rest = subject.at_rest
    for start, middle, end in LIMBS:
        upper, lower = (
            float(np.linalg.norm(rest[INDEX[b]] - rest[INDEX[a]]))
            for a, b in ((start, middle), (middle, end))
        )
        loose, pinned = (LockPlan.of(subject, (name,)) for name in (end, middle))
        assert loose.trunk.least == pytest.approx([abs(upper - lower)]) and loose.trunk.most == pytest.approx(
            [upper + lower], rel=2e-3
        )
        assert loose.trunk.most[0] < upper + lower
        assert pinned.trunk.least == pytest.approx([upper]) and pinned.trunk.most == pytest.approx([upper])
        assert pinned.trunk.pull == pytest.approx([1.0]) and 0.0 < loose.trunk.pull[0] < 1.0
        assert (
            [POINTS[row] for row in loose.wanted] == [end]
            and loose.trunk_goals.tolist() == [0]
            and loose.reaching.tolist() == [0]
        )
        assert [(POINTS[limb.start], POINTS[limb.end]) for limb in loose.bent] == [(start, end)]
