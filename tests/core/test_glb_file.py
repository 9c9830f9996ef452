"""Clips are added to a GLB as glTF says: whole chunks, rows that fit their times, turns after rest."""

import json
import struct

import numpy as np
import pytest
from numpy.testing import assert_allclose

from neurarig_addon.core.sets.glb_file import with_clips

HALF = 0.5**0.5
TURNED = {"name": "Hips", "rotation": [0.0, 0.0, HALF, HALF], "translation": [1.0, 2.0, 3.0]}
NODES = [TURNED, {"name": "Chest"}, {"name": "Hips", "mesh": 0}]


def chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack("<I4s", len(data), kind) + data


@pytest.mark.parametrize("binary", [b"", b"12345\0\0\0"])
def test_bones_move_away_from_their_rest_pose(binary):
    scene = {"nodes": NODES} | ({"buffers": [{"byteLength": 5}]} if binary else {})
    text = json.dumps(scene).encode()
    chunks = chunk(b"JSON", text + b" " * (-len(text) % 4)) + (chunk(b"BIN\0", binary) if binary else b"")
    about_x = np.array([[1.0, 0.0, 0.0, 0.0], [HALF, HALF, 0.0, 0.0]])
    ahead = np.array([[0.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
    clips = [("Walk", 25.0, [("Hips", about_x), ("Hips", ahead), ("Chest", about_x)])]
    made = with_clips(struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks, clips)
    (length,) = struct.unpack_from("<I", made, 12)
    found, held = json.loads(made[20 : 20 + length]), made[28 + length :]
    assert len(made) == struct.unpack_from("<I", made, 8)[0] and held.startswith(binary[:5])
    (clip,) = found["animations"]

    def rows(accessor: int) -> np.ndarray:
        known = found["accessors"][accessor]
        view = found["bufferViews"][known["bufferView"]]
        assert view["byteOffset"] % 4 == 0 and view["byteOffset"] + view["byteLength"] <= len(held)
        return np.frombuffer(held, "<f4", view["byteLength"] // 4, view["byteOffset"]).reshape(2, -1)

    moves = {
        (each["target"]["node"], each["target"]["path"]): rows(clip["samplers"][each["sampler"]]["output"])
        for each in clip["channels"]
    }
    assert_allclose(rows(clip["samplers"][0]["input"]).ravel(), [0.0, 0.04], atol=1e-7)
    assert_allclose(moves[0, "rotation"], [[0.0, 0.0, HALF, HALF], [0.5, 0.5, 0.5, 0.5]], atol=1e-7)
    assert_allclose(moves[0, "translation"], [[1.0, 2.0, 3.0], [0.0, 2.0, 3.0]], atol=1e-6)
    assert_allclose(moves[1, "rotation"][1], [HALF, 0.0, 0.0, HALF], atol=1e-7)
