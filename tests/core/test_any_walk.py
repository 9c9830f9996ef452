"""What holds of every walk, wherever it leads and whatever is asked of it: a pose is a function of its frame,
feet that stand stay, legs reach, and size changes nothing."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

from neurarig_addon.core.gait.body.channels import SLIDERS
from neurarig_addon.core.gait.inputs.gaze import Gaze
from neurarig_addon.core.gait.inputs.print_edits import NO_EDITS, PrintEdits
from neurarig_addon.core.gait.kinds.bouncing_gait import bouncing_gait
from neurarig_addon.core.gait.kinds.gait import PLAIN, Gait
from neurarig_addon.core.gait.sliders.style import Clock, Style, StyleTrack
from neurarig_addon.core.gait.synthesis import walked
from neurarig_addon.core.gait.walker import Walker
from neurarig_addon.core.ground.surface import LEVEL, Surface
from neurarig_addon.core.human.adult import human_body
from neurarig_addon.core.path.curve import Curve
from neurarig_addon.core.path.marks import Mark
from neurarig_addon.core.path.path import STRAIGHT
from neurarig_addon.core.styles.styled_gait import in_styles
from tests.core.bounces import BOUNCES
from tests.core.edited_walks import drawn
from tests.core.profile_walks import WADER, gait
from tests.core.style_clips import SOMEHOW, style_of
from tests.core.style_clips import walked as recorded
from tests.core.walk_grounds import kerb, over_ground, stairs
from tests.core.walk_measures import deepest, greatest_reach, greatest_slip
from tests.core.walk_paths import LEG, PATHS
from tests.core.walk_styles import WALKS
from tests.core.walkers import BODY, BY_SPEED, HUMAN, RUNNING, WALKING

FRAMES = np.arange(-20.0, 240.0, 0.5)
CORNERS = np.array([[0.0, 0.0, 0.0], [2.5, 0.0, 0.0], [2.5, 2.5, 0.0]])
WAVES = Surface(lambda places: 0.09 * np.sin(0.5 * places[:, 0]))
BUMPS = Surface(lambda places: 0.05 * np.sin(1.3 * places[:, 0]) * np.cos(0.9 * places[:, 1]))
RIGID = replace(BODY, knee=0.5 * (BODY.hip + BODY.ankle), one_bone_legs=True, rigid_legs=True)
LOOK = Gaze(np.array([1.0, 101.0]), np.array([[4.0, 4.0, 1.5], [8.0, -4.0, 1.0]]))
EDITS = PrintEdits.of(drawn(3, 1.0, 6, held=True))
FACE = Gaze(np.zeros(1), np.array([[4.0, 2.0, 1.0]]))


def track(curves: Mapping[str, tuple[float, ...]] = {}, seed: int = 0, **style: float) -> StyleTrack:
    """Return sliders, some of them keyed evenly over the frames."""
    grid = np.arange(-40.0, 320.0, 0.25)
    keys = {name: np.linspace(0.0, 200.0, len(values)) for name, values in curves.items()}
    keyed = {name: (grid, np.interp(grid, keys[name], values)) for name, values in curves.items()}
    return StyleTrack(Style(**{"speed": 1.1, **style}), keyed, seed=seed, strides_seed=seed)


def way(*marks: Mark, size: float = 1.0, start: float = 0.0, starts: bool = True) -> Curve:
    """Return a path with a corner, from standing to standing where it starts so."""
    return Curve.through(size * CORNERS, size * LEG, starts=starts, start_turn=start, marks=marks)


WALKERS: dict[str, dict[str, Any]] = {
    "start and stop": {"track": WALKS["start and stop"]},
    "limp": {"track": WALKS["asymmetry 1.0"]},
    "by speed": {"track": track({"speed": (0.0, 1.3, 3.5, 7.0, 0.0)}), "gait": BY_SPEED},
    "run round a bend": {"track": track(speed=3.0), "gait": RUNNING, "path": PATHS["circle of 2 m"]},
    **{
        name: {"track": track({"speed": (0.6, 2.6, 1.2)}), "gait": bouncing_gait(bounce)}
        for name, bounce in BOUNCES.items()
    },
    **{name: {"path": path} for name, path in PATHS.items()},
    "kerb up": {"ground": kerb(0.15)},
    "kerb down": {"ground": kerb(-0.15), "gait": PLAIN},
    "stairs up": {"ground": stairs(33.0, start=3.0)},
    "stairs down": {"ground": stairs(33.0, -1.0, 3.0), "gait": HUMAN},
    "waves round a corner": {"ground": WAVES, "path": PATHS["corner of 90 degrees"]},
    "from standing to standing": {"path": way(), "track": track(seed=4), "gait": HUMAN},
    "turns on the spot": {"path": way(Mark(1.5, 1.0, turn=-1.0), Mark(is_end=True, turn=np.pi), start=1.5)},
    "marks on time": {"path": way(Mark(1.0, 1.0), Mark(2.0, due=6.0))},
    "faces many ways": {"track": track({"facing": (0.0, 150.0, -120.0)}, speed=0.9)},
    "faces a thing on a circle": {"path": PATHS["circle of 2 m"], "face": FACE, "track": track(speed=0.9)},
    "looks at what moves": {"path": PATHS["S"], "gaze": LOOK},
    "looks around": {"track": track(seed=3, look_around=1.0)},
    "overlaps": {
        "track": track({"speed": (0.4, 1.6, 0.0), **dict.fromkeys(SLIDERS, (0.0, 5.0, -2.0))}),
        "path": PATHS["S"],
    },
    "strides that differ": {"track": track({"variation": (0.0, 2.0)}, seed=5)},
    "styles": {
        "track": track({"style_1": (0.0, 1.5)}, style_2=0.4),
        "gait": in_styles(WALKING, [style_of(recorded(style)) for style in (SOMEHOW, Style(asymmetry=1.0))]),
    },
    "profile": {"gait": Gait(gait(WADER), gait(WADER), True), "track": WALKS["speed keyed 0.6 to 1.8"]},
    "prints in hand": {"edits": EDITS, "path": PATHS["S"], "ground": BUMPS},
    "rigid legs": {"body": RIGID, "track": WALKS["start and stop"]},
}  # fmt: skip


def walker(size: float = 1.0, **told: Any) -> Walker:
    """Return who walks as told."""
    options = {"body": BODY, "track": track(), "clock": Clock(), "gait": WALKING} | told
    later = {name: options.pop(name) for name in ("gaze", "edits") if name in options}
    return replace(Walker.of(**{"path": STRAIGHT, "ground": LEVEL, **options}), **later)


@pytest.mark.few(8)
@pytest.mark.parametrize("name", WALKERS)
def test_a_pose_is_a_function_of_its_frame_and_feet_that_stand_stay(name):
    who = walker(**WALKERS[name])
    pose = walked(who, FRAMES)
    assert greatest_slip(who.body, pose) < 1e-9
    if who.edits is NO_EDITS:
        assert greatest_reach(who.body, pose) <= (1.0001 if who.body is RIGID else 0.999)
        assert deepest(who.body, pose) < 2e-3 or over_ground(pose, who.ground).min() > -1e-3
    for row in np.random.default_rng(0).permutation(len(FRAMES))[:12]:
        alone = walked(who, FRAMES[row : row + 1])
        assert_allclose(alone.root.position[0], pose.root.position[row], atol=1e-9)
        assert_allclose(alone.phase[0], pose.phase[row], atol=1e-9)
        for role, motion in pose.motions.items():
            for part in ("position", "rotation"):
                found, meant = (getattr(each, part) for each in (alone.motions[role], motion))
                assert_allclose(found[0], meant[row], atol=1e-9, err_msg=f"{role} {row}")


@pytest.mark.few
@pytest.mark.parametrize("starts", [False, True])
@pytest.mark.parametrize("degrees", [0.0, 24.0, 33.0])
def test_size_changes_nothing(degrees, starts):
    """Four times as large and half as fast a beat (Froude): the same walk round a corner, and on stairs."""
    poses = []
    for size in (1.0, 4.0):
        rise = stairs(degrees, start=1.0) if degrees else LEVEL
        ground = Surface(lambda places, of=rise, by=size: by * of.heights(places / by)) if degrees else LEVEL
        clock, speed = Clock(fps=24.0 / np.sqrt(size), whole_frames=False), track(speed=1.2 * np.sqrt(size))
        who = walker(
            body=human_body(scale=size),
            clock=clock,
            path=way(size=size, starts=starts),
            track=speed,
            ground=ground,
        )
        poses.append(walked(who, FRAMES))
    small, large = poses
    assert_allclose(large.root.position, 4.0 * small.root.position, atol=1e-3)
    for role in ("foot.L", "pelvis", "head", "hand.R"):
        assert_allclose(
            large.motions[role].position, 4.0 * small.motions[role].position, atol=0.03, err_msg=role
        )
