"""Formulas: muParser's language, its results, sentences for what is wrong, and nothing that could run, hang
or overflow."""

import re
from random import Random

import numpy as np
import pytest

from neurarig_addon.core.logic.expression import DEEPEST, Expression
from neurarig_addon.core.logic.vocabulary import LONGEST_FORMULA, FormulaError
from tests.core.muparser import MuParser
from tests.core.random_formulas import VARIABLES, damaged, random_formula

A, B, X = 2.0, 3.0, 0.5
PIECES = (
    *(
        "(",
        ")",
        ",",
        "?",
        ":",
        "^",
        "-",
        "+",
        "*",
        "/",
        "&&",
        "||",
        "<",
        "<=",
        "==",
        "!",
        "%",
        ".",
        " ",
        "\n",
        "é",
        "\ud800",
    ),
    *("sin", "max(", "min", "a", "_pi", "1e", "1.5.", "0x1", "1e999", "9" * 400),
    *("a.b", "__import__", "lambda:0", '"s"', "[0]", "{", ";", "#"),
)


def value(formula: str) -> float:
    with np.errstate(all="ignore"):
        return float(
            Expression(formula, ("a", "b", "x")).evaluate(
                {"a": np.float64(A), "b": np.float64(B), "x": np.float64(X)}
            )
        )


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        ("-a^2", -4.0),
        ("2^3^2", 512.0),
        ("a^-b", 0.125),
        ("a^-b^2", 2.0**-9),
        ("a^-b*4", 0.5),
        ("2*-a^2", -8.0),
        ("1-2-3", -4.0),
        ("8/4/2", 1.0),
        ("a- -b", 5.0),
        ("a?b:x?1:2", 3.0),
        ("0?1:0?2:3", 3.0),
        ("1?0?5:6:7", 6.0),
        ("a<b?1:0+5", 1.0),
        ("(a?b:x)*2", 6.0),
        ("a||b&&0", 1.0),
        ("x&&1", 1.0),
        ("a<b==1", 1.0),
        ("(a<b)+(b>a)", 2.0),
        ("log(_e^2)", 2.0),
        ("ln(_e)", 1.0),
        ("log2(8)+log10(100)", 5.0),
        ("rint(2.5)+rint(-2.5)", 1.0),
        ("sum(1,2,3)+avg(1,2)+min(4,2,3)+max(4,2)", 13.5),
        ("sign(-3)+sign(0)+sign(2)", 0.0),
        ("clamp(5,0,1)+clamp(-5,0,1)", 1.0),
        ("fmod(-7,3)", -1.0),
        ("pow(2,0.5)^2-2", pow(pow(2, 0.5), 2) - 2),
        ("max(0, sqrt(-1))", 0.0),
        (" .5\t+1.\n+ 1e+3+1E-3", 1001.501),
    ],
)
def test_values(formula: str, expected: float) -> None:
    assert value(formula) == pytest.approx(expected, abs=1e-12)


def test_what_muparser_refuses_is_refused() -> None:
    """Damaged formulas are read by both or by none; but for an assignment and a list of formulas, which make
    no sense in a profile."""
    muparser, rng = MuParser(), Random(3)
    values = dict.fromkeys(VARIABLES, np.ones(1))
    refused = 0
    for _ in range(3_000):
        formula = damaged(
            rng,
            random_formula(rng, rng.randint(1, 4)),
            rng.randint(1, 3),
            [piece for piece in PIECES if piece.isascii()],
        )
        try:
            muparser.evaluate(formula, values, 1)
            expected = True
        except ValueError:
            expected = False
        try:
            Expression(formula, VARIABLES)
            assert expected, formula
        except FormulaError as error:
            assert not expected or "','" in error.problem, f"{formula!r}: {error}"
            refused += 1
    assert refused > 1_000


@pytest.mark.parametrize(
    ("formula", "column", "says"),
    [
        ("", 1, "empty"),
        ("  ", 1, "empty"),
        ("a +", 4, "value is missing at the end"),
        ("a * * b", 5, "value is missing before '*'"),
        ("a b", 3, "operator is missing"),
        ("2a", 1, "right after the number"),
        ("1.5.2", 1, "right after the number"),
        ("--a", 2, "two signs"),
        ("(a", 1, "no ')'"),
        ("a)", 2, "closes nothing"),
        ("max()", 1, "must be 1 or more and is 0"),
        ("sin(a, b)", 1, "must be 1 and is 2"),
        ("max(a,)", 7, "value is missing before ')'"),
        ("a, b", 2, "between the values of a function"),
        ("a ? b", 3, "no ':'"),
        ("a : b", 3, "no '?'"),
        ("a = b", 3, "'=='"),
        ("!a", 1, "== 0"),
        ("a % b", 3, "fmod"),
        ("sin (a)", 1, "right after it"),
        ("a + sine(b)", 5, "did you mean 'sin'"),
        ("strid_len * 2", 1, "did you mean 'stride_len'"),
        ("a.real", 2, "a point belongs inside a number"),
        ("1e999", 1, "too large"),
        ("a + " + "b" * 101, 5, "longer than 100"),
        ("'a'", 1, "has no meaning"),
    ],
)
def test_what_is_wrong_is_said_with_its_column(formula: str, column: int, says: str) -> None:
    with pytest.raises(FormulaError, match=re.escape(says)) as caught:
        Expression(formula, ("a", "b", "x", "stride_len"))
    assert caught.value.column == column


@pytest.mark.parametrize("nested", ["(", "-(", "sin(", "1?", "1^", "max(1,"])
def test_depth_is_bounded(nested: str) -> None:
    with pytest.raises(FormulaError, match="are nested"):
        Expression(nested * (DEEPEST + 1) + "1", ())


def test_length_is_bounded_and_long_chains_are_not_deep() -> None:
    with pytest.raises(FormulaError, match="longer"):
        Expression("1" * (LONGEST_FORMULA + 1), ())
    chain = "+".join(["a"] * (LONGEST_FORMULA // 2))
    assert Expression(chain, ("a",)).evaluate({"a": np.float64(1.0)}) == LONGEST_FORMULA // 2
    assert Expression("^".join(["1"] * DEEPEST), ()).evaluate({}) == 1.0


def test_rows_are_evaluated_together_and_on_their_own_alike() -> None:
    rng, spread = Random(6), np.random.default_rng(6)
    for _ in range(200):
        formula = Expression(random_formula(rng, 5), VARIABLES)
        values = {name: spread.uniform(-3.0, 3.0, 6) for name in VARIABLES}
        with np.errstate(all="ignore"):
            together = np.broadcast_to(formula.evaluate(values), 6)
            apart = [
                float(formula.evaluate({name: part[row] for name, part in values.items()}))
                for row in range(6)
            ]
        np.testing.assert_allclose(together, apart, rtol=1e-9)


def test_names_are_those_that_are_needed() -> None:
    assert Expression("a + sin(b) * _pi", ("a", "b", "x")).names == {"a", "b"}
    assert Expression("_pi", ("_pi",)).names == {"_pi"}, "a constant of the profile hides muParser's"
