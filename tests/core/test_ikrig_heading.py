"""The heading of tipped hips: continuous in somersaults and cartwheels, defined upside down."""

import gzip

import numpy as np
import pytest

from neurarig_addon.core.character.character import Character
from neurarig_addon.core.geometry.rotation import about_x, about_y, about_z
from neurarig_addon.core.ikrig.decode import decode
from neurarig_addon.core.ikrig.encode import encode, heading_of
from neurarig_addon.core.skeleton.bvh import parse_bvh
from tests.shared_data import shared_path

from . import ikrig_clips as clips


def test_heading_is_where_upright_hips_point():
    yaw, pitch, roll = (
        np.linspace(-1.0, 9.0, 200),
        0.7 * np.sin(np.arange(200.0)),
        0.3 * np.cos(np.arange(200.0)),
    )
    hips = about_z(yaw) @ about_y(pitch) @ about_x(roll)
    np.testing.assert_allclose(
        heading_of(hips), yaw - yaw[0] + np.arctan2(hips[0, 1, 0], hips[0, 0, 0]), atol=1e-9
    )


@pytest.mark.parametrize("tilt", [0.0, 1e-9, 0.02, -0.2])
@pytest.mark.parametrize("about", [about_y, about_x], ids=["somersault", "cartwheel"])
def test_heading_goes_on_through_a_somersault(about, tilt):
    """Two full turns about an axis that is off level: the heading does not spin, and is the same after as
    before."""
    heading = heading_of(
        about_z(np.array(0.4)) @ about_x(np.array(tilt)) @ about(np.linspace(0.0, 4.0 * np.pi, 241))
    )
    assert np.abs(np.diff(heading)).max() < 0.25
    assert heading[-1] == pytest.approx(heading[0], abs=1e-6)


def test_heading_of_a_handstand_and_of_lying_is_defined():
    for hips in (about_y(np.full(3, np.pi)), about_y(np.full(3, np.pi / 2)), about_x(np.full(3, -np.pi / 2))):
        assert np.isfinite(heading_of(hips)).all()


def test_a_cartwheel_comes_back():
    with gzip.open(shared_path("data", "mocap", "pose", "cmu_49_06.bvh.gz"), "rt") as file:
        clip = parse_bvh(file.read())
    subject = Character.of(clip.skeleton)
    encoding = encode(subject, clip)
    before, after = subject.motions(clip), decode(encoding, subject)
    assert clips.far(before, after, list(before)).max() < 2.0
    assert np.abs(np.diff(encoding.heading)).max() < 0.5
