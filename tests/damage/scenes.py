"""The kinds of files that Blender imports: .glb, .gltf and .fbx with a walk."""

import json
import re
import struct
import tempfile
from base64 import b64encode
from contextlib import redirect_stdout
from functools import cache, partial
from io import StringIO
from pathlib import Path
from random import Random

import bpy
import numpy as np

from neurarig_addon.blender import api
from neurarig_addon.blender.retarget import read_source

from .figure import addon, character
from .kind import Kind
from .mutation import PATTERNS, spoiled, spoiled_json

# in an FBX: before it its node's size and count of properties, after it the properties
_NAME = re.compile(rb"[A-Z][A-Za-z]{3,}")


@cache
def scenes(ending: str) -> list[bytes]:
    """Return a character's walk as .glb or .fbx, with a mesh and without."""
    found = []
    for is_dressed in (False, True):
        obj = character("walk")
        bpy.context.scene.frame_end = 12
        if is_dressed:
            bpy.ops.mesh.primitive_cube_add()
            mesh = bpy.context.object
            mesh.vertex_groups.new(name="Hips").add(range(8), 1.0, "REPLACE")
            mesh.modifiers.new("Armature", "ARMATURE").object = obj
        api.bake_walk(obj, frame_start=1, frame_end=12)
        export = bpy.ops.export_scene.fbx if ending == ".fbx" else bpy.ops.export_scene.gltf
        with tempfile.TemporaryDirectory() as folder, redirect_stdout(StringIO()):
            path = Path(folder) / f"x{ending}"
            export(filepath=str(path))
            found.append(path.read_bytes())
    return found


def texts() -> list[bytes]:
    """Return the scenes as .gltf, their numbers within."""
    found = []
    for content in scenes(".glb"):
        text, rest = _chunks(content)
        scene = json.loads(text)
        scene["buffers"][0]["uri"] = "data:application/octet-stream;base64," + b64encode(rest[8:]).decode()
        found.append(json.dumps(scene).encode())
    return found


def _chunks(content: bytes) -> tuple[bytes, bytes]:
    """Return the JSON of a .glb, and the rest."""
    (length,) = struct.unpack_from("<I", content, 12)
    return content[20 : 20 + length], content[20 + length :]


def spoiled_scene(rng: Random, content: bytes) -> bytes:
    """Return a .glb with damage in its JSON, whose chunk is made to fit, or anywhere."""
    text, rest = _chunks(content)
    if rng.random() < 0.3:
        return spoiled(rng, content, PATTERNS)
    if rng.random() < 0.2:
        rest = spoiled(rng, rest, PATTERNS)
    else:
        text = spoiled_text(rng, text)
    return struct.pack("<4sIII4s", b"glTF", 2, 20 + len(text) + len(rest), len(text), b"JSON") + text + rest


def spoiled_text(rng: Random, text: bytes) -> bytes:
    """Return a .gltf with damage in what its JSON holds, or anywhere."""
    return spoiled_json(rng, text) if rng.random() < 0.8 else spoiled(rng, text)


def spoiled_nodes(rng: Random, content: bytes) -> bytes:
    """Return an .fbx with damage in or just beside the names of its nodes, or anywhere."""
    if rng.random() < 0.3:
        return spoiled(rng, content, PATTERNS)
    data = bytearray(content)
    names = [found.span() for found in _NAME.finditer(content)]
    for begin, end in rng.sample(names, rng.choice((1, 1, 2, 5))):
        at = rng.randrange(max(begin - 16, 0), min(end + 24, len(data)))
        part = rng.choice(
            (bytes([rng.randrange(256)]), bytes([data[at] ^ 1 << rng.randrange(8)]), rng.choice(PATTERNS))
        )
        data[at : at + len(part)] = part
    return bytes(data)


def use_scene(path: Path) -> None:
    """Read the clips of a file that Blender imports, and see that nothing of it stays."""
    addon()
    before = [
        block.name for block in (*bpy.data.objects, *bpy.data.actions, *bpy.data.scenes, *bpy.data.meshes)
    ]
    try:
        for _, clip in read_source.read_imported(bpy.context, path):
            assert np.isfinite(clip.heads).all()
    finally:
        assert [
            block.name for block in (*bpy.data.objects, *bpy.data.actions, *bpy.data.scenes, *bpy.data.meshes)
        ] == before


KINDS = {
    "glb": Kind(".glb", partial(scenes, ".glb"), spoiled_scene, use_scene),
    "gltf": Kind(".gltf", texts, spoiled_text, use_scene),
    "fbx": Kind(".fbx", partial(scenes, ".fbx"), spoiled_nodes, use_scene),
}
