"""Every setting of a walk, a linked clip and a pose, changed by itself: taken or refused in a sentence;
changed back, all is as before."""

import numpy as np
import pytest

from tests.blender.keeping import link, pose, walk
from tests.blender.other_values import others
from tests.blender.situated import free
from tests.blender.walking import played

FRAMES = (8.5, 30)


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
