"""Bone tables of characters with legs of other builds than people's."""

from dataclasses import replace

from tests.rigs import LEFT_ARM, LEFT_LEG, TRUNK, Bone, Point, split, with_mirror

THIGH, SHIN, FOOT, TOE = LEFT_LEG
HIP = THIGH.head


def person(leg: list[Bone], arm: tuple[Bone, ...] = LEFT_ARM, trunk: tuple[Bone, ...] = TRUNK) -> list[Bone]:
    return [*trunk, *with_mirror(leg), *with_mirror(arm)]


def chain(names: str, parent: str, *points: Point) -> list[Bone]:
    """Return bones from point to point, each below the one before."""
    found = []
    for name, head, tail in zip(names.split(), points, points[1:], strict=False):
        found.append(Bone(name, parent, head, tail))
        parent = name
    return found


def aside(x: float, *points: tuple[float, float]) -> list[Point]:
    """Return points of a left leg, so far aside, at y and z."""
    return [(x, y, z) for y, z in points]


BIRD = chain(
    "LeftUpLeg LeftLeg LeftMeta LeftToe",
    "Hips",
    *aside(0.09, (0.0, 0.925), (-0.22, 0.62), (0.1, 0.3), (-0.02, 0.04), (-0.15, 0.01)),
)
MECH = [
    Bone("LeftHip", "Hips", (0.05, 0.0, 0.95), (0.15, 0.0, 0.92)),
    *chain(
        "LeftA LeftB LeftC LeftPad",
        "LeftHip",
        *aside(0.15, (0.0, 0.92), (-0.25, 0.6), (0.15, 0.3), (0.0, 0.06), (-0.15, 0.02)),
    ),
]
BACKWARD_KNEES = chain(
    "LeftA LeftB LeftPad", "Hips", *aside(0.15, (0.0, 0.92), (0.25, 0.6), (-0.05, 0.06), (-0.15, 0.02))
)
HEELS = [
    *chain(
        "LeftA LeftB LeftC LeftPad",
        "Hips",
        *aside(0.15, (0.0, 0.92), (-0.2, 0.7), (0.2, 0.4), (0.05, 0.06), (-0.15, 0.02)),
    ),
    Bone("LeftHeel", "LeftPad", (0.15, 0.05, 0.06), (0.15, 0.2, 0.02)),
]
ONE_BONE = chain("LeftUpLeg LeftFoot", "Hips", HIP, (0.09, 0.0, 0.08), (0.09, -0.125, 0.025))
DOUBLE_KNEE = [
    *chain(
        "LeftUpLeg LeftKnee LeftLeg",
        "Hips",
        *aside(0.09, (0.0, 0.925), (-0.01, 0.52), (-0.015, 0.46), (0.0, 0.08)),
    ),
    FOOT,
    TOE,
]
HIP_LINK = [
    Bone("LeftHipLink", "Hips", (0.02, 0.0, 0.98), HIP),
    replace(THIGH, parent="LeftHipLink"),
    SHIN,
    FOOT,
    TOE,
]
TWISTS = [
    *LEFT_LEG,
    Bone("LeftUpLegTwist", "LeftUpLeg", (0.09, -0.0075, 0.71), SHIN.head),
    Bone("LeftLegTwist", "LeftLeg", (0.09, -0.007, 0.29), FOOT.head),
]
PEGS = [THIGH, replace(SHIN, tail=(0.09, 0.0, 0.0))]
SHORT_ARM = tuple(
    chain(
        "LeftArm LeftForeArm LeftHand",
        "Spine2",
        (0.12, 0.0, 1.4),
        (0.16, -0.05, 1.35),
        (0.17, -0.1, 1.33),
        (0.17, -0.13, 1.32),
    )
)
ARMOUR = (*TRUNK, *chain("Plate Plate1", "Hips", (0.0, 0.05, 1.05), (0.0, 0.06, 1.2), (0.0, 0.06, 1.45)))
WALKING = {
    "three segments, as a bird": person(BIRD),
    "three segments and a hip, as a mech": person(MECH),
    "knees that bend backward": person(BACKWARD_KNEES),
    "three segments with heels": person(HEELS),
    "one bone and a foot": person(ONE_BONE),
    "feet on the hips": person([THIGH, SHIN, replace(FOOT, parent="Hips"), TOE]),
    "feet on nothing": person([THIGH, SHIN, replace(FOOT, parent=None), TOE]),
    "double knees": person(DOUBLE_KNEE),
    "hip links": person(HIP_LINK),
    "halves": person(split(LEFT_LEG, {"LeftUpLeg", "LeftLeg"})),
    "twist bones": person(TWISTS),
    "peg legs": person(PEGS),
    "one peg leg": [
        *TRUNK,
        *LEFT_LEG,
        *(bone for bone in with_mirror(PEGS) if bone.name.startswith("Right")),
        *with_mirror(LEFT_ARM),
    ],
    "short arms": person([*LEFT_LEG], SHORT_ARM),
    "no arms": [*TRUNK, *with_mirror(LEFT_LEG)],
    "a spine of armour beside its own": person([*LEFT_LEG], trunk=ARMOUR),
}
