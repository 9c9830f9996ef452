"""Every setting of a walk, a linked clip and a pose, changed by itself: taken or refused in a sentence; changed back, all is as before."""

from collections.abc import Iterator
from typing import Any

import bpy
import numpy as np
import pytest

from tests.blender.keeping import link, pose, walk
from tests.blender.situated import free
from tests.blender.walking import played

pytestmark = pytest.mark.usefixtures("addon")

NOT_BY_HAND = {"report", "error", "preset", "profile", "base", "live", "file", "mapping", "name"}
FRAMES = (8.5, 30)


def others(settings: bpy.types.PropertyGroup) -> Iterator[tuple[str, Any]]:
    """Yield every setting with a value that it could have instead; of choices each."""
    for prop in settings.bl_rna.properties:
        if prop.identifier in NOT_BY_HAND or prop.is_readonly or prop.is_hidden or getattr(prop, "is_array", False):
            continue
        if prop.type == "BOOLEAN":
            yield prop.identifier, not getattr(settings, prop.identifier)
        elif prop.type == "FLOAT":
            yield prop.identifier, 0.7 * prop.soft_max + 0.3 * prop.soft_min if prop.soft_max < 1e5 else prop.default + 1.5
        elif prop.type == "INT":
            yield prop.identifier, prop.default + 3
        elif prop.type == "ENUM" and not prop.is_enum_flag:
            yield from ((prop.identifier, item.identifier) for item in prop.enum_items if item.identifier != prop.default)


@pytest.mark.parametrize(("begin", "of"), [(walk, "walk"), (link, "retarget"), (pose, "neural_pose")])
def test_each_is_changed_and_changed_back(begin, of: str):
    obj = free()
    begin(obj)
    settings = getattr(obj.neurarig, of)
    before, moving = played(obj, FRAMES), set()
    for name, value in list(others(settings)):
        was = getattr(settings, name)
        setattr(settings, name, value)
        seen = played(obj, FRAMES)
        assert np.isfinite(seen).all(), name
        if np.abs(seen - before).max() > 1e-4:
            moving.add(name)
        assert not settings.error or settings.error.endswith("."), f"{name}: {settings.error}"
        setattr(settings, name, was)
        if not settings.live:
            assert settings.error, f"{name} turns it off and says nothing"
            settings.live = True
        np.testing.assert_allclose(played(obj, FRAMES), before, atol=1e-4, err_msg=name)
    assert len(moving) > {"walk": 30, "retarget": 5, "neural_pose": 0}[of]
