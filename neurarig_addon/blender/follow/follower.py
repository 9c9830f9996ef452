"""What hangs on a character, read from its list of chains."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from bpy.types import FCurve, Object

from ...core.character.character import Character
from ...core.follow.chains import HangingChain, joints_of
from ...core.follow.following import FollowBone, Hanging, TurnedBy
from ...core.follow.kinds import Manner
from ...core.geometry.rotation import orthonormal
from ...core.posing.channels import from_mode, rotation_path
from ..animation import compat
from ..animation.curve_pose import split_path
from ..animation.keyframes import REST
from ..character import hanging, ledger, slider_curves
from .settings import SLIDERS


def key(obj: Object) -> tuple:
    """Return a key that changes whenever chains of a character follow otherwise; empty if none does. A keyed
    slider counts by its keys, not by its present value."""
    own = obj.neurarig.follow
    if not own.on:
        return ()
    curves = _curves(obj, list(own.chains))
    values = [
        None if (row, name) in curves else value
        for row, chain in enumerate(own.chains)
        for name, value in zip(SLIDERS, _manner(chain), strict=True)
    ]
    return (*values, *slider_curves.fingerprint(curves))


def chains_key(obj: Object) -> tuple:
    """Return a key that changes whenever others of a character's chains follow; empty if none does."""
    own = obj.neurarig.follow
    return tuple((chain.kind, chain.bones) for chain in own.chains if chain.use) if own.on else ()


def read(obj: Object, character: Character) -> Hanging | None:
    """Return what follows on a character, None if nothing does."""
    chains, bones = [], []
    for chain, names, turned in hanging.followed(obj):
        rows = [character.skeleton.index[name] for name in names]
        chains.append(HangingChain(tuple(names), chain.kind, chain.holder, joints_of(character, rows)))
        bones += [_bone(obj, character, name) for name in turned]
    if not chains:
        return None
    return in_present_manners(obj, Hanging(tuple(chains), (), tuple(bones), _turned(obj, bones)))


def in_present_manners(obj: Object, found: Hanging | None) -> Hanging | None:
    """Return the same with the manners that the sliders have now."""
    if found is None:
        return None
    listed = {tuple(hanging.bones_of(chain))[:1]: chain for chain in obj.neurarig.follow.chains}
    chains = [listed[chain.bones[:1]] for chain in found.chains]
    manners = tuple(Manner(*_manner(chain)) for chain in chains)
    return replace(found, manners=manners, keyed=_keyed(obj, chains, manners))


def _manner(chain: Any) -> tuple[float, ...]:
    return tuple(getattr(chain, name) for name in SLIDERS)


def _bone(obj: Object, character: Character, name: str) -> FollowBone:
    rest = np.array(obj.data.bones[name].matrix_local, dtype=float)[:3, :3]
    to_walk = character.walk_to_world[:3, :3].T @ orthonormal(character.skeleton.to_world[:3, :3])
    return FollowBone(name, obj.pose.bones[name].rotation_mode, to_walk @ rest)


def _turned(obj: Object, bones: Sequence[FollowBone]) -> TurnedBy:
    """Return how the user turns bones: as keyed in the action that plays or in those that were set aside,
    else as they stood."""
    stood = hanging.held(obj)
    paths = {(bone.name, rotation_path(bone.mode)): row for row, bone in enumerate(bones)}
    # what the holder drives is at rest where it has no motion for it
    still = [np.array(stood[name][prop] if name in stood else REST[prop]) for name, prop in paths]
    curves: dict[tuple[int, int], tuple[np.ndarray, np.ndarray]] = {}
    action, slot = compat.playing(obj)
    playing = [(curve.data_path, curve) for curve in ledger.users_channels(action, slot)] if action else []
    for path, curve in (*playing, *ledger.set_aside_channels(obj)):
        row = paths.get(split_path(path))
        if row is not None and (row, curve.array_index) not in curves and not curve.mute:
            curves[row, curve.array_index] = slider_curves.sample(curve, *curve.range())

    at_rest = np.array([from_mode(known, bone.mode) for bone, known in zip(bones, still, strict=True)])

    def turned(frames: np.ndarray) -> np.ndarray:
        found = np.tile(at_rest, (len(frames), 1, 1, 1))
        values = {row: np.tile(still[row], (len(frames), 1)) for row, _ in curves}
        for (row, index), (at, keyed) in curves.items():
            values[row][:, index] = np.interp(frames, at, keyed)
        for row, own in values.items():
            found[:, row] = from_mode(own, bones[row].mode)
        return found

    return turned


def _curves(obj: Object, chains: Sequence[Any]) -> dict[tuple[int, str], FCurve]:
    """Return the curves of keyed sliders of chains; use them at once and keep none."""
    if obj.animation_data is None:
        return {}
    rows = enumerate(chains)
    paths = {(row, name): f"{chain.path_from_id()}.{name}" for row, chain in rows for name in SLIDERS}
    return slider_curves.find(obj, paths)


def _keyed(
    obj: Object, chains: Sequence[Any], manners: Sequence[Manner]
) -> Callable[[float], tuple[Manner, ...]] | None:
    """Return the manners at a frame where sliders of chains are keyed, None where none is."""
    found = _curves(obj, chains)
    curves = {at: slider_curves.sample(curve, *curve.range()) for at, curve in found.items()}
    if not curves:
        return None

    def keyed(frame: float) -> tuple[Manner, ...]:
        found = list(manners)
        for (row, name), (frames, values) in curves.items():
            found[row] = replace(found[row], **{name: float(np.interp(frame, frames, values))})
        return tuple(found)

    return keyed
