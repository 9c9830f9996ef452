"""The 86 floats against the public layout: poses of a small skeleton worked out by hand, in Maya's frame (y
up, z forward, x left)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from neurarig_addon.core.character.character import Character
from neurarig_addon.core.ikrig.decode import decode
from neurarig_addon.core.ikrig.encode import encode
from neurarig_addon.core.ikrig.encoding import mirror
from neurarig_addon.core.ikrig.layout import COLUMNS, from_rows, to_rows
from neurarig_addon.core.skeleton.clip import Clip
from neurarig_addon.core.skeleton.roles import RoleMap
from tests.core.mirrored_rows import mirror_rows
from tests.refusals import refuses

from . import ikrig_clips as clips
from . import skeletons as made

# Maya's axes in our world, where the made skeletons face -y with their left at +x.
WORLD = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]])
ROLES = {"pelvis": "hips", "spine.1": "spine", "spine.2": "chest", "neck": "neck", "head": "head"} | {
    f"{part}.{side}": f"{part}_{side.lower()}"
    for part in ("thigh", "shin", "foot", "toe", "upper_arm", "forearm", "hand")
    for side in "LR"
}
# Heads in metres: hips 1 m high, legs and arms of two bones of 0.4 and 0.3 m, spine of 0.4 m to the chest,
# neck of 0.2 m.
REST = {
    "hips": (0.0, 1.0, 0.0),
    "spine": (0.0, 1.2, 0.0),
    "chest": (0.0, 1.4, 0.0),
    "neck": (0.0, 1.6, 0.0),
    "head": (0.0, 1.8, 0.0),
    "thigh_l": (0.1, 0.9, 0.0),
    "shin_l": (0.1, 0.5, 0.0),
    "foot_l": (0.1, 0.1, 0.0),
    "toe_l": (0.1, 0.0, 0.2),
    "upper_arm_l": (0.2, 1.6, 0.0),
    "forearm_l": (0.5, 1.6, 0.0),
    "hand_l": (0.8, 1.6, 0.0),
}
PARENTS = {"hips": None, "spine": "hips", "chest": "spine", "neck": "chest", "head": "neck"}
PARENTS |= {"thigh": "hips", "shin": "thigh", "foot": "shin", "toe": "foot"}
PARENTS |= {"upper_arm": "chest", "forearm": "upper_arm", "hand": "forearm"}
TAILS = {
    "hips": "spine",
    "spine": "chest",
    "chest": "neck",
    "neck": "head",
    "thigh": "shin",
    "shin": "foot",
    "foot": "toe",
}
TAILS |= {"upper_arm": "forearm", "forearm": "hand"}
TIPS = {"head": (0.0, 0.2, 0.0), "toe": (0.0, 0.0, 0.1), "hand": (0.1, 0.0, 0.0)}
S = np.sqrt(0.5)


def about(axis: str, degrees: float) -> np.ndarray:
    """Return a rotation about one of Maya's axes."""
    cos, sin = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    first, second = {"x": (1, 2), "y": (2, 0), "z": (0, 1)}[axis]
    turn = np.eye(3)
    turn[[first, second], [first, second]] = cos
    turn[first, second], turn[second, first] = -sin, sin
    return turn


def character() -> Character:
    """Return the skeleton, its bones rolled at random."""
    table: made.Table = {}
    for name, head in REST.items():
        for sign, side in ((1.0, "_l"), (-1.0, "_r")) if name.endswith("_l") else ((1.0, ""),):
            part = name.removesuffix("_l")
            parent, child = PARENTS[part], TAILS.get(part)
            end = (
                np.array(REST[child + "_l" if child + "_l" in REST else child])
                if child
                else np.array(head) + TIPS[part]
            )
            start, tip = (tuple(WORLD @ (np.array(point) * [sign, 1.0, 1.0])) for point in (head, end))
            table[part + side] = (parent + side if parent and parent + "_l" in REST else parent, start, tip)
    skeleton = made.skeleton(table, rolls=np.random.default_rng(2))
    return Character.of(skeleton, RoleMap(ROLES))


def posed(turns: dict[str, np.ndarray], at: tuple[float, float, float], heading: float) -> Clip:
    """Return one frame: hips at `at`, each bone turned in the world by heading and its own turn, or else as
    its parent is."""
    skeleton = character().skeleton
    places, rotations = {}, {}
    for name, parent in zip(
        skeleton.names, (skeleton.names[row] if row >= 0 else None for row in skeleton.parents), strict=True
    ):
        rest = WORLD.T @ skeleton.heads[skeleton.index[name]]
        if parent is None:
            rotations[name], places[name] = about("y", heading) @ turns.get(name, np.eye(3)), np.array(at)
            continue
        above = WORLD.T @ skeleton.heads[skeleton.index[parent]]
        rotations[name] = about("y", heading) @ turns[name] if name in turns else rotations[parent]
        places[name] = places[parent] + rotations[parent] @ (rest - above)
    axes = np.stack(
        [
            WORLD @ rotations[name] @ WORLD.T @ skeleton.rest[row, :3, :3]
            for row, name in enumerate(skeleton.names)
        ]
    )
    heads = np.stack([WORLD @ places[name] for name in skeleton.names])
    return Clip("pose", skeleton, 30.0, np.array([1.0]), axes[None], heads[None])


# Hips at rest height less 0.1 m, 0.3 m to the left and 0.7 m ahead, headed 90 degrees to the left. The
# spine's lower joint stays above
# the hips, from there the trunk lies forward. Left thigh forward, shin down, foot turned out; right leg out
# to the side.
# Left forearm forward; right arm straight to the side.
FIRST = posed(
    {
        "spine": about("x", 90),
        "thigh_l": about("x", -90),
        "shin_l": np.eye(3),
        "foot_l": about("y", 90),
        "thigh_r": about("z", -90),
        "upper_arm_l": np.eye(3),
        "forearm_l": about("y", -90),
        "upper_arm_r": np.eye(3),
    },
    at=(0.3, 0.9, 0.7),
    heading=90.0,
)
# 60 degrees about the diagonal: from the chest to a shoulder is (1, 1, 0) at rest and (1, 0, 1) in the pose.
D = 0.5 / np.sqrt(3.0)
FIRST_FLOATS = [
    *(0.3, 0.7, np.pi / 2),
    # spine: root, effector half up and half forward, its middle (0, 0.2, 0) off that line to above and
    # behind, chest pitched forward
    *(0, -0.1, 0, 0, 0.5, 0.5, 0, S, -S, S, 0, 0, S),
    # neck: straight on, forward; a straight chain points where its own bone has its back: up
    *(S, 0, 0, S, 0, 0, 1, 0, 1, 0, S, 0, 0, S),
    # left leg: the foot half a leg down and half ahead, the knee above and ahead of the line, foot yawed to
    # the left
    *(0, 0, 0, 1, 0, -0.5, 0.5, 0, S, S, 0, S, 0, S),
    # right leg: a whole leg to the right, knee ahead, all turned about the forward axis
    *(0, 0, 0, 1, -1, 0, 0, 0, 0, 1, 0, 0, -S, S),
    # left arm: the hand half an arm out and half ahead, the elbow out and behind
    *(D, -D, -D, np.sqrt(0.75), 0.5, 0, 0.5, S, 0, -S, 0, -S, 0, S),
    # right arm: straight out, elbow to the back
    *(D, D, D, np.sqrt(0.75), -1, 0, 0, 0, 0, -1, 0, 0, 0, 1),
]
# Headed 90 degrees to the right (270 of a full turn), hips rolled by 90 degrees to the left side, all else
# rigid with them: seen from above
# the hips, left is down and up is left. The right arm is bent upwards in the pose's own sense: its forearm
# points to the left.
SECOND = posed(
    {"hips": about("z", 90), "forearm_r": about("z", -90) @ about("z", 90)},
    at=(-1.0, 1.5, 2.0),
    heading=-90.0,
)
LEG_TURN = (0, 0, S, S)
SECOND_FLOATS = [
    *(-1.0, 2.0, 1.5 * np.pi),
    *(0, 0.5, 0, -1, 0, 0, 0, 0, -1, *LEG_TURN),
    *(*LEG_TURN, -1, 0, 0, 0, 0, -1, *LEG_TURN),
    *(*LEG_TURN, 1, 0, 0, 0, 0, 1, *LEG_TURN),
    *(*LEG_TURN, 1, 0, 0, 0, 0, 1, *LEG_TURN),
    *(*LEG_TURN, 0, 1, 0, 0, 0, -1, *LEG_TURN),
    # the right upper arm points down, the forearm to the right: half and half, the elbow down and left of the
    # line
    *(*LEG_TURN, -0.5, -0.5, 0, S, -S, 0, 0, 0, 0, 1),
]


def assert_floats(found: np.ndarray, expected: list[float]) -> None:
    """Compare to 1e-5, a quaternion and its negative being the same turn."""
    for first in (
        at
        for at, column in enumerate(COLUMNS)
        if column.endswith(".x") and COLUMNS[min(at + 3, 85)].endswith(".w")
    ):
        same = np.sign(found[first : first + 4] @ np.array(expected[first : first + 4]))
        found[first : first + 4] *= same
    for column, value, wanted in zip(COLUMNS, found, expected, strict=True):
        assert value == pytest.approx(wanted, abs=1e-5), column


@pytest.mark.parametrize(
    "clip, floats", [(FIRST, FIRST_FLOATS), (SECOND, SECOND_FLOATS)], ids=["bent", "rolled"]
)
def test_worked_examples(clip, floats):
    assert len(floats) == 86
    assert_floats(to_rows(encode(character(), clip))[0], floats)


def test_columns_are_in_the_public_order():
    assert len(COLUMNS) == 86 and len(set(COLUMNS)) == 86
    assert COLUMNS[:6] == (
        "global.x",
        "global.z",
        "global.heading",
        "spine.root.x",
        "spine.root.y",
        "spine.root.z",
    )
    starts = [COLUMNS.index(f"{chain}.root.x") for chain in ("neck", "leg.L", "leg.R", "arm.L", "arm.R")]
    assert starts == [16, 30, 44, 58, 72] and COLUMNS[85] == "arm.R.orientation.w"


@pytest.mark.parametrize("clip", [FIRST, SECOND], ids=["bent", "rolled"])
def test_worked_examples_decoded(clip):
    """From the 86 floats alone the joints come back, and the floats of what came back are the same."""
    subject = character()
    pose = decode(from_rows(to_rows(encode(subject, clip)), 30.0), subject)
    before = subject.motions(clip)
    assert clips.far(before, pose, list(before)).max() < 1e-4  # mm
    assert (
        clips.turned(
            before, pose, [role for role in before if not role.startswith(("upper_arm", "forearm"))]
        ).max()
        < 1e-5
    )


def test_a_walk_there_and_back_and_mirrored_twice():
    source, clip = clips.walk("cmu_16_17")
    encoding = encode(source, clip)
    rows = to_rows(encoding)
    again = from_rows(rows, clip.fps)
    assert_allclose(to_rows(again), rows, atol=1e-12)
    assert_allclose(np.diff(again.heading), np.diff(encoding.heading), atol=1e-12)
    assert_array_equal(mirror_rows(mirror_rows(rows)), rows)
    difference = to_rows(mirror(encoding)) - mirror_rows(rows)
    difference[:, 2] %= 2.0 * np.pi
    assert_allclose(np.minimum(difference, 2.0 * np.pi - difference), 0.0, atol=1e-12)
    twice = mirror(mirror(encoding))
    assert_array_equal(to_rows(twice), rows)
    for role, turns in encoding.extras.items():
        assert_array_equal(twice.extras[role], turns)


def test_the_floats_need_all_six_chains():
    source, clip = clips.walk("cmu_16_17")
    with refuses(r"no chain 'arm\.L'"):
        to_rows(encode(clips.without(source, "clavicle", "upper_arm", "forearm", "hand"), clip))
