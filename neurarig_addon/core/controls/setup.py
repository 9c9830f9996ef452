"""How driven controls are parented to one another with given switch values: found by moving each and
observing the others."""

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ..errors import NeuraRigError
from ..geometry.rotation import normalized, norms, transposed
from ..posing.rig_table import NO_PARENT, ROOT_ROLE, Drive, RigTable, TableBone
from .drives import DrivenControl
from .figure import ObservedRig
from .response import TURN, axes_of
from .rig import ControlRig, Trial

_SAME_PLACE = 2e-3  # leg lengths: positions nearer than this are equal
_SAME_TURN = 4e-3  # radians: rotations nearer than this are equal
_SHARE = 0.05  # leg lengths: how far a control is moved to see which others follow
_MOST_SWITCHES = 8  # the most switches tried for one control
_AXIS = normalized(np.array([0.5, 0.7, 0.4]))
_WAY = normalized(np.array([-0.4, -0.3, 0.6]))


@dataclass(frozen=True)
class Parenting:
    """How a control is parented: the number of the control that carries it, -1 for none; whether it turns
    with that one; whether its location is along its own axes (else along the armature's); its matrix `(4, 4)`
    at rest, in armature space; and the rigid motion `(4, 4)` that would bring the bone of its role to rest,
    if the rig holds that bone elsewhere.
    """

    carrier: int
    turns: bool
    own_axes: bool
    rest: np.ndarray
    mend: np.ndarray


class UnsteadyError(NeuraRigError):
    """A control, `number` of the driven ones, does not go where it is moved, or follows others unlike any
    child of a parent."""

    def __init__(self, message: str, number: int) -> None:
        super().__init__(message)
        self.number = number


class Setup(NamedTuple):
    """Controls that can be driven, their parenting, and the switch values for it."""

    drives: tuple[DrivenControl, ...]
    parenting: tuple[Parenting, ...]
    settings: dict[int, float]


def find_setup(
    drives: Sequence[DrivenControl], rig: ControlRig, figure: ObservedRig, settings: Mapping[int, float]
) -> Generator[Trial, np.ndarray, Setup]:
    """Yield trials and return a setup: a control that follows only in part is switched to follow fully, or
    left out if spared.

    The parenting of bones from which a solver starts is found with the solver off.
    Raises NeuraRigError, naming the control, if the walk needs it and no switch helps.
    """
    steady = yield from _steady(
        tuple(drive for drive in drives if not drive.begins), rig, figure, dict(settings)
    )
    begun = tuple(drive for drive in drives if drive.begins)
    if not begun:
        return steady
    rows = [rig.names.index(drive.bone) for drive in begun]
    solvers = {
        n: 0.0
        for n, switch in enumerate(rig.switches)
        if switch.is_influence and rig.switch_reach[n, rows].any()
    }
    every = steady.drives + begun
    parenting = yield from see_parenting(every, rig, figure, steady.settings | solvers)
    return Setup(every, steady.parenting + parenting[len(steady.drives) :], steady.settings)


def _steady(
    drives: tuple[DrivenControl, ...], rig: ControlRig, figure: ObservedRig, settings: dict[int, float]
) -> Generator[Trial, np.ndarray, Setup]:
    while True:
        try:
            parenting = yield from see_parenting(drives, rig, figure, settings)
            return Setup(drives, parenting, settings)
        except UnsteadyError as problem:
            number = problem.number
            mended = yield from _switched(drives, number, rig, figure, settings)
            if mended is not None:
                settings = mended
            elif drives[number].spared:
                drives = drives[:number] + drives[number + 1 :]
            else:
                raise


def _switched(
    drives: tuple[DrivenControl, ...],
    number: int,
    rig: ControlRig,
    figure: ObservedRig,
    settings: dict[int, float],
) -> Generator[Trial, np.ndarray, dict[int, float] | None]:
    """Yield trials and return the setting in which a control, and those before it, follow fully; None if no
    single switch does it."""
    row = rig.names.index(drives[number].bone)
    properties = [
        other
        for other, switch in enumerate(rig.switches)
        if not switch.is_influence and other not in settings
    ]
    for other in [other for other in properties if rig.switch_reach[other, row]][:_MOST_SWITCHES]:
        for value in rig.switches[other].others:
            tried = settings | {other: value}
            try:
                yield from see_parenting(drives[: number + 1], rig, figure, tried)
                return tried
            except UnsteadyError:
                continue
    return None


def see_parenting(
    drives: Sequence[DrivenControl], rig: ControlRig, figure: ObservedRig, settings: Mapping[int, float]
) -> Generator[Trial, np.ndarray, tuple[Parenting, ...]]:
    """Yield trials and return how controls are parented in a setting.

    Raises NeuraRigError, naming the control, if one does not go where it is moved, or follows others as no
    parent would make it.
    """
    rows, size = [rig.names.index(drive.bone) for drive in drives], figure.size
    whole = yield Trial({}, settings)
    mends = [_mend(drive, rig, figure, whole) for drive in drives]
    zero = whole[rows]
    seen, own_axes = [], []
    for number, (drive, row) in enumerate(zip(drives, rows, strict=True)):
        axes = zero[number, :3, :3]
        location = _SHARE * size * _WAY / np.linalg.norm(axes, axis=0) if drive.location else np.zeros(3)
        turn = TURN * _AXIS if drive.rotation or drive.role == ROOT_ROLE else np.zeros(3)
        posed = (yield Trial({row: (location, turn)}, settings))[rows]
        own_axes.append(_slides(number, drive, zero[number], posed[number], location))
        seen.append(posed)
    motions = [_Motion.between(zero, posed) for posed in seen]
    parenting = []
    for number, drive in enumerate(drives):
        carrier, turns = _carrier(number, drive, motions, size)
        parenting.append(Parenting(carrier, turns, own_axes[number], zero[number], mends[number]))
    return tuple(parenting)


@dataclass(frozen=True)
class _Motion:
    """How bones `(n)` have moved: rotations `(n, 3, 3)`, heads before and after `(n, 3)`.

    `alike` `(n + 1, n)`: whether a bone rotates with another, in the last row with the armature: not at all.
    """

    turns: np.ndarray
    alike: np.ndarray
    before: np.ndarray
    after: np.ndarray

    @classmethod
    def between(cls, zero: np.ndarray, posed: np.ndarray) -> "_Motion":
        turns = axes_of(posed) @ transposed(axes_of(zero))
        others = np.concatenate([turns, np.eye(3)[None]])
        apart = norms((others[:, None] - turns).reshape(len(others), len(turns), 9))
        alike = apart < np.sqrt(8.0) * np.sin(0.5 * _SAME_TURN)
        return cls(turns, alike, zero[:, :3, 3], posed[:, :3, 3])

    def carries(self, carrier: int, number: int, turning: bool, size: float) -> bool:
        """Return whether a bone's head is carried by another bone, or fixed to the armature (-1)."""
        arm = self.before[number] - self.before[carrier]
        if carrier == NO_PARENT:
            shift = self.after[number] - self.before[number]
        else:
            shift = self.after[number] - self.after[carrier] - (self.turns[carrier] @ arm if turning else arm)
        return bool(norms(shift) < _SAME_PLACE * size)


def _mend(drive: DrivenControl, rig: ControlRig, figure: ObservedRig, zero: np.ndarray) -> np.ndarray:
    """Return the rigid motion `(4, 4)` from the evaluated bone of a control's role, with the rig unposed, to
    that bone's rest matrix.

    For a control that is put on a joint: the motion that puts it there, with the rest rotation of its role's
    bone.
    """
    found = np.eye(4)
    if drive.role not in figure.roles or not drive.rotation:
        return found
    bone = figure.bones[figure.roles.index(drive.role)]
    moved, to = bone, bone
    if drive.joint:
        moved, to = rig.names.index(drive.bone), figure.bones[figure.roles.index(drive.joint)]
    found[:3, :3] = axes_of(rig.rest[bone]) @ axes_of(zero[moved]).T
    found[:3, 3] = rig.rest[to, :3, 3] - found[:3, :3] @ zero[moved, :3, 3]
    return found


def _slides(
    number: int, drive: DrivenControl, zero: np.ndarray, posed: np.ndarray, location: np.ndarray
) -> bool:
    """Return whether a control's location is along its own axes; raises UnsteadyError if it does not go where
    it is moved."""
    shift = posed[:3, 3] - zero[:3, 3]
    tolerance = _SAME_PLACE / _SHARE * max(float(norms(location)), np.finfo(np.float32).tiny)
    if not drive.location or norms(shift - zero[:3, :3] @ location) < tolerance:
        return True
    if norms(shift - location) < tolerance:
        return False
    raise UnsteadyError(
        f"Control '{drive.bone}' does not go where it is moved; something else moves it too.", number
    )


def _carrier(number: int, drive: DrivenControl, motions: list[_Motion], size: float) -> tuple[int, bool]:
    """Return the number of the control that carries a control, and whether it turns with that; raises
    UnsteadyError if none fits."""
    others = [other for other in range(len(motions)) if other != number]
    # A control turned by more of the others is lower in the hierarchy: of all that fit, the lowest is the
    # parent.
    turning = [other for other in others if not motions[other].alike[NO_PARENT, other]]
    candidates = sorted(turning, key=lambda other: sum(motion.alike[NO_PARENT, other] for motion in motions))
    for carrier in (NO_PARENT, *candidates):
        for turns in (True, False) if drive.location and carrier != NO_PARENT else (carrier != NO_PARENT,):
            if all(_follows(motions[other], carrier, number, turns, drive, size) for other in others):
                return carrier, turns
    raise UnsteadyError(
        f"Control '{drive.bone}' follows its parent only in part; set its parent and follow switches to 0"
        " or 1.",
        number,
    )


def _follows(
    motion: _Motion, carrier: int, number: int, turns: bool, drive: DrivenControl, size: float
) -> bool:
    if not motion.alike[carrier if turns else NO_PARENT, number]:
        return False
    return not drive.location or motion.carries(carrier, number, turns, size)


def table_of(
    drives: Sequence[DrivenControl],
    parenting: Sequence[Parenting],
    modes: Sequence[str],
    frame: np.ndarray,
    placement: np.ndarray,
) -> RigTable:
    """Return the table for driving these controls with a pose; `modes`: their rotation modes, `frame`: walk
    frame to armature space."""
    bones: list[TableBone] = []
    rows: dict[int, int] = {}
    for number in _carriers_first(parenting):
        one = parenting[number]
        carried = one.carrier != NO_PARENT
        # If the carrier is mended, the control follows it as before the mend; its own mend comes from its
        # channels.
        held = (parenting[one.carrier].mend if carried else np.eye(4)) @ np.linalg.inv(one.mend)
        bones.append(TableBone("", rows[one.carrier] if carried else NO_PARENT, np.eye(4), held))
        rows[number] = len(bones)
        bones.append(
            TableBone(
                drives[number].bone, len(bones) - 1, one.mend @ one.rest, np.eye(4), modes[number],
                inherit_rotation=one.turns or not carried, local_location=one.own_axes,
            )
        )  # fmt: skip
    moved = tuple(
        Drive(rows[number], drive.role, drive.location, drive.rotation) for number, drive in enumerate(drives)
    )
    return RigTable(tuple(bones), moved, frame, placement)


def _carriers_first(parenting: Sequence[Parenting]) -> list[int]:
    """Return the numbers of controls, carriers before what they carry; raises NeuraRigError if they carry one
    another."""
    order: list[int] = []
    waiting = list(range(len(parenting)))
    while waiting:
        ready = [
            number
            for number in waiting
            if parenting[number].carrier == NO_PARENT or parenting[number].carrier in order
        ]
        if not ready:
            raise NeuraRigError("The rig's controls depend on one another in a circle.")
        order += ready
        waiting = [number for number in waiting if number not in ready]
    return order
