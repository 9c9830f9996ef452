"""A motion at another frame rate."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from ..easing import straight
from ..errors import NeuraRigError
from ..geometry.rotation import continuous_quaternions, normalized
from .encoding import Chain, Contacts, Encoding

SAME_RATE = 1e-6  # relative difference
MOST_FRAMES = 1_048_574  # Blender's last frame


def resample(encoding: Encoding, fps: float) -> Encoding:
    """Return a motion at `fps` frames per second, its first frame unchanged; new rows within a contact are
    planted.

    Raises NeuraRigError if there are more frames than a scene can have.
    """
    if abs(encoding.fps - fps) <= SAME_RATE * fps:
        return encoding
    count = np.floor((len(encoding) - 1) * fps / encoding.fps + SAME_RATE) + 1.0
    if not count <= MOST_FRAMES:
        raise NeuraRigError(
            f"'{encoding.name}' would take {count:.3g} frames at {fps:g} a second; correct its frame rate, or"
            " the scene's."
        )
    return sampled(encoding, np.arange(count) * encoding.fps / fps, fps)


def sampled(encoding: Encoding, rows: np.ndarray, fps: float) -> Encoding:
    """Return a motion at fractional rows `(n,)`, `fps` of them a second, its frames counted on from its
    first."""
    return replace(
        encoding,
        fps=fps,
        frames=encoding.frames[0] + np.arange(float(len(rows))),
        ground=straight(encoding.ground, rows),
        heading=straight(encoding.heading, rows),
        chains={name: _chain(chain, rows) for name, chain in encoding.chains.items()},
        extras={role: _turned(turns, rows) for role, turns in encoding.extras.items()},
        contacts=Contacts(_intervals(encoding.contacts.intervals, rows)),
        fore=encoding.fore and sampled(encoding.fore, rows, fps),
    )


def _chain(chain: Chain, rows: np.ndarray) -> Chain:
    return Chain(
        root=_turned(chain.root, rows) if chain.root.shape[-1] == 4 else straight(chain.root, rows),
        effector=straight(chain.effector, rows),
        up=normalized(straight(chain.up, rows)),
        orientation=_turned(chain.orientation, rows),
    )


def _turned(quaternions: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """Return quaternions `(f, 4)` at fractional rows `(n,)`, by nlerp: neighbouring frames are close."""
    return normalized(straight(continuous_quaternions(quaternions), rows))


def _intervals(intervals: Mapping[str, np.ndarray], rows: np.ndarray) -> dict[str, np.ndarray]:
    """Return for each point the intervals `(n, 2)` of new rows within its old intervals."""
    found = {}
    for point, spans in intervals.items():
        first = np.searchsorted(rows, np.reshape(spans, (-1, 2))[:, 0] - SAME_RATE)
        last = np.searchsorted(rows, np.reshape(spans, (-1, 2))[:, 1] + SAME_RATE) - 1
        found[point] = np.stack([first, last], axis=-1)[first <= last]
    return found
