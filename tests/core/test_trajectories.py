"""Tables of trajectories from crowd tools, and the paths with times that they become."""

import json
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

from neurarig_addon.core.crowd.timing import CHANGES, TimedLine, timed_line
from neurarig_addon.core.crowd.trajectories import read_trajectories
from neurarig_addon.core.easing import cubics
from tests.refusals import refuses

ROWS = [(agent, 0.5 * step, agent + 0.6 * step, 2.0 * agent) for step in range(6) for agent in (2, 1)]
AS_LIST = [{"id": agent, "time": t, "x": x, "y": y} for agent, t, x, y in ROWS]
AS_AGENTS = {
    "agents": {str(agent): [[t, x, y] for other, t, x, y in ROWS if other == agent] for agent in (2, 1)}
}
FILES = {
    "plain.csv": "agent,t,x,y\n" + "\n".join(",".join(map(str, row)) for row in ROWS),
    "semicolons.csv": "Time (s);ID;X [m];Y [m];Z [m, up]\n"
    + "\n".join(f"{t};{agent};{x};{y};0" for agent, t, x, y in ROWS),
    "frames.txt": "#framerate: 2.0\n#ID\tFR\tX/m\tY/m\tZ/m\n"
    + "\n".join(f"{a}\t{2 * t:.0f}\t{x}\t{y}\t0" for a, t, x, y in ROWS),
    "spaces.txt": "# a comment\npedestrianId simTime x y\n"
    + "\n".join(" ".join(map(str, row)) for row in ROWS),
    "gaps.csv": "agent,t,x,y\n2,0.2,nan,nan\n" + "\n".join(",".join(map(str, row)) for row in ROWS),
    "eth.txt": "\n".join(
        f"{10 * step + 780}.0\t{agent}.0\t{x}\t{y}" for agent, t, x, y in ROWS if (step := round(2 * t)) >= 0
    ),
    "obsmat.txt": "\n".join(f" {6 * round(2 * t)} {agent} {x} 0 {y} 1 0 1" for agent, t, x, y in ROWS),
    "by_agent.txt": "\n".join(
        f"{agent},{10 * round(2 * t)},{x},{y}" for agent, t, x, y in sorted(ROWS, key=lambda row: -row[0])
    ),
    "list.json": json.dumps(AS_LIST),
    "agents.json": json.dumps(AS_AGENTS),
}


@pytest.mark.parametrize("name", FILES)
def test_the_same_trajectories_are_read_from_every_form(name: str, tmp_path: Path):
    (tmp_path / name).write_text(FILES[name])
    found = read_trajectories(tmp_path / name)
    assert [one.name for one in found] == ["2", "1"]
    for one in found:
        agent = int(one.name)
        assert not one.in_frames
        every = 0.4 if name in ("eth.txt", "obsmat.txt", "by_agent.txt") else 0.5
        assert_allclose(one.times, every * np.arange(6))
        assert one.lost == (1 if name == "gaps.csv" and agent == 2 else 0)
        assert_allclose(
            one.places, np.column_stack([agent + 0.6 * np.arange(6), np.full(6, 2.0 * agent), np.zeros(6)])
        )


@pytest.mark.parametrize(
    "name, content, said",
    [
        ("a.csv", "agent,x,y\n1,2,3\n", "no columns agent"),
        ("a.csv", "agent,t,x,y\n1,0,here,3\n", "not numbers"),
        ("a.csv", "agent,t,x,y\n1,0,2\n", "not numbers"),
        ("a.csv", "agent,t,x,y\n", "no rows"),
        ("a.csv", "agent,t,x,y\n1,0,1e30,3\n", "too large"),
        ("a.json", "[{", "not JSON"),
        ("a.json", '{"1": 5}', "list of rows"),
        ("a.json", '[{"id": 1, "t": 0, "x": NaN, "y": 0}]', "in each row"),
        (
            "a.json",
            '[{"id": 1, "t": 0, "x": 1, "y": 0}, {"id": 1, "frame": 3, "x": 1, "y": 0}]',
            "use one of them",
        ),
    ],
)
def test_what_is_no_table_of_trajectories_is_named(name: str, content: str, said: str, tmp_path: Path):
    (tmp_path / name).write_text(content)
    with refuses(said) as refusal:
        read_trajectories(tmp_path / name)
    assert name in str(refusal.value)


def trajectory(speed: np.ndarray, seconds: np.ndarray, sway: float = 0.0) -> np.ndarray:
    """Return the places of an agent that walks along x with speeds `(n,)`."""
    distance = np.concatenate([[0.0], np.cumsum(np.diff(seconds) * speed[:-1])])
    return np.column_stack([distance, sway * np.sin(6.0 * seconds) * (speed > 0.0), np.zeros(len(seconds))])


def when(found: TimedLine, seconds: np.ndarray) -> np.ndarray:
    return cubics(found.seconds, found.distance, found.speed, seconds)[0]


def test_a_line_keeps_the_times_of_its_trajectory():
    seconds = np.arange(0.0, 30.0, 0.1)
    speed = np.where(seconds < 2.0, 0.0, np.where(seconds < 10.0, 1.3, np.where(seconds < 14.0, 0.0, 0.9)))
    places = trajectory(speed, seconds, 0.02)
    found = timed_line(seconds, places)
    assert len(found.line) < 12, "sway is no path"
    assert np.abs(when(found, seconds) - places[:, 0]).max() < 0.15 and found.off < 0.15
    assert (np.diff(when(found, np.array([10.8, 13.2]))) < 1e-3).all(), "it stands"
    assert found.speed[-1] == 0.0 and found.line[-1, 0] > places[-1, 0] + 0.2, (
        "it goes on, and stops after the last place"
    )


@pytest.mark.parametrize("slow", [0.05, 0.15, 0.4])
def test_slow_agents_and_those_that_creep_a_while_are_followed(slow: float):
    seconds = np.arange(0.0, 30.0, 0.4)
    places = trajectory(np.where((seconds > 8.0) & (seconds < 16.0), slow, 1.3), seconds)
    assert np.abs(when(timed_line(seconds, places), seconds) - places[:, 0]).max() < 0.15
    places = trajectory(np.full(len(seconds), max(slow, 0.1)), seconds)
    assert np.abs(when(timed_line(seconds, places), seconds) - places[:, 0]).max() < 0.05


def test_speeds_change_as_those_of_a_person_and_what_that_costs_is_told():
    seconds = np.arange(0.0, 20.0, 0.1)
    found = timed_line(seconds, trajectory(np.where(seconds < 9.0, 2.4, 0.3), seconds))
    even = np.arange(0.0, found.seconds[-1], 0.25)
    rate = np.gradient(when(found, even), even)
    assert np.abs(np.gradient(rate, even)).max() < 1.15 * CHANGES and rate.min() > -1e-6
    assert 0.15 < found.off < 0.6


def test_who_stops_arrives():
    seconds = np.arange(0.0, 12.0, 0.25)
    found = timed_line(seconds, trajectory(np.where(seconds < 6.5, 1.2, 0.0), seconds))
    assert_allclose(found.line[-1, 0], 1.2 * 6.5, atol=0.01)
    assert found.speed[-1] == 0.0 and abs(when(found, np.array([8.0]))[0] - 7.8) < 0.05


def test_who_does_not_move_has_no_path():
    with refuses("less than a step"):
        timed_line(np.arange(9.0), np.zeros((9, 3)))
