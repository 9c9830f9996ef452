"""Rules written down and learned: formulas, profiles whole and damaged, curves and what is learned of them."""

import json
from collections.abc import Callable
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from benchmarks.streams import held_out, stream
from neurarig_addon.core.learned.discovery import curves_of, find_kinks
from neurarig_addon.core.learned.online import OnlineBrain
from neurarig_addon.core.learned.solver import Solver, read_solver_weights, write_solver_weights
from neurarig_addon.core.learned.view_features import feature_names, view_features
from neurarig_addon.core.logic.contract import quantities, random_inputs
from neurarig_addon.core.logic.expression import Expression
from neurarig_addon.core.logic.profile import FOLDER, Profile
from neurarig_addon.core.logic.tokens import FormulaError, excerpt, tokens
from neurarig_addon.link.brains import SteadyBrain
from tests.core.random_formulas import VARIABLES, damaged, random_formula
from tests.core.record.condensed import Answer
from tests.core.record.skeletons import asked
from tests.core.solver_weights import random_weights

PIECES = ('"', "{", "}", "[", "null", "1e99", "-1", ",", "velocity", "== ", "? ", "1 +", "sin(", "true")


def loaded(name: str) -> Profile:
    """Return a bundled profile."""
    return Profile.load(FOLDER / f"{name}.json")


def formulas() -> Answer:
    """Return what drawn formulas give, sound and damaged."""
    draw, rng, found = Random(1), np.random.default_rng(1), {}
    values = {name: rng.normal(size=12) * 2.0 for name in VARIABLES}
    for number in range(160):
        text = random_formula(draw, 3)
        with np.errstate(all="ignore"):
            found[f"{number}"] = np.nan_to_num(
                np.asarray(Expression(text, VARIABLES).evaluate(values), float), nan=7.0, posinf=8.0, neginf=-8.0
            )
    return {"sound": {name: np.clip(value, -1e6, 1e6) for name, value in found.items()}}


def bad_formulas() -> Answer:
    """Return where damaged formulas are wrong."""
    draw, found = Random(2), {}
    for number in range(200):
        text = damaged(draw, random_formula(draw, 3), 2, ("(", ")", ",", "?", ":", "&&", "=", "1.2.3", "%", "foo", "sin", "speeed"))
        try:
            Expression(text, VARIABLES)
        except FormulaError as error:
            found[f"{number}"] = [error.column, excerpt(text, error.column)]
    return {
        "wrong": found,
        "tokens": [
            asked(lambda text=text: [str(token.text) for token in tokens(text)])
            for text in ("a<=b&&c", "1e-3*L_1", "a ? b:c", "a $ b", "3x")
        ],
    }


def profile(name: str) -> Callable[[], Answer]:
    """Return what a profile answers, and what it is checked for."""

    def answer() -> Answer:
        one = loaded(name)
        inputs = random_inputs(one, 40, 3)
        inputs[3, 2], inputs[5, 0] = np.nan, 1e9
        other = one.with_constants(**dict.fromkeys(list(one.defaults)[:2], 0.7))
        found = {
            "outputs": one.evaluate(inputs),
            "period": one.period(inputs),
            "active": one.active_phases(inputs),
            "phases": one.phase_names,
        }
        found |= {"check": [len(one.check(inputs)), len(one.check(inputs[10:]))], "constants": asked(lambda: other.evaluate(inputs))}
        return found | {
            "json": Profile.from_json(one.to_json()).to_json(),
            "names": [one.inputs, one.outputs, one.defaults, list(quantities(one))],
        }

    return answer


def damaged_profiles() -> Answer:
    """Return what is said of profiles that somebody has damaged, and what is left of those that can be read."""
    draw, found = Random(3), {}
    text = (FOLDER / "1_plain_biped.json").read_text(encoding="utf-8")
    for number in range(70):
        bad = damaged(draw, text, 1, PIECES)
        found[f"text {number}"] = asked(lambda bad=bad: len(Profile.from_json(bad).to_json()))
    for number in range(120):
        found[f"part {number}"] = asked(lambda: len(Profile.from_json(json.dumps(_changed(json.loads(text), draw))).to_json()))
    return {"read": found}


def _changed(document: Any, draw: Random) -> Any:
    """Return a document with one part left out, of another kind, or there twice."""
    place = document
    for _ in range(draw.randint(0, 5)):
        inner = [part for part in (place.values() if isinstance(place, dict) else place) if isinstance(part, dict | list) and part]
        if not inner:
            break
        place = draw.choice(inner)
    if isinstance(place, dict):
        key = draw.choice(sorted(place))
        match draw.randint(0, 3):
            case 0:
                del place[key]
            case 1:
                place[key] = draw.choice((None, 3, -1.5, "text", [], {}, True, [1, 2], 1e400))
            case 2:
                place[f"{key}x"] = place[key]
            case _:
                place[key] = place[draw.choice(sorted(place))]
    elif isinstance(place, list):
        place.insert(draw.randint(0, len(place)), draw.choice([*place, None, 2, "text"]))
    return document


def learned(name: str) -> Callable[[], Answer]:
    """Return what is found of a rule from outside, and learned of it from a stream."""

    def answer() -> Answer:
        one = loaded(name)
        curves = curves_of(one)
        rows = stream(curves, 4, True)[:120]
        brain = OnlineBrain(curves)
        losses = [brain.train(row, target) for row, target in zip(rows, one.evaluate(rows), strict=True)]
        unseen = held_out(curves, rows, 20, 4)
        steady = SteadyBrain(OnlineBrain(curves))
        for row, target in zip(rows[:40], one.evaluate(rows[:40]), strict=True):
            steady.train(row, target)
        again = SteadyBrain(OnlineBrain(curves))
        for round_ in range(2):
            for row, target in zip(rows[:6], one.evaluate(rows[:6]), strict=True):
                again.train(row, target)
            if not round_:
                again.reset()
        found = {
            "again": again.predict(rows[7]),
            "losses": losses[-20:],
            "learned": brain.predict(unseen),
            "converged": brain.converged,
            "steady": steady.predict(rows[41]),
        }
        return found | {"features": [feature_names(curves), view_features(curves, rows[:9])], "periods": curves.clock.periods(rows)}

    return answer


def kinks() -> Answer:
    """Return where curves have kinks."""
    curves = {
        "cut off": lambda at: np.maximum(np.sin(2.0 * np.pi * at), 0.2)[None, :, None],
        "bent": lambda at: np.stack([np.minimum(at % 1.0, 0.4) ** 2, np.abs(np.sin(np.pi * (at - 0.13)))], axis=1)[None],
        "smooth": lambda at: np.cos(2.0 * np.pi * at)[None, :, None],
    }
    return {name: find_kinks(curve) for name, curve in curves.items()}


def solved() -> Answer:
    """Return what a network of a rule gives, and its file."""
    weights = random_weights()
    inputs = random_inputs(loaded("1_plain_biped"), 12, 5)
    with TemporaryDirectory() as folder:
        write_solver_weights(Path(folder) / "rule.safetensors", weights)
        again = read_solver_weights(Path(folder) / "rule.safetensors")
    return {"outputs": Solver(again).predict(inputs), "weights": [weights.low, again.low, again.high, again.profile]}


def cases() -> dict[str, Callable[[], Answer]]:
    """Return the scenarios by name."""
    names = [path.stem for path in sorted(FOLDER.glob("*.json"))]
    return {
        "formulas": formulas,
        "bad formulas": bad_formulas,
        **{f"profile {name}": profile(name) for name in names},
        "damaged profiles": damaged_profiles,
        **{f"learned {name}": learned(name) for name in names[:2]},
        "kinks": kinks,
        "solved": solved,
    }
