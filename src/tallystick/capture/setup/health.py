"""What keeps hooks from recording, though they stand in a client's file: each as a sentence, or nothing.

A hook ends well whatever happens, so that a call is never held back: what is wrong has to be looked for.
"""

import os
import secrets
import shlex
import shutil
import subprocess
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from tallystick.capture.hook import environment
from tallystick.capture.setup import desired, files, hook_bundle
from tallystick.capture.setup.changes import opened
from tallystick.capture.setup.clients import CLIENTS, Client, Places, Scope
from tallystick.capture.setup.edit.json import JsonText
from tallystick.capture.setup.hook_events import HOOKS, command_of, handlers
from tallystick.capture.spool import file as spool_file
from tallystick.core.errors import TallystickError

SECONDS = 20
_OFF: Mapping[str, tuple[tuple[tuple[str, ...], Any], ...]] = {
    "claude-code": ((("disableAllHooks",), True),),
    "copilot": ((("disableAllHooks",), True),),
    "codex": ((("features", "hooks"), False), (("features", "codex_hooks"), False)),
    "gemini-cli": ((("hooksConfig", "enabled"), False),),
}
"""The switches that turn all hooks of a client off, with the value that does."""
_GEMINI_OFF = ("hooksConfig", "disabled")
"""A list of names, which `/hooks disable` writes."""
OURS = "tallystick"
"""What Gemini CLI calls our hooks."""


def gone(lines: Iterable[str]) -> str:
    """The first thing that a line of ours runs and that is gone. The line itself keeps silent about it."""
    for line in lines:
        try:
            words = shlex.split(line)
        except ValueError:
            return f"no shell reads this line of ours: {line}"
        for place, word in enumerate(words):
            if not place and os.path.isabs(word) and not shutil.which(word):
                return f"its hooks name {word}, which is gone"
            if word.endswith("/hook/run.py") and os.path.isabs(word) and not os.path.isfile(word) and "-I" in words:
                return f"its hooks name {word}, which is gone"
    return ""


def overview(places: Places) -> tuple[list[str], list[str]]:
    """The clients with hooks of ours, and what is wrong with them or with their files."""
    hooked: list[str] = []
    problems: list[str] = []
    scopes: tuple[Scope, ...] = ("user", "project")
    for client in CLIENTS.values():
        for scope in scopes:
            try:
                lines = [line for each in hooks(client, scope, places).values() for line in each]
                problem = gone(lines) or (off(client, scope, places) if lines else "")
            except TallystickError as error:
                lines, problem = [], error.message
            hooked += [client.name] if lines and client.name not in hooked else []
            problems += [f"{client.name}: {problem}"] if problem else []
    return hooked, problems


def repair(places: Places) -> str:
    """The command that writes what is ours anew, for the clients that have it and for no other."""
    scopes: tuple[Scope, ...] = ("user", "project")
    commands = []
    for scope in scopes:
        hooked = [each for each in CLIENTS.values() if _is_hooked(each, scope, places)]
        able = [each for each in hooked if HOOKS[each.name].strict is not None]
        said = [each.name for each in hooked] + (["--scope", scope] if scope == "project" else [])
        said += ["--strict"] if able and all(strict(each, scope, places) for each in able) else []
        commands += [" ".join(["tallystick setup", *said, "--yes"])] if hooked else []
    return " && ".join(commands) or "tallystick setup"


def _is_hooked(client: Client, scope: Scope, places: Places) -> bool:
    try:
        return bool(hooks(client, scope, places))
    except TallystickError:
        return False


def strict(client: Client, scope: Scope, places: Places) -> bool:
    """Whether the hooks of a client are set up to hold a call back that cannot be recorded."""
    text = hooks_text(client, scope, places)
    return text is not None and desired.is_strict(text, client.name)


def hooks(client: Client, scope: Scope, places: Places) -> dict[str, list[str]]:
    """Our command lines in the file of a client's hooks, by event."""
    text = hooks_text(client, scope, places)
    return desired.hooks_in(text, client.name) if text else {}


def hooks_text(client: Client, scope: Scope, places: Places) -> JsonText | None:
    """The file of a client's hooks, if there is one."""
    path = client.hooks_file(scope, places)
    content = files.read(path) if path else None
    text = opened(path, content)[0] if path and content is not None else None
    return text if isinstance(text, JsonText) else None


def other(client: Client, found: Mapping[str, list[Any]], env: Mapping[str, str]) -> str:
    """The first element of ours that is not what setup would write, but for which Python runs it."""
    for event, element in desired.hooks_of(client.name, env, strict=is_strict(client, found)).items():
        there = found.get(event, [])
        if [_anyhow(client.name, each) for each in there] != [_anyhow(client.name, element)]:
            return f"the hook of {event} is not as it was set up"
    return ""


def is_strict(client: Client, found: Mapping[str, list[Any]]) -> bool:
    """Whether elements of ours hold a call back that cannot be recorded."""
    lines = [line for each in found.values() for element in each for line in _lines(client.name, element)]
    return any("--strict" in line.split() for line in lines)


def off(client: Client, scope: Scope, places: Places) -> str:
    """The switch that turns the hooks off, in the file that they stand in or in that of the user or the project; of
    Codex, which has files for hooks and for the rest, in the latter."""
    scopes: tuple[Scope, ...] = (scope, "user", "project")
    file = client.servers_file if client.name == "codex" else client.hooks_file
    paths = [file(each, places) for each in scopes]
    paths += [places.project / ".claude" / "settings.json"] if client.name == "claude-code" else []
    for path in dict.fromkeys(filter(None, paths)):
        text, _ = opened(path, files.read(path))
        for switch, value in _OFF.get(client.name, ()):
            if text.get(switch) is value:
                return f"{'.'.join(switch)} in {path} turns all hooks off: change it there"
        if client.name == "gemini-cli" and OURS in (text.get(_GEMINI_OFF) or ()):
            return f"{'.'.join(_GEMINI_OFF)} in {path} names our hooks: take them out there, or type /hooks enable"
    return ""


def home_of_hooks(env: Mapping[str, str]) -> str:
    """Whether the command that hooks start, for the brief and at a stop, can be run."""
    folder = hook_bundle.program_folder(env)
    words = environment.start_command(environment.load_settings(str(folder)))
    if not words:
        return f"{folder / environment.FILE_NAME} does not name the command that hooks start"
    try:
        done = subprocess.run([*words, "--version"], capture_output=True, timeout=SECONDS, check=False)
    except (OSError, subprocess.SubprocessError) as error:
        return f"hooks start {words[0]}, which cannot be run ({getattr(error, 'strerror', None) or error})"
    return f"hooks start {words[0]}, which fails ({done.returncode})" if done.returncode else ""


def spools(env: Mapping[str, str]) -> str:
    """Whether hooks can write: a file of its own in the folder, and each spool that is there."""
    folder = Path(environment.spool_folder(env))
    own = spool_file.path(folder, f"check-{secrets.token_hex(8)}")
    try:
        spool_file.append(own, {"v": 1})
        os.unlink(own)
        for each in sorted(folder.glob("*.spool")):
            os.close(os.open(each, os.O_WRONLY | os.O_APPEND | os.O_NONBLOCK | os.O_CLOEXEC))
    except OSError as error:
        return f"the spool cannot be written: {error.filename or folder} ({error.strerror})"
    return ""


def _lines(client: str, element: Any) -> list[str]:
    return [command_of(client, each) for each in handlers(client, element)]


def _anyhow(client: str, element: Any) -> Any:
    """An element with no word about which Python: any that runs will do."""
    if isinstance(element, dict):
        return {key: _anyhow(client, value) for key, value in element.items()}
    if isinstance(element, list):
        return [_anyhow(client, value) for value in element]
    return element.partition(" -I -S ")[1:] if isinstance(element, str) and " -I -S " in element else element
