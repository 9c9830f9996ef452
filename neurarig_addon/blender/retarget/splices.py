"""Keys of what is made within a character's own action: they stand among its own keys, which stay as they
are."""

from collections.abc import Iterable, Sequence

import numpy as np
from bpy.types import FCurve, Object

from ...core.character.motion import Motion
from ...core.easing import smooth_between
from ...core.keys.splice import CONSTANT, FREE, SAME_FRAME, KeyTable, spliced
from ...core.posing.channels import Channels
from ..animation import compat
from ..animation.curve_pose import Tracks, sampled, split_path
from ..animation.keyframes import BEZIER, GENERATED, LINEAR, Channel, NewCurves, bone_path, write_channels
from ..character import bakes, carry, ledger, record
from ..character.controls import snapshot
from ..character.controls.attachment import LAYER
from ..keys.bake_record import read_keys, write_keys
from .clip import TargetClip

AUTO_CLAMPED = 4  # handle type
FADES = 20.0  # frames in which a key of the user's, other than the clip's, fades where nothing comes after
_ALIKE, _MOSTLY = 1e-4, 0.5  # of a value, and the share of all values: a bake of the same clip
_AT_REST = 1e-5  # a value without a key that is nearer to rest is there
_TURN = 0.5  # of a rotation's numbers: farther apart in a frame are two forms of one rotation
# the last frame before what is made, and the first one after it, infinite if none is
Gap = tuple[float, float]


def fits(obj: Object, curves: Iterable[FCurve], channels: Channels) -> bool:
    """Return whether an action of a character still plays as ever while these bones of it are posed."""
    attachment, driven = record.attachment(obj), set(channels.bones())
    above = {parent.name for name in driven for parent in obj.pose.bones[name].parent_recursive} - driven
    is_free = attachment["kind"] != LAYER and not attachment["muted"] and not attachment["muted_drivers"]
    return is_free and not any(split_path(curve.data_path)[0] in above for curve in curves)


def root_of(
    obj: Object,
    curves: Iterable[FCurve],
    frames: np.ndarray,
    walk_to_armature: np.ndarray,
) -> Motion:
    """Return how an action moves its character's object, as the motion of the ground under it."""
    track, places = Tracks([obj], frames, at_rest=False), np.tile(np.eye(4), (len(frames), 1, 1))
    for curve in curves:
        if curve.data_path in track.values:
            track.hold(0, curve.data_path, curve)
    places[:, :3, :3], places[:, :3, 3] = track.turns()[:, 0], track.values["location"][:, 0]
    start = np.linalg.inv(np.array(carry.origin(obj)) @ walk_to_armature)
    ground = start @ places @ walk_to_armature
    return Motion(ground[:, :3, :3], ground[:, :3, 3], np.zeros(3))


def played(obj: Object, clip: TargetClip) -> list[FCurve]:
    """Return the curves of the bake that a character plays if it is one of this clip, whatever the user has
    changed in it since."""
    action, slot = compat.playing(obj)
    if (
        action is None
        or not ledger.is_bake(action)
        or tuple(action.frame_range) != (clip.frames[0], clip.frames[-1])
    ):
        return []
    found = {(curve.data_path, curve.array_index): curve for curve in compat.find_channels(action, slot)}
    alike = []
    for prop in clip.channels.properties:
        for component, values in enumerate(clip.channels.values[:, prop.columns].T):
            if curve := found.get((bone_path(prop.bone, prop.name), component)):
                alike.append(np.abs(np.abs(sampled(curve, clip.frames)) - np.abs(values)) < _ALIKE)
    return list(found.values()) if alike and np.mean(alike) > _MOSTLY else []


def write(
    obj: Object, into: bakes.Acting, own: Iterable[FCurve], channels: Iterable[Channel],
    clip: TargetClip, step: int, is_own: bool,
) -> None:  # fmt: skip
    """Write channels `(f, ...)` of a clip within its gaps, a key every `step` frames, among the keys that an
    action has, and those of `own` curves.

    `is_own`: outside of the gaps the rig's switches are as they were before it took a clip.
    """
    curves, frames, gaps = NewCurves(*into), clip.frames, clip.gaps
    for curve in own:
        curves.copy(curve, curve.data_path)
    attachment = record.attachment(obj) if is_own else {"switches": [], "pose": {}}
    switches = {snapshot.switch_path(*row[:3]): row[3] for row in attachment["switches"]}
    before = dict(switches)
    for bone, pose in attachment["pose"].items():
        before |= {bone_path(bone, prop): pose[prop] for prop in snapshot.POSE_PROPERTIES}
    found = {(curve.data_path, curve.array_index): curve for curve in compat.find_channels(*into)}
    inside = np.any([(frames > first) & (frames < last) for first, last in gaps], axis=0)
    rows = np.flatnonzero(inside & ((np.cumsum(inside) % step == 1 % step) | (frames == frames[-1])))
    for channel in channels:
        values = np.broadcast_to(channel.values, (len(frames), channel.values.shape[1])).copy()
        keyed = [found.get((channel.path, component)) for component in range(values.shape[1])]
        # what nothing keys is outside what it was
        is_set = channel.path in (switches if any(keyed) or clip.flows else before)
        values[~inside] = before[channel.path] if is_set else values[~inside]
        is_still = (np.ptp(values, axis=0) <= channel.still).all()
        if not any(keyed) and (is_still or (clip.flows and channel.path not in switches)):
            write_channels(*into, frames, [channel])
            continue
        kept = values.copy()
        kept = np.where(np.abs(kept - channel.rest) < _AT_REST, channel.rest, kept)
        for component, curve in enumerate(keyed):
            kept[:, component] = sampled(curve, frames) if curve else kept[:, component]
        ends = _one_form(channel.path, values, kept, frames, gaps)
        for first, last in () if is_set else gaps:
            at, after = frames.searchsorted([first, min(last, frames[-1])])
            share = smooth_between(frames[at:after], first, min(last, first + FADES))[:, None]
            leaves, arrives = (kept[row] - values[row] for row in (at, after))
            if "rotation" in channel.path:
                leaves, arrives = (off * (np.abs(off).max() < _TURN) for off in (leaves, arrives))
            values[at:after] += (1.0 - share) * leaves + (share * arrives if last <= frames[-1] else 0.0)
        for component, curve in enumerate(keyed):
            made = _table(frames[rows], values[rows, component], LINEAR if step == 1 else BEZIER)
            made.interpolation[np.isin(frames[rows], ends) | is_set] = CONSTANT
            _write(
                curve or curves.curve(channel, component, False),
                made,
                frames[~inside],
                kept[~inside, component],
                gaps,
            )


def _one_form(
    path: str, values: np.ndarray, kept: np.ndarray, frames: np.ndarray, gaps: Sequence[Gap]
) -> list[float]:
    """Bring rotations within gaps, in place, to the form of those that stay before them; return the frames
    after which it changes."""
    ends = []
    for first, last in gaps:
        at, gap = np.searchsorted(frames, first), (frames >= first) & (frames <= last)
        angles = slice(0, {"rotation_euler": 3, "rotation_axis_angle": 1}.get(path.rpartition(".")[2], 0))
        rest = slice(angles.stop % 3, None)
        if "rotation" in path and angles.stop != 3:  # negated it is the same
            values[gap] *= -1.0 if values[at, rest] @ kept[at, rest] < 0.0 else 1.0
        values[gap, angles] += 2.0 * np.pi * np.round((kept[at, angles] - values[at, angles]) / (2.0 * np.pi))
        end = int(np.searchsorted(frames, last))
        if "rotation" in path and end < len(frames) and np.abs(values[end] - kept[end]).max() > _TURN:
            ends.append(last - 1.0)
    return ends


def _write(curve: FCurve, made: KeyTable, frames: np.ndarray, kept: np.ndarray, gaps: Sequence[Gap]) -> None:
    """Write keys among those of a curve, of which the `kept` values `(f,)` stay, with the handles that make
    its shape."""
    table, seams = read_keys(curve), np.array([frame for gap in gaps for frame in gap if np.isfinite(frame)])
    into = np.searchsorted(table.frames, seams)[: len(table.points) and len(seams)] - 1
    # no key in between leaves such a curve as it is
    if len(curve.modifiers) or (table.interpolation[into] > BEZIER).any():
        table = _table(frames, kept, LINEAR)
        for modifier in reversed(curve.modifiers):
            curve.modifiers.remove(modifier)
    span = table.frames if len(table.points) else np.array([np.inf])
    beyond = seams[(seams < span[0] - SAME_FRAME) | (seams > span[-1] + SAME_FRAME)]
    if len(beyond):
        table.interpolation[-1:] = LINEAR
        table = KeyTable.of(
            table, _table(np.unique(beyond), kept[np.searchsorted(frames, np.unique(beyond))], LINEAR)
        )
    whole, _ = spliced(made, table, list(gaps))
    leaves, arrives = (np.isin(whole.frames, [gap[end] for gap in gaps]) for end in range(2))
    whole.interpolation[leaves] = made.interpolation[0] if len(made.points) else LINEAR
    third = np.diff(whole.points, axis=0) / 3.0
    whole.rights[:-1][leaves[:-1]] = (whole.points[:-1] + third)[leaves[:-1]]
    whole.lefts[1:][arrives[1:]] = (whole.points[1:] - third)[arrives[1:]]
    whole.left_types[leaves | arrives] = whole.right_types[leaves | arrives] = FREE
    stays = np.all([(whole.frames <= first) | (whole.frames >= last) for first, last in gaps], axis=0)
    while True:  # handles that Blender sets depend on other keys
        write_keys(curve, whole)
        now = read_keys(curve)
        moved = (
            stays
            & ((now.lefts != whole.lefts) | (now.rights != whole.rights)).any(axis=1)
            & (whole.left_types != FREE)
        )
        if not moved.any():
            return
        whole.left_types[moved] = whole.right_types[moved] = FREE


def _table(frames: np.ndarray, values: np.ndarray, interpolation: int) -> KeyTable:
    points = np.stack([frames, values], axis=1).astype(np.float32)
    kinds = [
        np.full(len(points), kind, dtype=np.int32)
        for kind in (interpolation, AUTO_CLAMPED, AUTO_CLAMPED, GENERATED)
    ]
    return KeyTable(points, points.copy(), points.copy(), *kinds)
