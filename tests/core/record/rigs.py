"""Rigs: poses in their bones and controls, controls found by moving them, keys left out, and learned styles."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache

import numpy as np

from neurarig_addon.core.character.motion import Motion, RolePose
from neurarig_addon.core.controls.control_map import FK, IK, ControlMap
from neurarig_addon.core.controls.drives import plan_drives, posed_one_by_one
from neurarig_addon.core.controls.families import families, find_known_controls
from neurarig_addon.core.controls.figure import Figure
from neurarig_addon.core.controls.search import find_controls
from neurarig_addon.core.controls.setup import find_setup, table_of
from neurarig_addon.core.controls.tryout import judge, seen_swivels, trial_walk
from neurarig_addon.core.gait.sliders.style import Clock, Style, StyleTrack
from neurarig_addon.core.gait.synthesis import walk
from neurarig_addon.core.geometry.rotation import about_x, about_y, about_z, from_axis_angle, normalized
from neurarig_addon.core.keys.deviation import Seen, deviation, limb_of_bones, standing_points
from neurarig_addon.core.keys.hermite import KeyCurve, fit
from neurarig_addon.core.keys.reduction import Search, Wishes
from neurarig_addon.core.keys.track import Track
from neurarig_addon.core.posing.channels import continuous, continuous_rows, from_mode, in_mode
from neurarig_addon.core.posing.posing import solve
from neurarig_addon.core.posing.rig_table import Drive, RigTable, TableBone
from neurarig_addon.core.skeleton.roles import SIDES
from neurarig_addon.core.styles.cycle import mean_cycle
from neurarig_addon.core.styles.learn import learned
from neurarig_addon.core.styles.learned_style import LearnedStyle, from_json, to_json
from neurarig_addon.core.styles.likeness import StyleFit, apart, recorded_angles, walked_angles
from neurarig_addon.core.styles.picture import picture
from neurarig_addon.core.styles.recording import Recorded, record_motions
from neurarig_addon.core.styles.styled_gait import in_styles
from tests.core.puppet import Puppet, finish
from tests.core.record.clips import FPS, crooked
from tests.core.record.condensed import Answer
from tests.core.record.somehow import WALKING
from tests.core.record.walks import walks
from tests.core.walk_paths import PATHS
from tests.core.walk_styles import keyed

MODES = ("QUATERNION", "XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX", "AXIS_ANGLE")
ROLES = ("root", "pelvis", "thigh.L", "shin.L", "foot.L", "knee.L", "spine.1", "head", "upper_arm.R", "hand.R", "toe.L", "neck")
COUNT = 5
FRAMES = np.arange(1.0, 82.0)


def turns(draw: np.random.Generator, count: int, most: float = 3.0) -> np.ndarray:
    """Return rotations `(count, 3, 3)`."""
    return from_axis_angle(normalized(draw.normal(size=(count, 3))), draw.uniform(-most, most, count))


def matrix(draw: np.random.Generator, most: float = 3.0) -> np.ndarray:
    """Return a rigid matrix."""
    found = np.eye(4)
    found[:3, :3], found[:3, 3] = turns(draw, 1, most)[0], draw.normal(size=3)
    return found


def rig(draw: np.random.Generator) -> RigTable:
    """Return a tree of bones with all the flags that Blender has; most are driven, some stand elsewhere than they rest."""
    bones, drives = [], []
    for row, role in enumerate(ROLES):
        basis = matrix(draw, 0.5)
        basis[:3, :3] *= draw.uniform(0.5, 2.0)
        flags = {name: bool(draw.random() < 0.7) for name in ("inherit_rotation", "inherit_scale", "local_location")}
        stands = matrix(draw) if draw.random() < 0.3 else None
        parent = int(draw.integers(-1, row)) if row else -1
        bones.append(TableBone(f"b{row}", parent, matrix(draw), basis, MODES[row % len(MODES)], stands=stands, **flags))
        if draw.random() < 0.75:
            drives.append(Drive(row, role, bool(draw.random() < 0.6), bool(draw.random() < 0.8)))
    walk_to_armature = matrix(draw)
    walk_to_armature[:3, :3] *= 3.0
    return RigTable(tuple(bones), tuple(drives), walk_to_armature, matrix(draw), {"knee.L": 0.2}, {"shin.L": np.array([0.1, 0.9, 0.2])})


def posed(seed: int) -> Callable[[], Answer]:
    """Return the channels that give drawn rigs drawn poses."""

    def answer() -> Answer:
        draw, found = np.random.default_rng(seed), {}
        for number in range(6):
            table = rig(draw)
            motions = {role: Motion(turns(draw, COUNT), draw.normal(size=(COUNT, 3)), draw.normal(size=3)) for role in ROLES[1:]}
            root = Motion(about_z(draw.uniform(-1.0, 1.0, COUNT)), draw.normal(size=(COUNT, 3)) * [1.0, 1.0, 0.0], np.zeros(3))
            pose = RolePose(np.arange(COUNT) + 1.0, motions, root)
            found[f"{number}"] = [continuous(solve(table, pose, root_bone)) for root_bone in (False, True)]
        return found

    return answer


def modes() -> Answer:
    """Return rotations in every mode, and back."""
    draw, found = np.random.default_rng(3), {}
    drawn = np.concatenate(
        [turns(draw, 20), about_x(np.linspace(-7.0, 7.0, 30)), about_y(np.linspace(-7.0, 7.0, 30)) @ about_z(np.array(0.3))]
    )
    for mode in MODES:
        rows = in_mode(drawn, mode)
        found[mode] = [rows, continuous_rows(rows, mode), from_mode(rows * 1.3 if mode == "QUATERNION" else rows, mode)]
    return found


def wave(seed: int, columns: int = 1) -> np.ndarray:
    """Return smooth values that repeat."""
    draw, phase, orders = np.random.default_rng(seed), 2.0 * np.pi * (FRAMES - 1.0) / 27, np.arange(1, 5)
    return np.cos(phase[:, None] * orders + draw.uniform(0.0, 6.3, 4)) @ (draw.normal(0.0, 0.1, (4, columns)) / orders[:, None] ** 2)


def reduced(frames: np.ndarray, track: Track, limits: np.ndarray, wishes: Wishes) -> KeyCurve:
    """Return a curve of few keys."""
    return Search(frames, [track], wishes).within([limits])[0]


def keys() -> Answer:
    """Return curves of few keys."""
    found = {}
    for seed, limit in ((0, 0.005), (1, 0.0005), (2, 0.02)):
        values = wave(seed, 2)
        values[30:45] = values[30]
        wishes = Wishes(np.array([14, 41]), np.array([7, 20, 34]), loop=seed == 2)
        limits = np.full(len(FRAMES), limit) * (1.0 + (FRAMES > 50.0))
        found[f"reduced {seed}"] = Search(FRAMES, [Track(values)], wishes).within([limits])
    quaternions = continuous_rows(
        in_mode(from_axis_angle(normalized(np.array([0.3, 1.0, -0.4])), 8.0 * wave(4)[:, 0]), "QUATERNION"), "QUATERNION"
    )
    track = Track(quaternions, "QUATERNION")
    found["turns"] = [
        Search(FRAMES, [track], Wishes(np.zeros(0, int), np.zeros(0, int))).within([np.full(len(FRAMES), 0.01)]),
        track.off(quaternions * 1.1 + 0.01),
    ]
    found["pushed"] = [track.pushed(0.01), track.held()]
    found["fitted"] = [fit(FRAMES, wave(5, 3), np.array([0, 9, 40, 80]), np.array([False, True, False, False]))]
    draw = np.random.default_rng(6)
    feet = np.cumsum(draw.normal(0.0, 0.01, (24, 2, 3, 3)) * (np.arange(24) % 9 > 5)[:, None, None, None], axis=0)
    seen = [
        Seen(draw.normal(size=(24, 3, 3)), draw.normal(size=(24, 3, 3)), turns(draw, 72).reshape(24, 3, 3, 3), feet + off)
        for off in (0.0, feet * 0.2)
    ]
    planted = standing_points(feet, 24.0, 0.9)
    return {**found, "planted": planted, "deviation": deviation(*seen, planted), "limbs": limb_of_bones(crooked(2))}


def controls(**make: bool) -> Callable[[], Answer]:
    """Return the controls of a puppet, by moving them and by known maps; how they are parented, and a pose through them."""

    def answer() -> Answer:
        puppet = Puppet(**make)
        figure = Figure.of(puppet.skeleton(), puppet.role_map, puppet.names)
        found, trials = finish(puppet, find_controls(puppet.rig(), figure))
        known, fewer = finish(Puppet(**make), find_known_controls(puppet.rig(), figure, [replace(found, name="Known"), *families()]))
        answers: dict[str, object] = {"found": [found, trials], "known": [known, fewer], "text": ControlMap.from_json(found.to_json())}
        for state in (IK, FK):
            plan = plan_drives(puppet.role_map, found, legs=state)
            setup, _ = finish(puppet, find_setup(plan.drives, puppet.rig(), figure, {n: float(state == IK) for n in range(2)}))
            table = table_of(setup.drives, setup.parenting, ["QUATERNION"] * len(setup.drives), np.eye(4), np.eye(4))
            motions = {
                role: Motion(about_y(np.array([0.1 * n])), place[None] + [0.0, 0.01 * n, 0.0], place)
                for n, (role, (_, place)) in enumerate(puppet.roles.items())
            }
            answers[state] = [plan, setup, solve(table, RolePose.standing(np.array([1.0]), motions), False)]
        return {**answers, "one by one": list(posed_one_by_one(puppet.role_map, found))}

    return answer


def tryouts() -> Answer:
    """Return what is judged of a walk as bones show it, and of knees beside their poles."""
    draw, character = np.random.default_rng(9), crooked(2)
    pose = trial_walk(character.body)
    count, skeleton = len(pose.frames), character.skeleton
    posed = np.tile(skeleton.rest, (count, 1, 1, 1))
    posed[..., :3, 3] += draw.normal(0.0, 0.01, posed[..., :3, 3].shape)
    hips, knees, ankles = (
        np.tile(point, (6, 1)) + draw.normal(0.0, 0.03, (6, 3)) for point in ([0.0, 0.1, 0.9], [0.2, 0.1, 0.5], [0.0, 0.1, 0.1])
    )
    still = np.tile(np.eye(3), (6, 1, 1))
    motions = {
        f"{part}.{side}": Motion(still, at, at[0]) for side in SIDES for part, at in (("thigh", hips), ("shin", knees), ("foot", ankles))
    }
    return {
        "judged": judge(skeleton, character.roles, character.body, pose, posed),
        "swivels": seen_swivels(motions, dict.fromkeys(SIDES, knees + 0.05)),
    }


@cache
def recorded(limp: float, speed: float) -> Recorded:
    """Return a walk as it was recorded."""
    track = StyleTrack(Style(speed=speed, asymmetry=limp, crouch=0.06, arm_swing=0.5, foot_splay=9.0))
    pose = walk(crooked(2).body, track, Clock(FPS, 1.0, False), np.arange(1.0, 200.0), WALKING)
    motions = {role: pose.root.holding(motion) for role, motion in pose.motions.items() if not role.startswith("knee.")}
    return record_motions(crooked(2), motions, FPS)


@cache
def style(limp: float, speed: float) -> LearnedStyle:
    """Return what is learned of it."""
    return learned(recorded(limp, speed), WALKING, "Known")


def styles() -> Answer:
    """Return what is learned of walks, its fit, its file and its picture."""
    one, body = style(0.6, 1.0), crooked(2).body
    gait = in_styles(WALKING, [one])
    return {
        "recorded": [recorded(0.6, 1.0).strides, mean_cycle(recorded(0.6, 1.0))],
        "style": one,
        "fit": StyleFit.of(recorded(0.6, 1.0), one, WALKING),
        "angles": [recorded_angles(recorded(0.6, 1.0)), walked_angles(body, gait, one.vhat)],
        "apart": apart(walked_angles(body, WALKING, one.vhat), walked_angles(body, gait, one.vhat)),
        "file": from_json(to_json(one), "here"),
        "picture": picture(one, WALKING, 24),
    }


def styled(**sliders: float) -> Callable[[], Answer]:
    """Return a walk in two styles."""
    return lambda: walks({"speed": 1.1, **sliders}, PATHS["S"], gait=in_styles(WALKING, [style(0.6, 1.0), style(-0.3, 0.7)]))()


def cases() -> dict[str, Callable[[], Answer]]:
    """Return the scenarios by name."""
    weights = keyed("style_1", [10, 90], [0.2, 1.3])
    return {
        **{f"posed {seed}": posed(seed) for seed in range(4)},
        "modes": modes,
        "keys": keys,
        "controls": controls(),
        "controls saved in FK": controls(fk_first=True),
        "controls with axes of their own": controls(rolled=True, slides=False),
        "tryouts": tryouts,
        "styles": styles,
        "in styles": styled(style_2=0.5, style_legs=0.8, style_arms=1.2, asymmetry=0.2),
        "in styles, keyed": lambda: walks(weights, gait=in_styles(WALKING, [style(0.6, 1.0), None, style(-0.3, 0.7)]))(),
        "in styles, facing aside": styled(facing=50.0),
        "in styles, standing": styled(speed=0.0),
    }
