"""Skeletons drawn at random, with the vices of real ones: most roles right by name and scrambled, and
whatever is no biped refused."""

import numpy as np
import pytest

from neurarig_addon.core.detection.detect import detect
from neurarig_addon.core.detection.kinship import anatomical
from neurarig_addon.core.errors import NeuraRigError
from neurarig_addon.core.skeleton.roles import QUADRUPED, RoleMap
from tests.cases import some
from tests.drawn_skeletons.creatures import CREATURES
from tests.drawn_skeletons.draft import Draft, other
from tests.drawn_skeletons.samples import biped, creature, samples
from tests.drawn_skeletons.samples import drawn as draw_from
from tests.drawn_skeletons.strangers import STRANGERS
from tests.drawn_skeletons.truth import wrong_roles
from tests.refusals import refuses

SEED = 31
FOUR_LEGGED = ("quadruped", "frog", "giraffe")  # creatures that are found as animals


@pytest.mark.few
@pytest.mark.parametrize(("scramble", "least"), [(False, 0.93), (True, 0.85)])
def test_most_roles_of_drawn_bipeds_are_right(scramble, least):
    asked, wrong = 0, {}
    for k in range(40):
        sample = biped(np.random.default_rng([SEED, k]))
        sample = sample.scrambled() if scramble else sample
        try:
            found = detect(sample.skeleton)
        except NeuraRigError:
            found = None
        asked, wrong[k] = asked + len(sample.roles), wrong_roles(sample.roles, found)
    assert sum(map(len, wrong.values())) <= (1.0 - least) * asked, wrong


@pytest.mark.few
@pytest.mark.parametrize(("scramble", "most"), [(False, 0), (True, 2)])
def test_what_does_not_walk_on_two_legs_is_refused_in_one_sentence(scramble, most):
    walking = []
    for k in range(some(120)):
        sample = creature(np.random.default_rng([SEED, 1, k]))
        try:
            found = detect((sample.scrambled() if scramble else sample).skeleton)
            if found.kind != QUADRUPED or sample.kind not in FOUR_LEGGED:
                walking.append((k, sample.kind))
        except NeuraRigError as refusal:
            assert str(refusal).count(". ") == 0 and str(refusal).endswith(".")
    assert len(walking) <= most, walking


@pytest.mark.few(3)
@pytest.mark.parametrize("kind", [kind for kind in STRANGERS if kind not in FOUR_LEGGED])
def test_kinds_that_no_constant_was_fitted_to_are_refused(kind):
    for k in range(5):
        sample = creature(np.random.default_rng([SEED, 2, k]), {kind: STRANGERS[kind]})
        for skeleton in (sample.skeleton, sample.scrambled().skeleton):
            with refuses():
                detect(skeleton)


ONCE_WALKED = {
    "a centaur with human names": lambda: draw_from(2024, 148),
    "a crab on its back": lambda: creature(np.random.default_rng([31, 76]), STRANGERS),
}


@pytest.mark.parametrize("what", ONCE_WALKED)
def test_what_once_was_taken_for_a_biped_is_refused(what):
    with refuses():
        detect(ONCE_WALKED[what]().skeleton)


FOUND_AS_ANIMALS = {
    "a dog with human names": lambda: draw_from(2024, 388),
    "a frog on its shins, nameless": lambda: creature(np.random.default_rng([2024, 1, 151])).scrambled(),
    "a frog on its shins": lambda: creature(np.random.default_rng([2024, 1, 168])),
}


@pytest.mark.parametrize("what", FOUND_AS_ANIMALS)
def test_what_once_was_taken_for_a_biped_is_an_animal(what):
    assert detect(FOUND_AS_ANIMALS[what]().skeleton).kind == QUADRUPED


def test_draws_are_the_same_for_a_seed_and_differ_in_kind():
    first, again = (list(samples(30, 5)) for _ in range(2))
    assert all(one.skeleton.names == two.skeleton.names for one, two in zip(first, again, strict=True))
    assert len({one.kind for one in samples(60, 5)}) > 6 and {one.roles is None for one in first} == {
        True,
        False,
    }


def test_the_truth_of_a_draw_is_on_its_skeleton_and_on_the_side_it_says():
    for k in range(30):
        sample = biped(np.random.default_rng([SEED, k]))
        assert all(bones <= set(sample.skeleton.names) for bones in sample.roles.values())
        left, right = (next(iter(sample.roles[f"thigh.{side}"])) for side in "LR")
        assert left != right
    assert other("thigh.L") == "thigh.R" and other("pelvis") == "pelvis"


def test_a_score_sees_wrong_missing_and_extra_roles():
    truth = {
        "pelvis": frozenset({"a"}),
        "spine.1": frozenset({"b"}),
        "spine.2": frozenset({"c"}),
        "head": frozenset({"d", "e"}),
    }
    assert wrong_roles(truth, RoleMap({"pelvis": "a", "spine.1": "b", "spine.2": "c", "head": "e"})) == []
    assert wrong_roles(truth, RoleMap({"pelvis": "x", "spine.1": "b", "neck": "c", "head": "d"})) == [
        "pelvis",
        "spine.2",
        "neck.extra0",
    ]
    assert wrong_roles(truth, None) == sorted(truth)


def test_bones_that_deform_flat_below_a_root_are_put_where_their_copies_say():
    flat = next(sample for sample in map(drawn, range(400)) if "flat" in sample.vices)
    skeleton, rows = anatomical(flat.skeleton)
    shin = rows[flat.skeleton.index[next(iter(flat.roles["shin.L"]))]] if "shin.L" in flat.roles else -1
    thigh = rows[flat.skeleton.index[next(iter(flat.roles["thigh.L"]))]]
    assert shin < 0 or thigh in skeleton.ancestors(int(shin))
    assert (
        len(skeleton.names) < len(flat.skeleton.names)
        and (skeleton.parents < np.arange(len(skeleton.names))).all()
    )


def drawn(k):
    return biped(np.random.default_rng([SEED, k]))


@pytest.mark.parametrize("seed", range(12))
def test_a_drawn_centaur_stands_on_four_legs_whatever_these_are_called(seed: int) -> None:
    draft = Draft()
    CREATURES["centaur"](draft, np.random.default_rng(seed))
    down = [bone.tail[1] for key, bone in draft.bones.items() if key.endswith(".L") and bone.tail[2] < 0.1]
    assert min(down) < 0.0 < max(down)
