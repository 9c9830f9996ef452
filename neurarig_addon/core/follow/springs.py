"""A chain of bones as springs: its modes about the rest pose, and their exact answer to a drive on a grid of
times.

Everything is in the axes of the bone that the chain hangs on, as at rest in the walk frame: metres, seconds.
Each joint bends about the two axes across its bone; mass lies evenly along the bones. The rest pose is where
the chain is in equilibrium. A mode is a damped oscillator, and between two times of the grid its force
changes evenly, so each step is exact.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from ..geometry.rotation import cross, normalized, norms, perpendicular
from .kinds import Kind, Manner

GRAVITY = np.array([0.0, 0.0, -9.81])
FORGOTTEN = 1e-7  # share of an answer below which what was before does not count
LEAST_DECAY = 1.0  # per second: a slower one would have to be followed back too far
MOST_DAMPED = 0.98  # share of critical damping
_SHORTEST = 1e-4  # of a chain's length: a bone counts as so long at least
# where, along a bone, and with which share, two points of mass move as the whole bone does
_MASSES = ((0.5 - 0.5 / np.sqrt(3.0), 0.5), (0.5 + 0.5 / np.sqrt(3.0), 0.5))


class Modes(NamedTuple):
    """The modes of a chain: the `stiffness` of its joints `(2n,)`, the `squares` of the modes' rates `(2n,)`,
    and their `shapes` `(2n, 2n)`, columns of unit mass."""

    stiffness: np.ndarray
    squares: np.ndarray
    shapes: np.ndarray


@dataclass(frozen=True, eq=False)
class Springs:
    """A chain as springs: its `joints` `(n + 1, 3)`, the last one its tip, the role `holder` it hangs on,
    and how it follows."""

    joints: np.ndarray
    holder: str
    kind: Kind
    manner: Manner

    @property
    def ways(self) -> np.ndarray:
        """The bones from joint to joint `(n, 3)`."""
        return np.diff(self.joints, axis=0)

    @cached_property
    def length(self) -> float:
        """Metres along the bones."""
        return float(norms(self.ways).sum())

    @cached_property
    def axes(self) -> np.ndarray:
        """The two axes across each bone `(n, 3, 2)`, about which its joint bends."""
        along = normalized(self.ways)
        first = perpendicular(along)
        return np.stack([first, cross(along, first)], axis=-1)

    @cached_property
    def _moving(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Points of mass `(p, 3)`, their masses `(p,)`, and how far each moves by each coordinate
        `(p, 3, 2n)`."""
        ways, heads = self.ways, self.joints[:-1]
        lengths = np.maximum(norms(ways), _SHORTEST * self.length)
        points = np.concatenate([heads + at * ways for at, _ in _MASSES])
        masses = np.concatenate([share * lengths for _, share in _MASSES])
        count = len(heads)
        bone = np.tile(np.arange(count), len(_MASSES))
        levers = points[:, None] - heads
        moves = cross(self.axes.swapaxes(1, 2)[None], levers[:, :, None])  # (p, n, 2, 3)
        moves = moves * (np.arange(count)[None] <= bone[:, None])[:, :, None, None]
        return points, masses / masses.sum(), moves.reshape(len(points), 2 * count, 3).swapaxes(1, 2)

    @cached_property
    def mass(self) -> np.ndarray:
        """The mass matrix `(2n, 2n)`, for a chain of one kilogram."""
        _, masses, moves = self._moving
        return np.einsum("p,pai,paj->ij", masses, moves, moves)

    @cached_property
    def modes(self) -> "Modes":
        """Its modes about the rest pose."""
        count = len(self.ways)
        joints = np.repeat(self.manner.along ** np.linspace(0.0, 1.0, count), 2)
        root = np.sqrt(joints)
        squares, turned = np.linalg.eigh(root[:, None] * np.linalg.inv(self.mass) * root)
        scale = self.manner.stiffness**2 * -GRAVITY[2] / self.length / squares[0]
        shapes = np.linalg.solve(self.mass, root[:, None] * turned) / np.sqrt(squares)
        return Modes(scale * joints, scale * squares, shapes)

    @cached_property
    def rates(self) -> np.ndarray:
        """The modes' complex rates `(2n,)` per second: minus the decay, and the damped swing."""
        squares = self.modes.squares
        rates = np.sqrt(squares)
        decay = np.maximum(self.manner.damping * rates + 0.5 * self.manner.drag, LEAST_DECAY)
        decay = np.minimum(decay, MOST_DAMPED * rates)
        return -decay + 1j * np.sqrt(squares - decay**2)

    @cached_property
    def yields(self) -> np.ndarray:
        """The modes' forces `(2n, 12)` for each number of a field of accelerations `(3, 4)`: of a point `r`
        it is `field @ (*r, 1)`."""
        points, masses, moves = self._moving
        with_one = np.concatenate([points, np.ones((len(points), 1))], axis=1)
        return -self.modes.shapes.T @ np.einsum("p,pai,pb->iab", masses, moves, with_one).reshape(-1, 12)

    @cached_property
    def leans(self) -> np.ndarray:
        """The modes' forces `(2n, 3)` that bend the chain by a rotation vector, shared by its joints."""
        bent = self.axes.swapaxes(1, 2).reshape(-1, 3) / len(self.ways)
        return self.modes.shapes.T @ (self.modes.stiffness[:, None] * bent)


@dataclass(frozen=True, eq=False)
class SpringSteps:
    """Exact steps of damped oscillators with complex `rates` `(m,)`, `step` seconds apart."""

    rates: np.ndarray
    step: float

    @cached_property
    def _added(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        by = self.rates * self.step
        kept = np.exp(by)
        whole = (kept - 1.0) / self.rates
        late = (kept - 1.0 - by) / (by * self.rates)
        return kept, whole - late, late

    def answer(self, forces: np.ndarray) -> np.ndarray:
        """Return the states `(t, m)` that forces `(t, m)` lead to from rest at the first time."""
        kept, early, late = self._added
        found = np.zeros(forces.shape, dtype=complex)
        found[1:] = early * forces[:-1] + late * forces[1:]
        shift, power = 1, kept
        while shift < len(found):  # each round joins twice as many steps
            found[shift:] += power * found[:-shift]
            shift, power = 2 * shift, power * power
        return found

    def after(self, steps: np.ndarray) -> np.ndarray:
        """Return what is left `(s, m)` of a state after numbers of steps `(s,)`."""
        return np.exp(np.asarray(steps, dtype=float)[:, None] * (self.rates * self.step))

    def shown(self, states: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return how far states `(t, m)` have the modes swung out, and their speeds, both `(t, m)`."""
        swing = np.imag(self.rates)
        return np.imag(states) / swing, np.imag(self.rates * states) / swing
