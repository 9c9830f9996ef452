"""From a live walk to keyframes in a new action; the user's own actions are never touched."""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, replace
from functools import cached_property, partial

import bpy
import numpy as np
from bpy.types import Action, Object

from ....core.acts.program import Program
from ....core.body.feet import SWING
from ....core.character.character import Character
from ....core.character.motion import Motion, RolePose
from ....core.errors import NeuraRigError
from ....core.gait.key_poses import KeyStep, lifts_and_landings, steps_of
from ....core.gait.sliders.idle import idle_loop
from ....core.keys.deviation import LEGS
from ....core.keys.pose_fit import KeySwings, knee_weights
from ....core.report.jolts import PIVOTS
from ....core.skeleton.roles import LEGS as JOINTS
from ...animation.keyframes import BEZIER, LINEAR, Channel, closed, fresh_action, write_channels, write_keyed
from ...animation.steps import Steps, part_of
from ...character import bakes, record, stash
from ...character.controls import attachment
from ...character.own_animation import carry_over
from ...character.read_armature import read_skeleton
from ...keys import bake_record, figures
from ...keys.fitting import KeyMoments
from ...keys.reduction import reduce_steps
from ...over import wishes
from ..manner import styles
from ..source import source as walk_source
from ..walk import WalkSource
from . import bake_channels, bake_deform
from .bake_options import BOTH, DEFORM, DENSE, EDITABLE, LAYER, NAME_PATTERN, BakeOptions

FIGURES = ("ground_speed", "stride", "cycle_frames")  # custom properties of a bake
DEFORM_ACTION = "deform_action"  # custom property of a controls' bake: the deform bones' action made with it
ADVANCE = 0.01  # share of a stride: a channel whose loop ends farther than this from its start advances
LONGEST_STEP_S = 1.0  # seconds around the keys, to find the key poses of steps cut by the first or last key
FINEST = 480.0  # frames per second in which they are searched, whatever the scene's rate
TOUCHES = {"foot_l": "L Lands", "foot_r": "R Lands", "hand_l": "L Hand", "hand_r": "R Hand", "seat": "Seat"}
STEADY = 1e-6  # relative change of speed over a loop that counts as none


def bake_steps(obj: Object, options: BakeOptions) -> Steps[Action]:
    """Bake a walk step by step: yields the share done, returns the new action; if closed early, leaves
    nothing behind.

    Raises NeuraRigError if the options do not fit the walk.
    """
    source = walk_source.source_of(obj)
    known, moved = yield from part_of(known_steps(obj, source, options), 0.0, 0.2)
    bones = yield from part_of(posed_steps(obj, known, options), 0.2, 0.4)
    engine_bones = bones
    if options.target == BOTH and known.replaced is None:
        engine_bones, _ = yield from part_of(
            bake_deform.deform_channels(obj, source, known.shown_pose(), elsewhere=True), 0.4, 0.6
        )
    with bakes.fresh(obj, options.action_name.strip() or default_name(obj)) as (action, slot):
        yield from part_of(written_steps(obj, (action, slot), known, options, bones + moved), 0.6, 1.0)
        if options.target != DEFORM:
            bake_record.remember(action, slot, asdict(options), dense=options.keys == DENSE)
        carry_over(obj, action, slot)
        yield 1.0
        stash.require_untweaked(obj)
        if options.target == BOTH:
            dense = replace(options, keys=DENSE)
            with fresh_action(f"{action.name} Deform", obj) as (engine, place):
                yield from written_steps(obj, (engine, place), known, dense, engine_bones + moved)
                carry_over(obj, engine, place)
                action[DEFORM_ACTION] = engine
        obj.neurarig.walk.live = False
        bakes.take_over(obj, action, slot, options.push_nla, known.replaced)
    return action


def default_name(obj: Object, pattern: str = NAME_PATTERN) -> str:
    """Return what a bake is called by default: after the character, its style and its gait."""
    walk = obj.neurarig.walk
    style = "".join(styles.names_in_use(walk)[:1])
    if not style:
        pattern = pattern.replace("{style} ", "")
    for field, name in (("style", style), ("gait", walk.gait.title()), ("character", obj.name)):
        pattern = pattern.replace(f"{{{field}}}", name)
    return pattern.strip()


def posed_steps(obj: Object, known: "Known", options: BakeOptions) -> Steps[list[Channel]]:
    """Return the channels of the bones that a bake keys, and note in `known` what they replace; yields the
    share done."""
    on_bones = options.target != LAYER and record.attachment(obj)["kind"] == attachment.LAYER
    if options.target != DEFORM and not on_bones:
        return known.channels(obj, options.keys)
    bones, known.replaced = yield from bake_deform.deform_channels(
        obj, known.source, known.shown_pose(), elsewhere=False
    )
    return (
        bones
        + bakes.switches(obj)
        + bakes.muting((bone, name) for bone, names in known.replaced.constraints.items() for name in names)
    )


def known_steps(
    obj: Object, source: WalkSource, options: BakeOptions
) -> Steps[tuple["Known", list[Channel]]]:
    """Compute the walk at the frames to key, with targets over it, and the object's channels; yields the
    share done."""
    known = Known(source, _frames_to_key(source, options), options.loop)
    yield 0.0
    moved = yield from part_of(bake_channels.object_channels(obj, source, known.frames, known.root), 0.0, 0.5)
    known.wants = yield from part_of(wishes.at_frames_steps(bpy.context.scene, obj, known.frames), 0.5, 1.0)
    if options.loop and known.wants is not None and not known.wants.repeats:
        raise NeuraRigError(
            f"Targets of '{obj.name}' move, so its walk does not repeat. Clear their keys, or bake a frame"
            " range."
        )
    return known, moved


def written_steps(
    obj: Object,
    into: bakes.Acting,
    known: "Known",
    options: BakeOptions,
    channels: list[Channel],
) -> Steps[None]:
    """Write channels, with as many keys as the options say, into a new action and its slot; yields the share
    done."""
    source, frames = known.source, known.frames
    if options.loop:
        advance = ADVANCE * known.first("stride") * float(np.linalg.norm(source.metre_forward))
        channels = [closed(channel, advance) for channel in channels]
    if options.keys == EDITABLE:
        who = Character(read_skeleton(obj), source.roles, source.body)
        yield from _write_few_keys(obj, who, into, channels, known, options.tolerance)
    else:
        write_channels(*into, frames, channels, LINEAR if options.step == 1 else BEZIER, options.loop)
    describe(into[0], known, options)


def _write_few_keys(
    obj: Object,
    character: Character,
    into: bakes.Acting,
    channels: Sequence[Channel],
    known: "Known",
    metres: float,
) -> Steps[None]:
    """Write few keys for channels into a new action and its slot, and note their figures; yields the share
    done."""
    found = yield from reduce_steps(
        obj,
        character,
        known.frames,
        channels,
        known.moments,
        metres,
        partial(bakes.set_as_played, obj, known.replaced),
    )
    write_keyed(*into, found.keyed, known.loop)
    figures.note(into[0], found)


class Known:
    """The walk at the frames to key and on all whole frames around them, computed together: key poses lie
    between sparse keys."""

    def __init__(self, source: WalkSource, frames: np.ndarray, loop: bool = False) -> None:
        self.source, self.frames, self.loop = source, frames, loop
        margin = LONGEST_STEP_S * source.clock.fps
        step = max(1.0, np.ceil(source.clock.fps / FINEST))
        whole = np.arange(math.floor(frames[0] - margin), math.ceil(frames[-1] + margin) + step, step)
        at = np.union1d(whole, frames)
        self.pose = source.pose(at)
        self.rows = np.searchsorted(at, frames)
        self.cycle = self.first("period") * source.clock.fps
        self.wants: wishes.TargetWishes | None = None  # of targets, at the frames to key
        self.replaced: bakes.Replaced | None = None  # by keys on bones, in place of controls

    def channels(self, obj: Object, keys: str) -> list[Channel]:
        """Return the controls' channels at the frames to key; with few keys, feet roll by pivots where the
        rig has them."""
        if keys == EDITABLE and bake_channels.rolls(obj):
            moments = self.moments
            in_air = self.pose.pivot[self.rows] == SWING
            swings = KeySwings(self.frames, in_air, moments.rows_of(LEGS[0]), moments.breaks[0], self.loop)
            return bake_channels.rolled_channels(
                obj, self.source, self.shown_pose(), self.pose.pitch[self.rows], swings
            )
        return bake_channels.control_channels(obj, self.source, self.shown_pose())

    def shown_pose(self) -> RolePose:
        """Return the pose at the frames to key, with targets over it."""
        return (
            self.pose_to_key if self.wants is None else self.source.taker.over(self.pose_to_key, self.wants)
        )

    @property
    def pose_to_key(self) -> RolePose:
        """The walk's pose at the frames to key."""
        return RolePose.rows_of(self.pose, self.rows)

    @property
    def root(self) -> Motion:
        """The root's motion at the frames to key."""
        root = self.pose.root
        return root[self.rows]

    @cached_property
    def moments(self) -> KeyMoments:
        """Return the moments of the frames to key: key poses, and which points of the feet stand."""
        named = self.key_poses(EDITABLE)
        girdles = [self.pose] if self.pose.fore is None else [self.pose, self.pose.fore]
        breaks = [lifts_and_landings(girdle, self.rows) for girdle in girdles]
        poses = self._rows_at(frame for step in self.steps for frame in step.frames())
        contacts, passings = (
            self._rows_at(frame for name, frame in named if name.endswith(end))
            for end in ("Contact", "Passing")
        )
        planted = np.stack(
            [np.isin(self.pose.of_feet("pivot")[self.rows], phases) for phases in PIVOTS.values()], axis=-1
        )
        return KeyMoments(poses, contacts, passings, breaks, planted, self.loop, self.knees)

    @cached_property
    def knees(self) -> np.ndarray | None:
        """How many times farther the knees move than the feet that pull at them `(f, feet)`, None for a body
        without legs."""
        motions, body = self.pose_to_key.motions, self.source.body
        legs = JOINTS[: len(body.leg_lengths)]
        if not all(leg[0] in motions and leg[-1] in motions for leg in legs):
            return None
        hips, ankles = (np.stack([motions[leg[end]].position for leg in legs], axis=1) for end in (0, -1))
        return knee_weights(np.linalg.norm(hips - ankles, axis=-1), body.leg_lengths)

    def _rows_at(self, frames: Iterable[int]) -> np.ndarray:
        return np.flatnonzero(np.isin(self.frames, np.unique(np.fromiter(frames, dtype=float))))

    @cached_property
    def steps(self) -> list[KeyStep]:
        """The steps within the frames to key, also those that begin before or end after them."""
        return steps_of(self.pose)

    def first(self, figure: str) -> float:
        """Return a value of the walk at the first key."""
        return float(getattr(self.pose, figure)[self.rows[0]])

    def act_moments(self) -> list[tuple[str, int]]:
        """Return the named moments of acts within the frames."""
        found = () if self.source.program is None else _act_moments(self.source.program)
        return [(name, frame) for name, frame in found if self.frames[0] <= frame <= self.frames[-1]]

    def key_poses(self, keys: str) -> list[tuple[str, int]]:
        """Return the named poses within the frames; with few keys, on keyed frames where these are near."""
        named = [pair for step in self.steps for pair in (step.keyed() if keys == EDITABLE else step.named())]
        return [(name, frame) for name, frame in named if self.frames[0] <= frame <= self.frames[-1]]


def _act_moments(program: Program) -> Iterator[tuple[str, int]]:
    """Yield the beginnings of acts, and the moments at which something touches, with their names."""
    for span in program.spans:
        yield span.name, round(span.begin)
        for touch in span.touches:
            if touch.begin > span.begin:
                yield f"{span.name} {TOUCHES[touch.part]}", round(touch.begin)


def _frames_to_key(source: WalkSource, options: BakeOptions) -> np.ndarray:
    """Return the frames to key `(n,)`: every `step`-th and the last."""
    if not isinstance(options.step, int) or options.step < 1:
        raise NeuraRigError(f"The frame step must be a whole number of 1 or more, not {options.step}.")
    start, end = float(options.frame_start), float(options.frame_end)
    if options.loop:
        end = start + _loop_frames(source)
    elif end <= start:
        raise NeuraRigError(
            f"The bake's end frame {options.frame_end} is not after its start frame {options.frame_start}."
        )
    frames = np.arange(start, end - 1e-4, options.step)
    return np.append(frames, end)


def _loop_frames(source: WalkSource) -> float:
    """Return the frames after which a walk repeats; raises NeuraRigError if it does not."""
    is_closed = source.path.lap > 0.0
    if source.path.turns and not is_closed:
        raise NeuraRigError(
            "A walk along a path that is not closed does not repeat. Bake a frame range, or choose Travel or"
            " In Place."
        )
    if source.layer is not None and not source.layer.repeats:
        raise NeuraRigError(
            "A walk with an action over it does not repeat. Clear Action in Animation on Top, or bake a frame"
            " range."
        )
    if source.program is not None:
        raise NeuraRigError("A walk with acts does not repeat. Remove them, or bake a frame range.")
    if source.action is not None:
        raise NeuraRigError(
            "A walk that blends into an action does not repeat. Clear Blend Into, or bake a frame range."
        )
    if source.edits:
        raise NeuraRigError(
            "A walk with edited footprints does not repeat. Reset them, or bake a frame range."
        )
    for thing, does, name in ((source.face, "faces", "Face"), (source.gaze, "looks at", "Look At")):
        if thing is not None and not (is_closed and len(thing.frames) == 1):
            raise NeuraRigError(
                f"A walk that {does} an object does not repeat. Clear {name}, or bake a frame range."
            )
    keyed = [
        slider
        for slider, (_, values) in source.track.curves.items()
        if np.ptp(values) > STEADY * (1.0 + abs(values[0]))
    ]
    if keyed:
        raise NeuraRigError(
            f"A walk with a keyed slider ('{keyed[0]}') does not repeat. Clear its keys, or bake a frame"
            " range."
        )
    if is_closed:
        if not source.walker.rhythm.lap:
            raise NeuraRigError(
                "Strides that differ do not repeat on a closed path. Set Variation to 0, or bake a frame"
                " range."
            )
        return source.walker.rhythm.lap_frames(source.clock)
    length = source.lap_frames
    if not math.isfinite(length):
        if source.track.constant.idle <= 0.0:
            raise NeuraRigError(
                "A character that stands still has no cycle to loop. Set a speed or Idle above 0."
            )
        length = idle_loop(source.clock, source.body.leg_length) * source.clock.fps
    return float(round(length)) if abs(length - round(length)) < 1e-4 else length


def describe(action: Action, known: Known, options: BakeOptions) -> None:
    """Give an action its range, pose markers and the figures that a game engine needs."""
    bakes.mark(action, known.frames)
    action.use_cyclic = options.loop
    action["ground_speed"] = known.first("ground_speed")
    action["stride"] = known.first("stride")
    if math.isfinite(known.cycle):
        action["cycle_frames"] = known.cycle
        for name, frame in known.key_poses(options.keys):
            action.pose_markers.new(name).frame = frame
    for name, frame in known.act_moments():
        action.pose_markers.new(name).frame = frame
