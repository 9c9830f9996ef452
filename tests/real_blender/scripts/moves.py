"""Say whether the character of the open file moves: prints `moved METRES` for the left foot over frames 1 to
60."""

import bpy

rig = next(obj for obj in bpy.data.objects if obj.type == "ARMATURE")
foot = next(bone for bone in rig.pose.bones if bone.name == "LeftFoot")
heads = []
for frame in (1, 60):
    bpy.context.scene.frame_set(frame)
    heads.append(rig.matrix_world @ foot.head)
print(f"moved {(heads[1] - heads[0]).length:.3f}")
