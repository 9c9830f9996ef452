"""Learning styles, for scripts; exported by `blender.api`.

style = api.learn_style("sad.bvh", "Sad")
api.generate_walk(hero, styles={"Sad": 1.0})
"""

from dataclasses import replace
from pathlib import Path

import bpy
from bpy.types import Action, Object

from ....core.character.character import Character
from ....core.errors import NeuraRigError, about
from ....core.skeleton.bvh import read_bvh
from ....core.skeleton.clip import Clip
from ....core.skeleton.roles import require_two_legs
from ....core.skeleton.standing_pose import stood
from ....core.styles.learn import learning
from ....core.styles.learned_style import LONGEST_NAME, LearnedStyle
from ....core.styles.likeness import StyleFit
from ....core.styles.recording import record as recorded_of
from ...animation import compat
from ...animation.steps import Steps, at_once, part_of
from ...character import record
from ...character.read_character import read_character
from ...character.read_clip import read_clip_steps
from ...retarget.read_source import read_imported
from ...retarget.source import IMPORTED
from ...walk.manner import presets, styles
from ...walk.manner.gait_source import natural_gait

BVH = ".bvh"
Source = str | Path | Action | Object


@at_once
def learn_style(source: Source, name: str, *, armature: Object | None = None) -> Steps[LearnedStyle]:
    """Learn a style from a clip, save it to the user's styles, replacing one of the same name, and return it.

    Its `description` states how well it fits, in degrees and in words, and what was left out.

    Args:
        source: a file (.bvh, .fbx, .glb, .gltf), an action, or an armature object for its present motion.
        name: name of the style.
        armature: owner of the action; optional if one armature of the scene plays it, or there is only one.

    Raises NeuraRigError, and saves nothing, if the source has no steady walk.
    """
    name = name.strip()
    if len(name) > LONGEST_NAME:
        raise NeuraRigError(f"A style's name has at most {LONGEST_NAME} letters; choose a shorter one.")
    presets.own_file(presets.STYLE, name)
    character, clip = yield from part_of(_read_steps(source, armature), 0.0, 0.6)
    require_two_legs(character.roles, "styles, and clips as walks, are learned from people")
    with about(clip.name):
        recorded = recorded_of(character, clip)
        steps = learning(recorded, natural_gait(), presets.listed_name(name))
        style = yield from part_of(steps, 0.6, 1.0)
    fit = StyleFit.of(recorded, style, natural_gait())
    style = replace(style, description=f"Learned from '{clip.name[:80]}': {fit.words}")
    styles.save(style)
    return style


def _read_steps(source: Source, armature: Object | None) -> Steps[tuple[Character, Clip]]:
    """Read the clip and its character."""
    yield 0.0
    if isinstance(source, Object):
        return (yield from _played_steps(source, None))
    if isinstance(source, Action):
        return (yield from _played_steps(armature or _player_of(source), source))
    file = Path(bpy.path.abspath(str(source)))
    ending = file.suffix.lower()
    if ending in IMPORTED:
        return max(read_imported(bpy.context, file), key=lambda one: len(one[1]))
    if ending != BVH:
        raise NeuraRigError(
            f"A style cannot be learned from '{file.name}'; choose a {', '.join((BVH, *sorted(IMPORTED)))}"
            " file."
        )
    clip = read_bvh(file)
    with about(file.name):
        return Character.of(clip.skeleton), clip


def _played_steps(obj: Object, action: Action | None) -> Steps[tuple[Character, Clip]]:
    if obj.type != "ARMATURE":
        raise NeuraRigError(f"'{obj.name}' is not an armature. Select the armature to learn from.")
    if action is None and record.holds(obj, record.WALK) and record.is_live(obj, record.WALK):
        raise NeuraRigError(
            f"'{obj.name}' is walking live. Bake or remove its walk to learn from an action of its own."
        )
    character = read_character(obj)
    clip = yield from read_clip_steps(bpy.context, obj, action, character=character)
    return replace(character, skeleton=stood(clip.skeleton, character.roles, character.standing)), clip


def _player_of(action: Action) -> Object:
    """Return the armature that plays an action, else the scene's only one."""
    armatures = [obj for obj in bpy.context.scene.objects if obj.type == "ARMATURE"]
    playing = [obj for obj in armatures if compat.playing(obj)[0] == action]
    found = playing or armatures
    if len(found) != 1:
        known = ", ".join(f"'{obj.name}'" for obj in found) or "none"
        raise NeuraRigError(
            f"It is not clear whose action '{action.name}' is: the scene's armatures are {known}; name one as"
            " `armature`."
        )
    return found[0]
