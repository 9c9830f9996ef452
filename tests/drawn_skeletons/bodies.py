"""Two-legged bodies drawn at random: proportions, rest pose, and how many bones each part has."""

from dataclasses import dataclass

import numpy as np

from .draft import Draft

SPINE_KEYS = tuple(f"spine {k}" for k in range(1, 7))
NECK_KEYS = tuple(f"neck {k}" for k in range(1, 6))
UPRIGHT, LEANING = "upright", "leaning"  # a person, a robot, a gorilla; a bird, a theropod


@dataclass(frozen=True)
class Build:
    """Proportions of a body in metres and the rest pose in degrees."""

    thigh: float
    shin: float
    ankle: float
    hips: float
    trunk: float
    shoulders: float
    upper_arm: float
    forearm: float
    neck: float
    foot: float
    apart: float
    crouch: float
    arms_down: float
    elbow: float
    lean: float


def draw_build(draw: np.random.Generator, kind: str) -> Build:
    """Draw a body: most like people, some with short legs, long arms or a great head."""
    odd = draw.random() < 0.3
    spread = 0.35 if odd else 0.1

    def around(value: float) -> float:
        return value * float(np.exp(draw.normal(0.0, spread)))

    crouch = draw.uniform(8.0, 35.0) if draw.random() < 0.25 else draw.uniform(0.0, 6.0)
    return Build(
        thigh=around(0.43), shin=around(0.42), ankle=around(0.08), hips=around(0.095), trunk=around(0.5),
        shoulders=around(0.16),
        upper_arm=around(0.28), forearm=around(0.26), neck=around(0.1), foot=around(0.13),
        apart=draw.uniform(5.0, 18.0) if draw.random() < 0.25 else draw.uniform(0.0, 4.0),
        crouch=crouch,
        arms_down=float(draw.choice([0.0, 45.0, 60.0, 85.0]) + draw.uniform(-4.0, 4.0)),
        elbow=draw.uniform(0.0, 25.0),
        lean=draw.uniform(50.0, 85.0) if kind == LEANING else draw.uniform(-3.0, 12.0),
    )  # fmt: skip


def draw_leg(draft: Draft, build: Build, draw: np.random.Generator, kind: str, parent: str) -> float:
    """Add the left leg below `parent` and return the height of the hip above the floor."""
    out = np.sin(np.radians(build.apart))
    # a mech's knee bends backward
    bend, backward = np.radians(build.crouch), draw.random() < 0.15 and kind == UPRIGHT
    sign = -1.0 if not backward else 1.0
    digitigrade = kind == LEANING and draw.random() < 0.85
    thigh = _limb(build.thigh, sign * np.sin(bend + np.radians(25.0) * digitigrade), out)
    shin = _limb(build.shin, -sign * np.sin(bend + np.radians(30.0) * digitigrade), out)
    metatarsus = _limb(
        build.shin * draw.uniform(0.45, 0.8), -np.sin(np.radians(draw.uniform(15.0, 35.0))), 0.0
    )
    ankle_height = -metatarsus[2] + 0.02 if digitigrade else build.ankle
    height = float(-thigh[2] - shin[2] + ankle_height)
    hip = np.array([build.hips, 0.0, height])
    knee = hip + thigh
    ankle = knee + shin
    ball = ankle + metatarsus if digitigrade else np.array([ankle[0], ankle[1] - build.foot, 0.02])
    tip = ball + [0.0, -0.55 * build.foot, -0.015]
    for part in ("thigh", "shin", "foot"):
        draft.roles[f"{part}.L"] = f"{part}.L"
    style = (
        draw.choice(["plain", "plain", "plain", "plain", "double knee", "hip link", "one bone", "no foot"])
        if kind == UPRIGHT
        else "plain"
    )
    if style == "hip link":
        parent = draft.chain(["hip link.L"], parent, [[0.3 * hip[0], 0.02, hip[2] + 0.05], hip])
    if style == "one bone":
        draft.chain(["thigh.L", "foot.L"], parent, [hip, ankle, ball])
        del draft.roles["shin.L"]
    elif style == "double knee":
        below = knee + 0.12 * shin
        draft.chain(["thigh.L", "knee.L", "shin.L", "foot.L"], parent, [hip, knee, below, ankle, ball])
        draft.roles["shin.L"] = "knee.L|shin.L"  # the first piece or the longest: both move the shin
    elif style == "no foot":
        draft.chain(["thigh.L", "shin.L"], parent, [hip, knee, ankle * [1, 1, 0]])
        del draft.roles["foot.L"]
    else:
        draft.chain(["thigh.L", "shin.L", "foot.L"], parent, [hip, knee, ankle, ball])
    if style != "no foot" and (digitigrade or draw.random() < 0.7):
        _toes(draft, draw, ball, tip, digitigrade)
    if style == "plain" and draw.random() < 0.08:
        # an IK foot kept apart from its leg
        draft.bones["foot.L"].parent = "root" if "root" in draft.bones else parent
    return height


def _limb(length: float, forward: float, out: float) -> np.ndarray:
    """Return a segment that hangs down, turned forward (-y is ahead, so a negative share) and outward by
    sines."""
    return length * np.array([out, forward, -np.sqrt(max(1.0 - forward**2 - out**2, 0.05))])


def _toes(draft: Draft, draw: np.random.Generator, ball: np.ndarray, tip: np.ndarray, fan: bool) -> None:
    """Add a toe bone, or several side by side, of which any will do as the toe."""
    count = int(draw.choice([2, 3, 4])) if fan and draw.random() < 0.6 else 1
    for k in range(count):
        aside = np.array([0.03 * (k - (count - 1) / 2.0), 0.0, 0.0])
        key = "toe.L" if k == 0 else f"toe {k + 1}.L"
        draft.add(key, "foot.L", ball + aside, tip + 2.0 * aside)
    draft.roles["toe.L"] = "|".join("toe.L" if k == 0 else f"toe {k + 1}.L" for k in range(count))


def draw_trunk(
    draft: Draft, build: Build, draw: np.random.Generator, hips: np.ndarray, parent: str | None
) -> str:
    """Add pelvis, spine, neck and head from the hips up, and return the chest's key."""
    lean = np.radians(build.lean)
    along = np.array([0.0, -np.sin(lean), np.cos(lean)])
    count = int(draw.choice([1, 2, 2, 3, 3, 3, 4, 5]))
    low = hips + [0.0, 0.0, draw.uniform(0.0, 0.06)]
    joints = [low + along * build.trunk * share for share in np.linspace(0.0, 1.0, count + 2)]
    draft.add("pelvis", parent, joints[0], joints[1])
    draft.roles["pelvis"] = "pelvis"
    # 3ds Max, MMD and others: the pelvis points down, and the spine starts where it does
    if draw.random() < 0.2:
        draft.bones["pelvis"].tail = low - [0.0, 0.0, 0.08]
        joints[1] = low + along * 0.01
    spine = list(SPINE_KEYS[:count])
    draft.chain(spine, "pelvis", joints[1:])
    draft.roles.update({f"spine.{k + 1}": key for k, key in enumerate(spine)})
    top = joints[-1]
    rise = np.array([0.0, -np.sin(lean / 2.0), np.cos(lean / 2.0)])
    links = int(draw.choice([0, 1, 1, 1, 1, 2, 3]))
    length = build.neck * (1.0 + 0.6 * max(links - 1, 0)) * (2.0 if build.lean > 40.0 else 1.0)
    base = top + along * 0.05 * build.trunk
    ends = [base + rise * length * share for share in np.linspace(0.0, 1.0, max(links, 1) + 1)]
    if links:
        draft.chain(NECK_KEYS[:links], spine[-1], ends)
        draft.roles.update(
            {("neck" if k == 0 else f"neck.{k + 1}"): key for k, key in enumerate(NECK_KEYS[:links])}
        )
    nod = ends[-1] + (rise + [0.0, -0.8 if build.lean > 40.0 else 0.0, 0.0]) * 0.18
    draft.add("head", NECK_KEYS[links - 1] if links else spine[-1], ends[-1], nod)
    draft.roles["head"] = "head"
    return spine[-1]


def draw_arm(draft: Draft, build: Build, draw: np.random.Generator, chest: str, wing: bool) -> None:
    """Add the left arm (or a bird's wing) to the chest."""
    carrier = str(draft.bones[chest].parent)
    if carrier in SPINE_KEYS and draw.random() < 0.12:  # the last of the spine begins above the shoulders
        chest = carrier
    top = draft.bones[chest].tail - 0.12 * (draft.bones[chest].tail - draft.bones[chest].head)
    shoulder = top + [build.shoulders, 0.0, -0.01]
    down, bend = np.radians(build.arms_down), np.radians(build.elbow)
    short = draw.uniform(0.3, 0.6) if build.lean > 40.0 and not wing else 1.0
    upper = short * build.upper_arm * np.array([np.cos(down), 0.1 if wing else 0.0, -np.sin(down)])
    lower = (
        short
        * build.forearm
        * np.array([np.cos(down) * np.cos(bend), -np.sin(bend), -np.sin(down) * np.cos(bend)])
    )
    elbow, wrist = shoulder + upper, shoulder + upper + lower
    palm = wrist + 0.3 * lower / short
    parent = chest
    if draw.random() < 0.8:
        parent = draft.add("clavicle.L", chest, top + [0.15 * build.shoulders, -0.01, 0.0], shoulder)
        draft.roles["clavicle.L"] = "clavicle.L"
    last = draft.chain(["upper_arm.L", "forearm.L"], parent, [shoulder, elbow, wrist])
    draft.roles |= {"upper_arm.L": "upper_arm.L", "forearm.L": "forearm.L"}
    if draw.random() < 0.92:
        last = draft.add("hand.L", last, wrist, palm)
        draft.roles["hand.L"] = "hand.L"
        for k in range(int(draw.choice([0, 0, 1, 2, 3, 5]))):
            start = palm + [0.0, 0.02 * (k - 2), 0.0]
            step = 0.03 * lower / np.linalg.norm(lower)
            draft.chain(
                [f"finger {k} {n}.L" for n in range(1, 4)], last, [start + n * step for n in range(4)]
            )
