"""What is taken off, undone or failed half-way leaves the file as it was; the shared rigs go through it in
`benchmarks/given_back`."""

from collections.abc import Callable
from random import Random

import bpy
import pytest

from neurarig_addon.blender import api
from neurarig_addon.blender.character import bakes
from neurarig_addon.blender.walk.settings.backup import restore_settings, saved_settings
from tests import rigs
from tests.animals import dog
from tests.blender import giving_back as given
from tests.blender.retargeting import actor
from tests.blender.situations.characters import controlled, plain
from tests.blender.situations.record import recorded, report
from tests.blender.walking import walker
from tests.cases import some

MADE: dict[str, Callable[[], bpy.types.Object]] = {
    "plain": lambda: plain().obj,
    "controlled": lambda: controlled().obj,
    "legs of one bone": lambda: rigs.build(
        [*rigs.TRUNK, *rigs.with_mirror((*_STIFF, *rigs.LEFT_ARM))], "Stiff"
    ),
    "dog": dog,
}
_STIFF = [
    rigs.Bone("LeftUpLeg", "Hips", (0.09, 0.0, 0.925), (0.09, 0.0, 0.08)),
    rigs.Bone("LeftFoot", "LeftUpLeg", (0.09, 0.0, 0.08), (0.09, -0.125, 0.025)),
]


@pytest.fixture(params=MADE)
def kind(request: pytest.FixtureRequest) -> str:
    actor("Actor")
    given.settle(MADE[request.param]())
    return request.param


@pytest.mark.parametrize("name", given.FEATURES)
@pytest.mark.parametrize("controls", ["IK", "FK"])
def test_what_is_taken_off_or_undone_leaves_nothing(kind: str, name: str, controls: str) -> None:
    for found in (given.taken_off(name, controls), given.undone(name, controls)):
        assert not found, report(found)


@pytest.mark.parametrize("name", given.FEATURES)
def test_what_fails_half_way_leaves_nothing(kind: str, name: str) -> None:
    rng = Random(f"{kind} {name}")
    for number in range(some(12)):
        where, found = given.failed(name, "FK" if number % 3 == 2 else "IK", rng)
        assert not found, f"{where}\n{report(found)}"


def test_a_bake_that_fails_half_way_leaves_nothing(kind: str) -> None:
    rng = Random(kind)
    for _ in range(some(8)):
        where, found = given.failed_bake(rng)
        assert not found, f"{where}\n{report(found)}"


def test_a_bake_that_cannot_be_played_leaves_the_walk_live(monkeypatch: pytest.MonkeyPatch) -> None:
    actor("Actor")
    given.settle(plain().obj)
    given.walk(bpy.data.objects[given.HERO], "IK")
    before = given.recorded()
    monkeypatch.setattr(bakes.ledger, "note", _fails)
    with pytest.raises(given.InjectedError):
        given.bake(bpy.data.objects[given.HERO], "IK")
    assert not given.left(before), report(given.left(before))
    assert bpy.data.objects[given.HERO].neurarig.walk.live


def test_a_bake_that_cannot_be_played_leaves_the_tracks(monkeypatch: pytest.MonkeyPatch) -> None:
    obj = rigs.build(rigs.biped(), "Hero")
    obj.animation_data_create().nla_tracks.new().name = "Mine"
    api.generate_walk(obj, use_network=False)
    monkeypatch.setattr(bakes.ledger, "note", _fails)
    with pytest.raises(given.InjectedError):
        api.bake_walk(obj, frame_start=1, frame_end=9, push_nla=True)
    assert [track.name for track in obj.animation_data.nla_tracks] == ["Mine"]


@pytest.mark.parametrize(
    "settings", [{}, {"mode": "TRAVEL", "styles": {"Sad": 1.0}}], ids=["plain", "in a style"]
)
def test_settings_that_are_restored_are_those_that_were_saved(settings: dict) -> None:
    obj = walker(**settings)
    saved = saved_settings(obj)
    for _ in range(2):
        restore_settings(obj, saved)
        assert saved_settings(obj) == saved
    api.generate_walk(obj, use_network=False, mode="IN_PLACE", speed=0.4, styles={"Sad": 0.5})
    obj.neurarig.roles.add().role = "tail"
    assert saved_settings(obj) != saved
    restore_settings(obj, saved)
    assert saved_settings(obj) == saved


def _fails(*_: object) -> None:
    raise given.InjectedError("here")


@pytest.mark.parametrize("name", given.FEATURES)
@pytest.mark.parametrize(
    "step", ["fingers.taken", "store_roles", "names.note", "carry.stand", "standing.remember", "moving.mark"]
)
def test_each_step_of_attaching_may_fail(
    kind: str, name: str, step: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = recorded()

    def fails(*_: object) -> None:
        monkeypatch.undo()  # it fails once: the way back may need it too
        raise given.InjectedError(step)

    monkeypatch.setattr(f"neurarig_addon.blender.character.holding.{step}", fails)
    with pytest.raises(given.InjectedError, match=step):
        given.FEATURES[name][0](bpy.data.objects[given.HERO], "IK")
    found = given.left(before)
    assert not found, report(found)
