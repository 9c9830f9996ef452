"""Step rate and time on the ground as an animator has them: sliders that key, and a sentence where no body
does what they ask for."""

import pytest

from neurarig_addon.blender import api
from tests.blender.walking import walker


def test_cadence_is_steps_a_minute_at_the_same_speed() -> None:
    natural = api.contact_report(walker(speed=1.3, whole_frames=False))
    quick = api.contact_report(walker(speed=1.3, cadence=1.2, whole_frames=False))
    assert quick["cadence_steps_min"] == pytest.approx(1.2 * natural["cadence_steps_min"], rel=1e-6)
    assert quick["ground_speed_m_s"] == pytest.approx(natural["ground_speed_m_s"])
    assert quick["held_back"] == natural["held_back"] == []


def test_what_no_body_does_is_told() -> None:
    obj = walker(speed=1.3)
    report = api.generate_walk(obj, duty_factor=0.4)
    assert report["duty_factor"]["L"] == pytest.approx(0.51) and "Set Gait to Run" in report["held_back"][0]
    report = api.generate_walk(obj, duty_factor=1.0, gait="RUN", speed=3.5)
    assert report["held_back"] == [] and report["duty_factor"]["L"] < 0.4
