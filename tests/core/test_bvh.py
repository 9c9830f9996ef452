"""BVH text becomes a clip in metres that stands upright, and a damaged file one sentence."""

from time import process_time

import numpy as np
import pytest

from neurarig_addon.core.errors import NeuraRigError
from neurarig_addon.core.skeleton import bvh_text
from neurarig_addon.core.skeleton.bvh import parse_bvh, read_bvh
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
    np.testing.assert_allclose(clip.skeleton.tails[1], [0.5, 0.0, 0.6], atol=1e-12)
    np.testing.assert_allclose(clip.heads[0], [[0, 0, 0.9], [0.2, 0, 1.5], [0.1, 0, 0.0]], atol=1e-12)
    # Turned left by 90 degrees, what was at the left side (x) is behind the former front (-y is forward): at
    # +y.
    np.testing.assert_allclose(clip.heads[1, 1], [0.05, -0.07 + 0.2, 1.5], atol=1e-12)
    # The arm, raised by 90 degrees about the forward axis, points up whatever the hips do.
    np.testing.assert_allclose(clip.axes[1, 1, :, 1], [0, 0, 1], atol=1e-12)


def test_unit_and_up_axis_can_be_given():
    clip = parse_bvh(TEXT, metres_per_unit=0.02, up="z")
    np.testing.assert_allclose(clip.heads[0, 1], [0.4, 3.0, 0.0], atol=1e-12)


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
    with pytest.raises(NeuraRigError) as refusal:
        parse_bvh(TEXT.replace(there, instead, 1), "dance")
    message = str(refusal.value)
    assert "dance" in message and names in message and message.count(".") == 1 and "\n" not in message


def test_a_joint_may_be_called_as_a_part_of_the_file():
    assert "MOTION" in parse_bvh(TEXT.replace("JOINT Leg", "JOINT MOTION", 1)).skeleton.names


def test_any_truncation_is_refused_or_read():
    """Wherever a file is cut off, there is a sentence and never another exception."""
    for end in range(0, len(TEXT), 3):
        try:
            parse_bvh(TEXT[:end])
        except NeuraRigError:
            continue
        assert TEXT[end:].strip() in ("", "0") or TEXT[:end].count("\n") > 26  # after the first frame


def test_missing_file():
    with pytest.raises(NeuraRigError, match="cannot be read"):
        read_bvh("no/such/file.bvh")


def test_motion_capture_stands_upright_in_metres():
    clip = read_bvh(shared_path("data", "mocap", "walk", "cmu_02_01.bvh"))
    head = clip.heads[:, clip.skeleton.index["head"], 2]
    foot = clip.heads[:, clip.skeleton.index["lfoot"], 2]
    assert clip.fps == pytest.approx(60.0, rel=1e-3)
    assert 1.4 < head.mean() < 1.8 and foot.min() > -0.05


HEAD = TEXT.partition("MOTION")[0]


FORMS = {
    "lower case": TEXT.lower().replace("upper arm", "Upper Arm").replace("leg", "Leg").replace("hips",
        "Hips"),
    "upper case": TEXT.upper().replace("UPPER ARM", "Upper Arm").replace("LEG", "Leg").replace("HIPS",
        "Hips"),
    "comments": "# from a tracker\n" + TEXT.replace("\n", "  // here\n").replace("  0 0 90",
        " 0 0 90 ; turned\n# text\n"),
    "bytes behind": TEXT + "\0\0\x1a\nEND OF FILE 7\n",
    "channels first": TEXT.replace(" OFFSET 20 60 0\n", "").replace("Yrotation\n    End",
        "Yrotation OFFSET 20 60 0\n    End", 1),
    "joint for root, root for joint": TEXT.replace("ROOT", "A").replace("JOINT", "ROOT").replace("A Hips",
        "JOINT Hips"),
    "other numbers of channels": TEXT.replace("CHANNELS 3", "CHANNELS 6"),
    "decimal commas": TEXT.replace("0.04", "0,04").replace("0 90 0", "0,0 9,0e1 0"),
    "braces beside": TEXT.replace("\n  {", "{").replace("  }\n}", "}}"),
    "too many values": TEXT.replace("  0 0 0\n", "  0 0 0 1\n"),
    "scales": TEXT.replace("CHANNELS 6", "CHANNELS 7 Xscale").replace("\n0 90", "\n1 0 90").replace("\n5 90",
        "\n1 5 90"),
}  # fmt: skip


@pytest.mark.parametrize("form", FORMS)
def test_other_spellings_are_the_same_clip(form):
    wanted, found = parse_bvh(TEXT), parse_bvh(FORMS[form])
    assert found.skeleton.names == wanted.skeleton.names and bool(found.remark) == (form == "too many values")
    np.testing.assert_array_equal(found.heads, wanted.heads)
    np.testing.assert_array_equal(found.axes, wanted.axes)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_a_file_is_read_in_any_encoding_that_keeps_its_words(encoding, tmp_path):
    path = tmp_path / "clip.bvh"
    path.write_bytes(TEXT.encode(encoding))
    np.testing.assert_array_equal(read_bvh(path).heads, parse_bvh(TEXT).heads)


@pytest.mark.parametrize("said", [0, 1, 3, 99])
def test_whole_rows_are_used_and_counted(said):
    for cut in ("", "0 0 0\n", "\n5 90 7  0 0"):
        found = parse_bvh(TEXT.replace("Frames: 2", f"Frames: {said}") + cut)
        assert len(found) == 2 and f"{said} frames" in found.remark and "2 whole" in found.remark
    assert not parse_bvh(TEXT.replace("Frames: 2\n", "")).remark


# A hip with two bones below each other, which places alone carry: the upper one turns by 90 degrees about z.
PLACED = """HIERARCHY
ROOT Hips { OFFSET 0 0 0 CHANNELS 3 Xposition Yposition Zposition
  JOINT Upper { OFFSET 0 60 0 CHANNELS 3 Xposition Yposition Zposition
    JOINT Lower { OFFSET 0 40 0 CHANNELS 3 Xposition Yposition Zposition
      JOINT Tip { OFFSET 0 30 0 CHANNELS 3 Xposition Yposition Zposition }}}}
MOTION
Frames: 2
Frame Time: 0.04
0 0 0  0 60 0  0 40 0  0 30 0
7 0 0  0 60 0  -40 0 0  0 30 0
"""


WITHOUT_OFFSETS = PLACED.replace("OFFSET 0 60 0", "OFFSET 0 0 0").replace("OFFSET 0 40 0", "OFFSET 0 0 0")


OPPOSITE_OFFSETS = PLACED.replace("OFFSET 0 60 0", "OFFSET 0 -60 0").replace(
    "OFFSET 0 30 0", "OFFSET 0 -30 0"
)


@pytest.mark.parametrize(
    "text", [PLACED, WITHOUT_OFFSETS, OPPOSITE_OFFSETS], ids=["given", "zero", "opposite"]
)
def test_places_alone_carry_a_skeleton(text):
    clip = parse_bvh(text, metres_per_unit=0.01, up="y")
    np.testing.assert_allclose(clip.skeleton.heads[:, 2], [0, 0.6, 1.0, 1.3], atol=1e-12)
    np.testing.assert_allclose(
        clip.heads[1], [[0.07, 0, 0], [0.07, 0, 0.6], [-0.33, 0, 0.6], [-0.33, 0, 0.9]], atol=1e-12
    )
    np.testing.assert_allclose(
        clip.axes[1, :, :, 1], [[0, 0, 1], [-1, 0, 0], [0, 0, 1], [0, 0, 1]], atol=1e-5
    )
    assert bool(clip.remark) == (text != PLACED)


@pytest.mark.parametrize("seconds", ["1e-300", "1e-6", "0", "-1", "11", "nan", "inf"])
def test_a_frame_takes_a_time_that_somebody_may_have_recorded(seconds):
    with pytest.raises(NeuraRigError, match=r"frames of \S+ seconds"):
        parse_bvh(TEXT.replace("Frame Time: 0.04", f"Frame Time: {seconds}"))


def joints_without_channels(count: int, frames: int) -> str:
    """Return a file whose joints cost no letter in a frame."""
    heads = [
        "ROOT root {\nOFFSET 0 0 0\nCHANNELS 1 Xposition",
        *(f"JOINT j{row} {{\nOFFSET 0 1 0\nCHANNELS 0" for row in range(1, count)),
    ]
    text = "\n".join(["HIERARCHY", *heads, *"}" * count])
    return f"{text}\nMOTION\nFrames: {frames}\nFrame Time: 0.01\n" + "1\n" * frames


def test_many_joints_that_never_move_are_not_worth_a_small_file():
    assert len(parse_bvh(joints_without_channels(50, 20))) == 20
    with pytest.raises(NeuraRigError, match="too small for 20000 frames of 2000 joints"):
        parse_bvh(joints_without_channels(2_000, 20_000))
    assert len(parse_bvh(joints_without_channels(1, 2).replace("Frames: 2", "Frames: 999999999"))) == 2


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
    with pytest.raises(NeuraRigError):
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
        np.testing.assert_array_equal(found.axes, wanted.axes)
