"""The best control for each role from the findings on a rig, and the switch values that it needs."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np

from ..skeleton.roles import NECK, SIDES, SPINE, sided
from . import signatures
from .control_map import FK, IK, ControlMap
from .figure import ARM, CHAINS, LEG
from .response import Response
from .survey import Findings, Setting

ACCEPTED = 0.4  # lowest score of a control
_AS_GOOD = 0.85  # share of the best score from which controls count as equal and a bone's looks decide
_WORKS = 0.5  # a limb whose IK or FK controls score more is in that state

Score = Callable[[Response], float]
_POINTING = ("knee_pole", "elbow_pole", "knee_swivel", "elbow_swivel")
IK_NAMES = {LEG: ("foot_ik", "knee_pole", "knee_swivel"), ARM: ("hand_ik", "elbow_pole", "elbow_swivel")}


def control_map(findings: Findings) -> ControlMap:
    """Return the map of a rig's controls, with the best control found for each role."""
    return _Choice(findings).control_map()


def ik_setting(findings: Findings, limb: str) -> int | None:
    """Return the number of the setting in which a limb is in IK, None if there is none."""
    number, score = _best_ik(findings, limb)
    return number if score > _WORKS else None


def fk_setting(findings: Findings, limb: str) -> int | None:
    """Return the number of the setting in which a limb is in FK, None if there is none."""
    number, score = _best_fk(findings, limb)
    return number if score > _WORKS else None


def has_both(findings: Findings, limb: str) -> bool:
    """Return whether a limb was found both in IK and in FK."""
    return _best_ik(findings, limb)[1] > _WORKS and _best_fk(findings, limb)[1] > _WORKS


def has_pole(findings: Findings, limb: str) -> bool:
    """Return whether a limb's pole control was found."""
    return (
        _best_setting(findings, lambda found: signatures.pole_score(findings.figure, limb, found))[1]
        > ACCEPTED
    )


def _best_ik(findings: Findings, limb: str) -> tuple[int, float]:
    """Return the number of the setting in which a limb has the best IK control, and the control's score."""
    return _best_setting(findings, lambda found: signatures.end_score(findings.figure, limb, found))


def _best_fk(findings: Findings, limb: str) -> tuple[int, float]:
    """Return the number of the setting in which a limb's first two roles have the best FK controls, and the
    lower of their scores."""
    upper, lower = findings.figure.chain(limb)[:2]
    scores = [
        min(
            _top(responses.values(), lambda found, row=row: signatures.fk_score(findings.figure, row, found))
            for row in (upper, lower)
        )
        for responses in findings.responses
    ]
    best = int(np.argmax(scores))
    return best, scores[best]


def _best_setting(findings: Findings, score: Score) -> tuple[int, float]:
    scores = [_top(responses.values(), score) for responses in findings.responses]
    best = int(np.argmax(scores))
    return best, scores[best]


def _top(responses: Iterable[Response], score: Score) -> float:
    return max(map(score, responses), default=0.0)


@dataclass(frozen=True)
class _Best:
    """The control found for a role: its row, its score, and the number of the setting in which it works."""

    row: int
    score: float
    setting: int


class _Choice:
    """The choice of the best control for each role, and of the switch values that it needs."""

    def __init__(self, findings: Findings) -> None:
        self.findings, self.rig, self.figure = findings, findings.rig, findings.figure
        self.found: dict[str, _Best] = {}
        self.switches: dict[str, dict[str, dict[str, float]]] = {}

    def control_map(self) -> ControlMap:
        """Return the map."""
        for limb in self.findings.limbs:
            self._choose_fk(limb)
            self._choose_ik(limb)
        self._choose_trunk()
        return ControlMap(
            controls={role: self.rig.names[best.row] for role, best in self.found.items()},
            switches=self.switches,
        )

    def _choose_fk(self, limb: str) -> None:
        kind, _, side = limb.partition(".")
        number, score = _best_fk(self.findings, limb)
        if score < ACCEPTED:
            return
        for row, part in zip(self.figure.chain(limb), CHAINS[kind], strict=False):
            self._keep(sided(f"{part}_fk", side), self._fk(row), row, [number])
        self._note_switches(limb, FK, number)

    def _choose_ik(self, limb: str) -> None:
        kind, _, side = limb.partition(".")
        chain = self.figure.chain(limb)
        number, score = _best_ik(self.findings, limb)
        if score < ACCEPTED:
            return
        numbers = self._like(limb, number)
        reach, pole, swivel = (sided(name, side) for name in IK_NAMES[kind])
        self._keep(reach, lambda found: signatures.end_score(self.figure, limb, found), chain[2], numbers)
        self._keep(
            pole,
            lambda found: signatures.pole_score(self.figure, limb, found),
            chain[1],
            range(len(self.findings.settings)),
        )
        self._keep(swivel, lambda found: signatures.swivel_score(self.figure, limb, found), chain[0], numbers)
        if kind == LEG:
            self._keep(
                sided("roll", side),
                lambda found: signatures.roll_score(self.figure, limb, found),
                chain[2],
                numbers,
            )
            if len(chain) > len(CHAINS[ARM]):
                self._keep(sided("toe_ik", side), self._fk(chain[3]), chain[3], numbers)
        self._note_switches(limb, IK, self.found[pole].setting if pole in self.found else number)

    def _choose_trunk(self) -> None:
        figure, pelvis = self.figure, self.figure.roles.index("pelvis")
        planted = [
            figure.chain(sided(LEG, side))[2] for side in SIDES if sided("foot_ik", side) in self.found
        ]
        whole = [self.findings.widest]
        self._keep("torso", lambda found: signatures.torso_score(figure, found, planted), pelvis, whole)
        torso = [self.found["torso"].row] if "torso" in self.found else []
        self._keep("root", lambda found: signatures.root_score(figure, found), pelvis, whole, torso)
        self._keep("hips", lambda found: signatures.hips_score(figure, found), pelvis, whole)
        spine = figure.numbered(SPINE)
        if spine:
            self._keep("chest", lambda found: signatures.chest_score(figure, found), spine[-1], whole)
        for row in (*spine, *figure.numbered(NECK), *figure.rows("head", "clavicle")):
            self._keep(figure.roles[row], self._fk(row), row, whole)

    def _fk(self, row: int) -> Score:
        return lambda found: signatures.fk_score(self.figure, row, found)

    def _keep(
        self, role: str, score: Score, near: int, numbers: Iterable[int], but: Iterable[int] = ()
    ) -> None:
        """Keep the control with the best score; of equals the one that looks most like a control, then by
        `_place`."""
        scored = [
            _Best(row, score(found), number)
            for number in numbers
            for row, found in self.findings.responses[number].items()
            if row not in but
        ]
        top = max((one.score for one in scored), default=0.0)
        if top >= ACCEPTED:
            equal = [one for one in scored if one.score > _AS_GOOD * top]
            self.found[role] = min(
                equal, key=lambda one: (-self.rig.shown[one.row], *self._place(role, one, near))
            )

    def _place(self, role: str, one: _Best, near: int) -> tuple[float, ...]:
        """Return the tie-breaker between controls that do the same and look the same; the smallest wins.

        The root is the deepest control that carries everything; poles and swivels are the nearest to the
        limb; a limb's FK controls do nothing in its IK state; torso and IK ends are the nearest; of all
        others the one that carries most, unlike tweaks of single bones.
        """
        distance, depth = self._distance(one.row, near), float(self.rig.depth[one.row])
        carried = -float(self.findings.responses[one.setting][one.row].carried)
        part, _, side = role.partition(".")
        if part == "root":
            return (-depth,)
        if part.endswith("_fk"):
            return (
                self._does_in_ik(one.row, sided(LEG if part[:-3] in CHAINS[LEG] else ARM, side)),
                distance,
                carried,
                depth,
            )
        if part in ("torso", "foot_ik", "hand_ik"):
            return distance, depth
        if part in _POINTING:
            return distance, carried, depth
        return carried, distance, depth

    def _does_in_ik(self, row: int, limb: str) -> bool:
        """Return whether a control affects a limb that is in IK."""
        number, score = _best_ik(self.findings, limb)
        seen = self.findings.responses[number]
        return score > _WORKS and row in seen and seen[row].touches(self.figure.chain(limb)[:3])

    def _distance(self, row: int, near: int) -> float:
        gap = float(np.linalg.norm(self.rig.rest[row, :3, 3] - self.figure.joints[near]))
        return round(gap / self.figure.size, 2)

    def _like(self, limb: str, number: int) -> list[int]:
        """Return the settings in which a limb's switches have the same values as in this one."""
        wanted = self._of_limb(limb, number)
        return [other for other in range(len(self.findings.settings)) if self._of_limb(limb, other) == wanted]

    def _of_limb(self, limb: str, number: int) -> Setting:
        return {
            switch: value
            for switch, value in self.findings.settings[number].items()
            if self.findings.reaches(switch, limb)
        }

    def _note_switches(self, limb: str, state: str, number: int) -> None:
        """Record a limb's switch values in a setting; switches that only its other state sets keep their
        saved values, and vice versa."""
        states = self.switches.setdefault(limb, {})
        mine = {
            self.rig.switches[switch].path: value for switch, value in self._of_limb(limb, number).items()
        }
        saved = {switch.path: switch.value for switch in self.rig.switches}
        other = states.get(FK if state == IK else IK, {})
        states[state] = {path: saved[path] for path in other} | mine
        if other or mine:
            states[FK if state == IK else IK] = {path: saved[path] for path in mine} | other
        if not any(states.values()):
            del self.switches[limb]
