"""Tables of trajectories from crowd tools, and the paths with times that they become."""

import json
from pathlib import Path

import numpy as np
import pytest

from neurarig_addon.core.crowd.timing import timed_line
from neurarig_addon.core.crowd.trajectories import read_trajectories
from neurarig_addon.core.errors import NeuraRigError

ROWS = [(agent, 0.5 * step, agent + 0.6 * step, 2.0 * agent) for step in range(6) for agent in (2, 1)]
AS_LIST = [{"id": agent, "time": t, "x": x, "y": y} for agent, t, x, y in ROWS]
AS_AGENTS = {"agents": {str(agent): [[t, x, y] for other, t, x, y in ROWS if other == agent] for agent in (2, 1)}}
FILES = {
    "plain.csv": "agent,t,x,y\n" + "\n".join(",".join(map(str, row)) for row in ROWS),
    "semicolons.csv": "Time (s);ID;X [m];Y [m];Z [m]\n" + "\n".join(f"{t};{agent};{x};{y};0" for agent, t, x, y in ROWS),
    "frames.txt": "#framerate: 2.0\n#ID\tFR\tX/m\tY/m\tZ/m\n" + "\n".join(f"{a}\t{2 * t:.0f}\t{x}\t{y}\t0" for a, t, x, y in ROWS),
    "spaces.txt": "# a comment\npedestrianId simTime x y\n" + "\n".join(" ".join(map(str, row)) for row in ROWS),
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
        np.testing.assert_allclose(one.times, 0.5 * np.arange(6))
        np.testing.assert_allclose(one.places, np.column_stack([agent + 0.6 * np.arange(6), np.full(6, 2.0 * agent), np.zeros(6)]))


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
        ("a.json", '[{"id": 1, "t": 0, "x": 1, "y": 0}, {"id": 1, "frame": 3, "x": 1, "y": 0}]', "use one of them"),
    ],
)
def test_what_is_no_table_of_trajectories_is_named(name: str, content: str, said: str, tmp_path: Path):
    (tmp_path / name).write_text(content)
    with pytest.raises(NeuraRigError, match=said) as refusal:
        read_trajectories(tmp_path / name)
    assert name in str(refusal.value)


def test_a_line_keeps_the_times_of_its_trajectory():
    seconds = np.arange(0.0, 30.0, 0.1)
    speed = np.where(seconds < 2.0, 0.0, np.where(seconds < 10.0, 1.4, np.where(seconds < 14.0, 0.0, 0.9)))
    distance = np.concatenate([[0.0], np.cumsum(0.1 * speed[:-1])])
    sway = 0.02 * np.sin(6.0 * seconds) * (speed > 0.0)
    found = timed_line(seconds, np.column_stack([distance, sway, np.zeros(len(seconds))]))
    assert found.stands and abs(found.begins - 2.0) < 0.3
    assert found.end is None and found.line[-1, 0] > distance[-1] + 0.8, "it goes on, and stops after the last place"
    assert len(found.line) < 12, "sway is no path"
    (stand,) = [mark for mark in found.marks if mark.pause]
    assert abs(stand.pause - 4.0) < 0.4 and abs(stand.distance - 11.2) < 0.35
    for mark in found.marks:
        assert mark.due is not None
        at = np.interp(mark.due + found.begins, seconds, distance)
        assert abs(at - mark.distance) < 0.35, "a step"


def test_who_stops_arrives():
    seconds = np.arange(0.0, 12.0, 0.25)
    distance = np.minimum(1.2 * seconds, 8.0)
    found = timed_line(seconds, np.column_stack([distance, 0.0 * seconds, 0.0 * seconds]))
    assert found.end is not None and abs(found.end - 8.0 / 1.2) < 0.3 and not found.stands
    np.testing.assert_allclose(found.line[-1, 0], 8.0, atol=0.3)


def test_who_does_not_move_has_no_path():
    with pytest.raises(NeuraRigError, match="less than a step"):
        timed_line(np.arange(9.0), np.zeros((9, 3)))
