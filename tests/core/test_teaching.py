"""A rule's network taught in numpy: its gradient and its way down are right, it learns, repeats, and says how
far it is."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from neurarig_addon.core.learned.lessons import TaughtRule, make_lessons, profile_rule
from neurarig_addon.core.learned.solver import Solver, pack_solver_weights, unpack_solver_weights
from neurarig_addon.core.learned.teaching import ENOUGH, Recipe, Taught, TrunkLoss, teach
from neurarig_addon.core.logic.profile import FOLDER, Profile
from tests.core.curved_profile import CURVED
from tests.refusals import refuses

SHORT = Recipe(walkers=400, judging_walkers=100, hidden=(16, 16), steps=8)


@pytest.fixture(scope="module")
def curved() -> TaughtRule:
    return profile_rule(Profile.from_json(CURVED))


def taught(rule: TaughtRule, recipe: Recipe) -> tuple[Taught, list[float]]:
    """Return the network, and the shares of the work that were said meanwhile."""
    steps, shares = teach(rule, recipe), []
    while True:
        try:
            shares.append(next(steps))
        except StopIteration as finished:
            return finished.value, shares


def test_the_gradient_is_that_of_the_loss_with_the_best_heads(curved: TaughtRule) -> None:
    loss = TrunkLoss(make_lessons(curved, 60, 1), curved, (5, 4))
    features = make_lessons(curved, 1, 1).features.shape[-1]
    place, rng = (
        np.random.default_rng(2).normal(0.0, 0.5, 5 * (features + 1) + 4 * 6),
        np.random.default_rng(3),
    )
    for direction in rng.normal(size=(4, len(place))):
        ahead, behind = (loss.of(place + sign * 1e-5 * direction)[0] for sign in (1.0, -1.0))
        assert loss.of(place)[1] @ direction == pytest.approx((ahead - behind) / 2e-5, rel=1e-4)


@pytest.mark.few
@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.json")), ids=lambda path: path.stem)
def test_shipped_profiles_need_no_steps(path: Path) -> None:
    rule = profile_rule(Profile.load(path))
    found, _ = taught(rule, Recipe(walkers=800, judging_walkers=100))
    assert found.error < ENOUGH and not found.weights.trunk
    inputs = rule.draw(20_000, np.random.default_rng(20_000))
    off = np.abs(Solver(found.weights).predict(inputs) - rule.evaluate(inputs))
    assert np.median(off) < 1e-4 and np.quantile(off, 0.999) < 1e-3


def test_steps_teach_the_trunk_what_is_not_linear_and_the_same_seed_teaches_the_same(
    curved: TaughtRule,
) -> None:
    plain, _ = taught(curved, replace(SHORT, steps=0))
    found, shares = taught(curved, SHORT)
    assert found.error < 0.2 * plain.error
    assert shares == sorted(shares) and shares[0] == 0.0 and shares[-1] < 1.0
    inputs = curved.draw(5_000, np.random.default_rng(4))
    off = np.sqrt(np.mean((Solver(found.weights).predict(inputs) - curved.evaluate(inputs)) ** 2))
    assert off == pytest.approx(found.error, rel=0.5)  # what it says of walkers that it has not met
    brief = replace(SHORT, steps=SHORT.steps // 4)
    one, again, other = (
        pack_solver_weights(taught(curved, each)[0].weights)
        for each in (brief, brief, replace(brief, seed=2))
    )
    assert one == again != other


def test_weights_come_back_from_their_bytes_and_no_others_do(curved: TaughtRule) -> None:
    weights = taught(curved, replace(SHORT, steps=0))[0].weights
    packed = pack_solver_weights(weights)
    assert pack_solver_weights(unpack_solver_weights(packed, "it", curved.curves.places.names)) == packed
    for damaged in (b"", packed[:-4], packed + b"1234"):
        with refuses("'it' is not a usable weights file"):
            unpack_solver_weights(damaged, "it")


def test_a_profile_that_is_not_finite_is_refused_in_a_sentence() -> None:
    rule = profile_rule(Profile.from_json(CURVED))
    broken = replace(
        rule, evaluate=lambda inputs: rule.evaluate(inputs) * np.where(inputs[:, :1] > 1.0, np.nan, 1.0)
    )
    with refuses("numbers that are not finite"):
        taught(broken, SHORT)
