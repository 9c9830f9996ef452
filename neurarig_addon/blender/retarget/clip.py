"""A clip on one target: the character in its present state, the bones that take the motion, and every
channel, solved once."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from bpy.types import Object, Scene

from ...core.character.character import Character
from ...core.character.motion import Motion, RolePose
from ...core.follow.following import Hanging
from ...core.follow.rows import followed_rows
from ...core.ikrig.decode import decode
from ...core.ikrig.encoding import Encoding
from ...core.posing.channels import Channels, continuous
from ...core.posing.posing import Travel, solve
from ...core.posing.rig_table import RigTable
from ...core.retarget.contacts import find_contacts
from ...core.retarget.options import RetargetOptions, Root
from ...core.retarget.retarget import Retargeted, in_place, retarget
from ...core.sequence.seam import Span, joined, outside
from ..character import carry, controls, record
from ..character.controls import PosingChoice
from ..character.controls.attachment import FK
from ..character.read_armature import shape_key
from ..character.read_character import read_character
from ..follow import follower
from ..over.taker import Taker
from ..over.wishes import TargetWishes

OBJECT_CHANNELS = ("location", "rotation_")
WHOLE = 1e-6  # frames this close to a whole one count as whole


@dataclass(frozen=True)
class Target:
    """A character whose controls are set up, the bones that take the motion, and what hangs on it."""

    character: Character
    rig: RigTable
    hanging: Hanging | None = None


def read_target(obj: Object, scene: Scene) -> Target:
    """Return the target in its present state; raises NeuraRigError if a bone that takes the motion is
    missing."""
    character, attachment = read_character(obj, scene), record.attachment(obj)
    character = replace(character, body=controls.posed_body(character.body, character.roles, attachment))
    table = controls.rig_table(obj, attachment, character.body)
    return Target(character, table, follower.read(obj, character))


def target_key(obj: Object, scene: Scene) -> tuple:
    """Return a key that changes whenever the target does."""
    return obj.neurarig.attachment, follower.key(obj), *shape_key(obj, scene)


def first_way(chosen: str) -> PosingChoice:
    """Return the best way to pose a target for 'FK' or 'IK' of the settings."""
    return PosingChoice(FK if chosen == "FK" else "")


@dataclass(frozen=True)
class TargetClip:
    """The channels of a clip on consecutive whole frames `(f,)`, and what they were solved from.

    `root`: what carries the travel. `steps` `(f, 4, 4)`: the object's motion (see `carry.steps`), or None if
    it stays.
    `before`: the clip as it was, None where that is the target's own action or nothing is made; `gaps`: the
    frames around what is made,
    infinity where nothing comes after.
    """

    name: str
    frames: np.ndarray
    channels: Channels
    root: Root
    steps: np.ndarray | None
    retargeted: Retargeted
    target: Target
    before: "TargetClip | None" = None
    gaps: tuple[tuple[float, float], ...] = ()
    flows: bool = False

    @cached_property
    def _played(self) -> Channels:
        return continuous(self.channels)

    def values(self, frame: float) -> tuple[float, ...]:
        """Return the values of the channels at a frame: linear between whole frames, held before and after
        the clip."""
        row, share = self.place(frame)
        here = self._played.row(row)
        if not share:
            return here
        return between((here, self._played.row(min(row + 1, len(self.frames) - 1))), 0, share)

    @property
    def travel(self) -> Travel:
        """Return what of the armature travels."""
        return travel_of(self.root)

    @cached_property
    def taker(self) -> Taker:
        """The character as a taker of poses with targets applied over them."""
        return Taker(self.target.character.body, self.target.rig, self.travel)

    def shown(self, obj: Object, frame: float, wants: TargetWishes, is_below: bool) -> Channels:
        """Return the channels of a frame, its pose interpolated between whole frames, with hands, chest and
        head at their targets."""
        row, share = self.place(frame)
        rows = RolePose.rows_of(self.retargeted.pose, slice(row, row + 2 if share else row + 1))
        below = rows.at(share)
        found = self.taker.shown(obj, below, wants, is_below)
        untouched = solve(self.target.rig, below, self.travel).values == found.values
        values = np.array(self.values(frame))[None]
        own = found.values.shape[1]  # behind these is what follows the clip, whatever hands do
        reached = np.where(untouched, values[:, :own], found.values)
        return replace(self.channels, values=np.hstack([reached, values[:, own:]]))

    def over(self, wants: TargetWishes) -> "TargetClip":
        """Return the clip with targets applied on all its frames."""
        pose = self.taker.over(self.retargeted.pose, wants)
        return replace(self, channels=solve(self.target.rig, pose, self.travel)).followed()

    def followed(self) -> "TargetClip":
        """Return the clip with what follows it."""
        target, made, leg = self.target, self.retargeted, self.target.character.body.leg_length
        channels = followed_rows(target.hanging, self.channels, made.pose, made.fps, leg)
        return replace(self, channels=channels)

    def place(self, frame: float) -> tuple[int, float]:
        """Return the row at or before a frame, and the share of the way to the next one."""
        at = min(max(frame - self.frames[0], 0.0), len(self.frames) - 1.0)
        row = round(at) if abs(at - round(at)) < WHOLE else int(at)
        return row, max(at - row, 0.0) if abs(at - round(at)) >= WHOLE else 0.0


def between(rows: Sequence[Sequence[float]] | np.ndarray, row: int, share: float) -> tuple[float, ...]:
    """Return the value interpolated by `share` from a row to the next."""
    after = rows[min(row + 1, len(rows) - 1)]
    return tuple(a + share * (b - a) for a, b in zip(rows[row], after, strict=True))


def travel_of(root: Root) -> Travel:
    """Return what of an armature travels if the root takes a clip's travel so."""
    return Travel.ROOT_BONE if root is Root.BONE else Travel.NOTHING


@dataclass(frozen=True)
class Placed:
    """A clip with consecutive whole scene frames as it `was`, and as a `whole` with what is made within
    `spans` of its rows.

    `is_own`: it is the target's own action, as it is.  `root`: how that moves the object, if it does.
    `flows`: what was there are a few keyed poses.
    """

    whole: Encoding
    was: Encoding
    spans: tuple[Span, ...] = ()
    is_own: bool = False
    root: Motion | None = None
    flows: bool = False


def solve_clip(placed: Placed, target: Target, options: RetargetOptions) -> TargetClip:
    """Return a clip solved on a target; raises NeuraRigError if the target cannot take it.

    What was there stays to the bit; of an own action of the target it is that, and not what retargeting makes
    of it.
    """
    made, before = retarget(_with_contacts(placed.whole, target), target.character, options), None
    if placed.spans and placed.is_own:
        made = joined(
            target.character, in_place(placed.was, target.character, options, placed.root), made, placed.spans
        )
    elif placed.spans:
        before = _solved(
            placed.was,
            retarget(_with_contacts(placed.was, target), target.character, options),
            target,
            options.root,
        )
        made = joined(target.character, before.retargeted, made, placed.spans)
    clip = _solved(placed.whole, made, target, options.root)
    if before is not None:
        stays = np.flatnonzero(outside(placed.spans, len(made.pivots))[: len(before.frames)])
        clip.channels.values[stays] = before.channels.values[stays]
    frames = [*placed.whole.frames.tolist(), np.inf]
    clip = replace(
        clip,
        before=None if before is None else before.followed(),
        gaps=tuple((frames[first], frames[last]) for first, last in placed.spans),
        flows=placed.flows,
    )
    return clip.followed()


def _solved(clip: Encoding, retargeted: Retargeted, target: Target, root: Root) -> TargetClip:
    channels = solve(target.rig, retargeted.pose, travel_of(root))
    steps = (
        carry.steps(retargeted.pose.root, target.character.body.walk_to_armature)
        if root is Root.OBJECT
        else None
    )
    return TargetClip(clip.name, clip.frames, channels, root, steps, retargeted, target)


def _with_contacts(encoding: Encoding, target: Target) -> Encoding:
    """Return a clip with its contacts: a .csv has none."""
    if encoding.contacts.intervals:
        return encoding
    motions = decode(encoding, target.character)
    return replace(encoding, contacts=find_contacts(target.character, motions, encoding.fps))
