"""How human the walk of a generated Rigify human is, by the gait judge of the shared data."""

from pathlib import Path

import bpy
import numpy as np
import pytest

from tests import rigs
from tests.bvh_writer import JointMotion, write_bvh
from tests.gait_score import load_judge, score_walk
from tests.shared_data import shared_path

FPS = 60
SECONDS = 9
# by speed in m/s; 1 in 20 recorded walks has less than 85
LOWEST_SCORES = {0.5: 75.0, 0.9: 92.0, 1.3: 92.0, 1.7: 92.0, 2.1: 90.0}
# Joint name -> bone and parent joint.
TRUNK = {
    "pelvis": ("DEF-spine", None),
    "chest": ("DEF-spine.003", "pelvis"),
    "neck": ("DEF-spine.004", "chest"),
    "head": ("DEF-spine.006", "neck"),
}
LIMBS = {
    "thigh": "pelvis",
    "shin": "thigh",
    "foot": "shin",
    "toe": "foot",
    "upper_arm": "chest",
    "forearm": "upper_arm",
    "hand": "forearm",
}


def joint_table() -> dict[str, tuple[str, str | None]]:
    """Return the joints of the exported figure, parents first: deform bone and parent joint."""
    table = dict(TRUNK)
    for side in "LR":
        for part, above in LIMBS.items():
            table[f"{part}.{side}"] = f"DEF-{part}.{side}", above if above in TRUNK else f"{above}.{side}"
    return table


def record(rig: bpy.types.Object, frames: range) -> JointMotion:
    """Return the evaluated joints in the world."""
    table = joint_table()
    bones = [bone for bone, _ in table.values()]
    rest = np.array([rig.data.bones[bone].matrix_local for bone in bones])
    worlds = []
    for frame in frames:
        bpy.context.scene.frame_set(frame)
        evaluated = rig.evaluated_get(bpy.context.evaluated_depsgraph_get())
        worlds.append([evaluated.matrix_world @ evaluated.pose.bones[bone].matrix for bone in bones])
    worlds = np.array(worlds)
    names = list(table)
    parents = [names.index(parent) if parent else -1 for _, parent in table.values()]
    ends = {
        name: rig.data.bones[bone]
        for name, (bone, _) in table.items()
        if name.split(".")[0] in ("toe", "head")
    }
    # `vector` is along the parent's axes
    tips = {name: np.array(bone.tail_local - bone.head_local) for name, bone in ends.items()}
    return JointMotion(
        names, parents, worlds[..., :3, 3], worlds[..., :3, :3] @ np.swapaxes(rest[:, :3, :3], -1, -2), tips
    )


@pytest.mark.few
@pytest.mark.parametrize("speed", LOWEST_SCORES)
def test_people_walk_like_this(addon: None, tmp_path: Path, speed: float) -> None:
    shared_path("tools", "gait_eval.py")
    bpy.context.scene.render.fps = FPS
    rig = rigs.rigify_human()
    bpy.ops.neurarig.generate_walk()
    rig.neurarig.walk.mode, rig.neurarig.walk.speed = "TRAVEL", speed
    path = tmp_path / "walk.bvh"
    write_bvh(path, record(rig, range(1, SECONDS * FPS)), FPS)
    report = score_walk(load_judge(), path)
    assert report["ok"] and report["score_0_100"] >= LOWEST_SCORES[speed], report.get("worst", report)
    assert report["spatiotemporal"]["speed_m_s"] == pytest.approx(speed, rel=0.02)
