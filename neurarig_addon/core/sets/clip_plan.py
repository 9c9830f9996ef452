"""The clips of a set, as the list beside the code declares them."""

from dataclasses import dataclass
from functools import lru_cache

from ..errors import NeuraRigError
from ..shipped import shipped

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
CORE, FULL, ACTS, LONG_TAKE = SETS = ("CORE", "FULL", "ACTS", "LONG_TAKE")
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
    `foot`: LEFT or RIGHT, which steps first in a start, and lands first in a stop. `degrees`: of a turn, left
    positive.
    `slope`: degrees uphill.  `seed`: of an idle or a take, `seconds`: of a take, about, and for
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
    seed: int = 0
    seconds: float = 0.0
    act: str = ""
    length: float = 0.0
    rise: float = 0.0

    @property
    def loops(self) -> bool:
        """Whether its end is its beginning."""
        return self.kind in (IDLE, LOOP)


def clip_plans(which: str = CORE, names: tuple[str, ...] = ()) -> tuple[ClipPlan, ...]:
    """Return the clips of a set, one of SETS, or those of given names; raises NeuraRigError for an unknown
    one."""
    every = _every()
    if not names:
        if which not in SETS:
            raise NeuraRigError(f"'{which}' is not a set of clips; choose one of {', '.join(SETS)}.")
        smaller = {CORE, FULL} if which == FULL else {which}
        return tuple(plan for plan, of in every.values() if of in smaller)
    for name in names:
        if name not in every:
            raise NeuraRigError(f"There is no clip '{name}'; there are {', '.join(every)}.")
    return tuple(every[name][0] for name in dict.fromkeys(names))


@lru_cache(maxsize=1)
def _every() -> dict[str, tuple[ClipPlan, str]]:
    """Return each clip by name, and the smallest set that it belongs to."""
    content = shipped("clip_list")
    groups = {name: BlendGroup(name, **given) for name, given in content["groups"].items()}
    found = {}
    for given in content["clips"]:
        row = dict(given)
        of, group = row.pop("set"), groups[row.pop("group")]
        pace = content["paces"][group.gait][f"{abs(row.get('toward', 0)):g}"]
        found[row["name"]] = ClipPlan(group=group, pace=pace, **row), of
    return found
