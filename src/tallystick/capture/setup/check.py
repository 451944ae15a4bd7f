"""`setup --check`: a made-up call goes through the very commands that stand in a client's file, and is looked for.

It proves that the file is as it should be, that its commands run as a shell of the client would run them, that they
record, and that the record is understood. It cannot prove that the client runs them: clients want hooks to be trusted.
"""

import json
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
from tallystick.capture.setup.changes import opened
from tallystick.capture.setup.clients import NAME, Client, Places, Scope, under
from tallystick.capture.setup.hook_events import HOOKS, Event
from tallystick.capture.spool import file as spool_file
from tallystick.core.errors import TallystickError
from tallystick.paths import journal_name
from tallystick.sdk.local import Local
from tallystick.settings import without_password

# ----------------------------------------------------------------------------------------------------------------------
# A call that never happened, in the words of each client: what `setup --check` sends through the hooks.


class SyntheticCall(Struct, frozen=True):
    """A made-up call in a made-up conversation. `token` stands in all of its ids and in its argument."""

    client: str
    token: str
    cwd: str

    @property
    def argument(self) -> str:
        """What nobody runs."""
        return f"touch tallystick-check-{self.token}"

    def payload(self, when: str) -> dict[str, Any]:
        """What the client would say before or after the call."""
        event = next(each.name for each in HOOKS[self.client].events if each.call == when)
        return {**_base(self), "hook_event_name": event, **_asked(self), **(_answer(self) if when == "after" else {})}


def _base(call: SyntheticCall) -> dict[str, Any]:
    session = f"check-{call.token}"
    match call.client:
        case "claude-code":
            return {"session_id": session, "transcript_path": "", "cwd": call.cwd, "permission_mode": "default"}
        case "codex":
            asked = {"model": "none", "permission_mode": "default", "turn_id": f"turn-{call.token}"}
            return {"session_id": session, "transcript_path": None, "cwd": call.cwd, **asked}
        case "cursor":
            ids = {"conversation_id": session, "generation_id": f"generation-{call.token}", "model": "none"}
            return {**ids, "cursor_version": "0", "workspace_roots": [call.cwd], "cwd": call.cwd}
        case _:
            return {"session_id": session, "cwd": call.cwd, "timestamp": datetime.now(UTC).isoformat()}


def _asked(call: SyntheticCall) -> dict[str, Any]:
    """Codex does not tell its hook how a command ended: there it is a patch, which is told only when it succeeded."""
    tool = {"gemini-cli": "run_shell_command", "cursor": "Shell", "codex": "apply_patch"}.get(call.client, "Bash")
    asked = {"tool_name": tool, "tool_input": {"command": call.argument}}
    named = call.client in ("claude-code", "codex", "cursor")
    return {**asked, **({"tool_use_id": f"call_{call.token}"} if named else {})}


def _answer(call: SyntheticCall) -> dict[str, Any]:
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


# ----------------------------------------------------------------------------------------------------------------------
# Whether the MCP server that stands in a client's file starts and answers, asked as a client asks.

SECONDS = 30
_ASKED = (
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


def tools_of(entry: dict[str, Any], folder: str, env: Mapping[str, str]) -> list[str]:
    """The names of the tools that a server offers; ValueError says why there are none.

    It runs in a folder of its own with a store of its own, so that the user's journals hear nothing of it.
    """
    own = {**env, **entry.get("env", {}), "TALLYSTICK_URL": f"sqlite:///{folder}/server.db"}
    words = [entry["command"], *entry["args"]]
    lines = "".join(json.dumps(each) + "\n" for each in _ASKED)
    try:
        done = subprocess.run(
            words, input=lines, cwd=folder, env=own, capture_output=True, text=True, timeout=SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        raise ValueError(f"it did not answer within {SECONDS} seconds") from None
    except OSError as error:
        raise ValueError(f"{words[0]} cannot be run ({error.strerror})") from None
    try:
        answers = {each.get("id"): each for each in map(json.loads, done.stdout.splitlines())}
        return [tool["name"] for tool in answers[2]["result"]["tools"]]
    except (ValueError, KeyError, TypeError, AttributeError):
        raise ValueError(f"it listed no tools: {done.stderr.strip()[-300:] or done.stdout[:200]}") from None


# ----------------------------------------------------------------------------------------------------------------------

SHELLS = {"copilot": "bash"}
"""The shell that a client starts commands with, where it is not `sh`."""

LEADING = ("TALLYSTICK_JOURNAL", "CLAUDE_PROJECT_DIR", "GEMINI_PROJECT_DIR", "CURSOR_PROJECT_DIR")
"""What would lead the made-up call into a journal of the user."""


class Failed(Exception):
    """What was not as it should be, in plain words."""


class Proof(Struct, frozen=True):
    """What a check came to: what holds, in plain words, or the first thing that does not."""

    client: str
    holds: tuple[str, ...] = ()
    problem: str = ""


def check(client: Client, scope: Scope, places: Places) -> Proof:
    """Send one call through the hooks of a client and look for it in a journal of its own; ask its server for tools."""
    env = {name: value for name, value in places.env.items() if name not in LEADING}
    holds: list[str] = []
    try:
        with tempfile.TemporaryDirectory(prefix="tallystick-check-") as folder:
            if client.hooks:
                own = {**env, "TALLYSTICK_JOURNAL": journal_name(folder)}  # also where setup was told another
                _send(client, scope, places, os.path.realpath(folder), own)
                _whole(client, scope, places)
                holds.append("the call is in the journal, begun and ended")
                holds += ["strict"] if health.strict(client, scope, places) else []
                holds += _trust(client, scope, places)
            entry = configured_server(client, scope, places)
            if entry is not None:
                tools = tools_of(entry, folder, env)
                holds.append(f"the server offers {len(tools)} tools")
            elif named := another_server(client, scope, places):
                holds.append(_elsewhere(named, client, scope, places))
            elif not client.hooks:
                raise Failed(f"it has no server of ours: run `tallystick setup {client.name}`")
    except TallystickError as error:
        return Proof(client.name, tuple(holds), error.message)
    except Failed as failed:
        return Proof(client.name, tuple(holds), str(failed))
    except ValueError as error:
        return Proof(client.name, tuple(holds), f"the MCP server does not work: {error}")
    return Proof(client.name, tuple(holds))


def configured_server(client: Client, scope: Scope, places: Places) -> Any:
    """The entry of our server in a client's file, or None."""
    path = client.servers_file(scope, places)
    content = files.read(path) if path else None
    return desired.server_in(opened(path, content)[0], client.name) if path and content is not None else None


def another_server(client: Client, scope: Scope, places: Places) -> Any:
    """What has our server's name in a client's file and does not start it, or None."""
    path = client.servers_file(scope, places)
    content = files.read(path) if path else None
    found = opened(path, content)[0].get((under(client.name), NAME)) if path and content is not None else None
    return None if desired.is_server(found) else found


def _elsewhere(named: Any, client: Client, scope: Scope, places: Places) -> str:
    """A server at an address may be ours, and may be on another machine. What is started and is not ours keeps ours
    out."""
    addresses = [named.get(key) for key in ("url", "httpUrl", "serverUrl")] if isinstance(named, dict) else []
    address = next((each for each in addresses if isinstance(each, str)), "")
    if not address:
        place = client.servers_file(scope, places)
        raise Failed(
            f'another server has the name "{NAME}" in {place}, so ours is not there: give that one another name'
        )
    return f"the server at {without_password(address)} was NOT asked"


def _trust(client: Client, scope: Scope, places: Places) -> list[str]:
    """Whether Codex was told to trust the hook before a call: it keeps that in the user's file, by file and event."""
    settings = client.servers_file("user", places)
    if client.name != "codex" or settings is None:
        return []
    known = opened(settings, files.read(settings))[0].get(("hooks", "state")) or {}
    begins = f"{client.hooks_file(scope, places)}:pre_tool_use:"
    if any(key.startswith(begins) and "trusted_hash" in said for key, said in known.items()):
        return ["Codex was told to trust it"]
    return ["Codex was NOT told to trust it yet (type /hooks there)"]


def _send(client: Client, scope: Scope, places: Places, folder: str, env: Mapping[str, str]) -> None:
    lines = health.hooks(client, scope, places)
    if not lines:
        raise Failed(f"{client.hooks_file(scope, places)} has no hook of ours: run `tallystick setup {client.name}`")
    problem = health.gone(line for each in lines.values() for line in each)
    if problem:
        raise Failed(f"{problem}: run `tallystick setup {client.name} --yes` again")
    for event in HOOKS[client.name].events:
        if len(lines.get(event.name, [])) != 1:
            told = "has no hook of ours" if event.name not in lines else "runs our hook more than once"
            raise Failed(f"the event {event.name} {told}: run `tallystick setup {client.name}` again")
    call = SyntheticCall(client.name, secrets.token_hex(8), folder)
    try:
        for event in HOOKS[client.name].events:
            if event.call:
                _fire(client.name, event, lines[event.name][0], call, _of_client(env))
        there, here = environment.spool_folder(_of_client(env)), environment.spool_folder(env)
        if there != here:
            raise Failed(f"hooks spool in {there}, and {here} is looked in: run `tallystick setup {client.name} --yes`")
        _look(call, env)
    finally:
        _clean(folder, env)


def _whole(client: Client, scope: Scope, places: Places) -> None:
    """What one call does not show: the other events, the switches, what hooks start, and the spools of the user."""
    text = health.hooks_text(client, scope, places)
    found = desired.elements_in(text, client.name) if text else {}
    problem = (
        health.other(client, found, places.env)
        or health.off(client, scope, places)
        or health.home_of_hooks(places.env)
        or health.spools(places.env)
    )
    if problem:
        strict = " --strict" if health.is_strict(client, found) else ""
        raise Failed(f"{problem}; `tallystick setup {client.name} --yes{strict}` writes what is ours anew")


def _fire(client: str, event: Event, line: str, call: SyntheticCall, env: Mapping[str, str]) -> None:
    """Run one hook as the client does: through a shell, with the payload on its standard input."""
    assert event.call is not None
    try:
        done = subprocess.run(
            [SHELLS.get(client, "sh"), "-c", line],
            input=json.dumps(call.payload(event.call)),
            cwd=call.cwd,
            env=dict(env),
            capture_output=True,
            text=True,
            timeout=event.seconds,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise Failed(f"the hook of {event.name} did not end within {event.seconds} seconds: {line}") from None
    except OSError as error:
        raise Failed(f"the hook of {event.name} cannot be run ({error.strerror}): {line}") from None
    if done.returncode or done.stderr.strip():  # the line ends well whatever happens; what went wrong is on stderr
        raise Failed(f"the hook of {event.name} failed ({done.returncode}): {done.stderr.strip()[-500:]}")
    try:
        answer = json.loads(done.stdout or "{}")
    except ValueError:
        answer = None
    if not isinstance(answer, dict):
        raise Failed(f"the hook of {event.name} answered what no client understands: {done.stdout[:200]!r}")


def _look(call: SyntheticCall, env: Mapping[str, str]) -> None:
    """Drain the spool into a store of its own: exactly this call must be there, begun once and ended once."""
    from tallystick.capture.ingest.drain import drain
    from tallystick.sdk.journal import Journal

    url = f"sqlite:///{call.cwd}/journal.db"
    with Journal.open(url, journal=journal_name(call.cwd)) as journal:
        drained = drain(cast(Local, journal.caller), env)
        if drained.torn or drained.waiting or drained.problem:
            raise Failed(f"what was spooled cannot be read: {drained.problem or 'it was torn'}")
        entries = journal.read_entries(limit=100).entries
    begun = [each for each in entries if each.kind == "action_begun"]
    ended = [each for each in entries if each.kind == "action_ended"]
    if not begun:
        raise Failed(f"the call did not arrive: {drained.recorded} records were spooled, and none of them begins it")
    if len(begun) > 1 or begun[0].body is None or begun[0].body.get("arguments") != {"command": call.argument}:
        raise Failed("what arrived is not the call that was sent")
    if [(each.id, each.facts.get("outcome")) for each in ended] != [(begun[0].id, "ok")]:
        raise Failed("the call arrived begun, and not ended as it was")


def _clean(folder: str, env: Mapping[str, str]) -> None:
    """Take away what the check left in the spool."""
    for room in {environment.spool_folder(env), environment.spool_folder(_of_client(env))}:
        mine = Path(spool_file.path(room, journal_name(folder)))
        for each in mine.parent.glob(f"{mine.stem}.*"):
            each.unlink(missing_ok=True)


def _of_client(env: Mapping[str, str]) -> dict[str, str]:
    """An environment in which nothing is set of what was in force at `setup`, as a client's may be."""
    kept = [name for name in environment.SAVED_VARIABLES if name not in LEADING]
    return {name: value for name, value in env.items() if name not in kept}
