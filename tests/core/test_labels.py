"""Labels: files of them, random draws, and the pictures made from them."""

import re
from dataclasses import fields
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from neurarig_addon.batch import pictures
from neurarig_addon.core.body.feet import BALL, FLAT, HEEL, SWING, TOE
from neurarig_addon.core.gait.sliders.style import SLIDERS
from neurarig_addon.core.labels import draws, label_file
from tests.labelled import labels


def test_a_file_gives_back_what_was_written(tmp_path: Path) -> None:
    written = label_file.joined([labels(4), labels(3, motions=2)])
    label_file.save(tmp_path / "l.npz", written)
    read = label_file.load(tmp_path / "l.npz")
    for field in fields(label_file.Labels):
        first, second = np.asarray(getattr(written, field.name)), np.asarray(getattr(read, field.name))
        assert np.array_equal(first, second) or np.allclose(first, second, atol=1e-6), field.name
    assert read.motion.tolist() == [0] * 4 + [1] * 3 + [2] * 3 and len(read.settings) == 3


def test_what_a_foot_stands_on_is_planted() -> None:
    planted = label_file.planted(np.array([[SWING, HEEL], [FLAT, BALL], [TOE, SWING]]))
    assert planted.astype(int).tolist() == [
        [[0, 0, 0], [1, 0, 0]],
        [[1, 1, 1], [0, 1, 1]],
        [[0, 0, 1], [0, 0, 0]],
    ]


def test_a_walk_is_drawn_by_its_seed_and_number_alone() -> None:
    styles = ("Sad", "March", "Swagger")
    drawn = [draws.walk_settings(3, number, styles, 0.9) for number in range(60)]
    assert (
        draws.walk_settings(3, 7, styles, 0.9) == drawn[7]
        and draws.walk_settings(4, 7, styles, 0.9) != drawn[7]
    )
    assert set(draws.RANGES) <= set(SLIDERS)
    for name, (low, high) in draws.RANGES.items():
        values = np.array([one[name] for one in drawn])
        assert low <= values.min() < values.max() <= high and np.ptp(values) > 0.7 * (high - low), name
    assert {style for one in drawn for style in one["styles"]} == set(styles) and any(
        not one["styles"] for one in drawn
    )


@pytest.mark.parametrize(("motions", "figures"), [(1, 10), (3, 3), (40, 10)])
def test_a_sheet_shows_the_motion_within_its_edges(motions: int, figures: int) -> None:
    sheet = ElementTree.fromstring(pictures.sheet(labels(12, motions)))
    lines = [path for path in sheet if path.get("fill") == "none"]
    assert len(lines) == 3 * figures  # left, middle and right of each
    numbers = [np.array(re.findall(r"([-\d.]+) ([-\d.]+)", path.get("d", "")), dtype=float) for path in lines]
    points = np.concatenate(numbers)
    size = np.array(sheet.get("viewBox", "").split()[2:], dtype=float)
    assert (points >= 0.0).all() and (points <= size).all()
    pelvis, head = numbers[1][0], numbers[1][1]  # the trunk of the first figure stands upright
    assert abs(head[0] - pelvis[0]) < 0.2 and head[1] < pelvis[1] - 10.0
