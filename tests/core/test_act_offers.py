"""What can be done with a thing that is pointed at, by its size and place, and where one jumps over a gap."""

import numpy as np
import pytest

from neurarig_addon.core.acts.offers import Pointed, gap, jumped, offers

LEG = 0.85
THINGS = {
    "armchair": (Pointed("Chair", (0.6, 0.6, 0.9), 0.44, has_back=True), "SIT"),
    "stool": (Pointed("Stool", (0.4, 0.4, 0.45), 0.45), "SIT"),
    "box": (Pointed("Box", (0.38, 0.28, 0.26), 0.26, across=True), "PICK_UP"),
    "box on a table": (Pointed("Box", (0.2, 0.2, 0.2), 0.95), "PICK_UP"),
    "door": (Pointed("Door", (1.0, 0.05, 2.0), 2.0, across=True), "TOUCH"),
    "button": (Pointed("Button", (0.05, 0.05, 0.05), 1.2), "PICK_UP"),
    "table for what is carried": (Pointed("Table", (1.0, 0.7, 0.74), 0.74, in_hands="Box"), "PUT_DOWN"),
    "long low wall": (Pointed("Wall", (4.0, 0.3, 0.3), 0.3, across=True), "TOUCH"),
    "an empty at the height of a seat": (Pointed("Here", (0.0, 0.0, 0.0), 0.45), "SIT"),
}
IMPOSSIBLE = {
    ("door", "SIT"): "2.00 m high: seats of 0.17 to 0.83 m are possible",
    ("door", "JUMP"): "2.00 m high: 0.51 m are possible",
    ("long low wall", "PICK_UP"): "0.30 m across and 4.00 m long: 0.77 and 1.61 m are possible",
    ("box", "PUT_DOWN"): "Nothing is in hand there to be put on 'Box'",
    ("stool", "LEAP"): "'Stool' does not lie across the way",
}


@pytest.mark.parametrize("name", THINGS)
def test_the_likeliest_act_is_offered_first_and_impossible_ones_last(name) -> None:
    seen, first = THINGS[name]
    found = offers(seen, LEG)
    assert (found[0].kind, found[0].why) == (first, "")
    whys = [bool(offer.why) for offer in found]
    assert whys == sorted(whys) and len({offer.kind for offer in found}) == len(found) == 7
    scaled = Pointed(
        name, tuple(2.0 * side for side in seen.size), 2.0 * seen.high, seen.has_back, seen.across
    )
    if not seen.in_hands:
        assert [offer.kind for offer in offers(scaled, 2.0 * LEG)] == [offer.kind for offer in found]


@pytest.mark.parametrize("what", IMPOSSIBLE)
def test_what_is_impossible_says_what_is_possible(what) -> None:
    name, kind = what
    (why,) = (offer.why for offer in offers(THINGS[name][0], LEG) if offer.kind == kind)
    assert IMPOSSIBLE[what] in why


def test_what_is_in_hand_is_put_on_something_else() -> None:
    ball = Pointed("Ball", (0.2, 0.2, 0.2), 0.2, in_hands="Ball")
    possible = [offer.kind for offer in offers(ball, LEG) if not offer.why]
    assert possible == ["TOUCH", "POINT"]


def test_a_gap_is_found_around_the_mouse_and_jumped_with_room_for_feet() -> None:
    metres = np.arange(0.0, 8.0, 0.05)
    steps = 0.17 * np.floor(metres / 0.3)
    for floor in (np.zeros_like(metres), -0.05 * metres, 0.02 * np.sin(metres)):
        assert gap(metres, floor, 3.0, LEG) is None
        for bottom in (-np.inf, -2.0):
            heights = np.where((metres > 2.52) & (metres < 3.28), bottom, floor)
            assert gap(metres, heights, 3.6, LEG) == pytest.approx((2.5, 3.3)) and not gap(
                metres, heights, 5.0, LEG
            )
            begin, length = jumped((2.5, 3.3), LEG)
            assert begin < 2.5 - 0.2 and begin + length > 3.3 + 0.15
    assert gap(metres, steps, 3.0, LEG) is None and gap(metres, steps[::-1], 3.0, LEG) is None
    ends = np.where(metres > 4.0, -np.inf, 0.0)
    assert gap(metres, ends, 3.8, LEG) is None and gap(metres, np.full(160, -np.inf), 3.0, LEG) is None
