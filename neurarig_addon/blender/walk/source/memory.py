"""What is remembered of each walking object, in three layers, and what panels ask of it.

The rig as it was read, the walk planned for it, the frames solved of that walk: each is made for one key (see
`keys`), and holds all that
follows from it.  For another key it is made anew, with what stands on it.  A key that is None fits nothing.
Numbers and names only, no Blender data.
"""

from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass

import bpy
import numpy as np
from bpy.types import Object
from mathutils import Matrix

from ....core.character.body import Body
from ....core.follow.following import Hanging
from ....core.gait.limits import held_back as limits_told
from ....core.posing.rig_table import RigTable
from ....core.skeleton.roles import RoleMap
from ...animation.write_pose import Slots
from ...live.memory import Memory
from ..hands import Hands
from ..walk import Block, WalkSource


@dataclass(frozen=True)
class Rig:
    """A rig as it was read.

    `size` `(n,)`: see `read_armature.shape`. `measured_from`: what the body was measured from. `hands`: those
    that the walk poses. `hanging`: what hangs on it and follows.
    `still`: the bones above the driven ones, as the table has them.
    """

    size: np.ndarray
    measured_from: tuple
    body: Body
    roles: RoleMap
    table: RigTable
    hands: Hands
    hanging: Hanging | None
    still: tuple[tuple[str, Matrix], ...]


class Frames:
    """The frames solved of a walk, in blocks by their number; its pace and limits at the frames that were
    asked for last."""

    def __init__(self, source: WalkSource) -> None:
        self.source = source
        self.blocks: OrderedDict[int, Block] = OrderedDict()
        self.pace: tuple[float, tuple[float, float]] | None = None
        self.limits: tuple[float, tuple[str, ...]] | None = None


class Ready:
    """A block of an untouched walk with what showing a row of it needs: each step from one thing to the next
    costs, on every frame.

    `leads`: whether the object is moved. `moves`: whether each row differs from the one before. `row`: the
    row shown last.
    """

    __slots__ = ("block", "filled", "leads", "moves", "row")

    def __init__(self, block: Block, slots: Slots) -> None:
        self.block, self.moves = block, block.channels.moves
        self.filled = slots.filled(block.channels)
        self.leads = block.source.travels_with == "OBJECT" or block.source.rides
        self.row = -1


class Untouched:
    """A walk that is the same as long as `keys.untouched_key` is, and what can be kept until then.

    `turns`, `is_led`: what the key depends on.  `reaches`: whether its targets are live.
    `slots`: where its pose takes the values. `ready`: the block shown last. `shows_fingers`: whether they
    have been shown.
    """

    __slots__ = ("is_led", "key", "reaches", "ready", "shows_fingers", "slots", "turns")

    def __init__(self, key: tuple, turns: bool, is_led: bool, reaches: bool) -> None:
        self.key, self.turns, self.is_led, self.reaches = key, turns, is_led, reaches
        self.slots: Slots | None = None
        self.ready: Ready | None = None
        self.shows_fingers = False


class RememberedWalk:
    """What is remembered of one walking object, see above.

    `stagger`: frames by which its blocks are shifted, so that a crowd does not solve all at once. `refusal`:
    why the settings of `plan_key` cannot be walked, '' if they can; until then the walk is as it was before.
    `curves_key`: where keyed sliders were searched.
    """

    def __init__(self, stagger: int) -> None:
        self.stagger = stagger
        self.rig_key: tuple | None = None
        self.rig: Rig | None = None
        self.plan_key: tuple | None = None
        self.refusal = ""
        self.frames_key: tuple = ()
        self.frames: Frames | None = None
        self.untouched: Untouched | None = None
        self.curves_key: tuple | None = None
        self.has_keyed_sliders = False

    @property
    def source(self) -> WalkSource | None:
        """The walk as it was planned last."""
        return None if self.frames is None else self.frames.source

    def show(self, source: WalkSource, frames_key: tuple = ()) -> None:
        """Begin frames of another walk; `frames_key`: of the edited prints that it has."""
        self.frames, self.frames_key = Frames(source), frames_key

    def forget_rig(self) -> None:
        """Have the rig, and what stands on it, made anew."""
        self.rig_key = self.plan_key = self.curves_key = self.untouched = None

    def forget_plan(self) -> None:
        """Have the walk, and what stands on it, made anew."""
        self.plan_key = self.untouched = None


Known = tuple[Untouched, Block, int]  # a known frame of an untouched walk: its block and row
walkers: Memory[RememberedWalk] = Memory()


def rig_changed(obj: Object | None = None) -> None:
    """Have the rig of `obj` (None: of every object) read again before its next frame."""
    for walker in walkers.values() if obj is None else filter(None, [walkers.get(obj)]):
        walker.forget_rig()


def unwatch_all_but(objects: Iterable[Object]) -> None:
    """Have all walks but those of `objects` read what leads them again: something was edited, which only
    these have been notified of."""
    watched = {obj.session_uid for obj in objects}
    for uid, walker in walkers.items():
        if uid not in watched:
            walker.forget_plan()


def forget(obj: Object | None = None) -> None:
    """Drop what is remembered of `obj` (None: of every object)."""
    walkers.forget(obj)


def refusal(obj: Object) -> str:
    """Return why an object is not posed as its settings ask, '' if it is."""
    walker = walkers.get(obj)
    return "" if walker is None else walker.refusal


def known(obj: Object) -> WalkSource | None:
    """Return an object's walk as it was last posed; None if it has not been."""
    walker = walkers.get(obj)
    return None if walker is None else walker.source


def blends(obj: Object) -> str:
    """Return a sentence about when an object's walk blends into an action, and back; '' if it does not, or
    has not been posed."""
    source = known(obj)
    blend = None if source is None else source.blend
    if blend is None:
        return ""
    back = f", back at frame {blend.back.frame:.0f}" if blend.back else ""
    return f"From frame {blend.joint.frame:.0f}, on the {('left', 'right')[blend.joint.foot]} foot{back}."


def acts(obj: Object) -> tuple[str, ...]:
    """Return a sentence for each of an object's acts about when it is shown, in their order; none if the walk
    has not been posed."""
    source = known(obj)
    program = None if source is None else source.program
    if source is None or program is None:
        return ()
    last = bpy.context.scene.frame_end
    beyond = {span.number: f", after the scene's end at {last}" for span in program.spans if span.end > last}
    shown = {
        span.number: f"frames {span.begin:.0f} to {span.end:.0f}{beyond.get(span.number, '')}"
        for span in program.spans
    }
    return tuple(
        f"{one.act.name}: {shown.get(number, 'the walk never comes there')}."
        for number, one in enumerate(source.acts)
    )


def pace(obj: Object, frame: float) -> tuple[float, float] | None:
    """Return metres and frames per cycle at a frame, as the character was last posed; None if it has not
    been."""
    walker = walkers.get(obj)
    if walker is None or walker.frames is None:
        return None
    frames, source = walker.frames, walker.frames.source
    # Without keys and paths it is the same on every frame.
    at = frame if walker.has_keyed_sliders or source.path.varies else source.clock.start
    if frames.pace is None or frames.pace[0] != at:
        frames.pace = at, source.pace(at)
    return frames.pace[1]


def held_back(obj: Object, frame: float) -> tuple[str, ...]:
    """Return a sentence for each thing an object's sliders ask at a frame beyond a body's limits, as it was
    last posed."""
    walker = walkers.get(obj)
    if walker is None or walker.frames is None:
        return ()
    frames, source = walker.frames, walker.frames.source
    at = frame if walker.has_keyed_sliders else source.clock.start
    if frames.limits is None or frames.limits[0] != at:
        frames.limits = at, limits_told(source.planned, at)
    return frames.limits[1]
