"""The kinds of files that only Blender's side reads: presets put on a character, and what a .blend stores of
one that is attached."""

import json
import tempfile
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import patch

import bpy
import numpy as np

from neurarig_addon.blender import api
from neurarig_addon.blender.character import record
from neurarig_addon.blender.walk.manner import presets
from neurarig_addon.blender.walk.show import live
from tests.blender.drawing import drawn
from tests.blender.walking import seen

from . import linked, samples, scenes
from .figure import BEGIN, addon, character, walking
from .kind import Kind
from .mutation import spoiled, spoiled_json

_JSON = "{["
END = {record.WALK: api.remove_walk, record.CLIP: api.remove_retarget, record.POSE: api.remove_targets}


def _texts(owner: bpy.types.bpy_struct, path: str = "") -> Iterator[tuple[str, str]]:
    """Yield `(path, text)` of every text that is stored below a property."""
    for known in (known for known in owner.bl_rna.properties if known.identifier != "rna_type"):
        value = getattr(owner, known.identifier)
        if known.type == "STRING" and value and not known.is_readonly:
            yield path + known.identifier, value
        elif known.type == "POINTER" and isinstance(value, bpy.types.PropertyGroup):
            yield from _texts(value, f"{path}{known.identifier}.")
        elif known.type == "COLLECTION":
            for number, item in enumerate(value):
                yield from _texts(item, f"{path}{known.identifier}[{number}].")


@cache
def stored_samples() -> list[bytes]:
    """Return what is stored of characters attached in each way: how, and its texts by their paths, those of
    JSON as what they hold."""
    found = []
    for begin in BEGIN:
        texts = {
            path: json.loads(text) if text[0] in _JSON else text
            for path, text in _texts(character(begin).neurarig)
        }
        found.append(json.dumps({"begin": begin, "texts": texts}).encode())
    return found


def spoiled_texts(rng: Random, content: bytes) -> bytes:
    """Return stored texts of which one or two are damaged: in what their JSON holds, or anywhere; of a list
    no more than of others."""
    stored = json.loads(content)
    kinds = sorted({path.partition("[")[0] for path in stored["texts"]})
    for kind in rng.sample(kinds, rng.choice((1, 1, 2))):
        path = rng.choice([path for path in stored["texts"] if path.partition("[")[0] == kind])
        value = stored["texts"][path]
        text = value if isinstance(value, str) else json.dumps(value)
        damaged = (
            spoiled(rng, text.encode())
            if isinstance(value, str) or rng.random() < 0.4
            else spoiled_json(rng, text.encode())
        )
        stored["texts"][path] = damaged.decode("utf-8", "replace").replace("\0", "")
    return json.dumps(stored).encode()


def use_stored(path: Path) -> None:
    """Open, play, show and remove a character of which a file stores damaged texts."""
    stored = json.loads(path.read_bytes())
    obj = character(stored["begin"])
    for place, text in stored["texts"].items():
        owner, _, name = place.rpartition(".")
        if isinstance(text, str):
            setattr(obj.neurarig.path_resolve(owner) if owner else obj.neurarig, name, text)
    live.invalidate(obj)
    bpy.context.scene.frame_set(7)
    for name in (
        name
        for name in dir(bpy.types)
        if name.startswith("NEURARIG_PT_") and name != "NEURARIG_PT_export_fbx"
    ):
        drawn(name)
    for holder, end in END.items():
        settings = record.settings_of(obj, holder)
        assert "internal error" not in settings.error, settings.error
        if holder == record.holder_of(obj):
            end(obj)
    assert not obj.neurarig.attachment and not any(bone.name.startswith("NR-") for bone in obj.data.bones)


def preset(kind: str) -> Callable[[Path], Any]:
    """Return what puts a file of a kind of presets on a character that walks."""

    def use(path: Path) -> None:
        obj = walking()
        with (
            tempfile.TemporaryDirectory() as folder,
            patch.object(presets, "_user_folder", lambda _kind: Path(folder)),
        ):
            (Path(folder) / "damaged.json").write_bytes(path.read_bytes())
            presets.description(kind, "Damaged")
            api.apply_preset(obj, "Damaged", kind)
        assert "internal error" not in obj.neurarig.walk.error, obj.neurarig.walk.error
        assert np.isfinite(seen(obj, 7)).all()

    return use


def walk_presets() -> list[bytes]:
    """Return walk presets: the shipped one, and others with sliders and styles."""
    sliders = {name: round(0.1 * number, 2) for number, name in enumerate(presets.WALK_SLIDERS)}
    made = {
        "format": "neurarig-walk",
        "version": 1,
        "name": "Own",
        "pace": 0.4,
        "sliders": sliders,
        "styles": {"Sad": 0.5, "Swagger": 1.0},
    }
    return [*(path.read_bytes() for path in presets._shipped(presets.WALK)), json.dumps(made).encode()]


def role_maps() -> list[bytes]:
    """Return a role map of the test figure."""
    addon()
    bones = {item.role: item.bone for item in character("walk").neurarig.roles if item.bone}
    return [json.dumps({"format": "neurarig-roles", "version": 1, "name": "Own", "bones": bones}).encode()]


KINDS = {
    **scenes.KINDS,
    **linked.KINDS,
    "preset_walk": Kind(".json", walk_presets, spoiled_json, preset(presets.WALK)),
    "preset_roles": Kind(".json", role_maps, spoiled_json, preset(presets.ROLES)),
    "preset_controls": Kind(".json", samples.control_maps, spoiled_json, preset(presets.CONTROLS)),
    # with a file, a rig and all panels
    "stored": Kind(".json", stored_samples, spoiled_texts, use_stored, seconds=3.0),
}
