"""The pose that a character with targets shows, and another in its place: targets and their base pose change together."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

import bpy
import numpy as np

from ...core.neural.figure_pose import FigurePose
from ...core.neural.points import POINTS
from . import base, live, targets
from .points import label


def shown(obj: bpy.types.Object) -> FigurePose:
    """Return the pose in which Blender shows a character."""
    scene, depsgraph = bpy.context.scene, bpy.context.evaluated_depsgraph_get()
    rig = live.follower_of(obj).rig(obj, scene)
    motions = rig.shown_motions(obj, depsgraph)
    return FigurePose(rig.body.rotations(motions)[0], motions["pelvis"].position[0])


@contextmanager
def kept_on_failure(characters: Iterable[bpy.types.Object]) -> Iterator[None]:
    """Restore characters and their targets to their current pose if the block fails."""
    before = []
    for obj in characters:
        own = obj.neurarig.neural_pose
        before.append((obj, own.base, [(item.object, item.object.location.copy()) for item in own.targets if item.object is not None]))
    try:
        yield
    except BaseException:
        for obj, stored, places in before:
            obj.neurarig.neural_pose.base = stored
            for target, place in places:
                target.location = place
            bpy.context.view_layer.update()
            live.follower_of(obj).show(obj, bpy.context.scene)
        raise


def take(obj: bpy.types.Object, away: np.ndarray, root: np.ndarray) -> list[str]:
    """Put a character, and the empties made for it, into a pose: its roles rotated by `away` `(1, r, 3, 3)`, the pelvis at `root` `(1, 3)`.

    Returns the labels of the points whose targets stay where they are: chosen or animated ones.
    """
    scene, follower = bpy.context.scene, live.follower_of(obj)
    rig = follower.rig(obj, scene)
    heads = rig.body.tree.heads(away, root) if rig.trunk is None else rig.trunk.heads(away, root)
    motions = rig.body.moved(away, heads)
    to_world = rig.walk_to_world(obj, scene.unit_settings.scale_length)
    base.remember(obj, rig, motions)
    follower.settings_changed()
    moved = targets.snap(obj, scene, rig.body.points(motions)[0] @ to_world[:3, :3].T + to_world[:3, 3])
    bpy.context.view_layer.update()
    follower.show(obj, scene)
    bpy.context.view_layer.update()
    return [label(item.point) for item in obj.neurarig.neural_pose.targets if POINTS.index(item.point) not in moved]
