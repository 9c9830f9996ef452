"""Random formulas in muParser's language, and random damage to texts."""

from collections.abc import Sequence
from random import Random

VARIABLES = ("a", "b", "speed", "L_1", "_x")
COMPARISONS = ("<", ">", "<=", ">=", "==", "!=")
# No 0: muParser turns a * 0 into 0, which has lost the sign that atan2 sees.
NUMBERS = ("1", "2", "3", "0.5", ".25", "1.", "1e-3", "2.5E+1", "7e0", "_pi", "_e")
ONE = (
    *("sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh"),
    *("exp", "ln", "log", "log2", "log10", "sqrt", "abs", "sign", "rint"),
)
TWO = ("atan2", "fmod", "pow")
ANY = ("min", "max", "sum", "avg")
_FORMS = {
    **{"{0}{s}+{s}{1}": 4, "{0}{s}-{s}{1}": 4, "{0}{s}*{s}{1}": 4, "{0}{s}/{s}{1}": 3, "{0}{s}^{s}{1}": 2},
    **{
        "({s}{0}{s})": 3,
        "({sign}{s}({0}))": 1,
        "{name}^-{other}{s}*{s}{0}": 1,
        "({sign}{name}{s}^{s}{0})": 1,
    },
    **{"{0}{s}{compare}{s}{1}": 2, "{0}{s}?{s}{1}{s}:{s}{2}": 2, "clamp({0},{s}{1}, {2})": 1},
    # Only of comparisons: muParser cuts both sides off to integers where they are written as numbers, so that
    # 0.5 && 1 is 0.
    **{
        "{name}{s}{compare}{s}({0}){s}&&{s}{other} > {1}": 1,
        "{name}{s}{compare}{s}({0}){s}||{s}{other} > {1}": 1,
    },
    **{"{one}({s}{0})": 4, "{two}({0},{s}{1})": 2, "{any}({0})": 1, "{any}({0},{1},{s}{2})": 2},
}


def random_formula(rng: Random, depth: int) -> str:
    """Return a formula of VARIABLES, at most so many operations deep."""
    if depth == 0 or rng.random() < 0.1:
        return rng.choice(VARIABLES if rng.random() < 0.7 else NUMBERS)
    form = rng.choices(list(_FORMS), list(_FORMS.values()))[0]
    words = {
        "sign": "-+",
        "name": VARIABLES,
        "other": VARIABLES,
        "compare": COMPARISONS,
        "one": ONE,
        "two": TWO,
        "any": ANY,
    }
    picked = {key: rng.choice(among) for key, among in words.items()}
    return form.format(
        *(random_formula(rng, depth - 1) for _ in range(3)), s=rng.choice(("", " ", "  ", "\t")), **picked
    )


def damaged(rng: Random, text: str, hurts: int, pieces: Sequence[str]) -> str:
    """Return a text with some places cut out, repeated, exchanged or filled with one of `pieces`."""
    for _ in range(hurts):
        start, length = rng.randint(0, len(text)), rng.randint(0, 12)
        before, there, after = text[:start], text[start : start + length], text[start + length :]
        other = rng.randint(0, len(text))
        put = rng.choice(("", there * rng.randint(2, 4), text[other : other + length], rng.choice(pieces)))
        text = before + put + (after if put else after or there)
    return text
