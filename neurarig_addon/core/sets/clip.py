"""A clip of a set: a pose on every frame, with what an engine needs to know of it."""

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from ..body.feet import SWING
from ..character.motion import Motion, RolePose
from ..easing import running
from ..errors import NeuraRigError
from ..gait import pose as gait_pose
from ..gait.kinds import gaits
from ..geometry.rotation import norms, rotated, transposed, yaw_of
from ..shipped import shipped
from ..skeleton.roles import BIPED, QUADRUPED

IDLE, LOOP, START, STOP, TURN, STRIDE_TURN, TAKE, ACT = KINDS = (
    "IDLE",
    "LOOP",
    "START",
    "STOP",
    "TURN",
    "STRIDE_TURN",
    "TAKE",
    "ACT",
)
CORE, FULL, RESPONSIVE, ACTS, LONG_TAKE = SETS = ("CORE", "FULL", "RESPONSIVE", "ACTS", "LONG_TAKE")
ANIMALS = "ANIMALS"  # clips that are of every set of an animal on four legs
WALK = "walk"  # the group whose speed is the character's own


@dataclass(frozen=True)
class BlendGroup:
    """Clips that a blend space mixes, and so are equally long: their `gait`, and how fast they go ahead.

    `vhat`: dimensionless speed.  `crouch`: added to the slider, in leg lengths.
    """

    name: str
    gait: str
    vhat: float
    crouch: float = 0.0


@dataclass(frozen=True)
class ClipPlan:
    """A clip to be made: its `kind`, one of KINDS, and its `group`.

    `toward`: degrees from where the body faces to where it goes, left positive. `pace`: its speed relative to
    the group's.
    `foot`: LEFT or RIGHT, which steps first in a start, and lands first in a stop, in a quick one just
    before. `degrees`: of a turn, left positive, also in a quick start. `haste`: how much harder than people
    by themselves a quick start or stop hastens and brakes; 0: one that takes its time.
    `slope`: degrees uphill; `tread`: leg lengths from nose to nose of stairs that rise so steeply, 0
    without stairs.  `seed`: of an idle or a take, `seconds`: of a take, about, and for
    which an act is held. `act`: of `acts.act_file.shipped_acts`; `length`, `rise`: of a jump, as in
    `acts.mark.ActMark`, in leg lengths.
    """

    name: str
    kind: str
    group: BlendGroup
    toward: float = 0.0
    pace: float = 1.0
    foot: str = "LEFT"
    degrees: float = 0.0
    slope: float = 0.0
    tread: float = 0.0
    seed: int = 0
    seconds: float = 0.0
    act: str = ""
    length: float = 0.0
    rise: float = 0.0
    haste: float = 0.0

    @property
    def loops(self) -> bool:
        """Whether its end is its beginning."""
        return self.kind in (IDLE, LOOP)

    def suits(self, character: str) -> bool:
        """Whether a kind of character has its gait; on four legs it goes ahead, and acts are people's."""
        has_gait = character in gaits.GAITS[self.group.gait].kinds
        return has_gait and (
            character == BIPED
            or (not (self.act or self.toward or self.haste) and self.kind not in (TAKE, ACT))
        )


def clip_plans(
    which: str = CORE, names: tuple[str, ...] = (), character: str = BIPED
) -> tuple[ClipPlan, ...]:
    """Return the clips of a set, one of SETS, or those of given names, for a kind of character.

    Raises NeuraRigError for an unknown one, and for one that such a character cannot do.
    """
    every = _every()
    if not names:
        if which not in SETS:
            raise NeuraRigError(f"'{which}' is not a set of clips; choose one of {', '.join(SETS)}.")
        calmly = which == RESPONSIVE and character != BIPED  # who starts and turns only as it goes on
        smaller = {which, CORE, FULL} if which == FULL or calmly else {which}
        if character == QUADRUPED and which in (CORE, FULL, RESPONSIVE):
            smaller |= {ANIMALS}
        plans = [plan for plan, of in every.values() if not smaller.isdisjoint(of)]
        if found := tuple(plan for plan in plans if plan.suits(character)):
            return found
        raise NeuraRigError(f"The set '{which}' has no clip {gaits.OF[character]}; choose {CORE}.")
    for name in names:
        if name not in every:
            raise NeuraRigError(f"There is no clip '{name}'; there are {', '.join(every)}.")
        if not every[name][0].suits(character):
            suiting = ", ".join(plan.name for plan, _ in every.values() if plan.suits(character))
            raise NeuraRigError(f"'{name}' is no clip {gaits.OF[character]}; choose of these: {suiting}.")
    return tuple(every[name][0] for name in dict.fromkeys(names))


def clip_names() -> tuple[str, ...]:
    """Return the names of all clips."""
    return tuple(_every())


@lru_cache(maxsize=1)
def _every() -> dict[str, tuple[ClipPlan, tuple[str, ...]]]:
    """Return each clip by name, and the sets that it belongs to; FULL has all of CORE too."""
    content = shipped("clip_list")
    groups = {name: BlendGroup(name, **given) for name, given in content["groups"].items()}
    found = {}
    for given in content["clips"]:
        row = dict(given)
        of, group = row.pop("set").split(), groups[row.pop("group")]
        pace = content["paces"][group.gait][f"{abs(row.get('toward', 0)):g}"]
        found[row["name"]] = ClipPlan(group=group, pace=pace, **row), tuple(of)
    return found


FEET = ("left", "right")


@dataclass(frozen=True)
class SetClip:
    """Whole frames of a walk, from 0 on; the root begins at the origin, facing ahead.

    `pose`: the motions of the roles, and of the root. `phase` `(f, 2)`: steps of the left and right foot;
    whole numbers are contacts.
    `pivot` `(f, 2)`: what each foot stands on, as in `WalkPose`. `contacts`: feet and (fractional) frames at
    which they land.
    `speed`: m/s in full stride, `stride`: metres a cycle, `cycle`: frames a cycle; 0 without one.
    `enters`, `leaves`: the phase of the group's loop that it begins and ends with, in cycles from the left
    contact; None: standing.
    """

    plan: ClipPlan
    fps: float
    pose: RolePose
    phase: np.ndarray
    pivot: np.ndarray
    contacts: tuple[tuple[str, float], ...]
    speed: float
    stride: float
    cycle: float
    enters: float | None
    leaves: float | None

    @property
    def frames(self) -> int:
        """How many frames from the first to the last key."""
        return len(self.pose.frames) - 1

    @property
    def planted(self) -> np.ndarray:
        """Whether each foot stands `(f, 2)`."""
        return self.pivot != SWING

    @property
    def travel(self) -> np.ndarray:
        """Metres travelled on the ground until each frame `(f,)`."""
        way = norms(np.diff(self.pose.root.position[:, :2], axis=0))
        return running(way)

    @property
    def turned(self) -> np.ndarray:
        """Radians turned until each frame `(f,)`, left positive."""
        turn = self.pose.root.rotation
        return np.unwrap(yaw_of(turn))


def from_the_origin(pose: "gait_pose.WalkPose", evenly: bool) -> RolePose:
    """Return a walk whose root begins at the origin, facing ahead, on frames counted from 0; `evenly`: and
    travels straight and evenly.

    Uphill the root of a walk rises and falls a little with the steps, which is left to the body then.
    """
    first = transposed(pose.root.rotation[:1])
    place = rotated(
        np.broadcast_to(first, pose.root.rotation.shape), pose.root.position - pose.root.position[:1]
    )
    frames = np.arange(len(pose.frames), dtype=float)
    root = Motion(first @ pose.root.rotation, place, pose.root.rest)
    found = RolePose(frames, pose.motions, root)
    return found.on(replace(root, position=frames[:, None] / frames[-1] * place[-1])) if evenly else found
