"""An action of the animator's into which a walk blends: which one, when, and back; its poses read on a copy
of the character."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from bpy.types import Action, Context, FCurve, Object, PropertyGroup, Scene

from ...core.blend import blend as blending
from ...core.blend import recorded as recording
from ...core.blend.beside import Beside
from ...core.character.body import Body
from ...core.character.character import Character
from ...core.character.motion import Motion
from ...core.errors import NeuraRigError
from ...core.gait import pose
from ...core.geometry.rotation import orthonormal, transposed
from ...core.geometry.vectors import transformed
from ...core.posing.channels import Channels, Property, rotation_path
from ...core.skeleton.roles import RoleMap
from ..animation import compat
from ..animation.curve_pose import PROPERTIES, sampled, split_path
from ..animation.keyframes import REST, Channel
from ..character import carry, own_animation, record, slider_curves
from ..character.controls import snapshot
from ..character.controls.attachment import RIGIFY
from ..character.controls.probing.bench import Bench, bench
from ..character.controls.probing.read_rig import direct_sources, needed_for
from ..character.read_armature import bones_key, read_skeleton
from ..interface.options import Option, properties_of
from ..live.memory import Memory
from .changes import KEYABLE, SETTING, changes
from .way import world

LONGEST = 20_000  # most frames of an action
OPTIONS = (
    Option(
        "blend_frame", "At Frame",
        "About when the action takes over; the walk goes over into it where the same foot stands in both",
        60.0,
        rna={"min": -1e6, "max": 1e6, "step": 100, "precision": 0},
        help="about when the action takes over", metavar="FRAME",
    ),
    Option(
        "blend_seconds", "Blend Time", "How long the walk takes to go over into the action, and back", 0.4,
        rna={"min": 0.05, "max": 5.0, "soft_max": 1.5, "step": 5, "subtype": "TIME_ABSOLUTE"},
        help="seconds in which the walk goes over into the action (default: 0.4)", metavar="SECONDS",
    ),
    Option("blend_back", "Back to Walk", "Walk on from where the action ends", False,
        help="walk on from where the action ends"),
)  # fmt: skip


def _chosen(settings: PropertyGroup, _context: Context) -> None:
    """Take or restore what the action moves beside the body of a walking character."""
    obj = settings.id_data
    if record.holds(obj, record.WALK):
        own_animation.follow(obj, settings)
    changes.tell(obj)


class BlendSettings(properties_of(OPTIONS, SETTING)):
    """The settings of the action into which a walk blends."""

    blend_action: KEYABLE.thing(
        "Blend Into",
        "Action that takes over from the walk: a fight, a gesture, anything that is keyed for this character",
        type=Action,
        update=_chosen,
    )


@dataclass(frozen=True)
class ActionPoses:
    """An action as it was read.

    `motions`: of the roles that have bones, in the walk frame, on frames from `first` on. `beside`: what else
    it moves.
    """

    character: Character
    name: str
    motions: dict[str, Motion]
    first: float
    beside: Beside | None
    wish: "blending.BlendWish"

    def planned(
        self, walked: "Callable[[np.ndarray], pose.WalkPose]", body: Body, fps: float
    ) -> "blending.Blend":
        """Return the blend of a walk into the action; raises NeuraRigError if no foot stands where one has
        to."""
        like = walked(np.array([self.wish.frame])).motions
        action = recording.RecordedAction.of(self.character, self.motions, like, self.first, fps)
        return blending.planned(body, walked, fps, action, self.name, self.wish)


_read: Memory[tuple[tuple, dict[str, Motion], float, Beside | None]] = Memory()


def key(obj: Object) -> tuple:
    """Return a key that changes whenever the action into which a walk blends does, or how; empty without
    one."""
    own = obj.neurarig.walk
    return (
        ()
        if own.blend_action is None
        else (*_action_key(obj), own.blend_frame, own.blend_seconds, own.blend_back)
    )


def read(obj: Object, scene: Scene, roles: RoleMap, body: Body) -> ActionPoses | None:
    """Return the action into which a walk blends, None without one; raises NeuraRigError if it cannot."""
    own = obj.neurarig.walk
    action = own.blend_action
    if action is None:
        return None
    _require_possible(obj, body)
    curves = [
        curve for curve in compat.find_channels(action, compat.suitable_slot(action, obj)) if not curve.mute
    ]
    keys = slider_curves.fingerprint_of(curves)
    found = obj.neurarig.attachment, keys, bones_key(obj), body.walk_to_armature.tobytes(), str(roles.listed)
    known = _read.get(obj)
    if known is None or known[0] != found:
        known = _read[obj] = (found, *_poses(obj, action.name, curves, roles, body))
    character = Character(read_skeleton(obj, scene), roles, body)
    return ActionPoses(
        character,
        action.name,
        *known[1:],
        blending.BlendWish(own.blend_frame, own.blend_seconds, own.blend_back),
    )


def _action_key(obj: Object) -> tuple:
    action = obj.neurarig.walk.blend_action
    return action.session_uid, world.edits(action), *action.frame_range, *own_animation.held(obj)


def _require_possible(obj: Object, body: Body) -> None:
    own = obj.neurarig.walk
    if own.mode == "IN_PLACE":
        raise NeuraRigError(
            "A walk in place cannot blend into an action. Choose Travel or Path, or clear Blend Into."
        )
    if own.mode == "PATH" and own.blend_back:
        raise NeuraRigError(
            f"Where '{own.blend_action.name}' ends is not on the path. Turn off Back to Walk, or choose"
            " Travel."
        )
    if own.blend_back and (own.ground or own.ground_collection):
        raise NeuraRigError(
            f"Where '{own.blend_action.name}' ends may be beside the ground. Turn off Back to Walk, or clear"
            " Ground."
        )
    if own.stand_on is not None:
        raise NeuraRigError(
            f"A walk on '{own.stand_on.name}' cannot blend into an action. Clear Stand On, or Blend Into."
        )
    if record.attachment(obj).get("stands"):
        raise NeuraRigError(
            f"'{obj.name}' does not stand in its rest pose, so it cannot blend into an action. Clear Blend"
            " Into."
        )
    made = record.attachment(obj)
    if made["kind"] == RIGIFY or made["bend"]:
        raise NeuraRigError(
            f"One control bends the trunk of '{obj.name}', too little for an action. Click Generate Walk"
            " again."
        )
    if body.one_bone_legs:
        raise NeuraRigError(
            f"The legs of '{obj.name}' have no knees, so it cannot blend into an action. Clear Blend Into."
        )


def _poses(
    obj: Object, name: str, curves: list[FCurve], roles: RoleMap, body: Body
) -> tuple[dict[str, Motion], float, Beside | None]:
    """Return the motions of an action, its first frame, and what it moves beside the body."""
    if not any(split_path(curve.data_path)[0] in obj.pose.bones for curve in curves):
        raise NeuraRigError(
            f"The action '{name}' moves no bone of '{obj.name}'. Choose one that was made for it in Blend"
            " Into."
        )
    first, last = (
        np.floor(min(curve.range()[0] for curve in curves)),
        np.ceil(max(curve.range()[1] for curve in curves)),
    )
    if not 2.0 <= last - first <= LONGEST:
        raise NeuraRigError(
            f"'{name}' is {last - first + 1:.0f} frames long. Choose one of 3 to {LONGEST} frames in Blend"
            " Into."
        )
    frames = np.arange(first, last + 1.0)
    values = dict(_sampled(obj, curves, frames))
    motions = _motions(obj, values, roles, body, len(frames))
    return motions, float(first), _beside(obj, values, float(first))


def _sampled(obj: Object, curves: list[FCurve], frames: np.ndarray) -> Iterator[tuple[str, np.ndarray]]:
    """Yield the values `(f, n)` of each property that curves move; components without a curve rest."""
    by_path: dict[str, list[FCurve]] = {}
    for curve in curves:
        by_path.setdefault(curve.data_path, []).append(curve)
    for path, parts in by_path.items():
        prop = split_path(path)[1]
        size = PROPERTIES.get(prop, 1)
        rest = (
            REST.get(prop, (0.0,) * size)
            if split_path(path)[0]
            else tuple(np.ravel(getattr(obj, prop, (0.0,) * size)))
        )
        values = np.tile(np.array(rest[:size], dtype=float), (len(frames), 1))
        for curve in parts:
            if curve.array_index < size:
                values[:, curve.array_index] = sampled(curve, frames)
        yield path, values


def _motions(
    obj: Object, values: dict[str, np.ndarray], roles: RoleMap, body: Body, frames: int
) -> dict[str, Motion]:
    """Return the motion of every role's bone `(f, ...)` in the walk frame, as Blender shows it where the
    action alone plays."""
    names = {role: bone for role, bone in roles.listed.items() if bone in obj.pose.bones}
    rows = [obj.pose.bones.find(bone) for bone in names.values()]
    seen, worlds = np.empty((frames, len(rows), 4, 4)), []
    with bench(obj) as copy:
        _free(copy, record.attachment(obj), names.values())
        if obj.neurarig.is_carried:
            copy.obj.matrix_basis = copy.obj.matrix_basis @ carry.step(obj).inverted_safe()
        channels = [Channel(path, each, each[0], split_path(path)[0]) for path, each in values.items()]
        for row, matrices in enumerate(copy.played(np.arange(float(frames)), channels)):
            worlds.append(copy.world())
            seen[row] = np.linalg.inv(worlds[0]) @ worlds[-1] @ matrices[rows]
    to_walk = np.linalg.inv(body.walk_to_armature)
    rest = np.array([obj.data.bones[bone].matrix_local for bone in names.values()], dtype=float)
    axes = orthonormal(to_walk[:3, :3])
    turns = axes @ orthonormal(seen[..., :3, :3]) @ transposed(orthonormal(rest[:, :3, :3])) @ axes.T
    heads, rests = (transformed(places[..., :3, 3], to_walk) for places in (seen, rest))
    return {role: Motion(turns[:, row], heads[:, row], rests[row]) for row, role in enumerate(names)}


def _free(copy: Bench, attachment: Mapping[str, Any], bones: Iterable[str]) -> None:
    """Have a copy of an attached character obey its own action, as before it was attached."""
    for bone, name, *_ in attachment["constraints"]:
        constraints = copy.obj.pose.bones[bone].constraints
        if name in constraints:
            constraints.remove(constraints[name])
    snapshot.restore_constraints(copy.obj, attachment["muted"])
    snapshot.restore_drivers(copy.obj, attachment["muted_drivers"])
    snapshot.restore_switches(copy.obj, attachment["switches"])
    copy.lighten(needed_for(bones, direct_sources(copy.obj)))


def _beside(obj: Object, values: dict[str, np.ndarray], first: float) -> Beside | None:
    """Return the channels of bones that an action moves beside the body."""
    before, properties, rows, still = own_animation.held(obj), [], [], []
    for path, each in values.items():
        bone, prop = split_path(path)
        mode = obj.pose.bones[bone].rotation_mode if bone in obj.pose.bones else ""
        if bone in before and (prop in ("location", "scale") or prop == rotation_path(mode)):
            start = sum(row.shape[1] for row in rows)
            properties.append(
                Property(
                    bone,
                    prop,
                    mode if prop.startswith("rotation") else "",
                    slice(start, start + each.shape[1]),
                )
            )
            rows.append(each)
            still.append(before[bone][prop])
    if not rows:
        return None
    return Beside(
        Channels(tuple(properties), np.concatenate(rows, axis=1)), first, np.concatenate(still).astype(float)
    )
