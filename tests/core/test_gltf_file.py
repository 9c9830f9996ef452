"""glTF files are looked through before they are imported: what they say they hold must fit into them."""

import json
import struct
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from neurarig_addon.core.files.scene_file import require_sound
from tests.refusals import refuses

FLOAT, BIG = 5126, 2**40
SCENE: dict[str, Any] = {
    "asset": {"version": "2.0"},
    "nodes": [{"children": [1, 2]}, {"children": [3]}, {}, {}],
    "buffers": [{"byteLength": 96}],
    "accessors": [
        {"count": 4, "type": "SCALAR", "componentType": FLOAT},
        {"count": 4, "type": "VEC4", "componentType": FLOAT},
    ],
    "animations": [
        {"channels": [{"sampler": 0, "target": {"node": 1}}], "samplers": [{"input": 0, "output": 1}]}
    ],
    "meshes": [{"primitives": [{"attributes": {"POSITION": 1}, "indices": 0, "targets": [{"POSITION": 1}]}]}],
    "skins": [{"joints": [1], "inverseBindMatrices": 1}],
}


def glb(scene: object, length: int = 0) -> bytes:
    """Return a binary file of a scene; `length` of its JSON, as it says."""
    text = json.dumps(scene).encode()
    chunks = (
        struct.pack("<I4s", length or len(text), b"JSON")
        + text
        + struct.pack("<I4s", 96, b"BIN\0")
        + bytes(96)
    )
    return struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks


def changed(*path: str | int, to: object) -> dict[str, Any]:
    """Return the scene with one thing in it another."""
    scene = deepcopy(SCENE)
    *places, last = path
    within: Any = scene
    for place in places:
        within = within[place]
    within[last] = to
    return scene


@pytest.mark.parametrize("ending", ["glb", "gltf"])
@pytest.mark.parametrize(
    "scene", [SCENE, {"asset": {"version": "2.0"}}, changed("accessors", 0, "count", to=2**15)]
)
def test_a_sound_file_passes(tmp_path: Path, ending: str, scene: dict) -> None:
    path = tmp_path / f"sound.{ending}"
    path.write_bytes(glb(scene) if ending == "glb" else json.dumps(scene).encode())
    require_sound(path)


def test_numbers_in_a_file_beside_it_count(tmp_path: Path) -> None:
    path = tmp_path / "sound.gltf"
    path.write_text(
        json.dumps(
            changed("buffers", to=[{"uri": "its%20numbers.bin"}])
            | {"accessors": [{"count": 2**17, "type": "VEC4"}] * 2}
        )
    )
    (tmp_path / "its numbers.bin").write_bytes(b"")
    with refuses("damaged"):
        require_sound(path)
    (tmp_path / "its numbers.bin").write_bytes(bytes(2**20))
    require_sound(path)


@pytest.mark.parametrize(
    "scene",
    [
        changed("accessors", 1, "count", to=BIG),
        changed("accessors", 1, "count", to=-1),
        changed("accessors", 1, "count", to=1e300),
        changed("accessors", 0, "count", to=10**400),
        changed("accessors", 1, "type", to="VEC9"),
        changed("nodes", 3, to={"children": [1]}),
        changed("nodes", 3, to={"children": [3]}),
        changed("nodes", 3, to={"children": [0]}),
        changed("nodes", 3, to={"children": [-1]}),
        changed("nodes", 3, to={"children": [4]}),
        changed("nodes", to=[{"children": [1]}, {"children": [0]}]),
        changed("animations", 0, "samplers", to=[]),
        changed("animations", 0, "channels", to=[{"sampler": 0}] * 1000)
        | {"accessors": [{"count": 2**16, "type": "SCALAR"}] * 2},
        changed("meshes", 0, "primitives", 0, "targets", to=[{"POSITION": 1}] * 1000)
        | {"accessors": [{"count": 4, "type": "SCALAR"}, {"count": 2**16, "type": "VEC3"}]},
        changed("skins", 0, "inverseBindMatrices", to=9),
        changed("buffers", 0, to={"uri": "x" * 5000}),
        changed("asset", to=float("nan")),
        [],
        "text",
    ],
)
def test_one_that_says_it_holds_more_than_it_can_is_refused(tmp_path: Path, scene: object) -> None:
    path = tmp_path / "bomb.glb"
    path.write_bytes(glb(scene))
    with refuses(r"'bomb.glb' is damaged or cut off; export it again"):
        require_sound(path)


@pytest.mark.parametrize("name", ["/dev/zero", ".", "missing.bin"])
def test_numbers_that_are_no_file_are_refused_by_name(tmp_path: Path, name: str) -> None:
    path = tmp_path / "endless.gltf"
    path.write_text(json.dumps(changed("buffers", 0, to={"uri": name})))
    with refuses(r"cannot be read"):
        require_sound(path)
