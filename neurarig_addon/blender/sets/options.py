"""The options of a set, of its button, of scripts and of the command line."""

from ...core.errors import NeuraRigError
from ...core.sets.manifest import IN_PLACE, ROOT_MOTION
from ...core.sets.naming import GODOT, MIXAMO, PLAIN, SAMPLE, UNITY, UNREAL
from ..interface.options import Option

FORMATS = ("GLB", "FBX")

OPTIONS = (
    Option(
        "clips", "Clips", "Which clips are made", "CORE",
        items=(
            ("CORE", "35 Clips",
                "Idle; walk and run in eight directions, sprint, crouch; starts, stops, turns on the spot"),
            ("FULL", "60 Clips",
                "The same, a jog in eight directions, more crouched walks, turns in stride, up and downhill"),
            ("RESPONSIVE", "Responsive",
                "For a character that is played: loops from a stroll to a sprint, starts and stops within a"
                " step or two, turns; all in step, to be left at every contact"),
            ("ACTS", "Acts", "Jumps, crouching, a wave, a nod: from standing to standing"),
            ("LONG_TAKE", "Motion Matching",
                "One take of two minutes: all speeds, bends and corners, stops, turns, starts"),
        ),
        help="core (35 clips, default), full (60), responsive (60, for a character that is played), acts"
        " (jumps, crouching, gestures), or long_take: one of two minutes for motion matching",
    ),
    Option(
        "convention", "Names For", "How bones and clips are named", GODOT,
        items=(
            (GODOT, "Godot", "Bones of Godot's humanoid profile; looping clips end in -loop"),
            (UNITY, "Unity", "Bones of Unity's humanoid; clips by compass points"),
            (UNREAL, "Unreal", "Bones of Unreal's mannequin; clips as in Lyra"),
            (SAMPLE, "Unreal Motion Matching",
                "Bones of Unreal's mannequin; clips as in the Game Animation Sample"),
            (MIXAMO, "Mixamo", "Bones of Mixamo; plain names of clips"),
            (PLAIN, "Own Bone Names", "Bones keep their names; plain names of clips"),
        ),
        help="how bones and clips are named (default: godot)",
    ),
    Option(
        "file_format", "Format", "What is written", "GLB",
        items=(
            ("GLB", "One GLB", "The character with all clips in one file"),
            ("FBX", "FBX per Clip",
                "The character in one file, each clip in a file of its own; in centimetres, nothing scaled"),
        ),
        flag="--format", help="one glb (default), or an fbx of each clip",
    ),
    Option(
        "travel", "Travel", "What moves through the scene", ROOT_MOTION,
        items=(
            (ROOT_MOTION, "Root Bone", "The bone on the ground travels: root motion"),
            (IN_PLACE, "In Place", "Nothing travels; the manifest says how fast"),
        ),
        help="root_bone for root motion (default), or in_place",
    ),
    Option(
        "keep", "Keep in File", "Leave the game character in this file too, with its clips as assets", False,
        help="leave the game character in the file too, with its clips as assets",
    ),
)  # fmt: skip


def require(**given: object) -> None:
    """Raise NeuraRigError for an option that there is not, or a value that it cannot have."""
    known = {option.name: option for option in OPTIONS}
    for name, value in given.items():
        if name not in known:
            raise NeuraRigError(f"A set has no option '{name}'; it has {', '.join(known)}.")
        known[name].require(value)
