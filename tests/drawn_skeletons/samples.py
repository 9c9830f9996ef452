"""Skeletons drawn at random, each with the truth about it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np

from neurarig_addon.core.geometry.rotation import about_x, about_z
from neurarig_addon.core.skeleton.skeleton import Skeleton

from .bodies import LEANING, UPRIGHT, draw_arm, draw_build, draw_leg, draw_trunk
from .creatures import CREATURES, Creature
from .draft import Draft
from .names import draw_names
from .truth import Truth
from .vices import BESIDE, controls, layers

_NO_BIPED = 0.2  # share of the draws
_LETTERS = np.array(list("bcdfghjkmnpqstvwxz"))


@dataclass(frozen=True)
class Sample:
    """A skeleton and what is true of it: `roles` role -> bones that may play it, None for what is no biped.
    `vices`: what is odd."""

    skeleton: Skeleton
    roles: Truth | None
    kind: str
    vices: tuple[str, ...] = ()

    def scrambled(self, seed: int = 0) -> "Sample":
        """Return the same with names that say nothing."""
        draw = np.random.default_rng([seed, len(self.skeleton.names)])
        new: dict[str, str] = {}
        for name in self.skeleton.names:
            said = "".join(draw.choice(_LETTERS, 9))
            new[name] = said if said not in new.values() else said + "x"
        roles = self.roles and {
            role: frozenset(new[bone] for bone in bones) for role, bones in self.roles.items()
        }
        return replace(
            self,
            skeleton=replace(self.skeleton, names=tuple(new[name] for name in self.skeleton.names)),
            roles=roles,
        )


def samples(count: int, seed: int) -> Iterator[Sample]:
    """Yield `count` skeletons; sample k of a seed is the same however many are asked for."""
    for k in range(count):
        yield drawn(seed, k)


def drawn(seed: int, k: int) -> Sample:
    """Return skeleton `k` of a seed."""
    draw = np.random.default_rng([seed, k])
    return creature(draw) if draw.random() < _NO_BIPED else biped(draw)


def creature(draw: np.random.Generator, kinds: Mapping[str, Creature] = CREATURES) -> Sample:
    """Draw something that does not walk on two legs."""
    kind, draft = str(draw.choice(list(kinds))), Draft()
    kinds[kind](draft, draw)
    draft.mirror(draw)
    return Sample(_placed(draft, draw)[0], None, kind)


def biped(draw: np.random.Generator) -> Sample:
    """Draw something that walks on two legs."""
    kind = LEANING if draw.random() < 0.12 else UPRIGHT
    build, draft = draw_build(draw, kind), Draft()
    root = "root" if draw.random() < 0.6 else None
    if root:
        draft.add("root", None, [0.0, 0.0, 0.0], [0.0, 0.3, 0.0])
    legs_on = root if root and draw.random() < 0.1 else "pelvis"
    height = draw_leg(draft, build, draw, kind, legs_on)
    chest = draw_trunk(draft, build, draw, np.array([0.0, 0.0, height]), root)
    if kind == UPRIGHT or draw.random() < 0.8:
        draw_arm(draft, build, draw, chest, wing=kind == LEANING and draw.random() < 0.4)
    vices = [name for name, (vice, chance) in BESIDE.items() if draw.random() < chance]
    for name in vices:
        BESIDE[name][0](draft, draw)
    if draw.random() < 0.3:
        vices.append("layers")
        layers(draft, draw, flat := bool(draw.random() < 0.3))
        vices += ["flat"] if flat else []
    if draw.random() < 0.35:
        vices.append("controls")
        controls(draft, draw)
    draft.mirror(draw, unlike=float(draw.choice([0.0, 0.0, 0.002, 0.006])))
    return sample_of(draft, draw, kind, tuple(vices))


def sample_of(draft: Draft, draw: np.random.Generator, kind: str, vices: tuple[str, ...] = ()) -> Sample:
    """Return a finished draft of something that walks, somewhere in the world."""
    skeleton, names = _placed(draft, draw)
    roles = {role: frozenset(names[key] for key in keys.split("|")) for role, keys in draft.roles.items()}
    return Sample(skeleton, roles, kind, vices)


def _placed(draft: Draft, draw: np.random.Generator) -> tuple[Skeleton, dict[str, str]]:
    """Return the draft at some place, size and facing, on an object with some scale and turn, and the names
    of its bones by key."""
    names = draw_names(draft.bones, draw)
    place = np.eye(4)
    facing = np.radians(float(draw.choice([0.0, 0.0, 90.0, 180.0, draw.uniform(0.0, 360.0)])))
    place[:3, :3] = about_z(np.array(facing)) * float(np.exp(draw.normal(0.0, 0.5)))
    place[:2, 3] = draw.normal(0.0, 1.0, 2) if draw.random() < 0.3 else 0.0
    draft.move(place)
    to_world = np.eye(4)
    laid = about_x(np.array(np.pi / 2.0)) if draw.random() < 0.4 else np.eye(3)
    to_world[:3, :3] = laid * float(draw.choice([1.0, 1.0, 0.01, 100.0]))
    return draft.skeleton(names, to_world, draw), names
