"""What trackers would give of a figure: their own points, named their way, with a head of ordinary
measures."""

import numpy as np

from neurarig_addon.core.neural.points import INDEX
from neurarig_addon.core.skeleton.roles import SIDES

_WORDS = {"L": "left", "R": "right"}
# Metres ahead, to the left and up from the middle between the ears (means of adults).
_NOSE, _EYE, _EAR = np.array([0.115, 0.0, -0.02]), np.array([0.09, 0.032, 0.025]), np.array([0.0, 0.075, 0.0])
_EARS_ABOVE_HEAD = 0.05
LIMBS = ("shoulder", "elbow", "wrist", "hip", "knee", "ankle")


def _head(points: np.ndarray, head: np.ndarray) -> dict[str, np.ndarray]:
    """Return nose, eyes and ears of heads turned by `head` `(f, 3, 3)` away from looking ahead."""
    middle = points[:, INDEX["head"]] + head @ [0.0, 0.0, _EARS_ABOVE_HEAD]
    found = {"nose": middle + head @ _NOSE}
    for side, sign in (("L", 1.0), ("R", -1.0)):
        mirror = np.array([1.0, sign, 1.0])
        found |= {
            f"eye.{side}": middle + head @ (mirror * _EYE),
            f"ear.{side}": middle + head @ (mirror * _EAR),
        }
    return found


def coco(points: np.ndarray, head: np.ndarray) -> dict[str, np.ndarray]:
    """Return the 17 points of COCO by name, each `(f, 3)`."""
    told = _head(points, head) | {
        f"{part}.{side}": points[:, INDEX[f"{part}.{side}"]] for part in LIMBS for side in SIDES
    }
    return {_spelled(name): place for name, place in told.items()}


def mediapipe(points: np.ndarray, head: np.ndarray) -> dict[str, np.ndarray]:
    """Return what MediaPipe names of a body, without mouth and thumbs."""
    told = coco(points, head)
    for side in SIDES:
        tip, toe, ankle = (points[:, INDEX[f"{part}.{side}"]] for part in ("hand_tip", "toe_tip", "ankle"))
        ball = points[:, INDEX[f"ball.{side}"]]
        word = _WORDS[side]
        told |= {f"{word}_index": tip + [0.0, 0.0, 0.02], f"{word}_pinky": tip - [0.0, 0.0, 0.02]}
        told |= {f"{word}_heel": toe + (ball - toe) / 0.28, f"{word}_foot_index": toe, f"{word}_ankle": ankle}
    return told


def body_25(points: np.ndarray, head: np.ndarray) -> dict[str, np.ndarray]:
    """Return the points of OpenPose's BODY-25."""
    told = mediapipe(points, head)
    words = {
        "shoulder": "Shoulder",
        "elbow": "Elbow",
        "wrist": "Wrist",
        "hip": "Hip",
        "knee": "Knee",
        "ankle": "Ankle",
        "ear": "Ear",
    }
    words |= {"eye": "Eye", "heel": "Heel", "foot_index": "BigToe"}
    found = {f"{side}{words[part]}": told[f"{_WORDS[side]}_{part}"] for side in SIDES for part in words}
    found |= {f"{side}SmallToe": found[f"{side}BigToe"] for side in SIDES}
    shoulders = 0.5 * (points[:, INDEX["shoulder.L"]] + points[:, INDEX["shoulder.R"]])
    return found | {"Nose": told["nose"], "Neck": shoulders, "MidHip": points[:, INDEX["pelvis"]]}


def human36m(points: np.ndarray, head: np.ndarray) -> dict[str, np.ndarray]:
    """Return the 17 joints of Human3.6M, whose thorax is the base of the neck."""
    names = {"Hip": "pelvis", "Spine": "spine2", "Thorax": "neck", "Neck": "head", "Head": "head_top"}
    for side in SIDES:
        names |= {
            f"{side}{part}": f"{point}.{side}"
            for part, point in (("Hip", "hip"), ("Knee", "knee"), ("Foot", "ankle"))
        }
        names |= {f"{side}{part.title()}": f"{part}.{side}" for part in ("shoulder", "elbow", "wrist")}
    return {name: points[:, INDEX[point]] for name, point in names.items()}


def plug_in_gait(points: np.ndarray, rotations: np.ndarray) -> dict[str, np.ndarray]:
    """Return markers on the skin around the joints of a figure, in metres of an adult; `rotations` `(f, 22,
    3, 3)`."""
    pelvis, head = rotations[:, INDEX["pelvis"]], rotations[:, INDEX["head"]]
    hips = 0.5 * (points[:, INDEX["hip.L"]] + points[:, INDEX["hip.R"]])
    ears = points[:, INDEX["head"]] + head @ [0.0, 0.0, _EARS_ABOVE_HEAD]
    neck = points[:, INDEX["neck"]]
    found = {"C7": neck + [-0.06, 0.0, 0.0], "CLAV": neck + [0.06, 0.0, 0.0]}
    for side, sign in (("L", 1.0), ("R", -1.0)):
        found[f"{side}ASI"] = hips + pelvis @ [0.055, 0.125 * sign, 0.075]
        found[f"{side}PSI"] = hips + pelvis @ [-0.09, 0.045 * sign, 0.075]
        found[f"{side}FHD"], found[f"{side}BHD"] = (
            ears + head @ [ahead, 0.07 * sign, 0.05] for ahead in (0.08, -0.08)
        )
        for code, joint, turned, off in (
            ("KNE", "knee", "hip", [0.0, 0.05, 0.0]), ("ANK", "ankle", "knee", [0.0, 0.035, 0.0]),
            ("TOE", "ball", "ankle", [0.0, 0.0, 0.02]), ("SHO", "shoulder", "spine3", [0.0, 0.0, 0.05]),
            ("ELB", "elbow", "shoulder", [0.0, 0.0, 0.0]), ("WRA", "wrist", "elbow", [0.03, 0.0, 0.0]),
            ("WRB", "wrist", "elbow", [-0.03, 0.0, 0.0]),
        ):  # fmt: skip
            turn = rotations[:, INDEX[turned if turned in INDEX else f"{turned}.{side}"]]
            found[f"{side}{code}"] = points[:, INDEX[f"{joint}.{side}"]] + turn @ (
                np.array([1.0, sign, 1.0]) * off
            )
    return found


def _spelled(name: str) -> str:
    stem, _, side = name.partition(".")
    return f"{_WORDS[side]}_{stem}" if side else stem
