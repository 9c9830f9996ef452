"""Which cases of a costly test run: always the same, others with another seed, all when that is asked for."""

from tests.cases import chosen

FEW = 3
NAMES = [f"test_it[{number}]" for number in range(20)]


def test_the_choice_does_not_depend_on_the_order_and_hardly_on_what_else_there_is():
    few = chosen(NAMES, FEW, 0)
    assert len(few) == FEW and few == chosen(NAMES[::-1], FEW, 0)
    assert len(few & chosen([*NAMES, "test_it[new]"], FEW, 0)) >= FEW - 1


def test_another_seed_draws_others():
    assert len({frozenset(chosen(NAMES, FEW, seed)) for seed in range(10)}) > 5


def test_every_case_is_drawn_by_some_seed():
    assert set().union(*(chosen(NAMES, FEW, seed) for seed in range(200))) == set(NAMES)
