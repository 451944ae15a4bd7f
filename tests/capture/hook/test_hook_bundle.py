"""The bundle that the hook runs from: on a bare interpreter, with a command that never changes, replaced as a whole."""

import ast
import json
import marshal
import os
import re
import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import tallystick
from tallystick.capture.hook import pattern_cache
from tallystick.capture.setup import hook_bundle
from tallystick.capture.spool import file as spool_file
from tallystick.core.redaction.masker import DEFAULT_MASKER
from tallystick.version import __version__
from tests.capture.hook.events import encoded
from tests.capture.hook.installed_hook import Hook
from tests.core.secret_corpus import planted_secrets

PACKAGE = Path(str(tallystick.__file__)).parent
ALLOWED = {f"tallystick.{name}" for name in hook_bundle.MODULES}
SECRET = "curl -H 'Authorization: Bearer abcdef123456' --password hunter2"
SLOW = ("re", "json", "functools", "typing", "collections", "subprocess", "hashlib", "site")


def test_it_runs_in_an_empty_environment_with_no_tallystick_installed(tmp_path: Path) -> None:
    run = hook_bundle.write(tmp_path / "hook", ["/nowhere/tallystick"])
    code = "import sys, pwd, os; pwd.getpwuid(os.getuid())"
    subprocess.run(
        [hook_bundle.base_python(), "-I", "-S", "-c", code], env={}, check=True
    )  # a home without an environment
    done = subprocess.run(
        [hook_bundle.base_python(), "-I", "-S", str(run), "claude-code"],
        env={"XDG_DATA_HOME": str(tmp_path)},
        cwd="/",
        input=encoded("claude-code", "PreToolUse"),
        capture_output=True,
        check=True,
    )
    assert (done.stdout, done.stderr) == (b"{}\n", b"")
    [path] = (tmp_path / "tallystick" / "spool").glob("*.spool")
    assert spool_file.read(path).records[0]["event"] == "PreToolUse"


@pytest.mark.parametrize("command", ["ls", SECRET, f"{SECRET}\n[a for a in b]\n  {{a: b}}\n[1, a]\n{{'a'}}\n[\n]"])
def test_a_tool_call_loads_nothing_that_it_does_not_need(hook: Hook, command: str) -> None:
    """Nor does code with lines that look like JSON from both ends."""
    hook_input = encoded("claude-code", "PreToolUse", tool_input={"command": command})
    done = subprocess.run(
        [hook_bundle.base_python(), "-I", "-S", "-X", "importtime", str(hook.run), "claude-code"],
        env=hook.env,
        input=hook_input,
        capture_output=True,
        check=True,
    )
    loaded = {line.rpartition("|")[2].strip() for line in done.stderr.decode().splitlines()}
    assert "tallystick.core.redaction.masker" in loaded
    assert loaded.intersection(SLOW) == set()
    assert {name for name in loaded if name.startswith("tallystick.")} <= {*ALLOWED, *_packages(ALLOWED)}
    assert ("hunter2" in hook.bytes_on_disk().decode()) is False


@pytest.mark.parametrize("name", hook_bundle.MODULES)
def test_the_modules_of_the_bundle_import_only_each_other_and_the_standard_library(name: str) -> None:
    tree = ast.parse((PACKAGE / f"{name.replace('.', '/')}.py").read_text())
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found |= {_imported(str(node.module), alias.name) for alias in node.names}
    ours = {each for each in found if each.partition(".")[0] == "tallystick"}
    assert ours <= ALLOWED
    assert {each.partition(".")[0] for each in found - ours} <= sys.stdlib_module_names


def test_the_packages_have_nothing_in_them_that_the_bundle_would_miss() -> None:
    for package in {name.rpartition(".")[0] for name in hook_bundle.MODULES if "." in name}:
        body = ast.parse((PACKAGE / package.replace(".", "/") / "__init__.py").read_text()).body
        assert [type(node) for node in body] == [ast.Expr]  # a docstring


def test_the_command_is_the_same_for_every_version(tmp_path: Path) -> None:
    env = {"XDG_DATA_HOME": str(tmp_path)}
    before = hook_bundle.command("codex", strict=True, env=env)
    hook_bundle.write(hook_bundle.program_folder(env), ["/first/tallystick"])
    hook_bundle.write(hook_bundle.program_folder(env), ["/second/tallystick"])
    assert hook_bundle.command("codex", strict=True, env=env) == before
    run = str(tmp_path / "tallystick" / "hook" / "run.py")
    assert before == [hook_bundle.base_python(), "-I", "-S", "-c", hook_bundle.STRICT_RUNNER, run, "codex", "--strict"]
    assert hook_bundle.command("codex", env=env) == [hook_bundle.base_python(), "-I", "-S", run, "codex"]
    assert hook_bundle.command("copilot", event="preToolUse", env=env)[-2:] == ["--event", "preToolUse"]
    assert os.path.isabs(before[0])
    assert __version__ not in " ".join(before)


def test_an_upgrade_replaces_the_program_and_leaves_the_old_bundle_to_hooks_that_still_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "hook"
    started = tmp_path / "tallystick"
    started.write_text("#!/bin/sh\n")
    started.chmod(0o755)
    hook = Hook(hook_bundle.write(folder, [str(started)], {"TALLYSTICK_JOURNAL": "kept"}), tmp_path)
    [old] = folder.glob("hook-*")
    assert hook_bundle.is_current(folder)
    newer = {
        **hook_bundle._files(),
        "capture/hook/responses.py": hook_bundle._files()["capture/hook/responses.py"] + b"NEW = True\n",
    }
    monkeypatch.setattr(hook_bundle, "_files", lambda: newer)
    assert not hook_bundle.is_current(folder)
    assert hook_bundle.refresh(folder, [str(started)])
    assert not hook_bundle.refresh(folder, [str(started)])
    assert hook_bundle.is_current(folder)
    assert json.loads((folder / "home.json").read_text()) == {
        "command": [str(started)],
        "version": __version__,
        "env": {"TALLYSTICK_JOURNAL": "kept"},
    }
    [new] = set(folder.glob("hook-*")) - {old}
    assert new.name in hook.run.read_text()
    assert hook.send(["claude-code"], encoded("claude-code", "Stop")).message == {}
    older_name = folder / "slice-0000"
    older_name.mkdir()
    long_ago = time.time() - 2 * hook_bundle.OLD_BUNDLE_SECONDS
    for each in (old, older_name):
        os.utime(each, (long_ago, long_ago))
    hook_bundle.write(folder, ["/b/tallystick"])
    assert [each for each in folder.iterdir() if each.is_dir()] == [new]


def test_a_missing_command_is_replaced_by_the_running_one(tmp_path: Path) -> None:
    folder = tmp_path / "hook"
    hook_bundle.write(folder, ["/gone/tallystick"])
    assert hook_bundle.refresh(folder, [sys.executable, "-m", "tallystick"])
    assert not hook_bundle.refresh(folder, ["/other/tallystick"])
    assert json.loads((folder / "home.json").read_text())["command"] == [sys.executable, "-m", "tallystick"]
    (folder / "home.json").unlink()
    assert hook_bundle.refresh(folder, [sys.executable, "-m", "tallystick"])


def test_the_interpreter_has_a_name_that_stays_through_upgrades(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = os.path.abspath(sys._base_executable)  # type: ignore[attr-defined]
    link, environment = tmp_path / "bin" / "python3", tmp_path / "venv" / "bin" / "python3"
    for each in (link, environment):
        each.parent.mkdir(parents=True)
        each.symlink_to(own)
    (tmp_path / "venv" / "pyvenv.cfg").touch()
    monkeypatch.setenv("PATH", f"{environment.parent}:{link.parent}")
    monkeypatch.setattr(sys, "platform", "linux")
    found: tuple[int, ...] | None = sys.version_info[:2]
    monkeypatch.setattr(hook_bundle, "_version", lambda python: found)
    search = hook_bundle.base_python.__wrapped__
    assert search() == hook_bundle.SYSTEM_PYTHON
    found = (3, 99)
    assert search() == str(link)
    link.unlink()
    assert search() == hook_bundle.SYSTEM_PYTHON
    found = (3, 10)
    assert search() == own
    found = None
    assert search() == own


def test_only_an_interpreter_with_the_modules_of_the_hook_counts(tmp_path: Path) -> None:
    assert hook_bundle._version(sys.executable) == sys.version_info[:2]
    assert hook_bundle._version(str(tmp_path / "none")) is None


def test_where_no_hook_is_installed_none_is_refreshed(tmp_path: Path) -> None:
    assert not hook_bundle.refresh(tmp_path / "hook", ["/a/tallystick"])
    assert not (tmp_path / "hook").exists()


def test_a_damaged_bundle_is_repaired(tmp_path: Path) -> None:
    run = hook_bundle.write(tmp_path / "hook", ["/a/tallystick"])
    [bundle] = (tmp_path / "hook").glob("hook-*")
    shutil.rmtree(bundle / "tallystick" / "capture")
    (bundle / "tallystick" / "paths.py").write_text("raise SystemExit(7)\n")
    assert hook_bundle.write(tmp_path / "hook", ["/a/tallystick"]) == run
    assert Hook(run, tmp_path).send(["claude-code"], encoded("claude-code", "Stop")).message == {}
    assert (bundle / "tallystick" / "paths.py").read_bytes() == (PACKAGE / "paths.py").read_bytes()


def test_writers_at_the_same_time_and_hooks_meanwhile_do_no_harm(tmp_path: Path) -> None:
    folder = tmp_path / "hook"
    run = hook_bundle.write(folder, ["/a/tallystick"])
    hook = Hook(run, tmp_path)
    [current] = folder.glob("hook-*")
    older = current.rename(folder / "hook-0000")
    run.write_text(run.read_text().replace(current.name, older.name))

    def send(number: int) -> str:
        return hook.send(["claude-code"], encoded("claude-code", "PreToolUse", number=number)).output

    with ThreadPoolExecutor(6) as pool:
        sending = [pool.submit(send, number) for number in range(15)]
        writing = [pool.submit(hook_bundle.write, folder, [f"/{number}/tallystick"]) for number in range(6)]
        sending += [pool.submit(send, number) for number in range(15, 30)]
        assert {each.result() for each in sending} == {"{}\n"}
        assert {each.result() for each in writing} == {run}
    assert hook_bundle.is_current(folder)
    assert sorted(record["payload"]["number"] for record in hook.records()) == list(range(30))
    assert not [path for path in folder.rglob("*") if re.fullmatch(r"\..*\.[0-9a-f]{8}", path.name)]


@pytest.mark.parametrize(("strict", "code"), [([], 0), (["--strict"], 2)])
def test_half_a_bundle_refuses_no_call_unless_it_is_strict(
    run: Path, tmp_path: Path, strict: list[str], code: int
) -> None:
    shutil.copytree(run.parent, tmp_path / "hook")
    [bundle] = (tmp_path / "hook").glob("hook-*")
    shutil.rmtree(bundle / "tallystick" / "capture")
    answer = Hook(tmp_path / "hook" / "run.py", tmp_path).send(["claude-code", *strict], b"{}")
    assert (answer.code, answer.output) == (code, "")
    assert "was not recorded" in answer.errors


def test_a_pattern_compiled_ahead_is_the_pattern(run: Path) -> None:
    [bundle] = run.parent.glob("hook-*")
    load = pattern_cache.load(str(bundle / pattern_cache.FILE_NAME))
    sources = set(hook_bundle.patterns())
    assert len(sources) > 60
    for source in sources:
        assert load(source) == re.compile(source)
    assert load("never seen") is None


def test_a_pattern_is_known_by_its_whole_source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pattern_cache, "checksum", len)  # which two may share
    (tmp_path / "table").write_bytes(pattern_cache.build(["abc"]))
    load = pattern_cache.load(str(tmp_path / "table"))
    assert load("abc") == re.compile("abc")
    assert load("xyz") is None


def test_every_pattern_of_the_masker_is_compiled_ahead(run: Path) -> None:
    [bundle] = run.parent.glob("hook-*")
    values = [each.value for each in planted_secrets(each=1)]
    values += [{"key ghp_" + "a1" * 12: 1, "pwd": "/tmp", "list": ["--password", "x", "X-Api-Key", "y"]}]
    code = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "from tallystick.capture.hook import pattern_cache\n"
        "from tallystick.core.redaction import masker, prefilter\n"
        "from tallystick.core.formats import fast_json\n"
        "found, missed = pattern_cache.load(sys.argv[1] + '/' + pattern_cache.FILE_NAME), []\n"
        "prefilter.compiled.elsewhere = lambda source: found(source) or missed.append(source)\n"
        "values = fast_json.parse(sys.stdin.read())\n"
        "print(fast_json.dump([[masker.DEFAULT_MASKER.mask(value) for value in values], missed]))\n"
    )
    command = [hook_bundle.base_python(), "-I", "-S", "-c", code, str(bundle)]
    done = subprocess.run(command, input=json.dumps(values), capture_output=True, text=True, check=True)
    masked, missed = json.loads(done.stdout)
    assert missed == []
    assert len(masked) > 500
    assert masked == json.loads(json.dumps([DEFAULT_MASKER.mask(value) for value in values]))


@pytest.mark.parametrize("damage", [b"", b"garbage", b"\0" * 100, "cut", "gone"])
def test_without_patterns_that_fit_the_hook_compiles_them_itself(
    run: Path, tmp_path: Path, damage: bytes | str
) -> None:
    shutil.copytree(run.parent, tmp_path / "hook")
    tables = list((tmp_path / "hook").glob(f"*/*{pattern_cache.SUFFIX}"))
    assert tables
    for table in tables:
        if damage == "gone":
            table.unlink()
        else:
            table.write_bytes(damage if isinstance(damage, bytes) else table.read_bytes()[:20_000])
    hook = Hook(tmp_path / "hook" / "run.py", tmp_path)
    answer = hook.send(["claude-code"], encoded("claude-code", "PreToolUse", tool_input={"password": "hunter2"}))
    assert (answer.code, answer.message, answer.errors) == (0, {}, "")
    assert hook.records()[0]["payload"]["tool_input"] == {"password": "[masked:password]"}


def test_patterns_are_compiled_by_the_interpreter_that_runs_the_hook_where_that_is_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pattern_cache, "build", lambda sources: b"by this one")
    monkeypatch.setattr(hook_bundle, "_version", lambda python: (3, 0))
    hook_bundle.write(tmp_path, ["tallystick"])
    command = [hook_bundle.base_python(), "-I", "-S", "-c", "import sys; print(sys.implementation.cache_tag)"]
    tag = subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    [table] = tmp_path.glob(f"*/{tag}{pattern_cache.SUFFIX}")
    _, positions = marshal.loads(table.read_bytes()[pattern_cache.HEADER_BYTES :])
    assert set(positions) == set(map(pattern_cache.checksum, hook_bundle.patterns()))


def test_the_folder_is_for_this_user_only(run: Path) -> None:
    assert run.parent.stat().st_mode & 0o077 == 0


def _packages(modules: set[str]) -> set[str]:
    parts = [module.split(".") for module in modules]
    return {".".join(each[:size]) for each in parts for size in range(1, len(each))}


def _imported(module: str, name: str) -> str:
    whole = f"{module}.{name}"
    return whole if whole in ALLOWED or module in _packages(ALLOWED) else module


@pytest.mark.parametrize("content", ["", "import", "1 / 0", "import sys; sys.exit(0)", None])
def test_a_strict_line_refuses_when_the_program_does_not_answer(tmp_path: Path, content: str | None) -> None:
    env = {"XDG_DATA_HOME": str(tmp_path), "TALLYSTICK_JOURNAL": "journal"}
    run = hook_bundle.write(hook_bundle.program_folder(env), ["/nowhere/tallystick"])
    command = hook_bundle.command("claude-code", strict=True, env=env)
    hook_input = encoded("claude-code", "PreToolUse")
    assert subprocess.run(command, env=env, input=hook_input, capture_output=True, check=False).returncode == 0
    run.unlink()
    if content is not None:
        run.write_text(content)
    assert subprocess.run(command, env=env, input=hook_input, capture_output=True, check=False).returncode == 2
