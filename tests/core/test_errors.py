"""Sentences for the user: one line that can be read, whatever they quote."""

import pytest

from neurarig_addon.core.errors import LONGEST, NeuraRigError, about
from tests.refusals import refuses


def test_an_ordinary_sentence_stays():
    sentence = "'walk.bvh' is damaged in line 8: a number was expected, not 'é 左'; export it again."
    assert str(NeuraRigError(sentence)) == sentence


@pytest.mark.parametrize(
    "quoted", ["x" * 60_000, "x y " * 15_000, "[" * 400, "\U0001f600" * 60_000, "a\nb" * 400]
)
def test_what_is_quoted_is_cut_and_the_remedy_stays(quoted):
    found = str(NeuraRigError(f"'clip.csv' has '{quoted}' in row 3; export it again."))
    assert (
        len(found) <= LONGEST and found.startswith("'clip.csv' has '") and found.endswith("export it again.")
    )
    assert found.isprintable() and "[...]" in found


def test_two_long_words_leave_what_stands_between_them():
    found = str(NeuraRigError(f"'{'a' * 900}' is no bone of '{'b' * 900}'; choose another."))
    assert "' is no bone of '" in found and found.endswith("choose another.")


def test_what_cannot_be_shown_is_replaced():
    assert str(NeuraRigError("'a\nb\x1b[31m\udcff\0' is odd.")) == "'a b\ufffd[31m\ufffd\ufffd' is odd."


def test_a_name_in_front_of_a_long_sentence_stays_readable():
    with refuses() as refusal, about("profile.json"):
        raise NeuraRigError("y" * 60_000)
    assert str(refusal.value).startswith("'profile.json': yyy") and len(str(refusal.value)) <= LONGEST


@pytest.mark.parametrize(
    "said", ["'Hero' does not stand in this pose.", "The reference pose of 'Hero' is damaged."]
)
def test_a_sentence_that_names_its_object_does_not_name_it_twice(said: str):
    with refuses() as refusal, about("Hero"), about("Hero"):
        raise NeuraRigError(said)
    assert str(refusal.value) == said
