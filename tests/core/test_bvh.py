"""BVH text becomes a clip in metres that stands upright, and a damaged file one sentence."""

from time import process_time

import pytest
from numpy.testing import assert_allclose, assert_array_equal

from neurarig_addon.core.skeleton import bvh_text
from neurarig_addon.core.skeleton.bvh import parse_bvh, read_bvh
from tests.refusals import refuses
from tests.shared_data import shared_path

# A hip with one arm to the side: y up, z forward, centimetres.
TEXT = """HIERARCHY
ROOT Hips
{
  OFFSET 0 0 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  JOINT Upper Arm
  {
    OFFSET 20 60 0
    CHANNELS 3 Zrotation Xrotation Yrotation
    End Site
    {
      OFFSET 30 0 0
    }
  }
  JOINT Leg
  {
    OFFSET 10 -90 0
    CHANNELS 3 Zrotation Xrotation Yrotation
    End Site
    {
      OFFSET 0 0 10
    }
  }
}
MOTION
Frames: 2
Frame Time: 0.04
0 90 0  0 0 0  0 0 0  0 0 0
5 90 7  0 0 90  90 0 0  0 0 0
"""


def test_known_answer():
    clip = parse_bvh(TEXT)
    assert clip.fps == pytest.approx(25.0) and clip.frames.tolist() == [1.0, 2.0]
    assert clip.skeleton.names == ("Hips", "Upper Arm", "Leg")
    assert_allclose(clip.skeleton.tails[1], [0.5, 0.0, 0.6], atol=1e-12)
    assert_allclose(clip.heads[0], [[0, 0, 0.9], [0.2, 0, 1.5], [0.1, 0, 0.0]], atol=1e-12)
    # Turned left by 90 degrees, what was at the left side (x) is behind the former front (-y is forward): at
    # +y.
    assert_allclose(clip.heads[1, 1], [0.05, -0.07 + 0.2, 1.5], atol=1e-12)
    # The arm, raised by 90 degrees about the forward axis, points up whatever the hips do.
    assert_allclose(clip.axes[1, 1, :, 1], [0, 0, 1], atol=1e-12)


def test_unit_and_up_axis_can_be_given():
    clip = parse_bvh(TEXT, metres_per_unit=0.02, up="z")
    assert_allclose(clip.heads[0, 1], [0.4, 3.0, 0.0], atol=1e-12)


@pytest.mark.parametrize("line, there, instead, names", [
    (1, "HIERARCHY", "HIERARCHIE", "line 1"),
    (5, "Zposition Zrotation", "Zposition Qrotation", "Qrotation"),
    (8, "OFFSET 20 60 0", "OFFSET 20 sixty 0", "line 8"),
    (8, "OFFSET 20 60 0", "OFFSET 20 nan 0", "line 8"),
    (8, "OFFSET 20 60 0", "OFFSET 20 1e300 0", "too large"),
    (8, "OFFSET 20 60 0\n", "", "'OFFSET' was expected"),
    (24, "  }\n}\nMOTION", "  }\nMOTION", "too early"),
    (25, "MOTION", "MOTIN", "MOTION"),
    (26, "Frames: 2", "Frames: many", "Frames:"),
    (26, "Frames: 2", "0 0 0\nFrames: 2", "Frames:"),
    (28, "0 90 0  0 0 0", "0 9O 0  0 0 0", "word"),
    (28, "0 90 0  0 0 0", "0 inf 0  0 0 0", "not numbers"),
    (28, "0 90 0  0 0 0", "0 1e300 0  0 0 0", "not numbers"),
    (28, "  0 0 0\n", "\n", "9 values for 12 channels in the row of frame 1"),
    (28, "  0 0 0  0 0 0  0 0 0\n5 90 7  0 0 90  90 0 0  0 0 0\n", "\n", "no whole frame"),
])  # fmt: skip
def test_damage_is_one_sentence(line, there, instead, names):
    with refuses() as refusal:
        parse_bvh(TEXT.replace(there, instead, 1), "dance")
    message = str(refusal.value)
    assert "dance" in message and names in message and message.count(".") == 1 and "\n" not in message


def test_a_joint_may_be_called_as_a_part_of_the_file():
    assert "MOTION" in parse_bvh(TEXT.replace("JOINT Leg", "JOINT MOTION", 1)).skeleton.names


def test_missing_file():
    with refuses("cannot be read"):
        read_bvh("no/such/file.bvh")


def test_motion_capture_stands_upright_in_metres():
    clip = read_bvh(shared_path("data", "mocap", "walk", "cmu_02_01.bvh"))
    head = clip.heads[:, clip.skeleton.index["head"], 2]
    foot = clip.heads[:, clip.skeleton.index["lfoot"], 2]
    assert clip.fps == pytest.approx(60.0, rel=1e-3)
    assert 1.4 < head.mean() < 1.8 and foot.min() > -0.05


HEAD = TEXT.partition("MOTION")[0]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_a_file_is_read_in_any_encoding_that_keeps_its_words(encoding, tmp_path):
    path = tmp_path / "clip.bvh"
    path.write_bytes(TEXT.encode(encoding))
    assert_array_equal(read_bvh(path).heads, parse_bvh(TEXT).heads)


@pytest.mark.parametrize("seconds", ["1e-300", "1e-6", "0", "-1", "11", "nan", "inf"])
def test_a_frame_takes_a_time_that_somebody_may_have_recorded(seconds):
    with refuses(r"frames of \S+ seconds"):
        parse_bvh(TEXT.replace("Frame Time: 0.04", f"Frame Time: {seconds}"))


@pytest.mark.few
@pytest.mark.parametrize(
    "text",
    [
        "\n" * 500_000,
        " \n" * 300_000 + "MOTION",
        "x" * 1_000_000,
        HEAD.replace("JOINT Leg", "JOINT " + "[" * 60_000) + "MOTION\nFrames: 2\n",
        HEAD + "MOTION\nFrames: 2\nFrame Time: 0.04\n" + "1" * 1_000_000,
        HEAD + "MOTION\n" + "\n" * 300_000 + "Frames: 2\n",
        HEAD + "MOTION\nFrames: " + "9" * 100_000 + "\nFrame Time: 0.04\n",
    ],
    ids=["breaks", "blank lines", "one word", "a name", "one number", "breaks in the head", "a count"],
)
def test_inflated_files_are_read_in_one_pass(text):
    begin = process_time()
    with refuses():
        parse_bvh(text)
    assert process_time() - begin < 5.0  # what goes back at every line takes hours


@pytest.mark.parametrize("at_once", [1, 2, 7, 2**20])
def test_numbers_may_stand_on_any_lines(at_once, monkeypatch):
    """The motion is read in blocks: none may cut a number in two."""
    head, motion = TEXT.split("Frame Time: 0.04\n")
    wanted = parse_bvh(TEXT)
    monkeypatch.setattr(bvh_text, "_AT_ONCE", at_once)
    for blank in (" ", "\n", "\t \r\n", " " * 5, "\n" * 7):
        found = parse_bvh(f"{head}Frame Time: 0.04\n{blank.join(motion.split())}")
        assert_array_equal(found.axes, wanted.axes)
