"""The sliders of the walk."""

from ....core.gait.sliders.style import Style
from ..changes import KEYABLE


def _slider(
    slider: str,
    name: str,
    description: str,
    soft: tuple[float, float],
    hard: tuple[float, float],
    factor: bool = True,
):
    """Return the property of a slider; its default is the natural walk's."""
    return KEYABLE.number(
        name,
        description,
        default=getattr(Style(), slider),
        soft_min=soft[0],
        soft_max=soft[1],
        min=hard[0],
        max=hard[1],
        step=1 if factor else 10,
        precision=2 if factor else 1,
        subtype="FACTOR" if factor else "NONE",
    )


def _weight(slider: str):
    """Return the property of a style's weight."""
    return _slider(
        slider, "Weight", "Weight of this style: 0 none, 1 as learned, 1.5 exaggerated", (0, 1.5), (0, 1.5)
    )


def _drag(slider: str, part: str, trails: str):
    """Return the property of a body part's delay in frames."""
    return _slider(slider, part, f"Frames by which {trails}; negative leads", (0, 6), (-12, 24), factor=False)


def _strength(slider: str, part: str):
    """Return the property of the styles' strength in a part of the body."""
    return _slider(slider, part, f"Strength of all styles in the {part.lower()}", (0, 1.5), (0, 1.5))


class WalkSliders:
    """The sliders, with the names and meanings of `core.gait.sliders.style.Style`.

    They are metres per second and degrees in every scene; `in_scene_units` shows them in its units.
    """

    speed: KEYABLE.number(
        "Speed",
        "Walking speed, in metres per second in a scene without units; stride and step rate follow. "
        "Key it to start and stop: however sudden the key, it takes a few steps",
        default=Style().speed,
        min=0.0,
        soft_min=0.1,
        soft_max=3.0,
        max=100.0,
        step=1,
        precision=2,
        unit="VELOCITY",
    )
    stride: _slider(
        "stride",
        "Stride Length",
        "Stride length relative to natural. The speed stays, so longer strides are fewer",
        (0.5, 1.5),
        (0.2, 3.0),
    )
    cadence: _slider(
        "cadence",
        "Step Rate",
        "Steps per minute relative to natural. The speed stays, so more steps are shorter",
        (0.5, 1.5),
        (0.2, 5.0),
    )
    duty_factor: _slider(
        "duty_factor",
        "Time on Ground",
        "How long feet stand, relative to natural. Less is lighter. A walk always keeps a foot down, a run"
        " always leaves the ground",
        (0.7, 1.3),
        (0.2, 2.0),
    )
    facing: _slider(
        "facing",
        "Facing (°)",
        "Degrees the body turns left of its direction of travel: 0 walks forward, 180 backward, 90 sideways"
        " to its right. Key it to turn while walking",
        (-180, 180),
        (-36000, 36000),
        factor=False,
    )
    energy: _slider(
        "energy",
        "Energy",
        "From tired (-1) to lively (1): spring in the step, arms, pelvis and head",
        (-1, 1),
        (-2, 2),
    )
    weight: _slider(
        "weight",
        "Weight",
        "From light on the feet (-1) to heavy (1): deeper down poses, more sway",
        (-1, 1),
        (-2, 2),
    )
    phase: _slider(
        "phase",
        "Shift (cycles)",
        "Shift the walk in time, in cycles. 0.5 starts on the other foot",
        (0, 1),
        (-1000, 1000),
    )
    influence: _slider(
        "influence",
        "Walk Amount",
        "How much of the walk there is. Below 1 it is slower and the upper body nearer to rest; 0 stands. Key"
        " it: the feet stay planted",
        (0, 1),
        (0, 1),
    )
    # Feet
    step_height: _slider(
        "step_height",
        "Step Height",
        "Lift of the swinging foot, relative to natural. A key acts on the swing under way: the value in its"
        " middle counts",
        (0, 3),
        (0, 10),
    )
    stance_width: _slider(
        "stance_width",
        "Step Width",
        "Distance between left and right footprints, relative to natural. A key acts on the next landing: the"
        " value at that frame counts",
        (0, 3),
        (-2, 5),
    )
    foot_splay: _slider(
        "foot_splay",
        "Toes Out (°)",
        "Degrees the toes point outward beyond their natural angle; negative is pigeon-toed. A key acts on"
        " the next landing",
        (-30, 45),
        (-90, 90),
        factor=False,
    )
    asymmetry: _slider(
        "asymmetry", "Limp", "Favor one leg: -1 limps on the left, 1 on the right", (-1, 1), (-1, 1)
    )
    # Body
    bounce: _slider("bounce", "Bounce", "Rise and fall of the hips, relative to natural", (0, 2), (-5, 5))
    sway: _slider(
        "sway", "Sway", "Shift of the hips over the planted foot, relative to natural", (0, 3), (-5, 5)
    )
    twist: _slider(
        "twist", "Twist", "Counter-rotation of hips and chest, relative to natural", (0, 3), (-5, 5)
    )
    list: _slider(
        "list", "Hip Drop", "Drop of the hip on the swinging side, relative to natural", (0, 3), (-5, 5)
    )
    lean_into: _slider(
        "lean_into",
        "Speed Lean",
        "How far the body leans into speeding up and braking, relative to people",
        (0, 2),
        (0, 3),
    )
    anticipation: _slider(
        "anticipation",
        "Anticipation",
        "How long before a change of speed it leans, relative to people",
        (0, 2),
        (0, 4),
    )
    lean: _slider(
        "lean",
        "Lean (°)",
        "Degrees the body leans forward; negative leans back",
        (-20, 30),
        (-60, 60),
        factor=False,
    )
    crouch: _slider(
        "crouch", "Crouch", "How far the hips are lowered, as a fraction of leg length", (0, 0.4), (0, 0.7)
    )
    idle: _slider(
        "idle",
        "Idle",
        "Sway, breath and weight shifts while standing. 0 stands like a statue",
        (0, 2),
        (0, 5),
    )
    variation: _slider(
        "variation",
        "Variation",
        "How much strides differ in length, timing, width, direction and height, relative to people. Feet"
        " stay planted",
        (0, 2),
        (0, 3),
    )
    individual: _slider(
        "individual",
        "Individuality",
        "How far the walk differs from the average person's: posture, arms, step width, step rate, asymmetry."
        " 0 is the average",
        (0, 1),
        (0, 2),
    )
    # Arms and head
    arm_swing: _slider("arm_swing", "Arm Swing", "Arm swing, relative to natural", (0, 3), (-5, 5))
    arm_spread: _slider(
        "arm_spread",
        "Arm Spread (°)",
        "Degrees to hold the arms away from the body, to clear broad bodies, skirts and armor",
        (0, 60),
        (-20, 120),
        factor=False,
    )
    elbow_bend: _slider(
        "elbow_bend",
        "Elbow Bend (°)",
        "Degrees to bend the elbows beyond natural; negative straightens them",
        (-20, 90),
        (-30, 140),
        factor=False,
    )
    head_turn: _slider(
        "head_turn",
        "Head Turn (°)",
        "Degrees the head is turned to its left; negative to its right",
        (-70, 70),
        (-90, 90),
        factor=False,
    )
    head_nod: _slider(
        "head_nod",
        "Head Nod (°)",
        "Degrees the head is lowered; negative looks up",
        (-40, 40),
        (-60, 60),
        factor=False,
    )
    head_tilt: _slider(
        "head_tilt",
        "Head Tilt (°)",
        "Degrees the head is tilted to its left; negative to its right",
        (-30, 30),
        (-45, 45),
        factor=False,
    )
    look_around: _slider(
        "look_around",
        "Look Around",
        "How far the character looks aside now and then while it walks, relative to people. Look At takes"
        " precedence",
        (0, 2),
        (0, 3),
    )
    look: _slider(
        "look",
        "Look",
        "How far head and chest turn to the Look At object. Key it to look there and away",
        (0, 1),
        (0, 1),
    )
    left_hand: _slider(
        "left_hand", "Left Hand", "How far the fingers turn from rest to the left hand's pose", (0, 1), (0, 1)
    )
    right_hand: _slider(
        "right_hand",
        "Right Hand",
        "How far the fingers turn from rest to the right hand's pose",
        (0, 1),
        (0, 1),
    )
    head_bob: _slider(
        "head_bob", "Head Bob", "0 keeps the head level; 1 lets it follow the chest", (0, 1), (0, 2)
    )
    head_thrust: _slider(
        "head_thrust",
        "Head Thrust",
        "How far a bird that walks holds its head still and thrusts it on once a step. 0 carries it evenly",
        (0, 1),
        (0, 1.5),
    )
    # Timing of the upper body
    drag_hips: _drag("drag_hips", "Drag Hips", "sway and turns of the hips trail the feet")
    drag_chest: _drag("drag_chest", "Drag Chest", "the chest trails the hips")
    drag_arms: _drag("drag_arms", "Drag Arms", "the arms trail the chest")
    drag_hands: _drag("drag_hands", "Drag Hands", "the hands trail the arms")
    slow_in: _slider(
        "slow_in",
        "Slow In",
        "Ease chest and arms: 1 lingers at each contact and hurries between, -1 the reverse. The feet stay as"
        " they are",
        (0, 1),
        (-1, 1),
    )
    # Styles
    style_1: _weight("style_1")
    style_2: _weight("style_2")
    style_3: _weight("style_3")
    style_4: _weight("style_4")
    style_legs: _strength("style_legs", "Legs")
    style_trunk: _strength("style_trunk", "Trunk")
    style_arms: _strength("style_arms", "Arms")
    style_head: _strength("style_head", "Head")
    as_recorded: _slider(
        "as_recorded",
        "As Recorded",
        "How much of the recorded walk is kept: 1 walks as in the clip, 0 by speed, path and style alone",
        (0, 1),
        (0, 1),
    )
