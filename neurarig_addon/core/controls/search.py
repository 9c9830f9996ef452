"""Finding a rig's controls by moving them: what each does as saved, which switches enable the others, which
is best for each role."""

from collections.abc import Generator

import numpy as np

from ..skeleton.roles import NECK, SIDES, SPINE, sided
from .choice import control_map, fk_setting, has_both, has_pole, ik_setting
from .control_map import ControlMap
from .figure import ARM, CHAINS, LEG, ObservedRig
from .rig import ControlRig, Trial
from .survey import Findings, Look, Setting

# `ControlRig.shown` from which bones look like controls; they are tried first, and alone if they suffice
_LIKELY = 2.0
_SEEN = 1.0  # `ControlRig.shown` from which an animator sees a bone


def find_controls(rig: ControlRig, figure: ObservedRig) -> Generator[Trial, np.ndarray, ControlMap]:
    """Yield trials and return the map of a rig's controls, with the settings in which they work.

    Bones that look like controls are tried first; all bones if those do not make a whole biped. What none of
    those turns may have a
    control that looks like none: toes, in a foot that rolls on pivots, and trunk, neck, head, collar bones
    and arms.
    """
    reaching, likely = reaching_rows(rig, figure), rows_like_controls(rig, figure)
    found = ControlMap()
    for chosen in (likely, reaching) if likely < reaching else (reaching,):
        findings = Findings(rig, figure, sorted(sorted(chosen), key=lambda row: -rig.shown[row]))
        yield from _look_round(findings)
        found = control_map(findings)
        if found.get("torso") and all(_has_leg(found, side) for side in SIDES):
            toes = yield from _look_for_toes(findings, found, reaching - chosen)
            rest = yield from _look_for_the_rest(findings, found, reaching - chosen)
            found = control_map(findings) if toes or rest else found
            break
    return found


def reaching_rows(rig: ControlRig, figure: ObservedRig) -> set[int]:
    """Return the bones that an animator can move and that may move the character."""
    return set(np.flatnonzero(rig.is_free & rig.reach[:, figure.bones].any(axis=1)).tolist())


def rows_like_controls(rig: ControlRig, figure: ObservedRig) -> set[int]:
    """Return those of `reaching_rows` that look like controls; all if none does."""
    reaching = reaching_rows(rig, figure)
    return {row for row in reaching if rig.shown[row] >= _LIKELY} or reaching


def _has_leg(found: ControlMap, side: str) -> bool:
    return bool(found.get(sided("foot_ik", side)) or found.get(sided("thigh_fk", side)))


def _look_for_toes(
    findings: Findings, found: ControlMap, others: set[int]
) -> Generator[Trial, np.ndarray, bool]:
    """Survey, for toes without a control, what an animator sees of `others` that moves only them; return
    whether there was any."""
    rig, figure, looked = findings.rig, findings.figure, False
    for side in SIDES:
        limb, toe = sided(LEG, side), sided("toe", side)
        if limb not in findings.limbs or toe not in figure.roles:
            continue
        reached = rig.reach[:, figure.bones]
        alone = reached[:, figure.chain(limb)[len(CHAINS[ARM])]] & (reached.sum(axis=1) == 1)
        rows = sorted(row for row in others if rig.shown[row] >= _SEEN and alone[row])
        wanted = [ik_setting(findings, limb)] if not found.get(sided("toe_ik", side)) else []
        wanted += (
            [fk_setting(findings, limb)]
            if not (found.get(sided("toe_ik", side)) or found.get(sided("toe_fk", side)))
            else []
        )
        for number in dict.fromkeys(wanted) if rows else ():
            if number is not None:
                yield from findings.look(findings.settings[number], rows)
                looked = True
    return looked


def _look_for_the_rest(
    findings: Findings, found: ControlMap, others: set[int]
) -> Generator[Trial, np.ndarray, bool]:
    """Survey, for a trunk or an arm without a control, what an animator sees of `others` that moves it;
    return whether there was any."""
    rig, figure = findings.rig, findings.figure
    seen, reached = sorted(row for row in others if rig.shown[row] >= _SEEN), rig.reach[:, figure.bones]
    arms = [limb for limb in findings.limbs if limb.startswith(ARM) and not _has_arm(found, limb)]
    of_arms = [row for row in seen if any(reached[row, figure.chain(limb)].any() for limb in arms)]
    if of_arms:
        findings.rows += of_arms
        yield from findings.look_further(0, of_arms)
        yield from _wake(findings, arms)
    trunk = [figure.roles.index(role) for role in _without_controls(figure, found)]
    of_trunk = [
        row for row in seen if reached[row, trunk].any() and row not in findings.responses[findings.widest]
    ]
    if of_trunk:
        yield from findings.look_further(findings.widest, of_trunk)
    return bool(of_arms or of_trunk)


def _has_arm(found: ControlMap, limb: str) -> bool:
    return any(found.get(limb.replace(ARM, part)) for part in ("hand_ik", "upper_arm_fk"))


def _without_controls(figure: ObservedRig, found: ControlMap) -> list[str]:
    """Return the roles of the trunk that no control turns; a spine needs one for any of its bones."""
    spine = [figure.roles[row] for row in figure.numbered(SPINE)]
    turned = [role for role in spine if found.get(role)] or found.get("chest")
    single = [figure.roles[row] for row in (*figure.numbered(NECK), *figure.rows("head", "clavicle"))]
    return [*(() if turned else spine), *(role for role in single if not found.get(role))]


def _look_round(findings: Findings) -> Look:
    """Try all candidates as saved, then what each switch enables, then everything again with all limbs in
    IK."""
    yield from findings.look({})
    yield from _wake(findings, findings.limbs)


def _wake(findings: Findings, limbs: list[str]) -> Look:
    """Try what each switch enables in these limbs, then all candidates with all limbs in IK."""
    rig = findings.rig
    influences = [number for number, switch in enumerate(rig.switches) if switch.is_influence]
    properties = [number for number in range(len(rig.switches)) if number not in influences]

    def is_known(limb: str) -> bool:
        return has_both(findings, limb)

    yield from findings.wake(0, limbs, properties, is_known)
    yield from findings.wake(0, [limb for limb in limbs if not is_known(limb)], influences, is_known)
    yield from findings.unsolve(0, [limb for limb in limbs if not is_known(limb)], influences)
    together: Setting = {}
    for limb in findings.limbs:
        number = ik_setting(findings, limb)
        if number is not None:
            together |= {
                switch: value
                for switch, value in findings.settings[number].items()
                if findings.reaches(switch, limb)
            }
    if together:
        yield from findings.look(together)
    base = len(findings.settings) - 1 if together else 0
    unpointed = [
        limb for limb in limbs if ik_setting(findings, limb) is not None and not has_pole(findings, limb)
    ]
    if unpointed:
        yield from findings.wake(base, unpointed, properties, lambda limb: has_pole(findings, limb))
