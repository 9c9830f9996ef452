"""A body in a pose whose targets are dragged: the trunk gives way, then limbs reach, then hands, feet and
head turn.

A target counts as dragged when it is not where its point was. So the result depends on where the targets are,
not on how they got
there.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..point_body import PointBody
from ..points import INDEX
from ..reach.lock_plan import LIMBS, RIDERS, Limb, distances, limb_of, lockable
from ..reach.locks import Locks
from .ground import DragGround
from .holds import Holds, PoseBefore
from .limbs import DragLimbs, Targets
from .palms import Palms
from .shortcuts import FigureMotion, Resting, TargetFigure
from .stoop import Stoop, bounded
from .trunk import DragTrunk, TrunkGoal
from .trunk_shape import Ease, TrunkShape

_BALANCE = 0.15  # square metres: compliance of the body's middle over its feet
_FIGURE = 20  # targets that show the rotation of every part
# metres on a body of human size: error that counts as met, and error that is too large to correct
_MET, _NEARLY = 2e-5, 2e-3
_STILL = 1e-5  # metres on a body of human size: a target this near to where its point was has not been moved
_AT_ONCE = 256  # frames
_UNASKED = 1e4  # square metres: a compliance so large that it asks for nothing
# shares of points in the middle that is balanced over the feet
_WEIGHS = {"pelvis": 0.4, "spine3": 0.3, "neck": 0.2, "head": 0.1}
_FEET = ("ankle", "ball", "toe_tip")
_TRUNK = (
    "pelvis",
    "spine1",
    "spine2",
    "spine3",
    "neck",
    "head",
    "collar.L",
    "collar.R",
    "hip.L",
    "hip.R",
    "shoulder.L",
    "shoulder.R",
)


@dataclass(frozen=True, eq=False)
class Drag:
    """A body in a pose whose targets are dragged.

    `trunk_points`: the trunk's points that have targets. `limb_points`: ends and middles of limbs, which
    bound where the limbs may start.
    `feet`: the ankles that have targets, over which the body is balanced. `resting`: finds the frames in
    which the trunk need not move.
    """

    body: PointBody
    before: PoseBefore
    holds: Holds
    trunk: DragTrunk
    ground: DragGround
    stoop: Stoop
    palms: Palms
    limbs: DragLimbs
    trunk_points: tuple[int, ...]
    limb_points: tuple[int, ...]
    feet: tuple[int, ...]
    resting: Resting

    @classmethod
    def of(cls, body: PointBody, before: PoseBefore, holds: Holds) -> "Drag":
        """Return a body in a pose whose targets hold as in `holds`; targets that no bone of its rig can move
        are ignored.

        Raises NeuraRigError if such a target is locked.
        """
        Locks.of(body, tuple(name for name in holds.names if holds.is_locked[INDEX[name]]))
        names = [*holds.names, *_brought(holds.names)]
        pinned = {name: limb_of(body, name) for name in names}
        pinned = {name: limb for name, limb in pinned.items() if limb is not None}
        trunk = [name for name in names if name in _TRUNK or (name == "head_top" and "head" not in names)]
        feet = tuple(INDEX[name] for name in pinned if name.startswith("ankle"))
        ground = DragGround.of(body, before.away, before.points, pinned)
        unique = tuple({limb.start: limb for limb in pinned.values()}.values())
        carried, rows = _trunk(body, before, trunk, pinned, ground), tuple(INDEX[name] for name in trunk)
        limbs = {INDEX[name]: limb for name, limb in pinned.items()}
        starts = dict(enumerate(pinned.values(), len(trunk) + 1))
        return cls(
            body=body,
            before=before,
            holds=holds,
            trunk=carried,
            ground=ground,
            stoop=Stoop.of(body, before, carried.shape, ground, starts),
            palms=(palms := Palms.of(body, before, holds, unique, carried.shape.size)),
            limbs=DragLimbs.of(body, holds, before, unique, palms),
            trunk_points=rows,
            limb_points=tuple(limbs),
            feet=feet,
            resting=Resting.of(carried, ground, before.points, (*rows, *(feet or (0,))), limbs),
        )

    def apply(self, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return roles' rotations from rest `(f, r, 3, 3)` and the pelvis' place `(f, 3)` for targets at
        `points` `(f, 27, 3)`.

        Points without a target are NaN.
        """
        if len(points) > _AT_ONCE:
            parts = [
                self.apply(points[first : first + _AT_ONCE]) for first in range(0, len(points), _AT_ONCE)
            ]
            return np.concatenate([away for away, _ in parts]), np.concatenate([root for _, root in parts])
        whole = self._whole(points)
        places = points if whole is None else whole.back(points)
        away, root = bounded(self.body, self._posed, places, self.before.seen)
        return (
            (away, root) if whole is None else (whole.turn[:, None] @ away, whole.moved(root[:, None])[:, 0])
        )

    def _posed(self, places: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return rotations and the pelvis' place, as `apply` does, for targets at places from which the whole
        was not moved."""
        targets = self._targets(places)
        away, root = self._carried(targets)
        return self._met(self.limbs.reached(away, root, targets), root, targets)

    def _carried(self, targets: Targets) -> tuple[np.ndarray, np.ndarray]:
        """Return the rotations of all roles as carried by the trunk `(f, r, 3, 3)`, and the pelvis' place
        `(f, 3)`."""
        frames, rests = len(targets.places), self.resting.frames(targets)
        if rests.all():
            return self.before.away[None].repeat(frames, axis=0), self.before.root[None].repeat(
                frames, axis=0
            )
        found = self.trunk.solve(self._places(targets))
        away, root = found.turns.take(self._carriers, axis=1) @ self.before.away, found.root
        away[rests], root[rests] = self.before.away, self.before.root
        return away, root

    def _met(self, away: np.ndarray, root: np.ndarray, targets: Targets) -> tuple[np.ndarray, np.ndarray]:
        """Return the pose with small errors of fully held targets corrected: the trunk's turns saturate,
        which leaves a little.

        If more than feet are locked, errors of any size are corrected as far as bones reach.
        """
        names, rows = self._reaching
        tree, size = self.body.tree, self.body.size
        apart = tree.carried(away, self._reaching_levers) + root[:, None] - targets.places.take(rows, axis=1)
        missed = np.sqrt((apart * apart).sum(axis=-1)) * (targets.held.take(rows, axis=1) == 1.0)
        farthest = missed.max(axis=1, initial=0.0)
        most = np.inf if self.holds.locks_more_than(_FEET) else _NEARLY * size
        for frame in np.flatnonzero((farthest > _MET * size) & (farthest < most)):
            held = tuple(
                name for name, row in zip(names, rows, strict=True) if targets.held[frame, row] == 1.0
            )
            part = slice(frame, frame + 1)
            away[part], root[part] = Locks.of(self.body, held).apply(
                away[part], root[part], targets.places[part]
            )
        return away, root

    @property
    def may_be_figure(self) -> bool:
        """Return whether there are enough targets to show a whole figure."""
        return len(self.holds.names) >= _FIGURE

    def are_figures(self, points: np.ndarray) -> np.ndarray:
        """Return the frames in which targets at `points` `(f, 27, 3)` show a whole figure `(f,)`, as in
        recordings: nearly all moved."""
        if not self.may_be_figure:
            return np.zeros(len(points), dtype=bool)
        return self._targets(points).moved.sum(axis=1) >= _FIGURE

    def wanted(self, points: np.ndarray) -> tuple[str, ...]:
        """Return the targets, at `points` `(27, 3)`, that are to be reached: the locked and the dragged
        ones."""
        whole = self._whole(points[None])
        held = self._targets(points[None] if whole is None else whole.back(points[None])).held[0]
        return tuple(name for name in self.holds.names if held[INDEX[name]] > 0.5)

    def still(self, points: np.ndarray) -> np.ndarray:
        """Return which targets, at `points` `(27, 3)`, are where their points were `(27,)`."""
        # false for NaN
        return np.linalg.norm(points - self.before.seen, axis=-1) < _STILL * self.body.size

    def _whole(self, points: np.ndarray) -> FigureMotion | None:
        """Return the whole figure's own motion, as far as its targets were moved as one; None if they were
        not."""
        figure = self._figure
        now = points.take(figure.rows, axis=1)
        known = np.isfinite(now)
        if not known.all():
            kept = known.all(axis=(0, 2))
            figure, now = TargetFigure.of(figure.rows[kept], self.before.seen), now[:, kept]
        return figure.moved(now)

    def _targets(self, points: np.ndarray) -> Targets:
        """Return what is asked of all points; joints brought along by their ends keep their offsets from
        these."""
        size, base = self.body.size, self.before.seen
        places = np.where(np.isfinite(points), points, base)
        for joint, tip in self._brought:
            places[:, joint] = places[:, tip] + base[joint] - base[tip]
        moved = self.holds.moved(np.linalg.norm(places - base, axis=-1), size)
        held = np.maximum(moved, self.holds.is_locked)
        places = places - (1.0 - held)[..., None] * (base - self.before.points)
        floor = self.ground.floor(places, held)
        places = self.palms.raised(places, floor)
        shift = self._feet_shift(places, held)
        return Targets(places, moved, held, shift, self.stoop.depth(places - shift[:, None], held), floor)

    def _places(self, targets: Targets) -> TrunkGoal:
        """Return what is asked of the trunk."""
        frames, size = len(targets.places), self.body.size
        rows, ends = list(self.trunk_points), list(self.limb_points)
        shift = targets.shift
        loose = (1.0 - targets.held.take(rows, axis=1))[..., None]
        stooped = self.stoop.numbers(targets.depth)
        goes, goes_middle = np.split(self.trunk.shape.ways(stooped)[:, : len(rows) + 1], [len(rows)], axis=1)
        points = targets.places.take(rows, axis=1) + loose * (shift[:, None] + goes)
        gives = self.holds.gives(np.array(rows, dtype=int), targets.moved.take(rows, axis=1), is_limb=False)[
            ..., None
        ].repeat(3, axis=-1)
        middle = (self._middle + shift)[:, None] + goes_middle
        balance = np.full((frames, 1, 3), _UNASKED)
        if self.feet:
            balance[..., :2] = _BALANCE
        limbs = self.holds.gives(np.array(ends, dtype=int), targets.moved.take(ends, axis=1), is_limb=True)[
            ..., None
        ].repeat(3, axis=-1)
        held = targets.held
        pulls = [
            self.holds.pulls(rows, held),
            np.zeros((frames, 1)),
            self.holds.pulls(ends, held),
            self.ground.pulls(held),
        ]
        return TrunkGoal(
            points=np.concatenate([points, middle], axis=1),
            ends=np.concatenate(
                [targets.places.take(ends, axis=1), self.ground.under(targets.places, held)], axis=1
            ),
            gives=size**2 * np.concatenate([gives, balance, limbs, self.ground.gives(pulls[-1])], axis=1),
            shift=shift,
            stooped=stooped,
            pull=np.concatenate(pulls, axis=1) / size,
        )

    def _feet_shift(self, places: np.ndarray, held: np.ndarray) -> np.ndarray:
        """Return the feet's shift `(f, 3)`, metres: their mean horizontally, the least vertically; without
        feet, the pelvis' shift."""
        rows = list(self.feet) or [0]
        ways = (places - self.before.points)[:, rows] * held[:, rows, None]
        return np.concatenate([ways[..., :2].mean(axis=1), ways[..., 2:].min(axis=1)], axis=1)

    @cached_property
    def _figure(self) -> TargetFigure:
        return TargetFigure.of(
            np.array([INDEX[name] for name in self.holds.names], dtype=int), self.before.seen
        )

    @cached_property
    def _reaching_levers(self) -> np.ndarray:
        return self.body.tree.levers[:, self._reaching[1]]

    @cached_property
    def _reaching(self) -> tuple[list[str], list[int]]:
        """The targets that some bone of the rig can move a point to, and their rows."""
        names = [name for name in self.holds.names if lockable(self.body, name)]
        return names, [INDEX[name] for name in names]

    @cached_property
    def _middle(self) -> np.ndarray:
        return np.array(list(_WEIGHS.values())) @ self.before.points[[INDEX[name] for name in _WEIGHS]]

    @cached_property
    def _brought(self) -> list[tuple[int, int]]:
        return [(INDEX[joint], INDEX[tip]) for joint, tip in _brought(self.holds.names).items()]

    @cached_property
    def _carriers(self) -> np.ndarray:
        """The trunk bone that carries each role `(r,)`, as rows of `Ease`."""
        tree, rows = self.body.tree, Ease.of(self.body).rows.tolist()
        found: list[int] = []
        for role, parent in enumerate(tree.parents):
            found.append(rows.index(role) if role in rows else found[parent])
        return np.array(found)


def _brought(names: tuple[str, ...]) -> dict[str, str]:
    """Return the joints without a target that ends bring along: joint -> end."""
    found: dict[str, str] = {}
    for name in sorted(names, key=lambda name: -INDEX[name]):
        stem, dot, side = name.partition(".")
        joint = RIDERS.get(stem, "") + dot + side
        if stem in RIDERS and stem != "head_top" and joint not in names:
            found.setdefault(joint, name)
    return found


def _trunk(
    body: PointBody, before: PoseBefore, points: list[str], pinned: dict[str, Limb], ground: DragGround
) -> DragTrunk:
    """Return the trunk in a pose, with the arms of its points, of the balanced middle, and of limbs'
    starts."""
    carried = [{INDEX[name]: 1.0} for name in points]
    carried.append({INDEX[name]: share for name, share in _WEIGHS.items()})
    carried += [{limb.start: 1.0} for limb in pinned.values()]
    size = body.size
    spans = [distances(body, limb, name not in LIMBS, size) for name, limb in pinned.items()]
    spans += [(least, np.inf) for least in ground.least]
    starts = [limb.start for limb in pinned.values()]
    grounded = np.array(2 * [starts.index(leg.start) for leg in ground.legs], dtype=int)
    shape = TrunkShape.of(body, before.away, before.root, carried, size)
    return DragTrunk(shape, np.array(spans).reshape(-1, 2).T, grounded, ground.seen)
