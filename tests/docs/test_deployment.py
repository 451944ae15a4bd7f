"""The files for operators in examples/workers: they parse, and the commands in them are commands of ours."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from configparser import RawConfigParser
from pathlib import Path
from typing import Any

import click
import pytest
import yaml

from tallystick import Journal
from tallystick.interfaces.cli.app import LazyCommand, Root
from tallystick.runner.checks import check_file
from tallystick.runner.tools.registry import load_closed_registry
from tallystick.server.command import command as serve_command
from tests.docs.test_examples import ROOT
from tests.postgres_server import Server
from tests.runner.workers import wait_for
from tools.reference_pages import MEANINGS

FOLDER = ROOT / "examples" / "workers"
COMPOSE = yaml.safe_load((FOLDER / "compose.yaml").read_text())
UNIT = (FOLDER / "tallystick-worker@.service").read_text()
STARTED = ("server", "worker")
MOUNTED = {"/plans/": FOLDER, "/etc/tallystick/": FOLDER}
"""Where the folder is in a container, and where its files are for the service."""


def parse(words: list[str]) -> dict[str, Any]:
    """The options of a command as our own command line reads them; raises click.UsageError."""
    assert Path(words[0]).name == "tallystick"
    root = Root({"serve": LazyCommand("Serve.", serve_command)})
    context = click.Context(root, info_name="tallystick")
    name, command, rest = root.resolve_command(context, words[1:])
    assert command is not None
    return command.make_context(name, rest, parent=context).params


def files_of(options: dict[str, Any]) -> list[Path]:
    """The files that a command names, where they are here."""
    named = [*(options.get("tools") or ()), options["policy"]]
    return [folder / name.removeprefix(start) for name in named for start, folder in MOUNTED.items() if start in name]


def service_command() -> list[str]:
    line = re.search(r"^ExecStart=(.*)$", UNIT, re.MULTILINE)
    assert line is not None
    return shlex.split(line[1])


def seconds_of(pattern: str) -> float:
    found = re.search(pattern, UNIT, re.MULTILINE)
    assert found is not None
    return float(found[1])


def test_every_command_of_the_compose_file_is_one_of_ours() -> None:
    found = {name: parse(COMPOSE["services"][name]["command"]) for name in STARTED}
    assert found["server"]["login"]
    assert [path.name for path in files_of(found["worker"])] == ["tools.py", "policy.toml"]
    with pytest.raises(click.UsageError):
        parse(["tallystick", "worker", "--graze=5"])


def test_workers_are_given_longer_to_stop_than_their_calls_have() -> None:
    worker = COMPOSE["services"]["worker"]
    assert worker["deploy"]["replicas"] == 3
    assert float(worker["stop_grace_period"].removesuffix("s")) > parse(worker["command"])["grace"]
    assert seconds_of(r"^TimeoutStopSec=(\d+)$") > parse(service_command())["grace"]


def test_the_containers_share_a_journal_in_the_database() -> None:
    for name in STARTED:
        settings = COMPOSE["services"][name]["environment"]
        assert [key for key in settings if key.startswith("TALLYSTICK_") and key not in MEANINGS] == []
        assert settings["TALLYSTICK_URL"].startswith("postgresql://")
        assert settings["TALLYSTICK_URL"].endswith("@postgres/tallystick")
        assert COMPOSE["services"][name]["depends_on"] == {"postgres": {"condition": "service_healthy"}}
    extras = re.search(r"/source\[(.*)\]", COMPOSE["x-tallystick"]["build"]["dockerfile_inline"])
    assert extras is not None
    assert set(extras[1].split(",")) == {"queue", "runner"}


def test_the_plan_the_tools_and_the_policy_fit_each_other() -> None:
    tools, policy = files_of(parse(service_command()))
    registry = load_closed_registry([str(tools)], policy=str(policy))
    assert check_file(FOLDER / "plan.yaml", registry, {}) == ()


@pytest.mark.parametrize("command", [COMPOSE["services"]["worker"]["command"], service_command()])
def test_a_worker_of_the_example_starts_and_its_plan_is_carried_out(
    postgres: Server, tmp_path: Path, command: list[str]
) -> None:
    def own(words: list[str]) -> list[str]:
        """The command as it is here: with this program, and the files of the folder."""
        for start in MOUNTED:
            words = [word.replace(start, f"{FOLDER}/") for word in words]
        return [sys.executable, "-m", "tallystick", *words[1:]]

    line = re.search(r"--rm worker (.*)$", (FOLDER / "compose.yaml").read_text(), re.MULTILINE)
    assert line is not None
    with postgres.database() as url, (tmp_path / "log").open("w") as log:
        env = {**os.environ, "TALLYSTICK_URL": url, "TALLYSTICK_JOURNAL": "work", "XDG_DATA_HOME": str(tmp_path)}
        worker = subprocess.Popen(own(command), env=env, stderr=log)
        try:
            run = [*own(shlex.split(line[1])), "--quiet"]
            execution = subprocess.run(run, env=env, capture_output=True, text=True, check=True).stdout.strip()
            with Journal.open(url, journal="work") as journal:
                wait_for(
                    lambda: (
                        worker.poll() is not None or journal.get_execution(execution_id=execution).status == "completed"
                    )
                )
            assert worker.poll() is None, (tmp_path / "log").read_text()
        finally:
            worker.terminate()
            worker.wait(60)


def test_the_service_parses_and_systemd_accepts_it_where_it_is_installed(tmp_path: Path) -> None:
    parser = RawConfigParser(strict=False)
    parser.read_string(UNIT)
    assert parser.sections() == ["Unit", "Service", "Install"]
    program = shutil.which("systemd-analyze")
    if program is None:
        return
    unit = tmp_path / "tallystick-worker@.service"
    own = Path(sys.executable).parent / "tallystick"
    unit.write_text(UNIT.replace("/usr/local/bin/tallystick", str(own)))
    done = subprocess.run([program, "verify", "--man=no", str(unit)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
