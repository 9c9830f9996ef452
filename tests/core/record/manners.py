"""Gaits of other kinds, and what is asked of walkers besides: bounces, heads, free feet, key poses, channels, what is held back."""

import re
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from neurarig_addon.core.gait.contract_pose import outputs_of, posed, resized
from neurarig_addon.core.gait.inputs.gaze import Gaze
from neurarig_addon.core.gait.inputs.print_edits import PrintEdit, PrintEdits
from neurarig_addon.core.gait.kinds.bounce import GALLOP, HOP_ON_BOTH, HOP_ON_ONE, SKIP, Bounce
from neurarig_addon.core.gait.kinds.bouncing_gait import bouncing_gait
from neurarig_addon.core.gait.kinds.gait import PLAIN, Gait
from neurarig_addon.core.gait.kinds.law import natural_run_speed, run_duty, run_lead, run_stride
from neurarig_addon.core.gait.kinds.natural import natural_period, natural_speed, speed_of
from neurarig_addon.core.gait.kinds.profile_gait import ProfileGait
from neurarig_addon.core.gait.limits import held_back
from neurarig_addon.core.gait.pose import key_poses
from neurarig_addon.core.gait.prints.print_places import planned_steps
from neurarig_addon.core.gait.prints.print_shapes import outline, print_shapes
from neurarig_addon.core.gait.sliders.individual import individual
from neurarig_addon.core.gait.sliders.style import Clock, Style, StyleTrack
from neurarig_addon.core.gait.sliders.variation import coloured, variation_of
from neurarig_addon.core.gait.steps.footsteps import Footsteps
from neurarig_addon.core.gait.synthesis import walked
from neurarig_addon.core.gait.walker import Walker
from neurarig_addon.core.ground.surface import LEVEL, Ground
from neurarig_addon.core.logic.profile import FOLDER, Profile
from neurarig_addon.core.path.path import STRAIGHT, Path
from tests.core.blended_gait import blended
from tests.core.record.condensed import Answer
from tests.core.record.grounds import HILLS
from tests.core.record.skeletons import asked
from tests.core.record.somehow import ADULT, RUNNING, WALKING
from tests.core.record.walks import BY_SPEED, FRAMES, by_profile, seen, walker, walks
from tests.core.walk_grounds import flight, kerb
from tests.core.walk_paths import PATHS, circle
from tests.core.walk_styles import keyed

BOUNCES = {"skip": SKIP, "gallop": GALLOP, "hop": HOP_ON_BOTH, "hop on the right": replace(HOP_ON_ONE, mirrored=True)}
FILES = sorted(FOLDER.glob("*.json"))


def bounces(
    what: Bounce, path: Path = STRAIGHT, ground: Ground = LEVEL, edits: tuple[PrintEdit, ...] = (), **style: float
) -> Callable[[], Answer]:
    """Return what somebody does who bounces."""

    def answer() -> Answer:
        speed = 1.1 * speed_of(what.vhat, ADULT.leg_length)
        who = asked(lambda: walker({"speed": speed, "variation": 0.6, **style}, path, ground, bouncing_gait(what)))
        return seen(walked(replace(who, edits=PrintEdits.of(edits)), FRAMES)) if isinstance(who, Walker) else {"refused": who}

    return answer


def free(path: str, **style: float) -> Callable[[], Answer]:
    """Return a walk by a profile whose feet go where it says."""

    def answer() -> Answer:
        found = ProfileGait(Profile.load(FOLDER / f"{path}.json"), WALKING.shapes)
        return seen(walked(walker({"speed": 1.0, **style}, gait=Gait(found, found, False)), FRAMES))

    return answer


def looking_round(*places: list[float]) -> Callable[[], Answer]:
    """Return a walk round and round that looks at what stays, or moves through places."""
    gaze = Gaze(np.linspace(1.0, 90.0, len(places)), np.array(places))
    return lambda: seen(walked(replace(walker({"speed": 1.0}, circle(1.2), clock=Clock()), gaze=gaze), FRAMES))


def poses_of_a_step() -> Answer:
    """Return the key poses of walks."""
    found = {}
    for name, gait, speed in (("walk", WALKING, 1.2), ("run", RUNNING, 3.0), ("slow", WALKING, 0.4)):
        pose = walked(walker({"speed": speed, "asymmetry": 0.3}, gait=gait), np.arange(-5.0, 90.0))
        found[name] = [[pose_name, frame] for pose_name, frame in key_poses(pose)]
        none = replace(pose, motions={role: motion for role, motion in pose.motions.items() if role.startswith(("thigh", "hand"))})
        found[f"{name}, no feet"] = [key_poses(none), key_poses(replace(pose, motions={**none.motions, "pelvis": pose.motions["pelvis"]}))]
    return found


def by_channels() -> Answer:
    """Return poses of channels, and channels of poses."""
    values = WALKING.shapes.sample(walker({"speed": 1.2}).inputs.at(np.zeros(1)), np.linspace(0.0, 2.0, 24), np.linspace(0.5, 2.5, 24))
    pose = walked(walker({"speed": 1.2}), FRAMES)
    return {
        "posed": seen(posed(ADULT, values)),
        "outputs": outputs_of(ADULT, pose),
        "resized": resized(values, 1.7),
        "back": outputs_of(ADULT, posed(ADULT, values)),
    }


def laws() -> Answer:
    """Return what people do at speeds, and who people are."""
    speed = np.linspace(0.05, 8.0, 40)
    return {
        "walk": [natural_period(speed, 0.9), [natural_speed(ADULT, fps) for fps in (12.0, 24.0, 25.0, 30.0, 60.0, 120.0)]],
        "run": [
            run_stride(speed, 0.9),
            run_duty(speed, 0.9),
            run_lead(speed, 0.9),
            [natural_run_speed(0.7, fps) for fps in (24.0, 30.0, 60.0)],
        ],
        "people": [individual(seed).traits for seed in range(12)],
        "colours": [coloured(seed, what, 24) for seed in range(3) for what in range(3)],
        "strides": [
            variation_of(StyleTrack(Style(variation=1.0), strides_seed=seed, strides=count)).timed(
                np.linspace(-7.0, 30.0, 60), np.full(60, 1.2)
            )
            for seed, count in ((1, 4), (2, 16), (3, 1))
        ],
    }


def asked_too_much() -> Answer:
    """Return what is told of sliders that no body follows."""
    draw, found = np.random.default_rng(4), {}
    for number in range(60):
        style = {
            "speed": draw.uniform(0.0, 4.0),
            "cadence": draw.uniform(0.3, 2.5),
            "duty_factor": draw.uniform(0.3, 1.8),
            "stride": draw.uniform(0.3, 2.5),
        }
        for name, gait in (("walk", WALKING), ("run", RUNNING), ("either", BY_SPEED)):
            told = held_back(walker(style, gait=gait), 9.0)
            found[f"{name} {number}"] = [re.findall(r"\d+\.?\d*", words) for words in told]
    return {"told": found}


def shapes_of_prints() -> Answer:
    """Return prints as they are drawn."""
    edits = PrintEdits.of(
        [
            PrintEdit(0, 1, along=0.1, yaw=0.3),
            PrintEdit(1, 2, held=True),
            PrintEdit(1, 3, held=True),
            PrintEdit(0, 4, along=2.0, height=0.5),
        ]
    )
    found = {"outline": outline(walker({}).sole)}
    for name, ground, gait in (
        ("level", LEVEL, WALKING),
        ("stairs", flight(0.16, 0.3, 1.0, 5), WALKING),
        ("hop", LEVEL, bouncing_gait(HOP_ON_ONE)),
    ):
        who = replace(walker({"speed": 1.1}, PATHS["S"] if ground is LEVEL else STRAIGHT, ground, gait), edits=edits)
        steps: Footsteps = planned_steps(who, 0, 5)
        found[name] = asked(lambda who=who, steps=steps: print_shapes(who, steps, 0, 5))
    return found


def cases() -> dict[str, Callable[[], Answer]]:
    """Return the scenarios by name."""
    stops = keyed("speed", [8, 30, 50, 62, 84, 100], [0.0, 1.3, 1.2, 0.0, 0.0, 0.9])
    heads = {"head_turn": 20.0, "head_nod": -8.0, "head_tilt": 6.0, "look_around": 1.5}
    edits = (PrintEdit(0, 2, along=0.08, aside=0.05), PrintEdit(1, 2, yaw=0.2, touch=0.03))
    turned = keyed("facing", [10, 70, 130], [-30.0, 60.0, 20.0])
    return {
        **{name: bounces(what) for name, what in BOUNCES.items()},
        **{f"{name} in a bend, on hills": bounces(what, circle(5.0), HILLS) for name, what in BOUNCES.items() if what is not GALLOP},
        "gallop, left foot first": bounces(replace(GALLOP, mirrored=True)),
        "looks round": looking_round([0.3, 0.9, 1.2]),
        "looks round at what moves": looking_round([2.0, 1.0, 1.2], [-1.0, 2.0, 1.8]),
        "faces a thing, round": walks({"speed": 0.8}, circle(1.5), face=Gaze(np.zeros(1), np.array([[0.5, 0.4, 1.0]])), clock=Clock()),
        **{f"wide profile {path.stem}": by_profile(path.stem, stance_width=1.7) for path in FILES},
        **{f"{name} to another print": bounces(what, edits=edits, asymmetry=0.3, bounce=1.3) for name, what in list(BOUNCES.items())[:2]},
        "skip up a kerb": bounces(SKIP, STRAIGHT, kerb(0.1, 3.0)),
        "starts and stops, skipping": lambda: seen(walked(walker(stops, gait=bouncing_gait(SKIP)), FRAMES)),
        "skip, facing aside": bounces(SKIP, facing=60.0),
        "skip, whole frames": walks({"speed": 2.0}, gait=bouncing_gait(SKIP), clock=Clock()),
        "walk and run": lambda: walks({"speed": 2.4}, gait=blended([(RUNNING, 0.5), (WALKING, 0.5)]))(),
        "head held": walks({"speed": 1.1, **heads}),
        "head held, on a path": walks({"speed": 1.1, **heads}, PATHS["S"]),
        "head held, standing": walks({"speed": 0.0, **heads}),
        "head held, round": walks({"speed": 1.1, **heads}, circle(1.5), clock=Clock()),
        "stairs, round and round": walks({"speed": 0.9}, circle(2.5), flight(0.1, 0.5, 1.0, 3)),
        "closed path, turned keyed": walks(StyleTrack(Style(speed=0.8), turned.curves), circle(1.5)),
        "a blend of other laws": lambda: walks({"speed": 1.4, "asymmetry": 0.5}, gait=blended([(WALKING, 0.6), (RUNNING, 0.5)]))(),
        "a blend with nothing": lambda: walks({"speed": 1.4}, gait=blended([(WALKING, 0.0), (PLAIN, 0.5)]))(),
        **{f"free profile {path.stem}": free(path.stem, asymmetry=0.4) for path in FILES},
        **{f"free profile {path.stem}, very slow": free(path.stem, speed=0.1) for path in FILES[:1]},
        "key poses": poses_of_a_step,
        "channels": by_channels,
        "laws": laws,
        "held back": asked_too_much,
        "shapes of prints": shapes_of_prints,
    }
