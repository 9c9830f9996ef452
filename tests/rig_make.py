"""How a control rig that is drawn at random is made."""

import random
from dataclasses import dataclass

from neurarig_addon.core.controls.control_map import FK, IK


@dataclass(frozen=True)
class Make:
    """How a rig is made.

    `copies`: by which constraint bones that deform follow the chains. `flat`: they have no parents among
    themselves, and by Armature
    constraints none at all.
    `one_chain`: limbs have no chains of their own; the solver is on the bones that deform, which are the FK
    controls.
    `switch`: where the property lies, `BONE`, `OBJECT` or `DATA`; `ik_at`: its value in IK; `saved`: the
    state that it is saved in.
    `pole_on`: what carries a pole, `root`, `torso` or `end`. `reverse`: the foot's target hangs on pivots of
    heel and ball.
    `stretch`: solvers stretch bones. `turned`: controls rest with axes of their own. `shaped`: controls have
    custom shapes.
    """

    copies: str
    flat: bool
    one_chain: bool
    switch: str
    ik_at: float
    saved: str
    pole_on: str
    reverse: bool
    stretch: bool
    turned: bool
    shaped: bool

    @classmethod
    def drawn(cls, seed: int) -> "Make":
        """Draw a make."""
        draw = random.Random(seed)
        one_chain = draw.random() < 0.3
        copies = draw.choice(
            ("COPY_TRANSFORMS", "COPY_ROTATION")
            if one_chain
            else ("COPY_TRANSFORMS", "ARMATURE", "COPY_ROTATION")
        )
        return cls(
            copies=copies,
            flat=copies == "ARMATURE"
            or (draw.random() < 0.5 and not one_chain and copies != "COPY_ROTATION"),
            one_chain=one_chain,
            switch=draw.choice(("BONE", "OBJECT", "DATA")),
            ik_at=draw.choice((0.0, 1.0)),
            saved=draw.choice((IK, FK)),
            pole_on=draw.choice(("root", "torso", "end")),
            reverse=draw.random() < 0.5,
            stretch=draw.random() < 0.3,
            turned=draw.random() < 0.5 and copies == "ARMATURE",
            shaped=draw.random() < 0.7,
        )
