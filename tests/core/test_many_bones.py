"""Characters with thousands of bones besides the body: hair, fur, feathers, loose strands."""

from time import process_time

import numpy as np
import pytest

from neurarig_addon.core.detection.detect import detect
from neurarig_addon.core.geometry.neighbours import near_pairs
from neurarig_addon.core.skeleton.anatomy import anatomy
from neurarig_addon.core.skeleton.loose_bones import loose_bones
from neurarig_addon.core.skeleton.reversed_feet import with_feet_forward

from . import skeletons as made

MANY = 2000
LIMIT_S = 3.0  # of the processor; what compares all pairs takes minutes


def hair(holder, along):
    """Return strands of bones of 3 cm round the head, `along` bones each: all on `holder`, None for none."""
    bones = {}
    for number in range(MANY // along):
        place = np.array([0.1 * np.cos(number), 0.1 * np.sin(number), 1.72])
        above = holder
        for joint in range(along):
            tail = place + [0.01 * np.cos(number), 0.01 * np.sin(number), 0.028]
            name = f"strand{number}.{joint}"
            bones[name] = (above, tuple(place), tuple(tail))
            place, above = tail, name if holder else None
    return bones


@pytest.mark.few(2)
@pytest.mark.parametrize(("holder", "along"), [("head", 1), ("head", 10), (None, 1), (None, 10)])
def test_thousands_of_bones_of_hair_cost_seconds_and_change_no_role(holder, along):
    plain = made.skeleton(made.biped())
    given = made.skeleton(made.biped() | hair(holder, along))
    start = process_time()
    skeleton = with_feet_forward(given)
    roles = detect(skeleton)
    body = anatomy(skeleton, roles)
    loose = loose_bones(skeleton, roles)
    assert process_time() - start < LIMIT_S
    assert roles.bones == detect(plain).bones
    assert len(body.joints) < 20 * len(skeleton.names)
    known = {tuple(skeleton.names[row] for row in pair) for pair in body.joints}
    small = anatomy(plain, roles)
    assert known >= {tuple(small.names[row] for row in pair) for pair in small.joints}
    assert not set(loose) & set(plain.names)


def test_near_points_are_those_of_a_comparison_of_all():
    draw = np.random.default_rng(3)
    for count, size in ((0, 1.0), (1, 1.0), (300, 3.0), (300, 1e6)):
        points, others = size * draw.random((count, 3)), size * draw.random((200, 3))
        points[: count // 9] = others[: count // 9]
        expected = np.argwhere(np.linalg.norm(points[:, None] - others[None], axis=2) < 0.2)
        np.testing.assert_array_equal(np.stack(near_pairs(points, others, 0.2), axis=1), expected)
