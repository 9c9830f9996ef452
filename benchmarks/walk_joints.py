"""A WalkPose as joints in the world, the way a motion capture file would show it."""

import numpy as np

from neurarig_addon.core.character.body import LEFT, RIGHT, Body
from neurarig_addon.core.gait.pose import WalkPose
from tests.bvh_writer import JointMotion

TOE_TIP_HEIGHT_M = 0.012  # the tip of a toe bone lies inside the toe, not on the sole
HEAD_HEIGHT_M = 0.2


def walk_joints(body: Body, pose: WalkPose) -> JointMotion:
    """Return the joints of the walking body, travelling, in walk-frame metres."""
    rests, parents = _joint_table(body, pose)
    names = list(rests)
    positions = np.stack([_follow(pose, name, rests[name]) for name in names], axis=1)
    positions = pose.root.carried(positions)
    rotations = np.stack([pose.motions[name].rotation for name in names], axis=1)
    tips = {
        f"toe.{side}": body.toe[row] + [0.0, 0.0, TOE_TIP_HEIGHT_M] - rests[f"toe.{side}"]
        for side, row in (("L", LEFT), ("R", RIGHT))
    }
    tips["head"] = np.array([0.0, 0.0, HEAD_HEIGHT_M])
    exported = ["chest" if name == _chest(pose) else name for name in names]
    return JointMotion(
        exported,
        [names.index(parents[name]) if parents[name] else -1 for name in names],
        positions,
        rotations,
        tips,
    )


def _chest(pose: WalkPose) -> str:
    return max(name for name in pose.motions if name.startswith("spine."))


def _joint_table(body: Body, pose: WalkPose) -> tuple[dict[str, np.ndarray], dict[str, str | None]]:
    """Return every joint's rest point and parent, parents first."""
    chest = _chest(pose)
    rests: dict[str, np.ndarray] = {
        "pelvis": body.pelvis,
        chest: body.spine[-1],
        "neck": body.neck,
        "head": body.head,
    }
    parents: dict[str, str | None] = {"pelvis": None, chest: "pelvis", "neck": chest, "head": "neck"}
    for side, row in (("L", LEFT), ("R", RIGHT)):
        leg = (("thigh", body.hip), ("shin", body.knee), ("foot", body.ankle), ("toe", body.toe_joint))
        arm = (("upper_arm", body.shoulder), ("forearm", body.elbow), ("hand", body.wrist))
        for above, limb in (("pelvis", leg), (chest, arm)):
            for part, points in limb:
                name = f"{part}.{side}"
                rests[name], parents[name] = points[row], above
                above = name
    return rests, parents


def _follow(pose: WalkPose, role: str, point: np.ndarray) -> np.ndarray:
    """Return where a rest point `(3,)` that rides on a role is at every frame `(f, 3)`."""
    motion = pose.motions[role]
    return motion.rotation @ (point - motion.rest) + motion.position
