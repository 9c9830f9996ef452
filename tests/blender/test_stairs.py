"""A staircase that is nothing but a mesh: a character walks up and down it, tread by tread, measured on the
evaluated rig."""

import bpy
import numpy as np
import pytest

from neurarig_addon.blender import api
from tests.blender import leading
from tests.blender.walking import walker

RISER, TREAD, COUNT = 0.17, 0.29, 8
BEFORE, AFTER, HALF_WIDTH = 5.0, 7.0, 2.0


def staircase(start: float, rises: float) -> bpy.types.Object:
    """Return a staircase along -Y, where characters face, that begins after some metres; `rises` 1 up, -1
    down."""
    noses = start + TREAD * np.arange(COUNT)
    way = np.concatenate([[-BEFORE], np.repeat(noses, 2), [noses[-1] + AFTER]])
    height = rises * RISER * np.repeat(np.arange(COUNT + 1), 2)
    points = np.stack([np.repeat(way * 0.0, 2), -np.repeat(way, 2), np.repeat(height, 2)], axis=1)
    points[:, 0] = np.tile([-HALF_WIDTH, HALF_WIDTH], len(way))
    corner = 2 * np.arange(len(way) - 1)
    return leading.mesh("Stairs", points, np.stack([corner + 1, corner + 3, corner + 2, corner], axis=1))


@pytest.mark.parametrize("rises", [1.0, -1.0])
@pytest.mark.parametrize("mode", ["TRAVEL", "PATH"])
def test_a_character_takes_the_stairs_of_a_mesh(mode, rises):
    ground = staircase(3.0, rises)
    path = leading.curve([(0.0, 0.0), (0.0, -11.0)]) if mode == "PATH" else None
    obj = walker(mode=mode, ground=ground, speed=1.2, **({"path": path} if path else {}))
    report = api.contact_report(obj, (1, 220))
    assert max(side["max"] for side in report["slip_mm"].values()) < 0.5
    assert report["penetration_mm"] < 1.0 and report["reach"] < 0.999 and report["past_limits"] == []
