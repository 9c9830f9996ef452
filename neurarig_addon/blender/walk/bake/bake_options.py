"""The options of a bake besides its frames; how many keys is EDITABLE by the button, DENSE by scripts and the command line."""

from ...interface.options import Option
from ...keys import figures

OPTIONS = (
    Option(
        "target", "Target", "Which bones get the keyframes", "CONTROLS",
        items=(
            ("CONTROLS", "Controls", "The controls that the walk drives: few curves, easy to edit"),
            ("DEFORM", "Deform Bones", "The bones that deform the mesh, for game engines and export"),
            ("BOTH", "Both", "Two actions: the controls to animate on, and the deform bones for an export skeleton or a game engine"),
        ),
        help="what the bake keys",
    ),
    Option(
        "keys", "Keys", "How many keys each curve of the controls gets; deform bones get one on every frame", "EDITABLE",
        items=(
            ("EDITABLE", "Editable", "Few keys with handles, at contact, passing and where the motion asks for more"),
            ("DENSE", "Dense", "A key on every frame: exactly the live walk"),
        ),
        help="a key on every frame, or few with handles",
    ),
    Option(
        "tolerance", "Tolerance", "How far a joint may be off with editable keys; planted feet slip a fifth of it at most",
        figures.TOLERANCE,
        rna={"min": figures.LEAST, "max": figures.MOST, "precision": 4, "subtype": "DISTANCE"},
        metavar="M", help="metres a joint may be off with editable keys",
    ),
    Option("step", "Frame Step", "Key every n-th frame", 1, rna={"min": 1, "soft_max": 12}, metavar="N", help="bake every Nth frame"),
    Option("loop", "Loop", "Bake one cycle that loops", False, help="bake one cycle that repeats"),
    Option("push_nla", "Push to NLA", "Put the bake on its own NLA track", False, help="put the bake on an NLA track"),
)  # fmt: skip
