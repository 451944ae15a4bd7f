"""Every example runs: the programs in examples/, and the Python and console blocks of the documents."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.blocks import Command, blocks, commands, prints, program

ROOT = Path(__file__).parents[2]
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))
BEGIN, END = "\x1e", "\x1f"
OPEN = "from tallystick import Journal; journal = Journal.open(); "


def _name(path: Path) -> str:
    return str(path.relative_to(ROOT))


def _environment(folder: Path) -> dict[str, str]:
    """Return the environment of a user with an empty home and Tallystick installed."""
    bin = Path(sys.executable).parent
    return {
        "PATH": f"{bin}{os.pathsep}{os.environ['PATH']}",
        "HOME": str(folder),
        "XDG_DATA_HOME": str(folder / "data"),
        "PYTHONUTF8": "1",
        "PYTHONWARNINGS": "error",
        "NO_COLOR": "1",
        "TALLYSTICK_ACTOR": "ada",
    }


def _run(command: list[str], folder: Path, text: str | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command,
        input=text,
        cwd=folder,
        env=_environment(folder),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
        timeout=180,
    )


@pytest.mark.parametrize("path", EXAMPLES, ids=_name)
def test_the_example_runs(path: Path, tmp_path: Path) -> None:
    done = _run([sys.executable, str(path)], tmp_path)
    assert done.returncode == 0, done.stdout
    assert done.stdout.strip(), "it shows nothing"


@pytest.mark.parametrize("path", [path for path in DOCUMENTS if program(path)], ids=_name)
def test_the_python_of_the_document_runs(path: Path, tmp_path: Path) -> None:
    script = tmp_path / f"of_{path.stem}.py"  # not mcp.py, which would stand before the package of that name
    script.write_text(program(path))
    done = _run([sys.executable, str(script)], tmp_path)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("key", ["", ', key="move"'])
def test_the_program_of_the_readme_that_is_killed_is_refused_until_its_call_is_settled(
    key: str, tmp_path: Path
) -> None:
    title = 'journal.execution("Move the site"'
    text = program(ROOT / "README.md").replace(title, f"{title}{key}")
    killed = re.sub(r"copy\.result = .*", "import os; os.kill(os.getpid(), 9)", text)
    assert killed != text
    assert _run([sys.executable, "-c", killed], tmp_path).returncode == -9
    again = _run([sys.executable, "-c", text], tmp_path)
    assert again.returncode == 1
    assert "InDoubtOpen: The same call is in doubt as ac_" in again.stdout
    settle = next(line for line in again.stdout.splitlines() if line.startswith("next: "))
    call = (
        settle.removeprefix("next: ")
        .replace("ok, failed, or skipped: not done", "failed")
        .replace("'...'", "'it is not there'")
    )
    assert _run([sys.executable, "-c", f"{OPEN}{call}"], tmp_path).returncode == 0
    after = _run([sys.executable, "-c", text], tmp_path)
    assert after.returncode == 0, after.stdout
    counted = _run([sys.executable, "-c", f"{OPEN}print(len(journal.list_executions().executions))"], tmp_path)
    assert counted.stdout == ("1\n" if key else "3\n")


@pytest.mark.parametrize("path", [path for path in DOCUMENTS if commands(path)], ids=_name)
def test_the_commands_of_the_document_print_the_shown_output(path: Path, tmp_path: Path) -> None:
    typed = commands(path)
    for command, (code, output) in zip(typed, _typed(typed, tmp_path), strict=True):
        location = f"{_name(path)}:{command.line} $ {command.text}\n{output}"
        assert code == command.code, location
        assert not command.output or prints(command.output, output), location


def test_there_are_examples_to_run() -> None:
    assert len(EXAMPLES) >= 6
    assert sum(len(commands(path)) for path in DOCUMENTS) >= 20
    assert sum(block.language == "python" for path in DOCUMENTS for block in blocks(path)) >= 8


def _typed(typed: list[Command], folder: Path) -> list[tuple[int, str]]:
    """Run all commands in one shell, as a reader would; return exit code and output of each."""
    project = folder / "project"
    project.mkdir()
    lines = [f"cd {project}"]
    for command in typed:
        lines += [f"printf '{BEGIN}'", command.text, f"printf '{END}%d' $?"]
    script = folder / "typed.sh"
    script.write_text("\n".join(lines) + "\n")
    done = _run(["bash", str(script)], folder)
    found = []
    for part in done.stdout.split(BEGIN)[1:]:
        output, _, code = part.partition(END)
        found.append((int(code), output))
    return found
