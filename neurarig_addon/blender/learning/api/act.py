"""Learn Act, for scripts; exported by `blender.api`.

number = api.learn_act(hero, "vault.bvh", "Vault", at=4.0)
"""

from dataclasses import replace
from typing import Any

import bpy
from bpy.types import Object

from ....core.acts.act_file import to_json
from ....core.acts.learn import learned, learned_upper
from ....core.errors import NeuraRigError, about
from ....core.takes.performance import Performance
from ...animation.steps import Steps, at_once, part_of
from ...character.read_character import read_character
from ...retarget import read_source
from ...walk.api import acts
from ...walk.settings import requirements
from .take import Source, clip_source_of


@at_once
def learn_act(
    obj: Object,
    source: Source,
    name: str,
    *,
    armature: Object | None = None,
    seconds: tuple[float, float] | None = None,
    upper: bool = False,
    **given: Any,
) -> Steps[int]:
    """Learn an act from a clip, and add it to a character's walk; returns its number.

    Args:
        obj: the character that does it; it walks. source: a file (.bvh, .fbx, .glb, .gltf, .npz), an action,
        or another armature object for its present motion. name: what it is called. armature: owner of the
        action; by default the character. seconds: between which moments of the clip; by default from where
        the body leaves standing to where it stands again. upper: only what chest, head and arms do, over
        whatever the legs do. given: where and how, as `add_act` takes it: `distance`, `frame`, `length`.

    Raises NeuraRigError, with nothing changed, if the clip shows no act.
    """
    requirements.require_walk(obj)
    if not name.strip():
        raise NeuraRigError("A learned act needs a name. Type one.")
    clip = clip_source_of(obj, source, armature)
    return _steps(obj, clip, name.strip(), seconds, upper, given)


def _steps(
    obj: Object,
    clip: Any,
    name: str,
    seconds: tuple[float, float] | None,
    upper: bool,
    given: dict[str, Any],
) -> Steps[int]:
    clips = yield from part_of(read_source.read_steps(bpy.context, clip), 0.0, 0.6)
    with about(clip.label):
        performance = Performance.of(max(clips, key=len), read_character(obj))
        yield 0.8
        act = (learned_upper if upper else learned)(performance, name, *(seconds or (None, None)))
    yield 0.9
    text = to_json(replace(act, description=f"Learned from {clip.label}"[:200]))
    return acts.add_waiting(obj, "OWN", text=text, **given)
