"""What is remembered of each walking object from its last pose, and what panels ask of it."""

from collections import OrderedDict

import bpy
import numpy as np
from mathutils import Matrix

from ....core.character.body import Body
from ....core.gait.limits import held_back as limits_told
from ....core.posing.rig_table import RigTable
from ....core.skeleton.roles import RoleMap
from ...animation.write_pose import Slots
from ...live.memory import Memory
from ..hands import Hands
from ..walk import Block, WalkSource


class Ready:
    """A block of an untouched walk with what showing a row of it needs: each step from one thing to the next costs, on every frame.

    `leads`: whether the object is moved.  `moves`: whether each row differs from the one before.  `row`: the row shown last.
    """

    __slots__ = ("block", "filled", "leads", "moves", "row")

    def __init__(self, block: Block, slots: Slots) -> None:
        self.block, self.moves = block, block.channels.moves
        self.filled = slots.filled(block.channels)
        self.leads = block.source.travels_with == "OBJECT" or block.source.rides
        self.row = -1


class RememberedWalk:
    """What is remembered of one walking object: numbers and names only, no Blender data.

    `stagger`: frames by which its blocks are shifted, so that a crowd does not solve all at once.
    """

    def __init__(self, stagger: int) -> None:
        self.stagger = stagger
        self.rig_is_stale = True
        self.is_unwatched = False  # whether edits of its path and ground may have been missed
        self.measured: tuple[tuple, Body] | None = None  # the key the body was measured for, and the body
        self.hands: Hands = {}  # that it poses
        self.roles: RoleMap = RoleMap({})
        self.rig: RigTable | None = None
        self.still: tuple[tuple[str, Matrix], ...] = ()  # bones above the driven ones, as the rig table has them
        self.world: tuple = ()
        self.shape: np.ndarray = np.zeros(0)
        self.curve_place: tuple | None = None
        self.has_keyed_sliders = False
        self.settings_key: tuple = ()
        self.prints_key: tuple = ()
        self.is_led = False  # by a path or ground, or by what it looks at
        self.reaches = False  # whether its targets are live; a change of that counts as an edit
        self.stamp: tuple | None = None  # the stamp of an untouched walk, where there is one
        self.slots: Slots | None = None  # where its pose takes the values, while the stamp stays the same
        self.ready: Ready | None = None  # the block shown untouched last, while the stamp stays the same
        self.fingers_shown: tuple | None = None  # the stamp with which the fingers were shown last
        self.source: WalkSource | None = None
        self.paced: tuple[WalkSource, float, tuple[float, float]] | None = None  # source and frame of the known pace, and the pace
        self.limits: tuple[WalkSource, float, tuple[str, ...]] | None = None  # source and frame of the known sentences, and the sentences
        self.refused: tuple[tuple, str] | None = None  # the key of settings that cannot be walked, and why
        self.blocks: OrderedDict[int, Block] = OrderedDict()


Known = tuple[RememberedWalk, Block, int]  # a known frame: its walker, block and row
walkers: Memory[RememberedWalk] = Memory()


def refusal(obj: bpy.types.Object) -> str:
    """Return why an object is not posed as its settings ask, '' if it is."""
    walker = walkers.get(obj)
    return "" if walker is None or walker.refused is None else walker.refused[1]


def known(obj: bpy.types.Object) -> WalkSource | None:
    """Return an object's walk as it was last posed; None if it has not been."""
    walker = walkers.get(obj)
    return None if walker is None else walker.source


def pace(obj: bpy.types.Object, frame: float) -> tuple[float, float] | None:
    """Return metres and frames per cycle at a frame, as the character was last posed; None if it has not been."""
    walker = walkers.get(obj)
    if walker is None or walker.source is None:
        return None
    # Without keys and paths it is the same on every frame.
    at = frame if walker.has_keyed_sliders or walker.source.path.varies else walker.source.clock.start
    if walker.paced is None or walker.paced[0] is not walker.source or walker.paced[1] != at:
        walker.paced = walker.source, at, walker.source.pace(at)
    return walker.paced[2]


def held_back(obj: bpy.types.Object, frame: float) -> tuple[str, ...]:
    """Return a sentence for each thing an object's sliders ask at a frame beyond a body's limits, as it was last posed."""
    walker = walkers.get(obj)
    if walker is None or walker.source is None:
        return ()
    at = frame if walker.has_keyed_sliders else walker.source.clock.start
    if walker.limits is None or walker.limits[0] is not walker.source or walker.limits[1] != at:
        walker.limits = walker.source, at, limits_told(walker.source.planned, at)
    return walker.limits[2]
