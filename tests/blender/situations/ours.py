"""What our operators do to a character, drawn as an animator presses them."""

from random import Random
from typing import Any, ClassVar

import bpy

from neurarig_addon.blender import api
from neurarig_addon.blender.character import carry, holding, record
from neurarig_addon.core.errors import NeuraRigError
from tests.blender.situations.edit import tweaks
from tests.blender.situations.ledger import CLIP, POSE, WALK, Ledger


class Ours:
    """One of our operators with a weight; `run` does it to a character and notes what is on that then."""

    weight: ClassVar[int] = 1

    @staticmethod
    def run(obj: bpy.types.Object, rng: Random, ledger: Ledger) -> Any:
        """Do it; raises NeuraRigError where it is refused."""
        raise NotImplementedError


class Generate(Ours):
    weight = 10

    @staticmethod
    def run(obj: bpy.types.Object, rng: Random, ledger: Ledger) -> Any:
        mode, carrier = rng.choice(("IN_PLACE", "TRAVEL", "TRAVEL")), rng.choice(("OBJECT", "OBJECT", "BONE"))
        api.generate_walk(
            obj,
            use_network=False,
            mode=mode,
            travel_with=carrier,
            controls=rng.choice(("AUTO", "AUTO", "FK")),
        )
        _held(obj, ledger, WALK)
        ledger.carried.discard(obj.name)


class Bake(Ours):
    weight = 4

    @staticmethod
    def run(obj: bpy.types.Object, rng: Random, ledger: Ledger) -> Any:
        target = rng.choice(("CONTROLS", "DEFORM"))
        made = api.bake_walk(
            obj,
            frame_start=1,
            frame_end=12,
            target=target,
            loop=rng.random() < 0.3,
            push_nla=rng.random() < 0.4,
        )
        ledger.carried.add(obj.name)
        return made


class Remove(Ours):
    weight = 4

    @staticmethod
    def run(obj: bpy.types.Object, rng: Random, ledger: Ledger) -> Any:
        return _taken_off(obj, ledger, WALK, lambda: api.remove_walk(obj))


class Pause(Ours):
    weight = 1

    @staticmethod
    def run(obj: bpy.types.Object, rng: Random, ledger: Ledger) -> Any:
        obj.neurarig.walk.live = False


class Resume(Ours):
    weight = 2

    @staticmethod
    def run(obj: bpy.types.Object, rng: Random, ledger: Ledger) -> Any:
        api.resume_walk(obj)
        ledger.carried.discard(obj.name)


class Preset(Ours):
    weight = 1

    @staticmethod
    def run(obj: bpy.types.Object, rng: Random, ledger: Ledger) -> Any:
        api.apply_preset(obj, rng.choice(("Brisk", "Prowl")))


class AddAct(Ours):
    weight = 5

    @staticmethod
    def run(obj: bpy.types.Object, rng: Random, ledger: Ledger) -> Any:
        kind = rng.choice(("JUMP", "LEAP", "SIT", "PICK_UP", "PICK_UP", "PUT_DOWN", "WAVE"))
        prop = (
            bpy.data.objects.get(ledger.thing(rng) or "") if kind in ("SIT", "PICK_UP", "PUT_DOWN") else None
        )
        given: dict[str, Any] = {"frame": 12} if kind == "WAVE" else {"at": rng.uniform(1.0, 6.0)}
        api.add_act(
            obj,
            kind,
            thing=prop,
            length=0.8 if kind in ("JUMP", "LEAP") else 0.0,
            hand=rng.choice(("AUTO", "BOTH")),
            **given,
        )


class Carry(Ours):
    """Walk, take a thing and put it down."""

    weight = 6

    @staticmethod
    def run(obj: bpy.types.Object, rng: Random, ledger: Ledger) -> Any:
        thing = ledger.thing(rng)
        if thing is None:
            raise NeuraRigError("There is nothing to take.")
        prop = bpy.data.objects[thing]
        acts = [{"kind": "PICK_UP", "thing": prop}, {"kind": "PUT_DOWN", "thing": prop, "distance": 4.0}][
            : rng.choice((1, 2, 2))
        ]
        api.generate_walk(
            obj, use_network=False, mode="TRAVEL", travel_with=rng.choice(("OBJECT", "BONE")), acts=acts
        )
        _held(obj, ledger, WALK)
        ledger.carried.discard(obj.name)


class MoveAct(Ours):
    weight = 2

    @staticmethod
    def run(obj: bpy.types.Object, rng: Random, ledger: Ledger) -> Any:
        api.place_act(obj, rng.randrange(3)).location.y -= 0.3


class RemoveAct(Ours):
    weight = 2

    @staticmethod
    def run(obj: bpy.types.Object, rng: Random, ledger: Ledger) -> Any:
        api.remove_act(obj, rng.randrange(3))


class Link(Ours):
    weight = 3

    @staticmethod
    def run(obj: bpy.types.Object, rng: Random, ledger: Ledger) -> Any:
        api.link_retarget(
            obj,
            source=bpy.data.objects.get("Actor"),
            controls=rng.choice(("FK", "IK")),
            root=rng.choice(("PELVIS", "OBJECT")),
        )
        _held(obj, ledger, CLIP)


class Retarget(Ours):
    weight = 3

    @staticmethod
    def run(obj: bpy.types.Object, rng: Random, ledger: Ledger) -> Any:
        controls, root = rng.choice(("FK", "IK")), rng.choice(("PELVIS", "OBJECT"))
        made = api.retarget(
            obj, check=False, source=bpy.data.objects.get("Actor"), controls=controls, root=root
        )
        _held(obj, ledger, CLIP)
        ledger.carried.add(obj.name)
        return made


class RemoveRetarget(Ours):
    weight = 3

    @staticmethod
    def run(obj: bpy.types.Object, rng: Random, ledger: Ledger) -> Any:
        return _taken_off(obj, ledger, CLIP, lambda: api.remove_retarget(obj))


class Targets(Ours):
    weight = 4

    @staticmethod
    def run(obj: bpy.types.Object, rng: Random, ledger: Ledger) -> Any:
        api.pose_targets(obj, controls=rng.choice(("FK", "IK")))
        ledger.attached[obj.name] = ledger.attached[obj.name] or POSE  # over a walk or clip they go with that


class KeyPose(Ours):
    weight = 2

    @staticmethod
    def run(obj: bpy.types.Object, rng: Random, ledger: Ledger) -> Any:
        return api.key_pose(obj)


class RemoveTargets(Ours):
    weight = 3

    @staticmethod
    def run(obj: bpy.types.Object, rng: Random, ledger: Ledger) -> Any:
        if ledger.attached[obj.name] in (WALK, CLIP):
            return api.remove_targets(obj)
        return _taken_off(obj, ledger, POSE, lambda: api.remove_targets(obj))


class ApplyClip(Ours):
    weight = 2

    @staticmethod
    def run(obj: bpy.types.Object, rng: Random, ledger: Ledger) -> Any:
        return _applied(obj, ledger, CLIP, lambda: api.remove_retarget(obj, keep_clip=True))


class ApplyTargets(Ours):
    weight = 1

    @staticmethod
    def run(obj: bpy.types.Object, rng: Random, ledger: Ledger) -> Any:
        if ledger.attached[obj.name] in (WALK, CLIP):
            return api.remove_targets(obj)
        return _applied(obj, ledger, POSE, lambda: api.remove_targets(obj, keep_pose=True))


class Solve(Ours):
    weight = 1

    @staticmethod
    def run(obj: bpy.types.Object, rng: Random, ledger: Ledger) -> Any:
        api.solve_pose(obj, key=rng.random() < 0.5)


class Press(Ours):
    """One of the buttons, as a click presses it: on the active object, by the operator and not by the
    function behind it."""

    weight = 4

    @staticmethod
    def run(obj: bpy.types.Object, rng: Random, ledger: Ledger) -> Any:
        active = bpy.context.view_layer.objects.active
        if active is None or active.name not in ledger.heroes:
            raise NeuraRigError("No character is active.")
        name, now = rng.choice(tuple(PRESSED.items()))
        operator = getattr(bpy.ops.neurarig, name)
        given = {"source": "Actor"} if name == "link_retarget" and "Actor" in bpy.data.objects else {}
        try:
            operator(**given)
        except RuntimeError as error:  # what an operator reports as an error
            if "Traceback" in str(error):
                raise
            raise NeuraRigError(f"{name}: {error}") from error
        if name == "pose_targets" and ledger.attached[active.name] in (WALK, CLIP):
            return
        _held(active, ledger, now)
        if name != "bake_walk":
            ledger.carried.discard(active.name)
        else:
            ledger.carried.add(active.name)


PRESSED = {
    "generate_walk": WALK,
    "resume_walk": WALK,
    "bake_walk": WALK,
    "link_retarget": CLIP,
    "pose_targets": POSE,
}
REMOVE = {WALK: Remove, CLIP: RemoveRetarget, POSE: RemoveTargets}


def _held(obj: bpy.types.Object, ledger: Ledger, what: str) -> None:
    if ledger.attached[obj.name] not in (None, what):  # what was baked of another holder is its own now
        ledger.applied.add(obj.name)
    ledger.attached[obj.name] = what


def _taken_off(obj: bpy.types.Object, ledger: Ledger, what: str, remove: Any) -> Any:
    if record.is_attached(obj):
        holding.require_detachable(obj)
    # bakes on tracks stay, so the user takes them off, and puts the object back
    if obj.animation_data and not tweaks(obj):
        tracks, ours = obj.animation_data.nla_tracks, set(ledger.actions_of("OURS"))
        taken = [
            track
            for track in tracks
            if any(strip.action and strip.action.name in ours for strip in track.strips)
        ]
        if taken:
            carry.put_back(obj, {"location"})
        for track in taken:
            tracks.remove(track)
    told = remove()
    if ledger.attached[obj.name] == what:
        ledger.attached[obj.name] = None
    ledger.carried.discard(obj.name)
    return told


def _applied(obj: bpy.types.Object, ledger: Ledger, what: str, apply: Any) -> Any:
    told = _taken_off(obj, ledger, what, apply)
    ledger.applied.add(obj.name)
    return told
