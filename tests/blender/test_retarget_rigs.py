"""A recorded walk on rigs made by others: one of each kind; all of them behind `python -m benchmarks
retarget_rigs`."""

import pytest

from neurarig_addon.blender.interface import report_text
from tests.blender.recorded_walk import allowed_share, retargeted
from tests.shared_rigs import ROWS

# Mixamo, centimetres and no scale, a bird's legs, no feet at all, one bone a leg, three spine bones more,
# metarig facing back, generated.
ONE_BONE_LEGS = "raylib_guy_one_bone_legs.blend"
FILES = (
    "mpfb_mixamo.blend",
    "syn_valve_biped.blend",
    "quaternius_raptor.glb",
    "sketchbook_boxman_ik.blend",
    ONE_BONE_LEGS,
    "syn_mmd_semistandard.blend",
    "vrm0_hipsbone_facing_back.vrm",
    "rigify_generated_human.blend",
)


@pytest.mark.few(3)
@pytest.mark.parametrize("controls", ["FK", "IK"])
@pytest.mark.parametrize("file", FILES)
def test_a_recorded_walk_is_planted(file: str, controls: str) -> None:
    report = retargeted(next(row for row in ROWS if row["file"] == file), controls)
    if file == ONE_BONE_LEGS and controls == "FK":
        # legs without knees that keep their feet cannot plant them: that is told
        assert "slip_mm" in report["past_limits"]
        return
    assert allowed_share(report) < 0.1 and not set(report["past_limits"]) - set(report_text.JOLTS)
    assert report["reach"] is None or report["reach"] <= 1.0
