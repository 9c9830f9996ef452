"""What deforms a character and hangs on its mechanism goes along where the mechanism is left out: faces,
fingers, hats, helpers."""

import bpy
import numpy as np
import pytest
from mathutils import Vector

from neurarig_addon.blender import api
from neurarig_addon.blender.character import record
from tests.blender.controlling import assert_given_back, evaluated, settled, state
from tests.blender.retargeting import actor
from tests.rigs import Bone, biped, build, make_active

# Bone -> the rig's bones with which it goes, in equal parts, and how it hangs on these: below them, or by
# constraints.
HUNG = {
    "Jaw": (("Head",), "PARENT"),
    "Eye": (("Head",), "CHILD_OF"),
    "LeftThumb": (("LeftHand",), "PARENT"),
    "LeftNail": (("LeftHand",), "PARENT"),
    "Breast": (("Spine2",), "CHILD_OF"),
    "LeftKnee": (("LeftUpLeg", "LeftLeg"), "ARMATURE"),
}
BESIDE = {
    "Jaw": (0.0, -0.05, 0.04), "Eye": (0.03, -0.08, 0.1), "LeftThumb": (0.03, -0.06, 0.0),
    "LeftNail": (0.03, -0.09, 0.0),
    "Breast": (0.05, -0.1, 0.05), "LeftKnee": (0.0, -0.05, 0.0),
}  # fmt: skip


def mechanism() -> bpy.types.Object:
    """Return a human of controls that cannot be driven, of bones that deform and follow them, and of others
    that hang on the controls."""
    table = biped()
    heads = {bone.name: Vector(bone.head) for bone in table}
    table += [Bone(f"DEF-{bone.name}", None, bone.head, bone.tail, bone.roll) for bone in table]
    for name, (hosts, way) in HUNG.items():
        parent = {"LeftNail": "LeftThumb"}.get(name, hosts[0]) if way == "PARENT" else None
        at = heads[hosts[-1]] + Vector(BESIDE[name])
        table.append(Bone(name, parent, tuple(at), tuple(at + Vector((0.0, -0.02, 0.0)))))
    obj = build(table, "Hero")
    for name in heads:
        obj.data.bones[name].use_deform = False
        follow(obj, f"DEF-{name}", "COPY_TRANSFORMS", name)
    for name, (hosts, way) in HUNG.items():
        if way != "PARENT":
            follow(obj, name, way, *hosts)
    for side in ("Left", "Right"):  # no animator could use such a foot
        follow(obj, f"{side}Foot", "COPY_ROTATION", "Hips").influence = 0.4
        follow(obj, f"{side}Leg", "COPY_LOCATION", "Hips").influence = 0.01
    bpy.context.view_layer.update()
    return obj


def follow(obj: bpy.types.Object, bone: str, kind: str, *hosts: str) -> bpy.types.Constraint:
    constraint = obj.pose.bones[bone].constraints.new(kind)
    for host in hosts:
        held = constraint.targets.new() if kind == "ARMATURE" else constraint
        held.target, held.subtarget = obj, host
        if kind == "CHILD_OF":
            constraint.inverse_matrix = obj.data.bones[host].matrix_local.inverted()
    return constraint


def missed(obj: bpy.types.Object) -> dict[str, float]:
    """Return how far each bone that hangs on controls is from where the bones that deform have carried it,
    metres."""
    posed, rest = evaluated(obj), {bone.name: np.array(bone.matrix_local) for bone in obj.data.bones}
    found = {}
    for name, (hosts, _) in HUNG.items():
        carried = [posed[f"DEF-{host}"] @ np.linalg.solve(rest[f"DEF-{host}"], rest[name]) for host in hosts]
        found[name] = float(np.linalg.norm(posed[name][:3, 3] - np.mean(carried, axis=0)[:3, 3]))
    return found


def walk(obj: bpy.types.Object, controls: str) -> None:
    api.generate_walk(obj, controls="AUTO" if controls == "IK" else "FK", head_nod=30.0)


def clip(obj: bpy.types.Object, controls: str) -> None:
    source, _ = actor("Actor")
    make_active(obj)
    api.link_retarget(obj, source=source, controls=controls)


def pose(obj: bpy.types.Object, controls: str) -> None:
    api.pose_targets(obj, "MAIN", controls=controls)
    head = next(item.object for item in obj.neurarig.neural_pose.targets if item.point == "head")
    head.location = head.location + Vector((0.1, -0.4, -0.3))


@pytest.mark.parametrize("controls", ["IK", "FK"])
@pytest.mark.parametrize(
    ("take", "give"), [(walk, api.remove_walk), (clip, api.remove_retarget), (pose, api.remove_targets)]
)
def test_what_hangs_on_controls_goes_with_the_bones_that_deform(take, give, controls: str) -> None:
    obj = settled(mechanism())
    before = state(obj)
    take(obj, controls)
    assert record.attachment(obj)["kind"] == ("LAYER" if controls == "IK" else "FK")
    for frame in (1, 9, 17):
        bpy.context.scene.frame_set(frame)
        assert max(missed(obj).values()) < 1e-4, missed(obj)
    assert (
        np.linalg.norm(
            evaluated(obj)["DEF-LeftHand"][:3, 3] - np.array(obj.data.bones["LeftHand"].head_local)
        )
        > 0.02
    )
    assert give(obj) == []
    del before["file"]  # the clip's source
    assert_given_back(obj, before)


def test_a_hat_that_hangs_on_a_control_goes_with_the_head() -> None:
    obj = mechanism()
    hat = bpy.data.objects.new("Hat", bpy.data.meshes.new("Hat"))
    bpy.context.scene.collection.objects.link(hat)
    hat.parent, hat.parent_type, hat.parent_bone = obj, "BONE", "Neck"
    api.generate_walk(obj, controls="FK", head_turn=60.0)
    bpy.context.scene.frame_set(9)
    posed = evaluated(obj)
    np.testing.assert_allclose(posed["Neck"], posed["DEF-Neck"], atol=1e-4)
