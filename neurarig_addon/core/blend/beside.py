"""What an action moves that is no role: fingers, a face, a prop. Their own values, faded in and out."""

from dataclasses import dataclass, replace

import numpy as np

from ..easing import straight
from ..posing.channels import QUATERNION, Channels, nearest


@dataclass(frozen=True)
class Beside:
    """Channels `(n, ...)` of an action on its consecutive frames, the first one `first`, and the `still`
    values `(k,)` in their place."""

    action: Channels
    first: float
    still: np.ndarray

    def over(self, held: Channels | None, frames: np.ndarray, at: np.ndarray, weight: np.ndarray) -> Channels:
        """Return the channels at frames `(f,)`, which are those `at` `(f,)` of the action, with its weight
        `(f,)` 0..1.

        `held`: channels of the walk, in one row or one for each frame, some of the same properties.
        """
        channels = self._faded(held, at, weight)
        if held is None:
            return Channels(self.action.properties, channels)
        own = {(prop.bone, prop.name) for prop in self.action.properties}
        kept = [prop for prop in held.properties if (prop.bone, prop.name) not in own]
        before = np.broadcast_to(held.values, (len(frames), held.values.shape[1]))
        values, properties = [channels], list(self.action.properties)
        for prop in kept:
            start = sum(each.shape[1] for each in values)
            values.append(before[:, prop.columns])
            properties.append(prop._replace(columns=slice(start, start + values[-1].shape[1])))
        return replace(held, properties=tuple(properties), values=np.concatenate(values, axis=1))

    def _faded(self, held: Channels | None, at: np.ndarray, weight: np.ndarray) -> np.ndarray:
        playing = straight(self.action.values, at - self.first)
        faded = np.empty_like(playing)
        for prop in self.action.properties:
            now, own = playing[:, prop.columns], held and held.of(prop.bone, prop.name)
            still = np.broadcast_to(self.still[prop.columns] if own is None else own, now.shape)
            if prop.mode == QUATERNION:
                still = nearest(still, now, QUATERNION)
            faded[:, prop.columns] = still + weight[:, None] * (now - still)
        return faded
