"""The command as a process: shells, pipes, signals, terminals and completion are real."""

import json
import os
import pty
import select
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tallystick import Journal, Record

TALLYSTICK = Path(sys.executable).with_name("tallystick")
TIMEOUT_SECONDS = 20


@pytest.fixture
def env(tmp_path: Path) -> dict[str, str]:
    unset = ("NO_COLOR", "FORCE_COLOR", "CLAUDE_CODE_SESSION_ID")  # a conversation would be that of every shell
    stored = {name: value for name, value in os.environ.items() if name not in unset}
    return {
        **stored,
        "TALLYSTICK_URL": f"sqlite://{tmp_path / 'j.db'}",
        "TALLYSTICK_JOURNAL": "tests",
        "PATH": f"{TALLYSTICK.parent}{os.pathsep}{os.environ['PATH']}",
        "TERM": "xterm",
        "COLUMNS": "80",
    }


def _sh(script: str, env: dict[str, str]) -> subprocess.CompletedProcess[str]:
    bash = shutil.which("bash")
    assert bash, "these tests type into a real shell"
    command = [bash, "-c", script]
    return subprocess.run(command, env=env, capture_output=True, text=True, check=False, timeout=TIMEOUT_SECONDS)


def _heed_interrupts() -> None:
    """A process in the background of a shell ignores SIGINT, and its children inherit that."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@contextmanager
def _started(env: dict[str, str], *argv: str) -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen(
        [TALLYSTICK, *argv],
        env=env,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        stdin=subprocess.DEVNULL,
        text=True,
        preexec_fn=_heed_interrupts,
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def _is_ready(handle: int) -> bool:
    """Whether there is something to read. Not by `select`, which knows 1,024 handles: a test run has more."""
    poll = select.poll()
    poll.register(handle, select.POLLIN | select.POLLHUP)
    return bool(poll.poll(TIMEOUT_SECONDS * 1000))


def _line(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    assert _is_ready(process.stdout.fileno()), "nothing was printed"
    return process.stdout.readline()


def test_two_commands_of_one_shell_share_a_session_and_two_shells_do_not(env: dict[str, str]) -> None:
    begin = "tallystick record action begin -q --tool"
    # The last one replaces the shell, as bash has it with -c.
    done = _sh(f"tallystick record execution-start --title x -q && {begin} a && {begin} b", env)
    assert (done.returncode, done.stderr, len(done.stdout.splitlines())) == (0, "", 3)
    other = _sh(f"{begin} c; echo $?", env)
    assert other.stdout.strip() == "5"
    assert "no open execution" in other.stderr


def test_a_script_uses_the_session_of_the_shell_that_started_it(env: dict[str, str], tmp_path: Path) -> None:
    script = tmp_path / "build.sh"
    script.write_text("tallystick record action begin -q --tool a\ntallystick record action begin -q --tool b\n")
    done = _sh(f"tallystick record execution-start --title x -q; sh {script}; timeout 60 sh {script}; :", env)
    assert (done.stderr.count("under way"), len(done.stdout.splitlines())) == (2, 3)  # the second time, in the same one
    alone = _sh(f"sh {script}; :", env)
    assert alone.stderr.count("no open execution") == 2


def test_the_lines_of_a_makefile_share_a_session(env: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "Makefile").write_text(
        "all:\n\ttallystick record execution-start --title x -q\n"
        "\ttallystick record action begin -q --tool a && true\n\t$(MAKE) inner\n"
        "inner:\n\ttallystick record action begin -q --tool b\n"
    )
    done = _sh(f"make -s --no-print-directory -C {tmp_path}; :", env)
    assert (done.stderr, len(done.stdout.splitlines())) == ("", 3)


def test_tail_follows_the_entries_of_another_process_until_ctrl_c(env: dict[str, str]) -> None:
    with Journal.open(env["TALLYSTICK_URL"], journal="tests") as journal:
        journal.record_context(key="before", value=1)
        with _started(env, "tail", "-f", "-n", "1") as process:
            assert "before" in _line(process)
            journal.record_context(key="after", value="the newest")
            assert "the newest" in _line(process)
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=TIMEOUT_SECONDS)
            assert (process.returncode, out, err) == (0, "", "")


def test_a_closed_pipe_is_not_an_error(env: dict[str, str]) -> None:
    with Journal.open(env["TALLYSTICK_URL"], journal="tests") as journal:
        record = Record("record_context", {"key": "k", "value": "x" * 1000})
        journal.record_batch(records=(record,) * 300)  # far more than a pipe holds
    done = _sh("tallystick export | head -1; echo ${PIPESTATUS[0]}", env)
    first, code = done.stdout.splitlines()
    assert json.loads(first)["journal"] == "tests"
    assert (code, done.stderr) == ("141", "")


def _in_terminal(env: dict[str, str], *argv: str, typed: str = "") -> str:
    """The output of a command at a terminal of 80 columns, with `typed` as its input."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen([TALLYSTICK, *argv], env=env, stdin=theirs, stdout=theirs, stderr=theirs)
    os.close(theirs)
    os.write(ours, typed.encode())
    shown = b""
    try:
        while _is_ready(ours):
            part = os.read(ours, 65536)
            if not part:
                break
            shown += part
    except OSError:
        pass  # the terminal closes when its last user ends
    finally:
        os.close(ours)
        process.wait(TIMEOUT_SECONDS)
    return shown.decode()


def test_colours_are_for_terminals_and_only_where_they_are_wanted(env: dict[str, str]) -> None:
    with Journal.open(env["TALLYSTICK_URL"], journal="tests") as journal:
        journal.record_execution_start(title="x" * 200)
    coloured = _in_terminal(env, "list", "executions")
    assert "\x1b[" in coloured
    for plain in (
        _in_terminal({**env, "NO_COLOR": "1"}, "list", "executions"),
        _in_terminal(env, "list", "executions", "--no-color"),
        _sh("tallystick list executions", env).stdout,
    ):
        assert "\x1b[" not in plain
    assert max(map(len, _in_terminal({**env, "NO_COLOR": "1"}, "list", "executions").splitlines())) <= 80


def test_a_person_at_a_terminal_is_a_person(env: dict[str, str]) -> None:
    _in_terminal(env, "record", "context", "k", "--value", "1")
    with Journal.open(env["TALLYSTICK_URL"], journal="tests") as journal:
        assert {entry.actor_kind for entry in journal.read_entries().entries} == {"person"}


def test_erasing_asks_the_person_at_a_terminal_first(env: dict[str, str]) -> None:
    with Journal.open(env["TALLYSTICK_URL"], journal="tests") as journal:
        env["TALLYSTICK_CREDENTIAL"] = journal.add_credential(name="ada").secret
        seq = journal.record_context(key="k", value="a secret").seq
        erase = ("erase", "--seqs", str(seq), "--reason", "asked")
        assert "nothing was erased" in _in_terminal(env, *erase, typed="n\n")
        assert journal.get_context(key="k").values[0].value == "a secret"
        assert "recorded as entry" in _in_terminal(env, *erase, typed="y\n")
        assert journal.get_context(key="k").values[0].erased


def test_text_that_is_not_unicode_is_refused_and_not_fatal(env: dict[str, str]) -> None:
    done = _sh("tallystick record context k --value $'\\xff'; echo $?; tallystick show $'ex_\\xff'; echo $?", env)
    assert done.stdout == "2\n2\n"
    assert done.stderr.count("tallystick: invalid_argument: A text holds a lone surrogate") == 2


def test_bash_completes_commands_options_and_words(env: dict[str, str]) -> None:
    script = """
    eval "$(tallystick completion bash)"
    complete_line() {
        COMP_WORDS=($1); COMP_CWORD=$2; COMPREPLY=()
        _tallystick_completion tallystick
        echo "${COMPREPLY[@]}"
    }
    complete_line "tallystick stat" 1
    complete_line "tallystick record pl" 2
    complete_line "tallystick record action --outc" 3
    complete_line "tallystick record action --outcome s" 4
    """
    done = _sh(script, env)
    assert (done.stdout.splitlines(), done.stderr) == (["status", "plan", "--outcome", "skipped"], "")


def test_scripts_for_other_shells_are_printed(env: dict[str, str]) -> None:
    assert "compdef" in _sh("tallystick completion zsh", env).stdout
    assert "complete --no-files" in _sh("tallystick completion fish", env).stdout


def test_starting_loads_no_library_that_it_does_not_need(env: dict[str, str]) -> None:
    script = (
        "import sys; from tallystick.interfaces import cli; cli.main({argv}); "
        "print(sorted({{'rich', 'psycopg', 'asyncio', 'apsw', 'pydantic', 'http.client'}} & set(sys.modules)))"
    )
    for argv, loaded in ((["--help"], []), (["record", "plan", "--help"], []), (["status"], ["apsw"])):
        command = [sys.executable, "-c", script.format(argv=argv)]
        done = subprocess.run(command, env=env, capture_output=True, text=True, check=True, timeout=TIMEOUT_SECONDS)
        assert done.stdout.splitlines()[-1] == str(loaded)


def test_the_module_runs_like_the_command(env: dict[str, str]) -> None:
    command = [sys.executable, "-m", "tallystick", "--version"]
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=True, timeout=TIMEOUT_SECONDS)
    assert done.stdout == _sh("tallystick --version", env).stdout


def test_the_demonstration_takes_its_own_options(env: dict[str, str]) -> None:
    assert "--pace" in _sh("tallystick demo --help", env).stdout
    for name in ("capture", "demo", "gateway", "mcp", "serve", "setup"):
        assert _sh(f"tallystick {name} --help", env).stdout.startswith(f"Example:\n  tallystick {name} ")


def test_output_that_cannot_be_written_is_a_failure_and_no_traceback(env: dict[str, str]) -> None:
    done = _sh("tallystick --help > /dev/full; echo $?", env)
    assert done.stdout == "1\n"
    assert done.stderr.startswith("tallystick: failure: The output could not be written")
    assert done.stderr.count("\n") == 1
    assert _sh("tallystick --help >&-", env).returncode == 0


@pytest.mark.parametrize(
    "command", [["mcp"], ["capture", "drain"], ["serve", "--port", "0"], ["gateway", "--config", "g"]]
)
def test_a_command_that_needs_the_store_itself_refuses_the_address_of_a_server(
    env: dict[str, str], tmp_path: Path, command: list[str]
) -> None:
    (tmp_path / "g").write_text('{"mcpServers": {"one": {"command": "cat"}}}')
    at_server = {**env, "TALLYSTICK_URL": "http://127.0.0.1:9"}
    done = subprocess.run(
        [TALLYSTICK, *command], env=at_server, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 2
    assert done.stderr.startswith("tallystick: invalid_argument: This command needs the store itself")
    assert "Traceback" not in done.stderr
