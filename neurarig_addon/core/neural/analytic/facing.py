"""The approximate rotation of a figure's trunk, from whatever points are seen: the sums of them that come nearest to lines of the trunk.

A line of the trunk is a sum  t = sum_k c_k p_k  of its points, and  e = sum_k a_k y_k  over seen ones y = p + n turns with the figure as t
does.  With M_kl = E[p_k . p_l] of recorded people and noise of variance v_k along each axis,  E|t - e|^2  is least for
    (M + 3 V) a = M c  over the seen points,    and then  o = 1 - c'M a / c'M c  is the share of the line that they leave open.
Two lines make a frame: from right to left, and up.  Where nothing shows left from right, what lies ahead does: a sum that comes nearest
to the trunk's own axis x.  The two are weighted by 1 / o, and where all is open the world's axes are used.
"""

from typing import NamedTuple

import numpy as np

from ..geometry.components import added, crossed, unit
from ..geometry.triad import nearest_rotation
from ..points import POINTS

_FINEST = 1e-3  # of a line: the share that always stays open
_ANYWHERE = 100.0  # heights squared: of a figure's distance from the origin, so large that the sums hardly depend on it
# Weights of the world's axes, back, left and up, where all is open; half for the first, as upside down left becomes right.
_WORLD = 1e-3 * np.diag([-0.5, 1.0, 1.0])
_UNTURNED = 1e-3  # of all points' weight: the weight of the pose unturned, as two points in a line leave a turn open
_TINY = 1e-12


class TrunkLines(NamedTuple):
    """What recorded people's points show of a body's trunk, in body heights, relative to its middle.

    `alike` `(27, 27)`: M; `wanted` `(27, 3)`: M c of the lines back, left and up; `whole` `(3,)`: c'M c.
    """

    alike: np.ndarray
    wanted: np.ndarray
    whole: np.ndarray

    @classmethod
    def of(cls, lines: np.ndarray, ahead: np.ndarray, alike: np.ndarray) -> "TrunkLines":
        """Return it for two `lines` `(2, 27)`, with M and how far `ahead` `(27,)` of the middle points usually are."""
        wanted = np.concatenate([-ahead[:, None], alike @ lines.T], axis=-1)
        return cls(alike, wanted, np.array([1.0, *np.einsum("ni,ij,nj->n", lines, alike, lines)]))


class TrunkFacing(NamedTuple):
    """What shows the rotation of a trunk: `sums` `(..., 3, 27)` of seen points that point back, left and up, each as long as it is
    trusted, 1/m; `world` `(..., 3, 3)`: what is added to them."""

    sums: np.ndarray
    world: np.ndarray

    @classmethod
    def of(cls, trunk: TrunkLines, seen: np.ndarray, noise: np.ndarray, centre: np.ndarray) -> "TrunkFacing":
        """Return what shows the trunk's rotation when some points are seen.

        `noise` `(27,)`: variances, in body heights squared, of the points that are `seen` `(27,)`; `centre` `(27,)`: weights of the
        figure's middle, with sum 1.
        """
        rows = np.flatnonzero(seen)
        held = (trunk.alike + _ANYWHERE)[rows[:, None], rows]
        held.ravel()[:: len(rows) + 1] += 3.0 * noise[rows]
        wanted, sums = trunk.wanted[rows], np.zeros((3, len(POINTS)))
        gains = np.linalg.solve(held, wanted)
        back, left, up = (1.0 + _FINEST - (gains * wanted).sum(axis=0) / trunk.whole).tolist()
        share = left / (back + left)
        sums[:, rows] = (gains * ((share, 1.0 - share, 1.0) / np.sqrt(trunk.whole))).T
        return cls(sums - np.multiply.outer(sums.sum(axis=1), centre), np.array([[back * share], [back * share], [up]]) * _WORLD)

    def frames(self, points: np.ndarray) -> np.ndarray:
        """Return the trunk's frames, axes ahead, up and right in rows `(f, 3, 3)`, that points `(f, 27, 3)` show."""
        return trunk_frames(self.sums @ points + self.world)


class Turned(NamedTuple):
    """What shows the rotation of a figure relative to the pose that it is moved in.

    `sums` `(..., 3, 27)` of seen points: the less changed, the nearer to the axes ahead, up and right of the trunk, in rows.
    `still` `(..., 3, 3)`: those axes in the pose, times their weight.
    """

    sums: np.ndarray
    still: np.ndarray

    @classmethod
    def of(cls, points: np.ndarray, frame: np.ndarray, counts: np.ndarray) -> "Turned":
        """Return what shows the rotation from a pose with `points` `(27, 3)`, the trunk's axes in the rows of `frame` `(3, 3)`.

        `counts` `(27,)`: each point's weight, with sum 1; 0 if it is not seen.
        """
        away = (points - counts @ points) @ frame.T
        return cls((counts[:, None] * away).T, _UNTURNED * float((counts @ (away * away)).sum()) * frame)

    def frames(self, points: np.ndarray) -> np.ndarray:
        """Return the trunk's frames, axes ahead, up and right in rows `(f, 3, 3)`, that points `(f, 27, 3)` show (Kabsch 1976)."""
        return nearest_rotation(self.sums @ points + self.still)


def trunk_frames(shown: np.ndarray) -> np.ndarray:
    """Return frames, axes ahead, up and right in rows `(f, 3, 3)`, of the lines back, left and up, `shown` `(f, 3, 3)`."""
    # In components: plain numbers for one frame, as arrays would take three times as long.
    alone = len(shown) == 1
    back, left, up = shown[0].tolist() if alone else shown.transpose(1, 2, 0)
    up = unit(up, _TINY)
    ahead = unit(crossed(added(left, crossed(back, up)), up), _TINY)
    numbers = np.array([*ahead, *up, *crossed(ahead, up)])
    return np.ascontiguousarray(numbers.T).reshape(shown.shape)
