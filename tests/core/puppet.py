"""A control rig in numpy: FK controls for everything, and for the legs IK by closed form, with a pole and a
switch for each side."""

from collections.abc import Generator
from typing import Any

import numpy as np

from neurarig_addon.core.controls.rig import ControlRig, Switch, Trial, closure
from neurarig_addon.core.geometry.rotation import frame, from_axis_angle, normalized
from neurarig_addon.core.skeleton.roles import RoleMap
from neurarig_addon.core.skeleton.skeleton import Skeleton

# Deforming bone: (parent role, head); each has an FK control of the same place.
_BODY = {
    "pelvis": ("", (0.0, 0.0, 0.9)),
    "spine.1": ("pelvis", (0.0, 0.0, 1.0)),
    "spine.2": ("spine.1", (0.0, 0.0, 1.2)),
    "neck": ("spine.2", (0.0, 0.0, 1.45)),
    "head": ("neck", (0.0, 0.0, 1.55)),
}
_LEG = {"thigh": ("pelvis", 0.88), "shin": ("thigh", 0.48), "foot": ("shin", 0.08), "toe": ("foot", 0.03)}
_FORWARD = {"thigh": 0.0, "shin": -0.03, "foot": 0.0, "toe": -0.13}  # the character looks along -y
SIDES = {"L": 0.1, "R": -0.1}


class Puppet:
    """The rig; `answer` is what Blender would say to a trial.

    `fk_first`: the legs are saved in FK. `rolled`: every bone rests with axes of its own, as in rigs of
    people.
    `slides`: places of controls count along these axes, not along the armature's.
    """

    def __init__(self, fk_first: bool = False, rolled: bool = False, slides: bool = True) -> None:
        self.roles: dict[str, tuple[str, np.ndarray]] = {
            role: (above, np.array(head)) for role, (above, head) in _BODY.items()
        }
        for side, x in SIDES.items():
            for part, (above, z) in _LEG.items():
                above = above if above == "pelvis" else f"{above}.{side}"
                self.roles[f"{part}.{side}"] = above, np.array([x, _FORWARD[part], z])
        self.controls = [f"fk {role}" for role in self.roles if role != "pelvis"] + ["world", "body", "hips"]
        self.controls += [f"{what} {side}" for side in SIDES for what in ("grip", "aim")]
        self.names = tuple(self.roles) + tuple(self.controls)
        self.rest = np.tile(np.eye(4), (len(self.names), 1, 1))
        for row, name in enumerate(self.names):
            self.rest[row, :3, 3] = self._place(name)
        if rolled:
            draw = np.random.default_rng(7)
            axes, angles = (
                normalized(draw.normal(size=(len(self.names), 3))),
                draw.uniform(0.5, 3.0, len(self.names)),
            )
            self.rest[:, :3, :3] = from_axis_angle(axes, angles)
        self.fk_first, self.slides = fk_first, slides

    def _place(self, name: str) -> np.ndarray:
        role = name.removeprefix("fk ")
        if role in self.roles:
            return self.roles[role][1]
        side = name[-1]
        return {
            "world": np.zeros(3),
            "body": np.array([0.0, 0.0, 0.92]),
            "hips": self.roles["pelvis"][1],
            "grip": self.roles[f"foot.{side}"][1] if side in SIDES else np.zeros(3),
            "aim": np.array([SIDES.get(side, 0.0), -0.7, 0.48]),
        }[name.split()[0]]

    @property
    def role_map(self) -> RoleMap:
        return RoleMap({role: role for role in self.roles})

    def skeleton(self) -> Skeleton:
        count = len(self.names)
        deform = np.array([name in self.roles for name in self.names])
        return Skeleton(self.names, np.full(count, -1), self.rest, np.full(count, 0.1), deform, np.eye(4))

    def rig(self) -> ControlRig:
        """Return what probing reads of it: only what could move what is known, not what does."""
        count = len(self.names)
        index = {name: row for row, name in enumerate(self.names)}
        edges = np.zeros((count + 2, count + 2), dtype=bool)
        for role, (above, _) in self.roles.items():
            for name in (f"fk {role}", *([f"fk {above}", above] if above else [])):
                if name in index:
                    edges[index[name], index[role]] = True
            if above and f"fk {role}" in index:
                edges[index[f"fk {above}"] if above != "pelvis" else index["hips"], index[f"fk {role}"]] = (
                    True
                )
        for name in ("body", "grip L", "grip R", "aim L", "aim R"):
            edges[index["world"], index[name]] = True
        edges[index["body"], index["hips"]] = edges[index["body"], index["fk spine.1"]] = edges[
            index["hips"], index["pelvis"]
        ] = True
        for number, side in enumerate(SIDES):
            leg = [index[f"{part}.{side}"] for part in _LEG]
            for source in (index[f"grip {side}"], index[f"aim {side}"], count + number):
                edges[source, leg] = True
        reach = closure(edges)
        is_control = np.array([name in self.controls for name in self.names])
        free = np.repeat(is_control[:, None], 3, axis=1)
        saved = 0.0 if self.fk_first else 1.0
        return ControlRig(
            names=self.names,
            depth=np.array([len(name.split(".")) for name in self.names]),
            rest=self.rest,
            free_location=free,
            free_rotation=free,
            shown=np.where(is_control, 3.0, 0.0),
            reach=reach[:count, :count],
            switches=tuple(Switch(f'["leg {side}"]', saved, (1.0 - saved,)) for side in SIDES),
            switch_reach=reach[count:, :count],
        )

    def answer(self, trial: Trial) -> np.ndarray:
        """Return the matrices `(n, 4, 4)` of all bones in a trial."""
        index = {name: row for row, name in enumerate(self.names)}
        basis = {self.names[row]: _matrix(*move) for row, move in trial.moves.items()}
        saved = 0.0 if self.fk_first else 1.0
        in_ik = {side: trial.switches.get(number, saved) > 0.5 for number, side in enumerate(SIDES)}
        posed = self.rest.copy()

        def move(name: str, carrier: str) -> None:
            row = index[name]
            carried = (
                posed[index[carrier]] @ np.linalg.inv(self.rest[index[carrier]]) if carrier else np.eye(4)
            )
            gone, turned = _parts(basis.get(name, np.eye(4)))
            posed[row] = carried @ (self.rest[row] @ gone if self.slides else gone @ self.rest[row]) @ turned

        for name, carrier in (("world", ""), ("body", "world"), ("hips", "body")):
            move(name, carrier)
        posed[index["pelvis"]] = (
            posed[index["hips"]] @ np.linalg.inv(self.rest[index["hips"]]) @ self.rest[index["pelvis"]]
        )
        for role, (above, _) in self.roles.items():
            if role != "pelvis":
                carrier = "body" if role == "spine.1" else "hips" if above == "pelvis" else f"fk {above}"
                move(f"fk {role}", carrier)
                control = index[f"fk {role}"]
                posed[index[role]] = (
                    posed[control] @ np.linalg.inv(self.rest[control]) @ self.rest[index[role]]
                )
        for side in SIDES:
            move(f"grip {side}", "world")
            move(f"aim {side}", "world")
            if in_ik[side]:
                self._solve(posed, index, side)
        return posed

    def _solve(self, posed: np.ndarray, index: dict[str, int], side: str) -> None:
        """Bend a leg so that its foot is where its grip is, the knee towards its aim."""
        thigh, shin, foot, toe = (index[f"{part}.{side}"] for part in _LEG)
        grip = posed[index[f"grip {side}"]] @ np.linalg.inv(self.rest[index[f"grip {side}"]])
        heads = self.rest[[thigh, shin, foot], :3, 3]
        upper, lower = np.linalg.norm(np.diff(heads, axis=0), axis=1)
        hips = posed[index["hips"]] @ np.linalg.inv(self.rest[index["hips"]])
        hip = (hips @ self.rest[thigh] @ np.array([0.0, 0.0, 0.0, 1.0]))[:3]
        ankle = (grip @ np.append(heads[2], 1.0))[:3]
        aim = posed[index[f"aim {side}"], :3, 3]
        along = ankle - hip
        reach = min(float(np.linalg.norm(along)), 0.9999 * (upper + lower))
        share = (upper**2 - lower**2 + reach**2) / (2.0 * reach)
        out = normalized(aim - hip - (aim - hip) @ normalized(along) * normalized(along))
        knee = hip + share * normalized(along) + np.sqrt(max(upper**2 - share**2, 0.0)) * out
        ankle = hip + reach * normalized(along)
        rest_out = self.rest[index[f"aim {side}"], :3, 3] - heads[0]
        for row, (start, end), (old_start, old_end) in (
            (thigh, (hip, knee), heads[:2]),
            (shin, (knee, ankle), heads[1:]),
        ):
            turn = frame(end - start, aim - hip) @ frame(old_end - old_start, rest_out).T
            posed[row, :3, :3], posed[row, :3, 3] = turn @ self.rest[row, :3, :3], start
        posed[foot], posed[toe] = (
            grip @ self.rest[foot],
            grip @ self.rest[toe] @ np.linalg.inv(self.rest[toe]) @ self.rest[toe],
        )
        posed[foot, :3, 3] = ankle


def finish(puppet: Puppet, trials: Generator[Trial, np.ndarray, Any]) -> tuple[Any, int]:
    """Answer trials until they come to something, and return that and how many there were."""
    count, trial = 0, next(trials)
    while True:
        count += 1
        try:
            trial = trials.send(puppet.answer(trial))
        except StopIteration as finished:
            return finished.value, count


def _parts(matrix: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return a motion's way and turn `(4, 4)`."""
    gone, turned = np.eye(4), matrix.copy()
    gone[:3, 3], turned[:3, 3] = matrix[:3, 3], 0.0
    return gone, turned


def _matrix(location: np.ndarray, turn: np.ndarray) -> np.ndarray:
    found = np.eye(4)
    found[:3, :3] = from_axis_angle(normalized(turn), np.array(np.linalg.norm(turn)))
    found[:3, 3] = location
    return found
