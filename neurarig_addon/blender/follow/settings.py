"""The settings of what follows: `Object.neurarig.follow`, a list of chains."""

from bpy.types import PropertyGroup

from ...core.follow.kinds import KINDS, Manner, kinds
from ..animation.properties import LIST, OVERRIDE, PLAIN, STATE
from ..character import hanging, record
from ..character.changes import Changes

changes = Changes()
_KEYABLE = changes.keyable
SLIDERS = tuple(Manner.__dataclass_fields__)


def _chosen(settings: PropertyGroup, _context: object) -> None:
    """Take or restore the bones of an attached character as chosen."""
    if not changes.is_open:
        obj = settings.id_data
        if record.is_attached(obj):
            hanging.follow(obj)
        elif obj.neurarig.follow.below:
            hanging.end_layer(obj)
            if obj.neurarig.follow.on:
                hanging.begin_layer(obj)
        changes.tell(obj)


def take_kind(chain: PropertyGroup, _context: object = None) -> None:
    """Set a chain's sliders to those of its kind."""
    with changes.as_one(chain.id_data):
        for name in SLIDERS:
            setattr(chain, name, getattr(kinds()[chain.kind].manner, name))


def _slider(name: str, label: str, description: str, most: float):
    least = 0.05 if name in ("stiffness", "along") else 0.0
    return _KEYABLE.number(
        label,
        description,
        default=getattr(kinds()["TAIL"].manner, name),
        min=least,
        soft_max=most,
        max=20.0 * most,
    )


class NeuraRigChain(PropertyGroup):
    """A chain of bones that follows; its `name` is that of its first bone."""

    bones: STATE.text("Bones", "The bones from the body outwards, as JSON text")
    holder: STATE.text("Holder", "The role of the bone that carries the chain")
    use: PLAIN.switch("Follows", "Whether this chain follows the body", default=True, update=_chosen)
    kind: PLAIN.choice(
        "Kind",
        "What the chain is. Sets the sliders below",
        items=tuple(
            (kind, kind.title(), f"It swings as {'an' if kind[0] in 'AE' else 'a'} {kind.lower()} does")
            for kind in KINDS
        ),
        update=take_kind,
    )
    stiffness: _slider("stiffness", "Stiffness", "How fast it swings; 1 is a pendulum of its length", 5.0)
    damping: _slider("damping", "Damping", "How soon it comes to rest; 1 is without a swing", 1.0)
    weight: _slider("weight", "Weight", "How far it yields to the body's motion and to gravity", 3.0)
    drag: _slider("drag", "Drag", "How much the air holds it back", 5.0)
    along: _slider("along", "Tip Stiffness", "Stiffness at its tip, as a share of that at its root", 2.0)


class NeuraRigFollow(PropertyGroup):
    """What follows on one armature."""

    on: PLAIN.switch(
        "Follow-Through",
        "Tail, ears, hair, straps and belly swing with the body, live and in a bake",
        update=_chosen,
    )
    below: STATE.text("Below", "How the bones stood that follow the character's own animation, as JSON text")
    chains: LIST.items("Chains", "The chains of bones that can follow", type=NeuraRigChain)
    active_chain: OVERRIDE.whole("Chain", "The selected chain", options={"HIDDEN"})
