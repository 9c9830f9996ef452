"""What is driven on which family of rigs: `python -m benchmarks control_rigs` prints the table of
docs/reference/rig-conventions.md."""

import json
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import bpy
from mathutils import Vector

from benchmarks.handler_speed import FRAMES, play
from benchmarks.one_piece import WAYS, Came
from benchmarks.table import Row
from neurarig_addon.blender.animation.steps import finish
from neurarig_addon.blender.character.controls.probing.read_rig import probe
from neurarig_addon.blender.character.read_armature import read_skeleton
from neurarig_addon.blender.character.roles import store_roles
from neurarig_addon.core.errors import NeuraRigError
from neurarig_addon.core.skeleton.roles import RoleMap
from tests import control_rigs

_OWN = "own"
_WORDS = {
    "CONTROLS": _OWN,
    "CONTROLS_FK": _OWN,
    "RIGIFY": _OWN,
    "RIGIFY_FK": _OWN,
    "RIGIFY_REACH": _OWN,
    "LAYER": "layer",
    "FK": "bones",
}
_FEATURES = {
    "Walk": ("walk", "walk FK"),
    "Retarget": ("retarget IK", "retarget FK"),
    "Neural Pose": ("pose IK", "pose FK"),
}


BIG = 1000  # bones
STRAND = 8  # bones of a strand of hair


@dataclass(frozen=True)
class _Rig:
    """What came of one rig.

    `score`, `scrambled`: controls found, by name and with names that say nothing. `came`: what took the pose
    in each way of
    `one_piece`, and how whole the character was. `slip`, `penetration`: of the walk's deforming feet, percent
    of the leg. `seconds`,
    `crowded`: CPU time of the search, as the rig is and with hair up to BIG bones. `share`: of the walk's
    handler, in Blender's own
    time for a frame.
    """

    family: str
    bones: str
    score: control_rigs.Score
    scrambled: control_rigs.Score
    came: dict[str, Came]
    slip: float
    penetration: float
    seconds: float
    crowded: float
    share: float

    @property
    def widest(self) -> float:
        """The widest gap in percent of the leg."""
        return max((one.whole.widest for one in self.came.values() if one.whole), default=0.0)

    def is_own(self, way: str) -> bool:
        """Say whether the rig's own controls took the pose."""
        return self.word(way) == _OWN

    def word(self, way: str) -> str:
        """Return what took the pose."""
        return _WORDS.get(self.came[way].kind, "refused")

    def line(self) -> str:
        """Return the row of the table."""
        driven = (" / ".join(map(self.word, ways)) for ways in _FEATURES.values())
        found = f"{self.score.found} of {self.score.asked}"
        cells = (
            self.family,
            self.bones,
            found,
            *driven,
            f"{self.widest:.3f}",
            f"{self.slip:.3f}",
            f"{self.seconds:.1f}",
        )
        return f"| {' | '.join(cells)} |"


def rows() -> list[Row]:
    """Print the table of families, and return the figures that must be reached."""
    print(
        "| Family | Bones | Controls and switches found |"
        f" {' | '.join(f'{name}, IK / FK' for name in _FEATURES)} | Gap | Slip | Search |"
    )
    print("|---|---|---|---|---|---|---|---|---|")
    rigs = []
    for row in control_rigs.ROWS:
        if control_rigs.is_readable(row):
            rigs.append(_tried(row))
            print(rigs[-1].line(), flush=True)
    own = {way: sum(rig.is_own(way) for rig in rigs) / max(len(rigs), 1) for way in WAYS}
    apart = sum(not (one.whole and one.whole.whole) for rig in rigs for one in rig.came.values())
    return [
        Row(
            "control rigs: controls and switches found",
            _share(rig.score for rig in rigs),
            90.0,
            "%",
            at_least=True,
        ),
        Row(
            "control rigs: controls and switches found, names scrambled",
            _share(rig.scrambled for rig in rigs),
            80.0,
            "%",
            at_least=True,
        ),
        *(
            Row(f"control rigs: {way} by their own controls", 100.0 * share, 90.0, "%", at_least=True)
            for way, share in own.items()
        ),
        Row("control rigs: not in one piece, or refused", apart, 0, ""),
        Row("control rigs: slip of the walk, share of the leg", max(rig.slip for rig in rigs), 0.1, "%"),
        Row(
            "control rigs: penetration of the walk, share of the leg",
            max(rig.penetration for rig in rigs),
            0.1,
            "%",
        ),
        Row(
            "control rigs: handler of the walk per frame, share of frame_set",
            100.0 * max(rig.share for rig in rigs),
            15.0,
            "%",
        ),
        Row("control rigs: slowest search, CPU time", max(rig.seconds for rig in rigs), 3.0, "s"),
        Row(
            f"control rigs, filled up to {BIG} bones: slowest search, CPU time",
            max(rig.crowded for rig in rigs),
            3.0,
            "s",
        ),
    ]


def _share(scores: Iterable[control_rigs.Score]) -> float:
    """Return the percentage found."""
    scores = list(scores)
    return 100.0 * sum(score.found for score in scores) / max(sum(score.asked for score in scores), 1)


def _tried(row: dict[str, str]) -> _Rig:
    score, took = _searched(row, _names)
    scrambled, _ = _searched(row, control_rigs.scramble)
    _, crowded = _searched(row, _fill_up)
    came, slip, penetration, share = {}, 0.0, 0.0, 0.0
    for way, pose in WAYS.items():
        obj, _ = _opened(row)
        try:
            came[way] = pose(obj)
        except NeuraRigError as problem:
            came[way] = Came("", refusal=str(problem))
        if way == "walk":
            ours, whole = play(FRAMES)
            share = ours / max(whole - ours, 1e-9)
        if way.startswith("walk") and obj.neurarig.walk.report:
            report = json.loads(obj.neurarig.walk.report)
            percent = 0.1 / report["leg_length_m"]  # of a millimetre
            slip = max(slip, percent * max(side["max"] for side in report["slip_mm"].values()))
            penetration = max(penetration, percent * report["penetration_mm"])
    return _Rig(
        row["family"], row["bone_count"], score, scrambled, came, slip, penetration, took, crowded, share
    )


def _searched(
    row: dict[str, str], change: Callable[[bpy.types.Object], dict[str, str]]
) -> tuple[control_rigs.Score, float]:
    """Return what probing finds on a rig that was changed first, and its CPU seconds; `change` returns what
    bones are called."""
    obj, roles = _opened(row)
    names = change(obj)
    began = time.process_time()
    found = finish(probe.steps(obj, read_skeleton(obj, bpy.context.scene), control_rigs.called(roles, names)))
    return control_rigs.score(row, found, names), time.process_time() - began


def _names(obj: bpy.types.Object) -> dict[str, str]:
    return {bone.name: bone.name for bone in obj.data.bones}


def _fill_up(obj: bpy.types.Object) -> dict[str, str]:
    """Hang strands of hair on the topmost bone until there are BIG bones."""
    obj.select_set(True)
    bpy.ops.object.mode_set(mode="EDIT")
    bones = obj.data.edit_bones
    top = max(bones, key=lambda bone: bone.head.z)
    for strand in range(max(BIG - len(bones), 0) // STRAND + 1):
        above, out = top, Vector((0.005 * (strand % 5 - 2), 0.004, -0.02))
        for link in range(STRAND):
            bone = bones.new(f"strand {strand} {link}")
            bone.parent, bone.head = above, top.tail + link * out
            bone.tail, above = bone.head + out, bone
    bpy.ops.object.mode_set(mode="OBJECT")
    return _names(obj)


def _opened(row: dict[str, str]) -> tuple[bpy.types.Object, RoleMap]:
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    obj = control_rigs.load(row)
    roles = control_rigs.true_roles(row)
    store_roles(obj, roles)
    return obj, roles
