"""An action of the animator's as motions of roles, with the feet that stand in it."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from ..body.tree import all_holders_of
from ..character.body import Body
from ..character.character import Character
from ..character.motion import Motion, rows_of
from ..geometry.rotation import transposed
from ..posing.rig_table import POLES
from ..retarget.contacts import find_contacts
from ..retarget.feet import standing_of, touching_frames
from ..skeleton.roles import SIDES, sided
from .feet import poles
from .pairs import pairs_of
from .poses import Poses


@dataclass(frozen=True)
class RecordedAction:
    """The poses of an action on consecutive frames, the first one `first`; beyond its ends it stays as it is
    there."""

    poses: Poses
    first: float

    @classmethod
    def of(
        cls,
        character: Character,
        motions: Mapping[str, Motion],
        like: Mapping[str, Motion],
        first: float,
        fps: float,
    ) -> "RecordedAction":
        """Return an action of a character, with the roles of a walk `like` which it is to be joined.

        `motions`: of the roles that have bones, in the walk frame.
        """
        frames = len(motions["pelvis"].position)
        contacts = [
            find_contacts(replace(character, body=pair.body), pair.seen(motions), fps)
            for pair in pairs_of(character.body)
        ]
        stands = np.concatenate([standing_of(touching_frames(each, frames)) for each in contacts], axis=1)
        return cls(Poses(_completed(character.body, motions, like), Motion.still(frames), stands), first)

    def __len__(self) -> int:
        return len(self.poses.stands)

    @property
    def frames(self) -> np.ndarray:
        """The action's frames `(f,)`."""
        return self.first + np.arange(len(self))

    @property
    def last(self) -> float:
        """Its last frame."""
        return self.first + len(self) - 1

    def at(self, frames: np.ndarray) -> Poses:
        """Return the poses at frames of the action `(f,)`; between whole ones in proportion."""
        rows = np.clip(frames - self.first, 0.0, len(self) - 1.0)
        low = np.floor(rows + 1e-9).astype(int)
        poses, share = rows_of(self.poses, low), rows - low
        if (share < 1e-9).all():
            return poses
        after = rows_of(self.poses, np.minimum(low + 1, len(self) - 1))
        motions = {role: motion.towards(after.motions[role], share) for role, motion in poses.motions.items()}
        return Poses(motions, poses.root, poses.stands)


def _completed(body: Body, motions: Mapping[str, Motion], like: Mapping[str, Motion]) -> dict[str, Motion]:
    """Return the motions of the same roles as `like`: of a joint without a bone of its own, as the bone that
    holds it carries it."""
    whole: dict[str, Motion] = {}
    holders = all_holders_of(like)
    for role, motion in like.items():
        if role in motions or not role.startswith(POLES):
            holder = role
            while holder not in motions:
                holder = holders.get(holder, "pelvis")
            whole[role] = motions[holder].about(motion.rest)
    for side in SIDES:
        eye, gaze = sided("eye", side), sided("gaze", side)
        if gaze in like:
            ahead = transposed(like[eye].rotation[0]) @ (like[gaze].position[0] - like[eye].position[0])
            whole[gaze] = Motion(
                whole[gaze].rotation, whole[eye].position + whole[eye].rotation @ ahead, like[gaze].rest
            )
    for pair in pairs_of(body):
        whole |= pair.named(poles(pair.body, pair.seen(whole)))
    return whole
