"""Small sound files of every kind, from which damage begins."""

import io
import json
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from neurarig_addon.core.controls.control_map import ControlMap
from neurarig_addon.core.gait.inputs.print_edits import PrintEdit, PrintEdits
from neurarig_addon.core.gait.kinds.gait import PLAIN
from neurarig_addon.core.gait.prints.print_file import to_text
from neurarig_addon.core.gait.sliders.style import Clock, StyleTrack
from neurarig_addon.core.gait.walker import Walker
from neurarig_addon.core.ground.surface import LEVEL
from neurarig_addon.core.human.adult import human_body
from neurarig_addon.core.ikrig import storage
from neurarig_addon.core.ikrig.encode import encode, encode_motions
from neurarig_addon.core.learned.solver import write_solver_weights
from neurarig_addon.core.neural import pose_parameters
from neurarig_addon.core.neural.pose_parameters import PoseParameters
from neurarig_addon.core.path.curve import Curve
from neurarig_addon.core.path.path import STRAIGHT
from neurarig_addon.core.retarget.contacts import find_contacts
from neurarig_addon.core.steps import finish
from neurarig_addon.core.takes.parametric import made_parametric
from neurarig_addon.core.takes.performance import Performance
from neurarig_addon.core.takes.take_file import to_json as take_text
from tests.core import ikrig_clips, point_files
from tests.core.c3d_writer import C3D, DEC, INTEL, MIPS
from tests.core.generated_walks import joints, laid_out
from tests.core.skeletons import biped, skeleton
from tests.core.solver_weights import random_weights
from tests.core.style_clips import HUMAN, SOMEHOW, walked
from tests.core.walkers import WALKING

PRINTS = PrintEdits.of(
    [
        PrintEdit(0, 2, along=0.1, aside=-0.05, yaw=0.3, touch=0.05),
        PrintEdit(1, 2, height=0.1, slope=0.1, lift=-0.04),
        PrintEdit(0, 4, held=True),
    ]
)
CONTROLS = ControlMap(
    "Drawn",
    {
        "torso": "body",
        "spine.1": "belly",
        "foot_ik.L": "ik_foot.L",
        "knee_pole.L": "pole.L",
        "thigh_fk.R": "fk_thigh.R",
    },
    {"leg.L": {"IK": {'pose.bones["props"]["ik"]': 1.0}, "FK": {'pose.bones["props"]["ik"]': 0.0}}},
)
FRAMES = 8
NAMES = [
    f"{side}{joint}" for joint in ("Wrist", "Ankle", "Hip", "Knee", "Shoulder") for side in ("Left", "Right")
] + ["Head"]
PLACES = np.abs(np.random.default_rng(0).normal(1.0, 0.5, (FRAMES, len(NAMES), 3)))


def prints() -> list[bytes]:
    """Return a file of edited footprints."""
    return [to_text(PRINTS, 0.9).encode()]


def control_maps() -> list[bytes]:
    """Return a map of controls and switches."""
    return [CONTROLS.to_json().encode()]


@cache
def walker() -> Walker:
    """Return who walks on them."""
    return Walker.of(human_body(), StyleTrack(), Clock(), PLAIN, STRAIGHT, LEVEL)


def bvh() -> list[bytes]:
    """Return files of one figure with the channels in two orders, the second all on few lines."""
    return [_bvh("Zrotation Xrotation Yrotation", "\n"), _bvh("Xrotation Yrotation Zrotation", " ")]


def _bvh(turns: str, end: str) -> bytes:
    subject = skeleton(biped())
    children = {
        row: [child for child, above in enumerate(subject.parents) if above == row]
        for row in range(len(subject.names))
    }

    def lines(row: int) -> list[str]:
        above = subject.parents[row]
        offset = 100.0 * (subject.rest[row, :3, 3] - (subject.rest[above, :3, 3] if above >= 0 else 0.0))
        place = "OFFSET {:.4f} {:.4f} {:.4f}".format(*offset[[0, 2, 1]])
        channels = f"CHANNELS 6 Xposition Yposition Zposition {turns}" if above < 0 else f"CHANNELS 3 {turns}"
        inner = [line for child in children[row] for line in lines(child)] or [
            "End Site\n{",
            "OFFSET 0 5 0",
            "}",
        ]
        return [f"{'JOINT' if above >= 0 else 'ROOT'} {subject.names[row]}\n{{", place, channels, *inner, "}"]

    values = np.random.default_rng(1).normal(0.0, 20.0, (FRAMES, 3 + 3 * len(subject.names)))
    rows = ["\t".join(f"{value:.3f}" for value in row) for row in values]
    text = (
        end.join(["HIERARCHY", *lines(0)])
        + f"\nMOTION\nFrames: {FRAMES}\nFrame Time: 0.033333\n"
        + end.join(rows)
        + "\n"
    )
    return text.encode()


def tables() -> list[bytes]:
    """Return tables of points as trackers, Vicon, Motive-like programs and Qualisys write them."""
    columns = [f"{name}_{axis}" for name in NAMES for axis in "xyz"] + ["Head_visibility"]
    tracker = [
        ",".join(["time", *columns]),
        *(f"{frame / 30:.3f},{_cells(row, ',')},0.9" for frame, row in enumerate(PLACES)),
    ]
    names = ",,,".join(f"Ann:{name}" for name in NAMES)
    vicon = [
        "Trajectories",
        "120",
        f",,{names}",
        "Frame,Sub Frame," + ",".join(["X,Y,Z"] * len(NAMES)),
        ",," + ",".join(["mm"] * 33),
    ]
    vicon += [f"{frame},0,{_cells(1000.0 * row, ',')}" for frame, row in enumerate(PLACES)]
    qualisys = [
        "NO_OF_FRAMES\t8",
        "FREQUENCY\t100",
        "MARKER_NAMES\t" + "\t".join(NAMES),
        *(_cells(1000.0 * row, "\t") for row in PLACES),
    ]
    return ["\n".join(lines).encode() + b"\n" for lines in (tracker, vicon, qualisys)]


AGENTS = [(agent, 0.5 * step, agent + 0.6 * step, 2.0 * agent) for step in range(8) for agent in (1, 2)]


def trajectories() -> list[bytes]:
    """Return tables of two agents, with times and with frames."""
    timed = ["agent,t,x,y", *(",".join(map(str, row)) for row in AGENTS)]
    framed = [
        "#framerate: 2.0",
        "#ID\tFR\tX/m\tY/m",
        *(f"{agent}\t{2 * t:.0f}\t{x}\t{y}" for agent, t, x, y in AGENTS),
    ]
    bare = [f"{10 * round(2 * t)}\t{agent}\t{x}\t{y}" for agent, t, x, y in AGENTS]
    return ["\n".join(lines).encode() + b"\n" for lines in (timed, framed, bare)]


def trajectories_json() -> list[bytes]:
    """Return the same as lists of rows and of numbers."""
    rows = [{"id": agent, "t": t, "x": x, "y": y} for agent, t, x, y in AGENTS]
    numbers = {str(agent): [[t, x, y] for other, t, x, y in AGENTS if other == agent] for agent in (1, 2)}
    return [json.dumps(rows).encode(), json.dumps({"agents": numbers}).encode()]


def tables_of_opensim() -> list[bytes]:
    """Return a .trc, and OpenSim's tables of points and of angles."""
    points = {name: PLACES[:, place] for place, name in enumerate(NAMES)}
    return [point_files.trc(points), point_files.opensim(points, True), point_files.opensim(points, False)]


def angles() -> list[bytes]:
    """Return OpenSim's tables of angles."""
    places, turns = joints()
    return [point_files.angles(turns[:FRAMES], places[:FRAMES, 0], knee) for knee in (1.0, -1.0)]


def openpose() -> list[bytes]:
    """Return frames of OpenPose, as a list in one file and one alone."""
    frames = point_files.openpose(
        np.abs(np.random.default_rng(3).normal(1.0, 0.5, (FRAMES, 25, 3))), others=1
    )
    return [b"[" + b",".join(frames) + b"]", frames[0]]


def point_arrays() -> list[bytes]:
    """Return .npy files of trackers' points without names."""
    draw = np.random.default_rng(4)
    return [
        point_files.npy(draw.normal(1.0, 0.5, shape))
        for shape in ((FRAMES, 17, 3), (FRAMES, 33, 3), (FRAMES, 51))
    ]


def _cells(row: np.ndarray, between: str) -> str:
    return between.join(f"{value:.4f}" for value in row.ravel())


def c3d() -> list[bytes]:
    """Return files of each processor, of reals and of integers, one with analog channels."""
    kinds = [
        C3D(1000.0 * PLACES, NAMES, processor, reals)
        for processor in (INTEL, DEC, MIPS)
        for reals in (True, False)
    ]
    return [
        kind.to_bytes() for kind in [*kinds, C3D(1000.0 * PLACES, NAMES, analog=np.zeros((FRAMES, 2, 3)))]
    ]


def archives() -> list[bytes]:
    """Return .npz files of points and of pose parameters, ours and as AMASS has them."""
    turns = np.random.default_rng(2).normal(0.0, 0.1, (FRAMES, 156))
    amass = {
        "poses": turns,
        "trans": PLACES[:, 0],
        "mocap_framerate": np.array(120.0),
        "gender": np.array("female"),
        "betas": np.zeros(16),
    }
    own = PoseParameters(turns[:, : pose_parameters.SIZE], PLACES[:, 1], 30.0, 0.9)
    smpl = {"global_orient": turns[:, :3], "body_pose": turns[:, 3:72], "transl": PLACES[:, 0]}
    return [
        _npz(names=np.array(NAMES), positions=PLACES, fps=np.array(30.0)),
        _npz(**amass),
        _npz(**smpl),
        _saved("pose.npz", pose_parameters.save, own),
    ]


def generated() -> list[bytes]:
    """Return .npz files of generated motion: places alone, with rotations and contacts, and pose
    parameters."""
    places, turns = joints()
    places, turns = places[:FRAMES], turns[:FRAMES]
    told = {"global_rot_mats": laid_out(turns, 77), "foot_contacts": np.ones((len(places), 4))}
    return [_npz(joints=places), _npz(posed_joints=laid_out(places, 77), **told), archives()[1]]


def generated_arrays() -> list[bytes]:
    """Return .npy files of places and of HumanML3D's features."""
    files = io.BytesIO(), io.BytesIO()
    for file, array in zip(
        files, (joints()[0][:FRAMES], np.random.default_rng(1).normal(0.0, 0.1, (FRAMES, 263))), strict=True
    ):
        np.save(file, array)
    return [file.getvalue() for file in files]


def _npz(**arrays: np.ndarray) -> bytes:
    file = io.BytesIO()
    np.savez(file, **arrays)  # type: ignore[arg-type]
    return file.getvalue()


def encodings(ending: str) -> list[bytes]:
    """Return an encoding of a swaying figure as `.npz` or `.csv`."""
    subject = ikrig_clips.made_character()
    encoding = encode(subject, ikrig_clips.swaying(subject, frames=FRAMES))
    return [_saved("clip" + ending, lambda found, path: storage.save(path, found), encoding)]


@cache
def takes() -> list[bytes]:
    """Return the recorded walk of a clip."""
    motions = walked(SOMEHOW)
    frames = np.arange(float(len(motions["pelvis"].position)))
    encoding = replace(
        encode_motions(HUMAN, motions, frames, 60.0, "Clip"), contacts=find_contacts(HUMAN, motions, 60.0)
    )
    made = finish(
        made_parametric(
            Performance.of(encoding, HUMAN),
            WALKING,
            partial(Curve.through, leg_length=HUMAN.body.leg_length, slows=False),
        )
    )
    return [take_text(made.take).encode()]


def rule_weights() -> list[bytes]:
    """Return weights of a network that has learned a profile."""
    return [
        _saved(
            "rule.safetensors", lambda weights, path: write_solver_weights(path, weights), random_weights()
        )
    ]


def recordings() -> list[bytes]:
    """Return a table of a controller's inputs and outputs, a row each frame."""
    time = np.arange(150) / 30.0
    body = {
        f"{part}_{side}": np.full(150, 0.4)
        for part in ("bone_l1", "bone_l2", "offset", "spacing")
        for side in ("left", "right")
    }
    columns = {
        "speed": np.full(150, 1.2),
        "t_cycle": time % 1.1,
        **body,
        "foot_r.x": np.sin(time),
        "foot_l.x": np.cos(time),
    }
    lines = [",".join(f"{value:.4f}" for value in row) for row in zip(*columns.values(), strict=True)]
    return ["\n".join([",".join(columns), *lines]).encode() + b"\n"]


def _saved(name: str, save, content) -> bytes:
    with TemporaryDirectory() as folder:
        path = Path(folder) / name
        save(content, path)
        return path.read_bytes()
