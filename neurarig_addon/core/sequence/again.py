"""A clip of an animal that goes on: as its last stride went, again and again, in the phase in which it ends.

The network of `continuation` knows people. What a stride ends otherwise than it began fades over the next.
"""

from dataclasses import replace

import numpy as np

from ..easing import smootherstep, straight
from ..errors import NeuraRigError
from ..geometry.rotation import about_z
from ..ikrig.encoding import Contacts, Encoding, each
from ..ikrig.resample import sampled
from ..retarget.spans import flags_of, intervals_of
from .continuation import after, require_seconds

_LAST = 3  # strides of a foot from which their length is taken, at most


def striding_on(clip: Encoding, seconds: float) -> Encoding:
    """Return a clip on four legs that goes on for some time after its last frame.

    Raises NeuraRigError if it shows no whole stride.
    """
    require_seconds(seconds)
    last, stride = len(clip) - 1, _stride(clip)
    laps, since = np.divmod(np.arange(1.0, np.ceil(seconds * clip.fps) + 1.0), stride)
    rows = np.concatenate([[last - stride, last], last - stride + since])
    left, lap = 1.0 - smootherstep(since / stride), laps.astype(int)
    ground, heading = straight(clip.ground, rows), straight(clip.heading, rows)
    turned = heading[1] - heading[0]
    turns = about_z(turned * np.arange(lap[-1] + 2.0))[:, :2, :2]
    starts = np.cumsum([clip.ground[-1], *(turns[1:-1] @ (ground[1] - ground[0]))], axis=0)
    ground = starts[lap] + (turns[lap + 1] @ (ground[2:] - ground[0])[..., None])[..., 0]
    whole = _longer(clip, rows, left, ground=ground, heading=heading[2:] + turned * (laps + 1.0))
    return replace(whole, fore=clip.fore and _longer(clip.fore, rows, left))


def _stride(clip: Encoding) -> float:
    """Return the frames of a stride as feet last struck."""
    contacts = [girdle.contacts for girdle in (clip, clip.fore) if girdle is not None]
    strikes = [one.of(f"ball.{side}")[:, 0] for one in contacts for side in "LR"]
    strikes = [struck[struck > 0][-_LAST - 1 :] for struck in strikes]
    found = [np.diff(struck).mean() for struck in strikes if len(struck) > 1]
    stride = float(np.median(found)) if found else np.inf
    if stride >= len(clip):
        raise NeuraRigError(
            f"'{clip.name}' shows no whole stride, so it cannot go on. Choose a clip of two steps of a foot."
        )
    return stride


def _longer(clip: Encoding, rows: np.ndarray, left: np.ndarray, **way: np.ndarray) -> Encoding:
    """Return a girdle's clip followed by its fractional rows from the third on, with what is `left` `(n,)` of
    how the second differs from the first; `way`: its ground and heading there."""
    alone = replace(clip, fore=None)

    def fading(parts: list[np.ndarray]) -> np.ndarray:
        first, end, *_ = values = parts[0]
        opposite = values.shape[-1] == 4 and first @ end < 0.0  # quaternions of the same rotation
        off = (-end if opposite else end) - first
        return values[2:] + left.reshape(-1, *[1] * off.ndim) * off

    more = each([sampled(replace(alone, contacts=Contacts()), rows, clip.fps)], fading)
    more = replace(sampled(more, np.arange(float(len(more))), clip.fps), **way)  # of length 1 again
    at = np.rint(rows[2:]).astype(int)
    flags = {point: flags_of(spans, len(clip)) for point, spans in clip.contacts.intervals.items()}
    stands = Contacts({point: intervals_of(on[at]) for point, on in flags.items()})
    return after(alone, replace(more, contacts=stands))
