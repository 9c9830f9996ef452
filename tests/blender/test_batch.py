"""Batches and labels with Blender: real cells, a Dask cluster whose worker is killed, and labels that are
true."""

import csv
import json
import os
import re
import signal
from importlib import util
from pathlib import Path

import bpy
import numpy as np
import pytest
from numpy.testing import assert_allclose

from neurarig_addon.batch import __main__ as batch
from neurarig_addon.batch import cluster
from neurarig_addon.batch.job_file import read_job
from neurarig_addon.blender import api
from neurarig_addon.core.labels import label_file
from tests import fake_blender, labelled
from tests.blender.command_line import run
from tests.fake_blender import BEGUN, told
from tests.refusals import refuses
from tests.rigs import biped, build

REPOSITORY = Path(__file__).resolve().parents[2]
JOB = """
output = "out"
workers = 2
retries = 0
[[characters]]
name = "hero"
file = "hero.blend"
[[walks]]
name = "stroll"
speeds = [1.2]
styles = ["Sad"]
format = "bvh"
options = { mode = "travel", frames = [1, 24], bake = true }
[[datasets]]
name = "poses"
draw = "poses"
count = 3
"""


def test_cells_are_made_by_blenders_of_their_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("BLENDER", raising=False)
    build(biped(), "Hero")
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "hero.blend"))
    (tmp_path / "job.toml").write_text(JOB)
    assert batch.main([str(tmp_path / "job.toml")]) == 0
    with (tmp_path / "out" / "report.csv").open(newline="") as file:
        walk, poses = csv.DictReader(file)
    assert float(walk["ground_speed_m_s"]) == pytest.approx(1.2, abs=0.02) and float(walk["slip_mm"]) < 0.5
    assert (tmp_path / "out" / "walks" / "hero-stroll-Sad-1.2.bvh").read_text().startswith("HIERARCHY")
    assert len(label_file.load(tmp_path / "out" / poses["results"]).settings) == 3
    assert (tmp_path / "out" / "report.html").read_text().count("<svg") == 2


@pytest.mark.skipif(
    util.find_spec("distributed") is None, reason="distributed is not installed (the batch extra)"
)
def test_a_killed_worker_takes_nothing_along(tmp_path: Path) -> None:
    from distributed import Client

    label_file.save(tmp_path / "labels.npz", labelled.labels())
    fake_blender.write_character(tmp_path / "hero.blend", tmp_path / "labels.npz", seconds=0.15)
    walks = '[[walks]]\nname = "w"\nspeeds = [1.0, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.7]\n'
    head = f"blender = '''{fake_blender.command()}'''\noutput = \"out\"\n"
    (tmp_path / "job.toml").write_text(head + '[[characters]]\nname = "hero"\nfile = "hero.blend"\n' + walks)
    job = read_job(tmp_path / "job.toml")
    ended = []
    with cluster.local_cluster(2) as scheduler, Client(scheduler) as client:
        victim = next(iter(client.run(os.getpid).values()))
        for cell, record in cluster.run_there(job.cells, job.conditions, scheduler):
            ended.append((cell.name, record.status))
            if len(ended) == 2:
                os.kill(victim, signal.SIGKILL)
    assert sorted(ended) == sorted((cell.name, "done") for cell in job.cells)
    # the one that was being made, if any
    assert len(told(tmp_path / "hero.blend", BEGUN)) in (len(job.cells), len(job.cells) + 1)
    assert {path.stem: path.read_text() for path in (tmp_path / "out" / "walks").glob("*.fbx")} == {
        c.name: c.name for c in job.cells
    }


def test_without_dask_a_scheduler_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster.util, "find_spec", lambda name: None)
    with refuses("Dask is not installed here"):
        next(cluster.run_there((), read_conditions(tmp_path), "tcp://localhost:1"))


def read_conditions(folder: Path):
    (folder / "job.toml").write_text(
        'output = "out"\n[[training]]\nname = "a"\narguments = ["acts", "{folder}"]\n'
    )
    return read_job(folder / "job.toml").conditions


def test_drawn_walks_are_true_and_leave_the_character_as_it_was(tmp_path: Path) -> None:
    obj = build(biped(), "Hero")
    obj.neurarig.walk.energy = 0.25
    obj.pose.bones["Hips"].location.x = 0.1
    found = [
        api.draw_labels(obj, tmp_path / f"{number}.npz", count=2, seed=5, frames=30) for number in range(2)
    ]
    assert (tmp_path / "0.npz").read_bytes() == (tmp_path / "1.npz").read_bytes()
    labels = found[0]
    toes = labels.heads[:, [list(labels.roles).index(f"toe.{side}") for side in "LR"]]
    stands = labels.contacts[:, :, 1] & np.roll(labels.contacts[:, :, 1], 1, axis=0)
    stands[np.flatnonzero(np.diff(labels.motion, prepend=-1))] = False
    moved = np.linalg.norm(toes - np.roll(toes, 1, axis=0), axis=-1)
    assert stands.sum() > 10 and moved[stands].max() < 1e-5 < moved[~stands].max()
    assert (np.diff(labels.phase, axis=0)[labels.motion[1:] == labels.motion[:-1]] > 0.0).all()
    assert not obj.neurarig.attachment and obj.neurarig.walk.energy == 0.25 and not bpy.data.actions
    assert obj.pose.bones["Hips"].location.x == pytest.approx(0.1) and len(bpy.data.objects) == 1


def test_drawn_poses_stand_on_the_ground(tmp_path: Path) -> None:
    obj = build(biped(), "Hero")
    labels = api.draw_labels(obj, tmp_path / "p.npz", "poses", count=6, seed=2)
    again = api.draw_labels(obj, tmp_path / "q.npz", "poses", count=6, seed=2)
    assert np.array_equal(labels.heads, again.heads) and len(set(labels.style)) > 1
    assert labels.contacts.any(axis=(1, 2)).all() and labels.heads[..., 2].min() > -1e-6
    bones = np.linalg.norm(labels.tails - labels.heads, axis=-1)
    assert_allclose(bones, np.broadcast_to(bones[0], bones.shape), atol=1e-6)
    assert not obj.neurarig.attachment and len(bpy.data.objects) == 1


def test_commands_write_labels(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    build(biped(), "Hero")
    assert run("dataset", "poses", "--count", 2, "--seed", 4, "--output", tmp_path / "poses.npz") == 0
    assert "Wrote 2 poses of 'Hero', 2 frames" in capsys.readouterr().out
    told = ("--speed", 1.1, "--style", "Sad=0.5", "--frames", 3, 20)
    assert run("walk", *told, "--bake", "--labels", tmp_path / "walk.npz") == 0
    walk = label_file.load(tmp_path / "walk.npz")
    assert walk.frames.tolist() == list(range(3, 21)) and walk.style.tolist() == ['{"Sad": 0.5}']
    assert walk.contacts.any() and not walk.contacts.all() and walk.speed == pytest.approx(1.1, abs=0.02)
    assert json.loads(walk.settings[0])["speed"] == 1.1
    assert run("dataset", "poses", "--output", tmp_path / "poses.csv") != 0


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"kind": "runs"}, "'runs' cannot be drawn"),
        ({"count": 0}, "0 walks of 72 frames"),
        ({"seed": -1}, "a seed from 0"),
        ({"path": "l.csv"}, "must end in .npz"),
    ],
)
def test_what_cannot_be_drawn_is_refused_before_anything_changes(
    given: dict, sentence: str, tmp_path: Path
) -> None:
    obj = build(biped(), "Hero")
    with refuses(sentence):
        api.draw_labels(obj, **{"path": tmp_path / "l.npz", "count": 1, **given})
    api.generate_walk(obj)
    with refuses("already walks"):
        api.draw_labels(obj, tmp_path / "l.npz", count=1)
    assert obj.neurarig.walk.live


def test_parquet_has_a_row_for_each_frame(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed (the batch extra)")
    from neurarig_addon.batch.table import COLUMNS, write_parquet

    written = labelled.labels(5, motions=2)
    label_file.save(tmp_path / "l.npz", written)
    write_parquet(tmp_path / "l.npz", tmp_path / "l.parquet")
    table = parquet.read_table(tmp_path / "l.parquet")
    assert table.num_rows == 10 and table["motion"].to_pylist() == written.motion.tolist()
    assert_allclose(table["foot.L.y"].to_pylist(), written.heads[:, 3, 1], atol=1e-6)
    about = table.schema.metadata
    assert b'"foot.L"' in about[b"roles"] and json.loads(about[b"version"]) == label_file.VERSION
    page = (REPOSITORY / "docs/reference/batch.md").read_text(encoding="utf-8")
    rows = set(re.findall(r"^\| `[\w.]+` \| (.*) \| (.*) \|$", page, re.MULTILINE))
    found = {(field.metadata[b"unit"].decode(), field.metadata[b"is"].decode()) for field in table.schema}
    assert found == set(COLUMNS.values()) and found <= rows
