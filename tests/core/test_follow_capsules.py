"""What hangs on drawn people does not go through their legs, trunk and head, in any gait."""

from collections.abc import Iterator

import numpy as np
import pytest

from neurarig_addon.core.character.character import Character
from neurarig_addon.core.character.motion import Posed
from neurarig_addon.core.follow.capsules import Capsules
from neurarig_addon.core.follow.chains import HangingChain
from neurarig_addon.core.follow.follow import motion_of
from neurarig_addon.core.follow.following import FollowBone, Hanging
from neurarig_addon.core.follow.kinds import kinds
from neurarig_addon.core.follow.rows import following_rows
from neurarig_addon.core.gait.sliders.style import Clock, Style, StyleTrack
from neurarig_addon.core.gait.synthesis import walk
from neurarig_addon.core.geometry.rotation import from_quaternion, normalized, off_segments
from neurarig_addon.core.posing.channels import QUATERNION, Channels
from tests.core import skeletons as made
from tests.core.retarget_bodies import proportioned
from tests.core.walkers import GAITS

FPS, SOFT = 30.0, 0.02  # SOFT: leg lengths by which a capsule is thinner than a chain at rest leaves it room


def drawn_person(draw: np.random.Generator) -> Character:
    sizes = {part: float(draw.uniform(0.75, 1.35)) for part in ("legs", "arms", "trunk", "feet")}
    return Character.of(made.skeleton(proportioned(made.biped(), **sizes)))


def drawn_chains(draw: np.random.Generator, who: Character) -> Iterator[HangingChain]:
    """Yield a tail, hair, six panels of a skirt and a strap, in leg lengths from the middle of the hips."""
    leg, head = who.body.leg_length, who.rest_head("head")
    hips = 0.5 * (who.rest_head("thigh.L") + who.rest_head("thigh.R"))
    side = abs(who.rest_head("thigh.L")[1] - hips[1]) / leg + 0.12
    tops = [("TAIL", hips, (-0.14, 0.0, 0.08), (-0.7, 0.0, -draw.uniform(0.2, 1.0)), (0.3, 0.9), (4, 9))]
    tops.append(("HAIR", head, (-0.12, 0.0, 0.15), (-0.25, 0.0, -1.0), (0.2, 0.6), (3, 7)))
    for angle in np.radians(range(0, 360, 60)):
        ahead, aside = np.cos(angle), np.sin(angle)
        top = (0.13 * ahead, side * aside, 0.05)
        tops.append(("SKIRT", hips, top, (0.15 * ahead, 0.15 * aside, -1.0), (0.3, 0.6), (3, 4)))
    tops.append(("STRAP", hips, (0.0, side + 0.01, 0.1), (0.0, 0.1, -1.0), (0.2, 0.4), (3, 4)))
    for number, (kind, origin, top, way, lengths, counts) in enumerate(tops):
        count = int(draw.integers(*counts))
        ways = normalized(np.array(way) + np.cumsum(draw.normal(0.0, 0.08, (count, 3)), axis=0))
        steps = np.concatenate([np.zeros((1, 3)), np.cumsum(ways, axis=0)]) * draw.uniform(*lengths) / count
        bones = tuple(f"{kind} {number}.{bone}" for bone in range(count))
        yield HangingChain(bones, kind, "head" if kind == "HAIR" else "pelvis", origin + leg * (steps + top))


def deepest(chain: HangingChain, pose: Posed, leg: float) -> float:
    """Return how deep a chain's bones go into capsules at most, leg lengths."""
    still = np.eye(3)[None, None].repeat(len(pose.frames), axis=0).repeat(len(chain.bones), axis=1)
    bones = tuple(FollowBone(name, QUATERNION, np.eye(3)) for name in chain.bones)
    hanging = Hanging((chain,), (kinds()[chain.kind].manner,), bones, lambda frames: still.copy())
    following = following_rows(hanging, pose, FPS, leg)
    found = following.over(Channels((), np.empty((len(pose.frames), 0))), pose)
    turns = from_quaternion(found.values.reshape(len(found.values), -1, 4))
    capsules, at_rest = Capsules.of(pose.motions, leg), Capsules.at_rest(pose.motions, leg)
    holder, deep = motion_of(pose.motions, chain.holder), 0.0
    carried, joint = holder.rotation, holder.carry(chain.joints[0])
    for row, (head, way) in enumerate(zip(chain.joints, np.diff(chain.joints, axis=0), strict=False)):
        carried = carried @ turns[:, row]
        for share in (0.25, 0.5, 0.75, 1.0):
            room = off_segments(head + share * way, at_rest.starts[0], at_rest.ways[0]) - SOFT * leg
            place = (joint + share * (carried @ way))[:, None]
            off = off_segments(place, capsules.starts, capsules.ways)
            deep = max(deep, float((np.minimum(capsules.radii, room) - off).max()) / leg)
        joint = joint + carried @ way
    return deep


@pytest.mark.few(12)
@pytest.mark.parametrize("gait", GAITS)
@pytest.mark.parametrize("seed", range(12))
def test_what_hangs_on_drawn_people_stays_out_of_them(seed: int, gait: str) -> None:
    draw = np.random.default_rng(seed)
    who = drawn_person(draw)
    kind, most = GAITS[gait]
    speed = draw.uniform(0.4, 1.0) * most * np.sqrt(who.body.leg_length / 0.9)
    pose = walk(who.body, StyleTrack(Style(speed=speed)), Clock(FPS), np.arange(1.0, 91.0), kind)
    found = {chain.bones[0]: deepest(chain, pose, who.body.leg_length) for chain in drawn_chains(draw, who)}
    between_thighs = found.pop("SKIRT 2.0")
    assert max(found.values()) < 0.01, found
    assert between_thighs < 0.03
