"""The IK Rig's codec on all walks of the motion capture: what comes back, what the 86 floats alone bring
back, and how fast."""

from dataclasses import replace

import numpy as np

from benchmarks.table import Row, best_of
from neurarig_addon.core.character.character import Character
from neurarig_addon.core.character.motion import Motion
from neurarig_addon.core.geometry.rotation import from_axis_angle
from neurarig_addon.core.ikrig.decode import decode
from neurarig_addon.core.ikrig.encode import encode
from neurarig_addon.core.ikrig.encoding import Encoding
from neurarig_addon.core.ikrig.layout import from_rows, to_rows
from neurarig_addon.core.skeleton.bvh import read_bvh
from neurarig_addon.core.skeleton.clip import Clip
from neurarig_addon.core.skeleton.roles import ARM_PARTS, LEG_PARTS, SIDES, sided
from tests.shared_data import shared_path

FRAMES = 10_000
LIMB_JOINTS = [sided(part, side) for side in SIDES for part in (*LEG_PARTS[:3], *ARM_PARTS[1:])]
TRUNK_JOINTS = ["pelvis", "spine.1", "spine.2", "spine.3", "neck", "neck.2", "head"]
EFFECTORS = ["spine.3", "head", *(sided(part, side) for part in ("foot", "hand") for side in SIDES)]


def rows() -> list[Row]:
    """Measure the round trip, what bone rolls change, and the speed on one core (set
    OPENBLAS_NUM_THREADS=1)."""
    read = [read_bvh(path) for path in sorted(shared_path("data", "mocap", "walk").glob("*.bvh"))]
    return [*_round_trip(read), *_speed(read[0])]


def _round_trip(clips: list[Clip]) -> list[Row]:
    """Return the worst clip's mean distances, and the largest angles and differences over all clips."""
    limbs, trunk, floats, angles, rolls = 0.0, 0.0, 0.0, 0.0, 0.0
    for clip in clips:
        character = Character.of(clip.skeleton)
        encoding = encode(character, clip)
        before, after = character.motions(clip), decode(encoding, character)
        alone = decode(from_rows(to_rows(encoding), clip.fps), character)
        limbs = max(limbs, _apart(before, after, LIMB_JOINTS))
        trunk = max(trunk, _apart(before, after, TRUNK_JOINTS))
        floats = max(floats, _apart(before, alone, LIMB_JOINTS))
        angles = max(angles, *(_turned(before[role], after[role]) for role in EFFECTORS))
        rolled = _rolled(clip)
        rolls = max(rolls, _changed(encoding, encode(replace(character, skeleton=rolled.skeleton), rolled)))
    note = f"{len(clips)} clips, {sum(map(len, clips))} frames"
    return [
        Row("IK Rig: limb joints after encode and decode, worst clip's mean", limbs, 1.0, "mm", note=note),
        Row("IK Rig: spine and neck joints, worst clip's mean", trunk, 10.0, "mm"),
        Row("IK Rig: rotations of the effectors, largest error", angles, 0.01, "deg"),
        Row("IK Rig: limb joints from the 86 floats alone, worst clip's mean", floats, 10.0, "mm"),
        Row(
            "IK Rig: 86 floats of the same clip with bones rolled at random, largest change", rolls, 1e-4, ""
        ),
    ]


def _apart(before: dict[str, Motion], after: dict[str, Motion], roles: list[str]) -> float:
    """Return the largest of the roles' mean distances in millimetres."""
    return max(
        1e3 * float(np.linalg.norm(before[role].position - after[role].position, axis=-1).mean())
        for role in roles
    )


def _turned(before: Motion, after: Motion) -> float:
    """Return the largest angle in degrees between two motions (by the chord: exact where it is small)."""
    return float(
        np.degrees(np.linalg.norm(before.rotation - after.rotation, axis=(-2, -1)).max() / np.sqrt(2.0))
    )


def _changed(before: Encoding, after: Encoding) -> float:
    """Return the largest change of a float; of the heading as an angle, not as a number of 0 to 2 pi."""
    change = to_rows(after) - to_rows(before)
    change[:, 2] = after.heading - before.heading
    return float(np.abs(change).max())


def _rolled(clip: Clip) -> Clip:
    angles = np.random.default_rng(1).uniform(-np.pi, np.pi, len(clip.skeleton.names))
    turn = from_axis_angle(np.array([0.0, 1.0, 0.0]), angles)
    rest = clip.skeleton.rest.copy()
    rest[:, :3, :3] = rest[:, :3, :3] @ turn
    return replace(clip, skeleton=replace(clip.skeleton, rest=rest), axes=clip.axes @ turn)


def _speed(clip: Clip) -> list[Row]:
    long = clip.rows(np.arange(FRAMES) % len(clip))
    character = Character.of(clip.skeleton)
    encoding = encode(character, long)
    encode_s, decode_s = (
        best_of(lambda: encode(character, long)),
        best_of(lambda: decode(encoding, character)),
    )
    return [
        Row(f"IK Rig: encode, {FRAMES} frames", FRAMES / encode_s, 20_000.0, "fps", True),
        Row(f"IK Rig: decode, {FRAMES} frames", FRAMES / decode_s, 20_000.0, "fps", True),
    ]
