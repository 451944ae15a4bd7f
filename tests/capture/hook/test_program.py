"""The hook as a program, for each client and event: one record, one answer in the client's form, exit code 0."""

import ctypes
import fcntl
import json
import os
import resource
import shlex
import shutil
import subprocess
import time
from pathlib import Path

import pytest

from tallystick.capture.hook import environment
from tallystick.capture.setup import hook_bundle
from tallystick.capture.spool import file as spool_file
from tallystick.paths import journal_name
from tests.capture.hook.events import CASES, encoded, options, payload, silence
from tests.capture.hook.installed_hook import Hook

PR_CAPBSET_DROP, CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH = 24, 1, 2
BEFORE = [
    ("claude-code", "PreToolUse"),
    ("codex", "PreToolUse"),
    ("gemini-cli", "BeforeTool"),
    ("cursor", "preToolUse"),
    ("cursor", "beforeShellExecution"),
    ("cursor", "beforeMCPExecution"),
    ("copilot", "preToolUse"),
    ("copilot", "PreToolUse"),
]
UNREADABLE = {
    "nothing": b"",
    "no JSON": b"hello",
    "a list": b"[1, 2]",
    "a number": b"7",
    "half of an object": b'{"session_id": "s-1", "tool_in',
    "two objects": b"{} {}",
    "too deep": b"[" * 100_000,
    "a deep object": b'{"a":' * 50_000 + b"1" + b"}" * 50_000,
    "zeros": b"\0" * 100,
}


@pytest.mark.parametrize(("client", "event"), CASES)
def test_every_event_of_every_client_is_spooled_and_answered(hook: Hook, client: str, event: str) -> None:
    hook_input = payload(client, event)
    before = time.time_ns() // 1000
    answer = hook.send([client, *options(client, event)], hook_input)
    assert (answer.code, answer.message, answer.errors) == (0, silence(client, event), "")
    [record] = hook.records()
    assert record["payload"] == hook_input
    assert (record["v"], record["client"], record["event"], record["journal"]) == (1, client, event, "journal")
    assert record["pid"] == os.getpid()
    assert record["cwd"] == "/tmp"
    assert before <= record["at"] <= time.time_ns() // 1000
    assert len(bytes.fromhex(record["id"])) == 16
    assert not {"effect_key", "altered"}.intersection(record)  # no key yet, and nothing was changed


@pytest.mark.parametrize("strict", [[], ["--strict"]], ids=["plain", "strict"])
@pytest.mark.parametrize("hook_input", UNREADABLE.values(), ids=UNREADABLE.keys())
def test_an_unparsable_payload_is_kept_as_text(hook: Hook, hook_input: bytes, strict: list[str]) -> None:
    answer = hook.send(["claude-code", *strict], hook_input)
    assert (answer.code, answer.output) == ((2, "") if strict else (0, "{}\n"))
    assert ("could not be read" in answer.errors) == bool(strict)
    [record] = hook.records()
    assert record["event"] == "unreadable"
    text = record["payload"]["unreadable"]
    assert text.replace("\u2400", "\0")[:1000] == hook_input.decode()[:1000]


def test_a_byte_order_mark_and_white_space_are_accepted(hook: Hook) -> None:
    hook_input = payload("claude-code", "PreToolUse")
    hook.send(["claude-code"], b"\xef\xbb\xbf \r\n" + json.dumps(hook_input, indent=2).encode("utf-8") + b"\n\n")
    assert hook.records()[0]["payload"] == hook_input


def test_invalid_utf_8_is_kept_as_far_as_possible(hook: Hook) -> None:
    hook_input = encoded("claude-code", "PreToolUse").replace(b"ls -la", b"ls \xff\xfe -la \\ud800 \\u0000")
    assert hook.send(["claude-code"], hook_input).code == 0
    [record] = hook.records()
    assert record["event"] == "PreToolUse"
    assert record["payload"]["tool_input"]["command"] == "ls ?? -la ? \u2400"
    assert record["altered"] == ["cleaned"]


@pytest.mark.parametrize("arguments", [[], ["--strict"], ["nobody"], ["--event"], ["claude-code", "--what"]])
def test_a_command_that_is_not_ours_is_answered_too(hook: Hook, arguments: list[str]) -> None:
    answer = hook.send(arguments, encoded("claude-code", "PreToolUse"))
    assert (answer.code, answer.message) == (0, {})
    assert len(hook.records()) == 1


def test_an_input_that_stays_open_is_taken_when_it_is_whole(hook: Hook) -> None:
    command = [hook_bundle.base_python(), "-I", "-S", str(hook.run), "claude-code"]
    with subprocess.Popen(command, env=hook.env, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        assert child.stdin is not None
        assert child.stdout is not None
        child.stdin.write(encoded("claude-code", "PreToolUse"))
        child.stdin.flush()
        assert child.stdout.read() == b"{}\n"  # before its input ended
    assert hook.records()[0]["event"] == "PreToolUse"


def test_a_hook_without_an_input_answers(hook: Hook) -> None:
    shell = f"exec {shlex.join([hook_bundle.base_python(), '-I', '-S', str(hook.run), 'claude-code'])} <&-"
    done = subprocess.run(["sh", "-c", shell], env=hook.env, capture_output=True, check=True)
    assert done.stdout == b"{}\n"
    assert hook.records()[0]["payload"] == {"unreadable": ""}


def test_the_agent_is_found_behind_its_shells(hook: Hook) -> None:
    inner = shlex.join([hook_bundle.base_python(), "-I", "-S", str(hook.run), "claude-code"])
    script = f"sh -c {shlex.quote(f'{inner}; true')}; true"
    subprocess.run(["bash", "-c", script], env={**hook.env, "PATH": os.environ["PATH"]}, input=b"{}", check=True)
    assert hook.records()[0]["pid"] == os.getpid()


def test_the_journal_is_that_of_the_project_wherever_the_agent_went(hook: Hook) -> None:
    for name in ("project", "elsewhere"):
        (hook.folder / name / ".git").mkdir(parents=True)
    env = {"TALLYSTICK_JOURNAL": ""}
    hook_input = payload("claude-code", "PreToolUse", cwd=str(hook.folder / "elsewhere"))
    hook.send(["claude-code"], hook_input, env={**env, "CLAUDE_PROJECT_DIR": str(hook.folder / "project")})
    hook.send(["claude-code"], hook_input, env=env)
    hook.send(["codex"], hook_input, env={**env, "CLAUDE_PROJECT_DIR": str(hook.folder / "project")})
    hook.send(["cursor"], payload("cursor", "stop", workspace_roots=[str(hook.folder / "project")]), env=env)
    spools = sorted(path.name.rpartition("-")[0] for path in (hook.folder / "spool").iterdir())
    assert spools == ["elsewhere", "project"]
    [project] = (hook.folder / "spool").glob("project-*")
    assert [record["client"] for record in spool_file.read(project).records] == ["claude-code", "cursor"]
    [elsewhere] = (hook.folder / "spool").glob("elsewhere-*")
    assert [record["client"] for record in spool_file.read(elsewhere).records] == ["claude-code", "codex"]


@pytest.mark.parametrize(("client", "event"), BEFORE)
def test_strict_refuses_a_call_that_cannot_be_recorded_in_the_client_s_form(
    hook: Hook, client: str, event: str
) -> None:
    (hook.folder / "spool").write_bytes(b"a file where the folder should be")
    answer = hook.send([client, "--strict", *options(client, event)], payload(client, event))
    assert "could not record" in answer.errors
    assert "Not a directory" in answer.errors
    if client == "cursor":
        assert answer.code == 0
        assert answer.message["permission"] == "deny"
        assert "could not record" in answer.message["agent_message"]
    elif client == "copilot":
        assert answer.code == 0
        assert answer.message["permissionDecision"] == "deny"
        assert "could not record" in answer.message["permissionDecisionReason"]
        assert ("hookSpecificOutput" in answer.message) == event[0].isupper()
    else:
        assert (answer.code, answer.output) == (2, "")


@pytest.mark.parametrize(("client", "event"), CASES)
def test_without_strict_nothing_is_ever_refused(hook: Hook, client: str, event: str) -> None:
    (hook.folder / "spool").write_bytes(b"a file where the folder should be")
    answer = hook.send([client, *options(client, event)], payload(client, event))
    assert (answer.code, answer.message) == (0, silence(client, event))
    assert "was not recorded: Not a directory" in answer.errors


@pytest.mark.parametrize(("client", "event"), [case for case in CASES if case not in BEFORE])
def test_strict_refuses_nothing_but_calls(hook: Hook, client: str, event: str) -> None:
    (hook.folder / "spool").write_bytes(b"a file where the folder should be")
    answer = hook.send([client, "--strict", *options(client, event)], payload(client, event))
    assert (answer.code, answer.message) == (0, silence(client, event))


@pytest.mark.parametrize(("client", "event"), BEFORE)
def test_strict_lets_a_recorded_call_go_on_where_silence_would_hold_it(hook: Hook, client: str, event: str) -> None:
    """Cursor takes an answer without a permission for a failure of a hook that is `failClosed`."""
    answer = hook.send([client, "--strict", *options(client, event)], payload(client, event))
    assert (answer.code, answer.message) == (0, {"permission": "allow"} if client == "cursor" else {})


def test_strict_refuses_input_that_it_can_neither_read_nor_record(hook: Hook) -> None:
    (hook.folder / "spool").write_bytes(b"a file where the folder should be")
    assert hook.send(["claude-code", "--strict"], b"{").code == 2


@pytest.mark.parametrize("client", ["claude-code", "codex", "gemini-cli", "cursor", "copilot"])
@pytest.mark.parametrize("hook_input", [b"", b"plain text", b"[1]", b'{"tool_name":"Bash","tool_input":{"command":"rm'])
def test_strict_refuses_unreadable_input_though_it_is_recorded(hook: Hook, client: str, hook_input: bytes) -> None:
    answer = hook.send([client, "--strict"], hook_input)
    if client in ("cursor", "copilot"):
        assert "deny" in (answer.message.get("permission"), answer.message.get("permissionDecision"))
    else:
        assert (answer.code, answer.output) == (2, "")
    assert hook.send([client], hook_input).code == 0
    assert [record["payload"]["unreadable"] for record in hook.records()] == [hook_input.decode()] * 2


def test_a_full_disk_loses_no_record_that_was_there(hook: Hook) -> None:
    hook_input = payload("claude-code", "PreToolUse")
    hook.send(["claude-code"], hook_input)
    size = os.path.getsize(hook.spool)

    def full() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (size + 100, size + 100))

    plain = hook.send(["claude-code"], hook_input, full)
    strict = hook.send(["claude-code", "--strict"], hook_input, full)
    assert (plain.code, plain.message, strict.code) == (0, {}, 2)
    assert "File too large" in plain.errors
    assert os.path.getsize(hook.spool) == size
    assert spool_file.read_missed(hook.spool)[0] == 1  # the other call did not happen
    assert hook.send(["claude-code"], hook_input).errors == ""
    assert len(hook.records()) == 2


def test_a_folder_that_may_not_be_written_is_named_as_such(hook: Hook) -> None:
    Path(hook.env["TALLYSTICK_SPOOL"]).mkdir(mode=0o555)
    prctl = ctypes.CDLL(None).prctl

    def as_anybody() -> None:
        """Drop root's right to write everywhere."""
        for capability in (CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH):
            prctl(PR_CAPBSET_DROP, capability, 0, 0, 0)

    answer = hook.send(["claude-code"], payload("claude-code", "PreToolUse"), as_anybody)
    strict = hook.send(["claude-code", "--strict"], payload("claude-code", "PreToolUse"), as_anybody)
    assert (answer.code, answer.message, strict.code) == (0, {}, 2)
    assert "was not recorded: " in answer.errors


def test_the_end_of_a_session_does_not_wait_for_a_locked_spool(hook: Hook) -> None:
    hook.send(["codex"], payload("codex", "PreToolUse"))
    with open(hook.spool, "rb") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        answer = hook.send(["codex"], payload("codex", "SessionEnd"))
    assert answer.code == 0
    assert "stays locked" in answer.errors


def test_a_payload_that_cannot_be_masked_is_recorded_without_its_content(hook: Hook, tmp_path: Path) -> None:
    shutil.copytree(hook.run.parent, tmp_path / "hook")
    hook.run = tmp_path / "hook" / "run.py"
    [masker] = hook.run.parent.glob("*/tallystick/core/redaction/masker.py")
    masker.write_text("broken = 1 / 0\n")
    shutil.rmtree(masker.parent / "__pycache__")
    answer = hook.send(["claude-code"], payload("claude-code", "PreToolUse", tool_input={"command": "hunter2"}))
    assert (answer.code, answer.message) == (0, {})
    [record] = hook.records()
    assert record["payload"] == {"unreadable": "[not kept: ZeroDivisionError]"}
    assert record["altered"] == ["lost"]
    assert b"hunter2" not in hook.bytes_on_disk()


def test_a_deleted_working_folder_loses_no_event(hook: Hook) -> None:
    inner = shlex.join([hook_bundle.base_python(), "-I", "-S", str(hook.run), "claude-code"])
    script = f"mkdir gone && cd gone && rmdir ../gone && exec {inner}"
    env = {**hook.env, "PATH": os.environ["PATH"]}
    subprocess.run(["sh", "-c", script], cwd=hook.folder, env=env, input=b"{}", capture_output=True, check=True)
    assert hook.records()[0]["cwd"] == "/"


def test_an_answer_that_is_not_read_is_no_failure(hook: Hook) -> None:
    inner = shlex.join([hook_bundle.base_python(), "-I", "-S", str(hook.run), "claude-code"])
    done = subprocess.run(
        ["sh", "-c", f"{inner} >&- 2>&-; echo $?"], env=hook.env, input=b"{}", capture_output=True, check=True
    )
    assert done.stdout == b"0\n"
    assert len(hook.records()) == 1


def _journals(hook: Hook) -> list[str]:
    return sorted(spool_path.stem for spool_path in Path(hook.env["TALLYSTICK_SPOOL"]).glob("*.spool"))


@pytest.mark.parametrize("client", ["codex", "copilot", "claude-code"])
def test_a_call_elsewhere_is_recorded_where_its_session_began(hook: Hook, client: str) -> None:
    """Codex sends the folder of the command; Copilot may run the line of Claude Code."""
    env = {"TALLYSTICK_JOURNAL": "", "TALLYSTICK_SPOOL": hook.env["TALLYSTICK_SPOOL"]}
    project, elsewhere = hook.folder / "project", hook.folder / "elsewhere"
    base = {"session_id": "0199-a", "cwd": str(project)}
    call = {**base, "tool_name": "Bash", "tool_input": {"command": "make"}, "tool_use_id": "c1", "cwd": str(elsewhere)}
    hook.send([client], {**base, "hook_event_name": "SessionStart"}, env=env)
    hook.send([client], {**call, "hook_event_name": "PreToolUse"}, env=env)
    assert _journals(hook) == [journal_name(project)]
    hook.send([client], {**call, "hook_event_name": "PreToolUse", "session_id": "0199-b"}, env=env)
    assert _journals(hook) == sorted([journal_name(project), journal_name(elsewhere)]), "nobody saw that one begin"
    hook.send([client], {**base, "hook_event_name": "UserPromptSubmit", "session_id": "0199-b"}, env=env)
    hook.send([client], {**call, "hook_event_name": "PostToolUse", "session_id": "0199-b"}, env=env)
    spool_path = spool_file.path(hook.env["TALLYSTICK_SPOOL"], journal_name(project))
    assert [each["event"] for each in spool_file.read(spool_path).records] == [
        "SessionStart",
        "PreToolUse",
        "UserPromptSubmit",
        "PostToolUse",
    ]


def test_a_session_that_starts_again_elsewhere_is_recorded_there(tmp_path: Path) -> None:
    def folder_of(event: str, folder: str) -> str:
        return environment.session_folder(str(tmp_path), "0199", event, folder)

    assert [folder_of("SessionStart", "/a"), folder_of("PreToolUse", "/b"), folder_of("Stop", "/b")] == ["/a"] * 3
    assert [folder_of("SessionStart", "/b"), folder_of("PreToolUse", "/a")] == ["/b"] * 2


def test_folders_are_remembered_for_the_newest_sessions_with_plain_ids(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(environment, "MAX_SESSIONS", 3)
    for number in range(6):
        environment.session_folder(str(tmp_path), f"s{number}", "SessionStart", "/a")
        os.utime(tmp_path / "begun" / f"s{number}", (number, number))
    for name in ("../up", ".", "", "x" * 101, "a b"):
        assert environment.session_folder(str(tmp_path), name, "SessionStart", "/a") == "/a"
    assert sorted(each.name for each in (tmp_path / "begun").iterdir()) == ["s3", "s4", "s5"]
    (tmp_path / "begun" / "s5").write_bytes(b"")
    assert environment.session_folder(str(tmp_path), "s5", "PreToolUse", "/b") == "/b"
