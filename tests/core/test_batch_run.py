"""Batches as they run, with a quick program in place of Blender: done once, tried again, broken off and gone
on with."""

import csv
import os
import signal
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from time import monotonic, sleep

import pytest

from neurarig_addon.batch import __main__ as batch
from neurarig_addon.batch import report, run_cell
from neurarig_addon.core.labels import label_file
from tests import fake_blender, labelled
from tests.fake_blender import BEGUN, ENDED, told

REPOSITORY = Path(__file__).resolve().parents[2]
JOB = """
output = "out"
workers = 2
retries = {retries}
seconds = {seconds}
memory_mb = {memory}
blender = '''{blender}'''
[[characters]]
name = "hero"
file = "hero.blend"
[[walks]]
name = "w"
speeds = {speeds}
"""


class Batch:
    """A job in a folder: `run` runs it and returns the exit status."""

    def __init__(
        self, folder: Path, cells: int = 4, retries: int = 1, seconds: int = 20, memory: int = 4096
    ) -> None:
        self.folder, self.hero, self.job = folder, folder / "hero.blend", folder / "job.toml"
        speeds = [1.0 + 0.01 * number for number in range(cells)]
        self.names = [f"hero-w-{speed:g}" for speed in speeds]
        blender = fake_blender.command()
        self.job.write_text(
            JOB.format(retries=retries, seconds=seconds, memory=memory, blender=blender, speeds=speeds)
        )
        label_file.save(folder / "labels.npz", labelled.labels())
        self.character()

    def character(self, seconds: float = 0.0, **trouble: tuple[int, str]) -> None:
        wrong = {self.names[int(cell.removeprefix("cell"))]: how for cell, how in trouble.items()}
        fake_blender.write_character(self.hero, self.folder / "labels.npz", seconds, wrong)

    def run(self, *arguments: str) -> int:
        return batch.main([str(self.job), *arguments])

    def rows(self) -> dict[str, dict[str, str]]:
        with (self.folder / "out" / "report.csv").open(newline="") as file:
            return {row["name"]: row for row in csv.DictReader(file)}

    def done(self) -> list[str]:
        """Return what is finished and recorded."""
        return [
            cell.name
            for cell in batch.read_job(self.job).cells
            if batch.records.finished(self.folder / "out", cell)
        ]

    def wait_for_orphans(self) -> None:
        """Wait until the programs that a killed batch has left running have written all they write."""
        attempts, latest = self.folder / "out" / batch.ATTEMPTS, monotonic() + 10.0
        cells = batch.read_job(self.job).cells
        while monotonic() < latest:
            left = {
                cell.name
                for folder in attempts.iterdir()
                for cell in cells
                if folder.name.startswith(cell.key)
            }
            if left <= set(told(self.hero, ENDED)):
                return
            sleep(0.02)

    def result(self, name: str) -> Path:
        return self.folder / "out" / "walks" / f"{name}.fbx"

    def results(self) -> dict[str, str]:
        return {path.stem: path.read_text() for path in (self.folder / "out" / "walks").glob("*.fbx")}


def test_all_is_made_once_and_never_again(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    work = Batch(tmp_path)
    assert work.run() == 0
    assert work.results() == {name: name for name in work.names}
    assert sorted(told(work.hero, ENDED)) == sorted(work.names)
    assert work.run() == 0 and len(told(work.hero, BEGUN)) == len(work.names)
    assert "4 of 4 cells were done before." in capsys.readouterr().out
    rows = work.rows()
    assert {row["status"] for row in rows.values()} == {"done"} and {
        row["slip_mm"] for row in rows.values()
    } == {"0.25"}
    assert work.run("--again") == 0 and len(told(work.hero, BEGUN)) == 2 * len(work.names)


def test_a_second_batch_in_the_same_folder_is_refused_until_the_first_has_ended(
    tmp_path: Path, capsys: pytest.CaptureFixture
) -> None:
    work = Batch(tmp_path, cells=1)
    (tmp_path / "out").mkdir()
    with batch._alone_in(tmp_path / "out"):
        assert work.run() == batch.MISUSED
        assert "Another batch writes to" in capsys.readouterr().err and not told(work.hero, BEGUN)
        assert work.run("--list") == 0
    assert work.run() == 0


def test_what_is_gone_or_changed_is_made_again_and_nothing_else(tmp_path: Path) -> None:
    work = Batch(tmp_path)
    work.run()
    work.result(work.names[1]).unlink()
    work.result(work.names[2]).write_text("cut off")
    assert work.run() == 0 and sorted(told(work.hero, BEGUN)[4:]) == work.names[1:3]
    assert work.results() == {name: name for name in work.names}
    first = work.hero.read_text()
    work.character(seconds=0.01)
    assert work.run() == 0 and sorted(told(work.hero, BEGUN)[6:]) == work.names
    work.hero.write_text(first)  # results of another character lie there now, however alike
    assert work.run() == 0 and sorted(told(work.hero, BEGUN)[10:]) == work.names


def test_a_cell_that_fails_is_tried_again_and_stops_no_other(
    tmp_path: Path, capsys: pytest.CaptureFixture
) -> None:
    work = Batch(tmp_path, cells=5)
    work.character(
        cell0=(1, fake_blender.FAILS),
        cell1=(9, fake_blender.FAILS),
        cell2=(1, fake_blender.DIES),
        cell3=(9, fake_blender.MISUSED),
    )
    assert work.run() == batch.FAILED
    rows = [work.rows()[name] for name in work.names]
    assert [row["status"] for row in rows] == ["done", "failed", "done", "failed", "done"]
    # a wrong option would be wrong again
    assert [row["attempts"] for row in rows] == ["2", "2", "2", "1", "1"]
    assert rows[1]["remark"] == rows[3]["remark"] == fake_blender.SENTENCE
    assert fake_blender.SENTENCE in capsys.readouterr().err
    assert work.run() == batch.FAILED and told(work.hero, BEGUN)[8:].count(work.names[1]) == 2
    assert set(told(work.hero, BEGUN)[8:]) == {work.names[1], work.names[3]}


def test_a_cell_beyond_its_time_or_memory_is_killed(tmp_path: Path) -> None:
    work = Batch(tmp_path, cells=3, retries=0, seconds=1, memory=150)
    work.character(cell0=(9, fake_blender.HANGS), cell1=(9, fake_blender.GROWS))
    assert work.run() == batch.FAILED
    hung, grown, good = (work.rows()[name] for name in work.names)
    assert "killed after 1 s; raise 'seconds'" in hung["remark"] and "raise 'memory_mb'" in grown["remark"]
    assert good["status"] == "done"


@pytest.mark.few
@pytest.mark.parametrize("by", [signal.SIGKILL, signal.SIGTERM])
def test_a_batch_that_is_killed_goes_on_where_it_was(tmp_path: Path, by: signal.Signals) -> None:
    work = Batch(tmp_path, cells=8)
    work.character(seconds=0.15)
    begun = subprocess.Popen(
        [sys.executable, "-m", "neurarig_addon.batch", str(work.job)],
        cwd=REPOSITORY,
        stderr=subprocess.DEVNULL,
    )
    while len(told(work.hero, ENDED)) < 3:
        sleep(0.02)
    os.kill(begun.pid, by)
    assert begun.wait() == (batch.INTERRUPTED if by == signal.SIGTERM else -by)
    work.wait_for_orphans()
    begun_before, done = told(work.hero, BEGUN), work.done()
    assert 1 <= len(done) < len(work.names)
    kept = {name: work.result(name).stat().st_mtime_ns for name in done}
    for left in (tmp_path / "out" / batch.ATTEMPTS).iterdir():
        os.utime(left, (0.0, 0.0))
    assert work.run() == 0 and not list((tmp_path / "out" / batch.ATTEMPTS).iterdir())
    assert sorted(told(work.hero, BEGUN)[len(begun_before) :]) == sorted(set(work.names) - set(done))
    assert {name: work.result(name).stat().st_mtime_ns for name in done} == kept
    assert work.results() == {name: name for name in work.names}


def test_the_page_is_whole_and_says_nothing_but_text(tmp_path: Path) -> None:
    work = Batch(tmp_path, cells=2, retries=0)
    work.character(cell1=(9, fake_blender.FAILS))
    work.run()
    page = (tmp_path / "out" / "report.html").read_text()
    seen = _Tags()
    seen.feed(page)
    assert not seen.open and seen.count["svg"] == 1 and seen.count["tr"] == 5
    assert "0.25" in page and [report._short(each) for each in (9e-5, 12.345, 812)] == ["0.00", "12.3", "812"]
    assert "&lt;is&gt;" in page and "http" not in page.replace("http://www.w3.org/2000/svg", "")


class _Tags(HTMLParser):
    """Which tags are open, and how many of each there were."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.count: dict[str, int] = {}

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.count[tag] = self.count.get(tag, 0) + 1
        if tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_without_a_blender_the_cell_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("BLENDER", raising=False)
    monkeypatch.setattr(run_cell.util, "find_spec", lambda name: None)
    work = Batch(tmp_path, cells=1, retries=0)
    work.job.write_text(
        "".join(line for line in work.job.read_text().splitlines(True) if not line.startswith("blender"))
    )
    assert work.run() == batch.FAILED and "there is no Blender" in work.rows()[work.names[0]]["remark"]
