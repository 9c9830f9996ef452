"""What is under the mouse that a character may do something with: a thing, or a place on its way, lit up,
with what can be done there."""

from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any

import blf
import bpy
import gpu
import numpy as np
from bpy.types import Object, Region, RegionView3D
from bpy_extras.view3d_utils import region_2d_to_origin_3d, region_2d_to_vector_3d
from gpu_extras.batch import batch_for_shader
from mathutils import Vector

from .....core.acts.act_file import shipped_acts
from .....core.acts.offers import FAR, GRIP, OF_PLACES, Offer, Pointed, gap, jumped, offers
from .....core.errors import NeuraRigError
from .....core.geometry.vectors import transformed
from ....interface.language import said
from ...api.acts import why_not
from ...source.source import source_of
from ...way import deck, ground, scenery, world
from ...way.act_marks import WayLine
from ...way.things import Thing
from .. import sight

# leg lengths of what lies on the ground; rows of the way between looks down on it; corners of a ring
LOW, APART, ROUND = 0.06, 3, 24
GOOD, BAD, TEXT_SIZE, BESIDE = (0.35, 1.0, 0.45, 1.0), (1.0, 0.3, 0.25, 1.0), 13, 18
EDGES = [(a, b) for a in range(8) for b in range(a + 1, 8) if (a ^ b) in (1, 2, 4)]


UP = 0.9  # of a face on which one stands
NO_LINES = np.zeros((0, 2, 3))


@dataclass
class UnderMouse:
    """What is under the mouse: its `name`, what can be done there, and how each act is `given`, as
    `api.list_acts` has it.

    `lines` `(n, 2, 3)`: around it, in the world. `whys`: of acts that
    were tried, by kind.
    """

    name: str
    offers: tuple[Offer, ...]
    given: dict[str, dict[str, Any]]
    lines: np.ndarray
    whys: dict[str, str] = field(default_factory=dict)


class Pointing:
    """The way of a walking character and what is beside it, looked at through a view of the scene."""

    def __init__(self, obj: Object) -> None:
        """Look at the way as it is now."""
        self.source = source_of(obj)
        self.leg = self.source.body.leg_length
        self.to_world = deck.stand(obj, world.AS_IS) @ self.source.walk_to_armature
        self.to_walk = np.linalg.inv(self.to_world)
        self.line = WayLine.of(self.source.path, self.leg)
        self.found: UnderMouse | None = None
        self.mouse = (0.0, 0.0)
        self._chosen: defaultdict[tuple[Offer, ...], int] = defaultdict(int)
        self._things: dict[str, UnderMouse] = {}

    @property
    def offer(self) -> Offer | None:
        """The act that a click adds, with why it cannot be done as far as that is known; None for nothing."""
        if self.found is None:
            return None
        offer = self.found.offers[self._chosen[self.found.offers] % len(self.found.offers)]
        return Offer(offer.kind, offer.why or self.found.whys.get(offer.kind, ""))

    @property
    def words(self) -> str:
        """What is under the mouse, and what a click does there or why it does not."""
        offer = self.offer
        if self.found is None or offer is None:
            return said("Point at a chair, a box, a door or a place on the way.")
        told = f"{self.found.name}: {said(shipped_acts()[offer.kind].name)}"
        return f"{told}. {said(offer.why)}" if offer.why else told

    def turn(self, steps: int) -> None:
        """Choose another of the acts that can be done there."""
        if self.found is not None:
            self._chosen[self.found.offers] += steps

    def look(
        self,
        obj: Object,
        region: Region,
        view: RegionView3D,
        mouse: tuple[float, float],
    ) -> None:
        """Find what is under a place of a region."""
        self.mouse = mouse
        origin, ray = (seen(region, view, mouse) for seen in (region_2d_to_origin_3d, region_2d_to_vector_3d))
        thing = sight.empty(obj, mouse, region, view)
        hit = None if thing else sight.hit(obj, origin, ray)
        if hit and not self._is_ground(obj, *hit):
            thing = sight.whole(obj, hit[0])
        if thing is not None:
            if thing.name not in self._things:
                self._things[thing.name] = self._thing(obj, thing)
            self.found = self._things[thing.name]
            return
        start, ahead = (transformed(np.array(place), self.to_walk) for place in (origin, origin + ray))
        down = ahead - start
        if hit:
            self.found = self._place(obj, transformed(np.array(hit[1]), self.to_walk))
        else:
            self.found = self._place(obj, start - down * start[2] / down[2]) if down[2] < 0.0 else None

    def try_it(self, obj: Object) -> bool:
        """Find out whether the chosen act can be done, once; return whether that was not known before."""
        offer, found = self.offer, self.found
        if found is None or offer is None or offer.why or offer.kind in found.whys:
            return False
        found.whys[offer.kind] = why_not(obj, {"kind": offer.kind, **found.given[offer.kind]})
        return True

    def draw(self) -> None:
        """Light up what is under the mouse."""
        if self.found is None or not len(self.found.lines):
            return
        shader = gpu.shader.from_builtin("UNIFORM_COLOR")
        shader.uniform_float("color", self._ink())
        gpu.state.line_width_set(2.0)
        batch_for_shader(shader, "LINES", {"pos": self.found.lines.reshape(-1, 3).tolist()}).draw(shader)
        gpu.state.line_width_set(1.0)

    def draw_words(self) -> None:
        """Write what it is beside the mouse."""
        scale = bpy.context.preferences.system.ui_scale
        blf.size(0, TEXT_SIZE * scale)
        blf.color(0, *self._ink())
        blf.position(0, self.mouse[0] + BESIDE * scale, self.mouse[1], 0.0)
        blf.draw(0, self.words)

    def _ink(self) -> tuple[float, float, float, float]:
        return BAD if self.offer and self.offer.why else GOOD

    def _thing(self, obj: Object, thing: Object) -> UnderMouse:
        """Return what can be done with a thing."""
        try:
            scene = bpy.context.scene
            seen = Thing.of(scenery.seen(scene, thing, scene.frame_current_final), self.to_walk)
        except NeuraRigError as error:
            return UnderMouse(thing.name, (Offer("TOUCH", str(error)),), {"TOUCH": {}}, NO_LINES)
        corners, leg, carried = seen.corners, self.leg, in_hands(obj)
        wide, deep = (
            np.linalg.norm(corners[[4, 2], :2] - corners[0, :2], axis=1) if len(corners) > 1 else (0.0, 0.0)
        )
        seat, near = seen.seat(leg), self._row(seen.place)
        floor = float(self.source.ground.height(self.line.places[near, None])[0])
        across = np.flatnonzero(np.isfinite(seen.heights(self.line.places, -np.inf)))
        pointed = Pointed(
            thing.name,
            (float(wide), float(deep), float(np.ptp(corners[:, 2]))),
            float(seat.top[2]) - floor,
            seat.front is not None,
            len(across) > 0,
            carried.name if carried else "",
        )
        begin, length = 0.0, 0.0
        if len(across):
            first, last = (float(self.line.metres[row]) for row in across[[0, -1]])
            begin, length = jumped((first, last), leg)
        over = {"distance": begin, "length": length, "rise": float(corners[:, 2].max()) - floor}
        given = {
            "SIT": {"thing": thing},
            "PICK_UP": {"thing": thing, "hand": "BOTH" if min(wide, deep) > GRIP * leg else "AUTO"},
            "PUT_DOWN": {"thing": carried, "place": thing},
            "TOUCH": {"thing": thing},
            "POINT": {"thing": thing, "distance": max(float(self.line.metres[near]) - FAR * leg, 0.0)},
            "JUMP": over,
            "LEAP": over,
        }
        box = transformed(corners, self.to_world)
        lines = box[EDGES] if len(box) > 1 else self._ring(corners[0])
        return UnderMouse(thing.name, offers(pointed, leg), given, lines)

    def _place(self, obj: Object, place: np.ndarray) -> UnderMouse:
        """Return what can be done at the place of the way that is nearest to one `(3,)`."""
        leg, at = self.leg, float(self.line.metres[self._row(place)])
        rows = np.flatnonzero(np.abs(self.line.metres - at) <= FAR * leg)[::APART]
        heights = np.array([self._floor(obj, row) for row in rows])
        over = gap(self.line.metres[rows], heights, at, leg)
        given, ends, name = {kind: {"distance": at} for kind in OF_PLACES}, [at], f"Way at {at:.2f} m"
        if over:
            begin, length = jumped(over, leg)
            given["JUMP"] = given["LEAP"] = {"distance": begin, "length": length}
            ends, name = [begin, begin + length], f"Gap at {begin:.2f} m"
        edges = [self._on_way(metres) for metres in ends]
        between = transformed(np.array([edges[0], edges[-1]]), self.to_world)
        lines = np.concatenate([*map(self._ring, edges), between[None]])
        return UnderMouse(said(name), tuple(Offer(kind) for kind in OF_PLACES), given, lines)

    def _row(self, place: np.ndarray) -> int:
        """Return the row of the way that is nearest to a place `(3,)`."""
        return int(np.argmin(np.linalg.norm(self.line.places - place[:2], axis=1)))

    def _on_way(self, metres: float) -> np.ndarray:
        """Return the place `(3,)` so far along the way, on the ground."""
        place = self.line.places[int(np.argmin(np.abs(self.line.metres - metres)))]
        return np.append(place, self.source.ground.height(place[None])[0])

    def _ring(self, place: np.ndarray) -> np.ndarray:
        """Return a ring around a place `(3,)`, in the world."""
        turn = np.linspace(0.0, 2.0 * np.pi, ROUND + 1)
        ring = place + 0.15 * self.leg * np.stack([np.cos(turn), np.sin(turn), 0.0 * turn + LOW], axis=1)
        ring = transformed(ring, self.to_world)
        return np.stack([ring[:-1], ring[1:]], axis=1)

    def _floor(self, obj: Object, row: int) -> float:
        """Return how high what is seen lies under a row of the way; -inf for nothing."""
        place = np.append(self.line.places[row], 0.0)
        place[2] = self.source.ground.height(place[None, :2])[0] + 0.5 * self.leg
        top, under = (
            Vector(transformed(place + up, self.to_world)) for up in (np.zeros(3), [0.0, 0.0, -1.0])
        )
        hit = sight.hit(obj, top, (under - top).normalized())
        return float(transformed(np.array(hit[1]), self.to_walk)[2]) if hit else -np.inf

    def _is_ground(self, obj: Object, thing: Object, place: Vector, normal: Vector) -> bool:
        """Return whether it is walked on: as the walk's ground, or as it lies level under the way."""
        if thing in ground.members(obj):
            return True
        there = transformed(np.array(place), self.to_walk)
        floor = self.source.ground.height(self.line.places[self._row(there), None])[0]
        return normal.z > UP and abs(there[2] - floor) < LOW * self.leg


def in_hands(obj: Object) -> Object | None:
    """Return what a character carries after its last act, None for nothing."""
    found = None
    for item in obj.neurarig.walk.acts:
        found = item.thing if item.kind == "PICK_UP" else None if item.kind == "PUT_DOWN" else found
    return found
