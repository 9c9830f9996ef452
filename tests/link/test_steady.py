"""Who walks on at one speed is answered from remembered coefficients, and cannot tell."""

import numpy as np
import pytest

from neurarig_addon.core.learned.online import OnlineBrain
from neurarig_addon.core.logic.profile import FOLDER, Profile
from neurarig_addon.link.brains import OnlineBrains, SteadyBrain, SteadyWalk

from .walkers import DT

PROFILES = sorted(path.stem for path in FOLDER.glob("*.json"))


def walker(profile: Profile) -> np.ndarray:
    """Return inputs `(inputs,)` of a walker whose legs differ a little."""
    known = {
        "velocity": 1.2,
        "bone_l1_r": 0.42,
        "bone_l": 0.43,
        "offset_r": 0.1,
        "offset_l": 0.6,
        "spacing": 0.07,
        "t_": 0.0,
    }
    return np.array(
        [
            next((value for key, value in known.items() if name.startswith(key)), 1.0)
            for name in profile.inputs
        ]
    )


@pytest.mark.few
@pytest.mark.parametrize("name", PROFILES)
def test_a_steady_walk_is_what_the_brain_predicts(name):
    profile = Profile.load(FOLDER / f"{name}.json")
    brains = OnlineBrains.of(profile)
    brain, inputs = OnlineBrain(brains.curves), walker(profile)
    time = brains.curves.places.time
    for number in range(150):
        inputs[time] = number * DT
        brain.train(inputs, profile.evaluate(inputs[None])[0])
    steady = SteadyWalk(brains.curves, brain.predict, inputs)
    for seconds in np.random.default_rng(0).uniform(0.0, 5.0, 200):
        inputs[time] = seconds
        assert np.abs(steady.predict(inputs) - brain.predict(inputs)).max() < 1e-9


def test_it_is_forgotten_when_something_is_learned_or_changes():
    profile = Profile.load(FOLDER / f"{PROFILES[0]}.json")
    brain, inputs = OnlineBrains.of(profile)(), walker(profile)
    plain = OnlineBrain(OnlineBrains.of(profile).curves)
    places = plain.curves.places
    assert isinstance(brain, SteadyBrain)
    for number in range(400):
        inputs[places.time] = number * DT
        if number % 50 == 0:
            inputs[places.velocity] += 0.01
        if number < 200 or number % 40 == 0:
            targets = profile.evaluate(inputs[None])[0]
            assert brain.train(inputs, targets) == pytest.approx(plain.train(inputs, targets), abs=1e-12)
        assert np.abs(brain.predict(inputs) - plain.predict(inputs)).max() < 1e-9
        assert brain.converged == plain.converged
    brain.reset()
    assert not brain.predict(inputs).any()


def test_who_walks_on_asks_the_network_no_more():
    profile = Profile.load(FOLDER / f"{PROFILES[0]}.json")
    brain, inputs = OnlineBrains.of(profile)(), walker(profile)
    asked, inner, time = [], brain._brain.predict, OnlineBrains.of(profile).curves.places.time
    brain._brain.predict = lambda given: asked.append(len(asked)) or inner(given)
    for number in range(100):
        inputs[time] = number * DT
        brain.predict(inputs)
    before = len(asked)
    for number in range(100, 200):
        inputs[time] = number * DT
        brain.predict(inputs)
    assert len(asked) == before > 0
