"""`python -m neurarig_addon.link serve` as an engine developer runs it, with the example client, on free
ports of this computer."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace

import pytest

from neurarig_addon.link import __main__ as started
from neurarig_addon.link.__main__ import _parser

REPOSITORY = Path(__file__).resolve().parents[2]
SERVE = [
    sys.executable,
    "-m",
    "neurarig_addon.link",
    "serve",
    "--profile",
    "1_plain_biped",
    "--port",
    "0",
    "--debug-port",
    "0",
]
LIMIT_S = 60.0


@contextmanager
def serving(
    *options: str, before: Callable[[], object] | None = None
) -> Iterator[tuple[subprocess.Popen, int]]:
    """Start a server, in its process after `before`; yields it and its port, and ends it in any case."""
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(
        [*SERVE, *options], cwd=REPOSITORY, text=True, preexec_fn=before, **pipes
    ) as process:
        try:
            found = re.search(r"port (\d+),", process.stdout.readline())
            assert found, process.stderr.read()
            yield process, int(found[1])
        finally:
            process.kill()


@pytest.mark.few
@pytest.mark.skipif(os.name == "nt", reason="Windows has no signal to send to one process as Ctrl-C does")
@pytest.mark.parametrize("kind", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_ends_it_cleanly(kind):
    with serving() as (process, _):
        process.send_signal(kind)
        out, err = process.communicate(timeout=LIMIT_S)
        assert process.returncode == 0
        assert "Ended. waiting | 0 clients" in out
        assert err == ""


def test_the_example_client_is_taught_and_answered():
    with serving() as (_, port):
        example = [sys.executable, "examples/engine_client.py", "--port", str(port), "--seconds", "6"]
        finished = subprocess.run(
            example, cwd=REPOSITORY, capture_output=True, text=True, timeout=LIMIT_S, check=False
        )
        assert finished.returncode == 0, finished.stderr
        assert "'Plain Biped': 11 inputs, 30 outputs" in finished.stdout
        assert "right foot" in finished.stdout
        sent, answered = map(int, re.findall(r"(\d+) frames sent, (\d+) answered", finished.stdout)[0])
        assert 0 < answered < sent


def test_other_computers_are_let_in_only_with_a_warning():
    with serving("--host", "0.0.0.0") as (process, _):
        process.send_signal(signal.SIGTERM)
        assert "other computers" in process.communicate(timeout=LIMIT_S)[1]


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--profile", "no such profile"], "no such profile"),
        (["--profile", ""], "not a file"),
        (["--profile", "x" * 5000], "cannot be read"),
        (["--weights", "pyproject.toml"], "pyproject.toml"),
    ],
)
def test_a_refusal_is_one_sentence(options, sentence, capsys, monkeypatch):
    monkeypatch.chdir(REPOSITORY)
    assert started.main([*SERVE[3:], *options]) == 1
    told = capsys.readouterr().err
    assert told.startswith("neurarig: ") and sentence in told and len(told.splitlines()) == 1


@pytest.mark.parametrize("option", ["--port", "--debug-port"])
def test_a_port_is_a_number_that_ports_have(option, capsys):
    serve = ["serve", "--profile", "1_plain_biped"]
    for number in (0, 1, 65_535):
        assert (
            vars(_parser().parse_args([*serve, f"{option}={number}"]))[option.strip("-").replace("-", "_")]
            == number
        )
    for text in ("65536", "-1", "1.5", "", "port"):
        with pytest.raises(SystemExit):
            _parser().parse_args([*serve, f"{option}={text}"])
        assert "is not a port" in capsys.readouterr().err


def test_the_status_is_printed_now_and_then(monkeypatch, capsys):
    now = [100.0]
    monkeypatch.setattr(started, "time", SimpleNamespace(monotonic=lambda: now[0]))
    report, lines = started._reporter(lambda: "all is well"), []
    for share in (0.0, 0.9, 1.0, 1.1, 1.9, 2.1, 2.2):
        now[0] = 100.0 + share * started._LOG_S
        report()
        lines.append(capsys.readouterr().out.count("all is well"))
    assert lines == [0, 0, 1, 0, 0, 1, 0]


def test_a_server_without_a_profile_asks_for_one():
    serve = [part for part in SERVE if part not in ("--profile", "1_plain_biped")]
    finished = subprocess.run(
        serve, cwd=REPOSITORY, capture_output=True, text=True, timeout=LIMIT_S, check=False
    )
    assert finished.returncode == 2 and "--profile" in finished.stderr.splitlines()[-1]
