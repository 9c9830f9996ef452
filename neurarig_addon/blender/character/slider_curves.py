"""Keyed sliders: their F-curves found, fingerprinted and sampled, so that a slider is a function of the frame
alone."""

from collections.abc import Hashable, Iterable, Mapping
from typing import Any, TypeVar

import numpy as np
from bpy.types import Keyframe, Object

from ...core.errors import NeuraRigError
from ...core.gait.sliders.style import SLIDERS
from ..animation import compat
from . import ledger

Slider = TypeVar("Slider", bound=Hashable)
# samples per frame: a speed eased over a second is followed to a tenth of a millimetre of travel
SAMPLES_A_FRAME = 4
NEAR, LONG = 64, 512  # frames beside a key, and between near keys, that are sampled finely
SAMPLES_BETWEEN = 1_024  # samples between keys that are farther apart
MOST_CHANGES = 100_000  # samples of a curve with modifiers: 25 000 frames in quarters
MARGIN = 250  # frames sampled before and after the scene's range; beyond them a slider is constant
PATHS = {slider: f"neurarig.walk.{slider}" for slider in SLIDERS}
SLIDERS_AT = dict.fromkeys(PATHS.values(), 1)  # numbers per item


def find(obj: Object, paths: Mapping[Slider, str] = PATHS) -> dict[Slider, Any]:
    """Return the F-curves of the keyed sliders: in the active action, else in the NLA, or in one set aside
    for the walk.

    `paths`: of the sliders, by their names.

    Blender's own objects: use them at once and keep none.
    """
    found: dict[Slider, Any] = {}
    for action, slot in ledger.all_actions(obj):
        curves = compat.find_channels(action, slot)
        for slider, path in paths.items() if len(curves) else ():
            if slider not in found:
                curve = curves.find(path)
                if curve is not None and not curve.mute and len(curve.keyframe_points):
                    found[slider] = curve
    return found


def place(obj: Object) -> tuple:
    """Return a cheap key that stays the same while `find` would look in the same places."""
    return tuple(
        (action.session_uid, len(compat.find_channels(action, slot)))
        for action, slot in ledger.all_actions(obj)
    )


def fingerprint(curves: Mapping[Any, Any]) -> tuple:
    """Return a value that changes when a key, handle or modifier of the curves does."""
    return tuple((slider, *_keys(curve), _modifiers(curve)) for slider, curve in curves.items())


def fingerprint_of(curves: Iterable[Any]) -> tuple:
    """Return the same of all curves of an action."""
    return fingerprint({f"{curve.data_path}[{curve.array_index}]": curve for curve in curves})


def _keys(curve: Any) -> tuple[bytes, ...]:
    keys = curve.keyframe_points
    points = np.empty(2 * len(keys), dtype=np.float32)
    kinds = np.empty(len(keys), dtype=np.int32)
    parts = [curve.extrapolation.encode()]
    for name in ("co", "handle_left", "handle_right"):
        keys.foreach_get(name, points)
        parts.append(points.tobytes())
    keys.foreach_get("interpolation", kinds)
    parts.append(kinds.tobytes())
    return tuple(parts)


def _modifiers(curve: Any) -> tuple:
    """Identify modifiers by their effect in the first seconds: they have no common settings to list."""
    if not len(curve.modifiers):
        return ()
    return tuple(round(curve.evaluate(frame), 6) for frame in range(0, 240, 24))


def sample(curve: Any, start: int, end: int) -> tuple[np.ndarray, np.ndarray]:
    """Return `(frames (n,), values (n,))` from `start` to `end`, including keys and margin.

    Raises NeuraRigError for keys at non-finite frames.
    """
    keys = curve.keyframe_points
    points = np.empty(2 * len(keys), dtype=np.float32)
    keys.foreach_get("co", points)
    if not np.isfinite(points).all():
        raise NeuraRigError(
            f"A key of '{curve.data_path}' is on no frame or has no number; delete it in the Graph Editor."
        )
    keyed = np.sort(points[0::2].astype(float))
    first, last = min(start, keyed[0]) - MARGIN, max(end, keyed[-1]) + MARGIN
    frames = _frames(
        np.concatenate([[first], keyed, [last]]), changes_everywhere=len(curve.modifiers) > 0 or _swings(keys)
    )
    evaluate = curve.evaluate
    return frames, np.array([evaluate(frame) for frame in frames.tolist()])


def _swings(keys: Any) -> bool:
    """Return whether an elastic key oscillates, with a period in frames, over any length."""
    kinds = np.empty(len(keys), dtype=np.int32)
    keys.foreach_get("interpolation", kinds)
    return bool((kinds == Keyframe.bl_rna.properties["interpolation"].enum_items["ELASTIC"].value).any())


def _frames(keyed: np.ndarray, changes_everywhere: bool) -> np.ndarray:
    """Return the frames `(n,)` on which a curve is sampled between its ends and keys `(k,)`, at any
    distances.

    Quarters of a frame around the keys; a longer interval between keys is as smooth as it is long, so a fixed
    number is enough there, unless modifiers or elastic keys change the curve everywhere.
    """
    if changes_everywhere:
        count = SAMPLES_A_FRAME * (keyed[-1] - keyed[0])
        return np.union1d(
            _quarters(keyed[0], keyed[-1])
            if count < MOST_CHANGES
            else np.linspace(keyed[0], keyed[-1], MOST_CHANGES),
            keyed,
        )
    long = np.flatnonzero(np.diff(keyed) > LONG)
    begins, ends = [keyed[0], *(keyed[long + 1] - NEAR)], [*(keyed[long] + NEAR), keyed[-1]]
    near = [_quarters(begin, end) for begin, end in zip(begins, ends, strict=True)]
    between = [np.linspace(keyed[gap], keyed[gap + 1], SAMPLES_BETWEEN) for gap in long]
    return np.unique(np.concatenate([keyed, *near, *between]))


def _quarters(begin: float, end: float) -> np.ndarray:
    """Return the frames of the grid from one frame to another."""
    return (
        np.arange(np.ceil(SAMPLES_A_FRAME * begin), np.floor(SAMPLES_A_FRAME * end) + 1.0) / SAMPLES_A_FRAME
    )
