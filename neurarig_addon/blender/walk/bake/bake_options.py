"""The options of a bake; how many keys is EDITABLE by the button, DENSE by scripts and the command line."""

from dataclasses import dataclass

from ....core.errors import NeuraRigError
from ...interface.options import Option
from ...keys import figures

CONTROLS, LAYER, DEFORM, BOTH = TARGETS = ("CONTROLS", "LAYER", "DEFORM", "BOTH")
EDITABLE, DENSE = "EDITABLE", "DENSE"

NAME_PATTERN = "{character} {style} {gait}"  # of the action of a bake
PREFERRED = ("target", "keys", "tolerance", "push_nla")  # what the preferences have too

# All but the frames.
OPTIONS = (
    Option(
        "target", "Target", "Which bones get the keyframes", "CONTROLS",
        items=(
            ("CONTROLS", "Controls or Bones",
                "The rig's own controls, or its bones if it has none: what the rig keeps"),
            ("LAYER", "NeuraRig Controls",
                "Those that NeuraRig adds to a rig without its own: IK feet that roll"),
            ("DEFORM", "Deform Bones", "The bones that deform the mesh, for game engines and export"),
            ("BOTH", "Both",
                "Two actions: the controls to animate on, the deform bones for an export or a game engine"),
        ),
        help="what the bake keys",
    ),
    Option(
        "keys", "Keys", "How many keys each curve of the controls gets; deform bones get one on every frame",
        "EDITABLE",
        items=(
            ("EDITABLE", "Editable",
                "Few keys with handles, at contact, passing and where the motion asks for more"),
            ("DENSE", "Dense", "A key on every frame: exactly the live walk"),
        ),
        help="a key on every frame, or few with handles",
    ),
    Option(
        "tolerance", "Tolerance",
        "How far a joint may be off with editable keys; planted feet slip a fifth of it at most",
        figures.TOLERANCE,
        rna={"min": figures.LEAST, "max": figures.MOST, "precision": 4, "unit": "LENGTH"},
        metavar="M", help="metres a joint may be off with editable keys",
    ),
    Option("step", "Key Every", "Key every n-th frame", 1, rna={"min": 1, "soft_max": 12}, metavar="N",
        help="bake every Nth frame"),
    Option("loop", "Loop", "Bake one cycle that loops", False, help="bake one cycle that repeats"),
    Option("push_nla", "Push to NLA", "Put the bake on its own NLA track", False,
        help="put the bake on an NLA track"),
    Option(
        "action_name", "Name",
        "Name of the new action and its NLA track; empty: of the character and its style", "",
        rna={"options": {"SKIP_SAVE"}}, flag="--name", metavar="NAME",
        help="name of the action (default: of the character and its style)",
    ),
)  # fmt: skip


@dataclass(frozen=True)
class BakeOptions:
    """What to bake.

    `step`: key every n-th frame (and the last). `target`: 'CONTROLS', the rig's own or, without any, its
    bones; 'LAYER', the controls that
    we add; 'DEFORM'; or 'BOTH': two actions, of which the controls' plays. `action_name`: '' for one of the
    character and its style.
    `loop`: one seamless cycle from `frame_start`, or all strides that differ; `frame_end` is ignored.
    `keys`: 'DENSE', one per frame, or 'EDITABLE', as few as keep joints within `tolerance` metres.
    """

    frame_start: int
    frame_end: int
    step: int = 1
    target: str = CONTROLS
    loop: bool = False
    push_nla: bool = False
    keys: str = DENSE
    tolerance: float = figures.TOLERANCE
    action_name: str = ""


def require_step(step: int, first: int, last: int) -> None:
    """Raise NeuraRigError for a step over the end of a bake, which would leave its first frame alone."""
    if step > max(last - first, 1):
        raise NeuraRigError(f"A step of {step} is longer than frames {first} to {last}. Use a shorter one.")


def require(keys: object, tolerance: object, step: object, target: object) -> None:
    """Raise NeuraRigError for options that editable keys do not support."""
    if keys not in (EDITABLE, DENSE):
        raise NeuraRigError(f"'{keys}' is not a kind of keys; choose {EDITABLE} or {DENSE}.")
    figures.require_tolerance(tolerance)
    if keys == EDITABLE and target == "DEFORM":
        raise NeuraRigError("Editable keys go on the controls. Bake Deform Bones with Dense keys.")
    if keys == EDITABLE and step != 1:
        raise NeuraRigError(
            "Editable keys choose their frames themselves. Set Key Every to 1, or Keys to Dense."
        )
