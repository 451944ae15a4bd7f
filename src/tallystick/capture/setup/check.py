"""`setup --check`: sends a test call through the commands in a client's file, and looks for it in a journal.

It shows that the file is correct, that its commands run in the client's shell, that they record, and that the record is
understood. It cannot show that the client runs them: clients require that hooks are trusted.
"""

import os
import secrets
import subprocess
import tempfile
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast

from msgspec import Struct

from tallystick.capture.hook import environment
from tallystick.capture.setup import desired, files, health
from tallystick.capture.setup.changes import open_text
from tallystick.capture.setup.clients import SERVER_NAME, Client, Locations, Scope, servers_key
from tallystick.capture.setup.hook_events import HOOKS, Event
from tallystick.capture.spool import file as spool_file
from tallystick.core.errors import TallystickError
from tallystick.core.formats import fast_json
from tallystick.paths import journal_name
from tallystick.sdk.local import Local
from tallystick.settings import without_password

SHELLS = {"copilot": "bash"}
"""The shell that a client runs commands with, where it is not `sh`."""
JOURNAL_VARIABLES = ("TALLYSTICK_JOURNAL", "CLAUDE_PROJECT_DIR", "GEMINI_PROJECT_DIR", "CURSOR_PROJECT_DIR")
"""Variables that would direct the test call into a journal of the user."""
SERVER_SECONDS = 30
"""Time limit for a server to list its tools."""
_MCP_REQUESTS = (
    {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "tallystick-check", "version": "1"},
        },
    },
    {"jsonrpc": "2.0", "method": "notifications/initialized"},
    {"jsonrpc": "2.0", "id": 2, "method": "tools/list"},
)


class CheckFailed(Exception):
    """A problem that the check found, as text for the user."""


class CheckResult(Struct, frozen=True):
    """The result of a check: the parts that passed, and the first problem if there is one."""

    client: str
    passed: tuple[str, ...] = ()
    problem: str = ""


def check(client: Client, scope: Scope, locations: Locations) -> CheckResult:
    """Send one call through the hooks of a client, look for it in a separate journal, and ask its server for tools."""
    passed: list[str] = []
    problem = ""
    try:
        _check(client, scope, locations, passed)
    except TallystickError as error:
        problem = error.message
    except CheckFailed as failed:
        problem = str(failed)
    except ValueError as error:
        problem = f"the MCP server does not work: {error}"
    return CheckResult(client.name, tuple(passed), problem)


def _check(client: Client, scope: Scope, locations: Locations, passed: list[str]) -> None:
    env = {name: value for name, value in locations.env.items() if name not in JOURNAL_VARIABLES}
    with tempfile.TemporaryDirectory(prefix="tallystick-check-") as folder:
        if client.hooks:
            own = {**env, "TALLYSTICK_JOURNAL": journal_name(folder)}  # also if setup names another journal
            _check_hooks(client, scope, locations, os.path.realpath(folder), own)
            _check_rest(client, scope, locations)
            passed.append("the call is in the journal, begun and ended")
            passed += ["strict"] if health.has_strict_hooks(client, scope, locations) else []
            passed += _codex_trust(client, scope, locations)
        entry = configured_server(client, scope, locations)
        if entry is not None:
            passed.append(f"the server offers {len(list_tools(entry, folder, env))} tools")
        elif named := foreign_server(client, scope, locations):
            passed.append(_describe_remote(named, client, scope, locations))
        elif not client.hooks:
            raise CheckFailed(f"it has no server of ours: run `tallystick setup {client.name}`")


# ----------------------------------------------------------------------------------------------------------------------
# The MCP server.


def configured_server(client: Client, scope: Scope, locations: Locations) -> Any:
    """The entry of our server in a client's file, or None."""
    path = client.servers_file(scope, locations)
    content = files.read(path) if path else None
    return desired.our_server(open_text(path, content)[0], client.name) if path and content is not None else None


def foreign_server(client: Client, scope: Scope, locations: Locations) -> Any:
    """The entry in a client's file that has our server's name but does not start it, or None."""
    path = client.servers_file(scope, locations)
    content = files.read(path) if path else None
    key = (servers_key(client.name), SERVER_NAME)
    found = open_text(path, content)[0].get(key) if path and content is not None else None
    return None if desired.is_our_server(found) else found


def list_tools(entry: dict[str, Any], folder: str, env: Mapping[str, str]) -> list[str]:
    """The names of the tools that a server lists; ValueError says why there are none.

    It runs in a folder and with a store of its own, so that nothing is recorded in the user's journals.
    """
    own = {**env, **entry.get("env", {}), "TALLYSTICK_URL": f"sqlite:///{folder}/server.db"}
    words = [entry["command"], *entry["args"]]
    lines = "".join(fast_json.dump(each) + "\n" for each in _MCP_REQUESTS)
    try:
        done = subprocess.run(
            words, input=lines, cwd=folder, env=own, capture_output=True, text=True, timeout=SERVER_SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        raise ValueError(f"it did not answer within {SERVER_SECONDS} seconds") from None
    except OSError as error:
        raise ValueError(f"{words[0]} cannot be run ({error.strerror})") from None
    try:
        responses = {each.get("id"): each for each in map(fast_json.parse, done.stdout.splitlines())}
        return [tool["name"] for tool in responses[2]["result"]["tools"]]
    except (ValueError, KeyError, TypeError, AttributeError):
        raise ValueError(f"it listed no tools: {done.stderr.strip()[-300:] or done.stdout[:200]}") from None


def _describe_remote(entry: Any, client: Client, scope: Scope, locations: Locations) -> str:
    """Describe a server at a URL, which may be ours on another machine. A local program under our name is a problem."""
    urls = [entry.get(key) for key in ("url", "httpUrl", "serverUrl")] if isinstance(entry, dict) else []
    url = next((each for each in urls if isinstance(each, str)), "")
    if not url:
        path = client.servers_file(scope, locations)
        raise CheckFailed(
            f'another server has the name "{SERVER_NAME}" in {path}, so ours is not there: rename that one'
        )
    return f"the server at {without_password(url)} was NOT asked"


# ----------------------------------------------------------------------------------------------------------------------
# The hooks.


class SyntheticCall(Struct, frozen=True):
    """A test call in a made-up conversation. `token` is part of all its ids and of its argument."""

    client: str
    token: str
    cwd: str

    @property
    def argument(self) -> str:
        """The command of the call, which is never run."""
        return f"touch tallystick-check-{self.token}"

    def payload(self, when: str) -> dict[str, Any]:
        """The payload that the client would send before or after the call."""
        event = next(each.name for each in HOOKS[self.client].events if each.call == when)
        response = _response(self) if when == "after" else {}
        return {**_conversation(self), "hook_event_name": event, **_request(self), **response}


def _conversation(call: SyntheticCall) -> dict[str, Any]:
    session = f"check-{call.token}"
    match call.client:
        case "claude-code":
            return {"session_id": session, "transcript_path": "", "cwd": call.cwd, "permission_mode": "default"}
        case "codex":
            turn = {"model": "none", "permission_mode": "default", "turn_id": f"turn-{call.token}"}
            return {"session_id": session, "transcript_path": None, "cwd": call.cwd, **turn}
        case "cursor":
            ids = {"conversation_id": session, "generation_id": f"generation-{call.token}", "model": "none"}
            return {**ids, "cursor_version": "0", "workspace_roots": [call.cwd], "cwd": call.cwd}
        case _:
            return {"session_id": session, "cwd": call.cwd, "timestamp": datetime.now(UTC).isoformat()}


def _request(call: SyntheticCall) -> dict[str, Any]:
    """The tool and its input. For Codex it is a patch: Codex does not report to its hook how a shell command ended."""
    tool = {"gemini-cli": "run_shell_command", "cursor": "Shell", "codex": "apply_patch"}.get(call.client, "Bash")
    request = {"tool_name": tool, "tool_input": {"command": call.argument}}
    has_call_id = call.client in ("claude-code", "codex", "cursor")
    return {**request, **({"tool_use_id": f"call_{call.token}"} if has_call_id else {})}


def _response(call: SyntheticCall) -> dict[str, Any]:
    match call.client:
        case "claude-code":
            return {"tool_response": {"stdout": "", "stderr": "", "interrupted": False, "isImage": False}}
        case "codex":
            return {"tool_response": "Success. Updated the following files:\n"}
        case "gemini-cli":
            return {"tool_response": {"llmContent": "Output: (empty)\nProcess Group PGID: 1", "returnDisplay": ""}}
        case "cursor":
            return {"tool_output": '{"exitCode": 0, "output": ""}', "duration": 1}
        case _:
            text = "\n<shellId: 0 completed with exit code 0>"
            return {"tool_result": {"result_type": "success", "text_result_for_llm": text}}


def _check_hooks(client: Client, scope: Scope, locations: Locations, folder: str, env: Mapping[str, str]) -> None:
    """Send the call through the hooks, and look for it in a journal."""
    lines = health.hook_lines(client, scope, locations)
    if not lines:
        path = client.hooks_file(scope, locations)
        raise CheckFailed(f"{path} has no hook of ours: run `tallystick setup {client.name}`")
    if problem := health.missing_program(line for each in lines.values() for line in each):
        raise CheckFailed(f"{problem}: run `tallystick setup {client.name} --yes` again")
    for event in HOOKS[client.name].events:
        if len(lines.get(event.name, [])) != 1:
            found = "has no hook of ours" if event.name not in lines else "runs our hook more than once"
            raise CheckFailed(f"the event {event.name} {found}: run `tallystick setup {client.name}` again")
    call = SyntheticCall(client.name, secrets.token_hex(8), folder)
    client_env = _client_environment(env)
    try:
        for event in HOOKS[client.name].events:
            if event.call:
                _run_hook(client.name, event, lines[event.name][0], call, client_env)
        written, searched = environment.spool_folder(client_env), environment.spool_folder(env)
        if written != searched:
            raise CheckFailed(
                f"hooks spool in {written}, but Tallystick looks in {searched}: "
                f"run `tallystick setup {client.name} --yes`"
            )
        _check_journal(call, env)
    finally:
        _delete_spool(folder, env)


def _check_rest(client: Client, scope: Scope, locations: Locations) -> None:
    """Check what one call does not show: other events, switches, the command that hooks start, and the spools."""
    text = health.hooks_text(client, scope, locations)
    elements = desired.our_elements(text, client.name) if text else {}
    problem = (
        health.changed_hook(client, elements, locations.env)
        or health.disabled_hooks(client, scope, locations)
        or health.started_command_problem(locations.env)
        or health.spool_problem(locations.env)
    )
    if problem:
        strict = " --strict" if health.are_strict(client, elements) else ""
        raise CheckFailed(f"{problem}; to repair it, run `tallystick setup {client.name} --yes{strict}`")


def _codex_trust(client: Client, scope: Scope, locations: Locations) -> list[str]:
    """Whether Codex trusts the hook before a call. It keeps that in the user's file, by file and event."""
    settings = client.servers_file("user", locations)
    if client.name != "codex" or settings is None:
        return []
    known = open_text(settings, files.read(settings))[0].get(("hooks", "state")) or {}
    prefix = f"{client.hooks_file(scope, locations)}:pre_tool_use:"
    if any(key.startswith(prefix) and "trusted_hash" in state for key, state in known.items()):
        return ["Codex trusts it"]
    return ["Codex does NOT trust it yet (type /hooks there)"]


def _run_hook(client: str, event: Event, line: str, call: SyntheticCall, env: Mapping[str, str]) -> None:
    """Run one hook as the client does: in a shell, with the payload on its standard input."""
    assert event.call is not None
    try:
        done = subprocess.run(
            [SHELLS.get(client, "sh"), "-c", line],
            input=fast_json.dump(call.payload(event.call)),
            cwd=call.cwd,
            env=dict(env),
            capture_output=True,
            text=True,
            timeout=event.seconds,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise CheckFailed(f"the hook of {event.name} did not end within {event.seconds} seconds: {line}") from None
    except OSError as error:
        raise CheckFailed(f"the hook of {event.name} cannot be run ({error.strerror}): {line}") from None
    if done.returncode or done.stderr.strip():  # the line exits with 0 whatever happens; problems are on stderr
        raise CheckFailed(f"the hook of {event.name} failed ({done.returncode}): {done.stderr.strip()[-500:]}")
    try:
        response = fast_json.parse(done.stdout or "{}")
    except ValueError:
        response = None
    if not isinstance(response, dict):
        raise CheckFailed(f"the hook of {event.name} gave a response that no client understands: {done.stdout[:200]!r}")


def _check_journal(call: SyntheticCall, env: Mapping[str, str]) -> None:
    """Drain the spool into a separate store: it must contain exactly this call, begun once and ended once."""
    from tallystick.capture.ingest.drain import drain
    from tallystick.sdk.journal import Journal

    url = f"sqlite:///{call.cwd}/journal.db"
    with Journal.open(url, journal=journal_name(call.cwd)) as journal:
        drained = drain(cast(Local, journal.caller), env)
        if drained.torn or drained.waiting or drained.problem:
            raise CheckFailed(f"the spooled records cannot be read: {drained.problem or 'they are damaged'}")
        entries = journal.read_entries(limit=100).entries
    begun = [each for each in entries if each.kind == "action_begun"]
    ended = [each for each in entries if each.kind == "action_ended"]
    if not begun:
        raise CheckFailed(f"the call did not arrive: {drained.recorded} records were spooled, none of them begins it")
    if len(begun) > 1 or begun[0].body is None or begun[0].body.get("arguments") != {"command": call.argument}:
        raise CheckFailed("the recorded call is not the one that was sent")
    if [(each.id, each.facts.get("outcome")) for each in ended] != [(begun[0].id, "ok")]:
        raise CheckFailed("the call was recorded as begun, but not as ended with `ok`")


def _delete_spool(folder: str, env: Mapping[str, str]) -> None:
    """Delete what the check left in the spool."""
    for spools in {environment.spool_folder(env), environment.spool_folder(_client_environment(env))}:
        own = Path(spool_file.path(spools, journal_name(folder)))
        for each in own.parent.glob(f"{own.stem}.*"):
            each.unlink(missing_ok=True)


def _client_environment(env: Mapping[str, str]) -> dict[str, str]:
    """An environment without the variables that setup keeps for hooks: a client's may lack them."""
    saved = [name for name in environment.SAVED_VARIABLES if name not in JOURNAL_VARIABLES]
    return {name: value for name, value in env.items() if name not in saved}
