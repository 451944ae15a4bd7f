"""Finds what keeps hooks from recording although they are in a client's file. Each check returns a problem or "".

A hook exits with 0 whatever happens, so that it never blocks a call. So its problems have to be looked for.
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
from tallystick.capture.setup.changes import open_text
from tallystick.capture.setup.clients import CLIENTS, SCOPES, Client, Locations, Scope
from tallystick.capture.setup.edit.json import JsonText
from tallystick.capture.setup.hook_events import handler_command, handlers_of
from tallystick.capture.spool import file as spool_file
from tallystick.core.errors import TallystickError

VERSION_SECONDS = 20
"""Time limit for `tallystick --version`."""
_OFF_SWITCHES: Mapping[str, tuple[tuple[tuple[str, ...], Any], ...]] = {
    "claude-code": ((("disableAllHooks",), True),),
    "copilot": ((("disableAllHooks",), True),),
    "codex": ((("features", "hooks"), False), (("features", "codex_hooks"), False)),
    "gemini-cli": ((("hooksConfig", "enabled"), False),),
}
"""The settings that turn off all hooks of a client, with the value that does."""
_GEMINI_DISABLED = ("hooksConfig", "disabled")
"""A list of names, which `/hooks disable` writes."""
HOOK_NAME = "tallystick"
"""The name of our hooks in Gemini CLI."""


def overview(locations: Locations) -> tuple[list[str], list[str]]:
    """The clients with hooks of ours, and the problems of their hooks and files."""
    hooked: list[str] = []
    problems: list[str] = []
    for client in CLIENTS.values():
        for scope in SCOPES:
            try:
                lines = [line for each in hook_lines(client, scope, locations).values() for line in each]
                problem = missing_program(lines) or (disabled_hooks(client, scope, locations) if lines else "")
            except TallystickError as error:
                lines, problem = [], error.message
            hooked += [client.name] if lines and client.name not in hooked else []
            problems += [f"{client.name}: {problem}"] if problem else []
    return hooked, problems


def repair_command(locations: Locations) -> str:
    """The command that writes our hooks again, only for the clients that have them. Strict hooks stay strict."""
    commands = []
    for scope in SCOPES:
        hooked = [each for each in CLIENTS.values() if _has_hooks(each, scope, locations)]
        words = [each.name for each in hooked] + (["--scope", scope] if scope == "project" else [])
        commands += [" ".join(["tallystick setup", *words, "--yes"])] if hooked else []
    return " && ".join(commands) or "tallystick setup"


# ----------------------------------------------------------------------------------------------------------------------
# The content of a client's file.


def hook_lines(client: Client, scope: Scope, locations: Locations) -> dict[str, list[str]]:
    """Our command lines in a client's hooks file, by event."""
    text = hooks_text(client, scope, locations)
    return desired.our_command_lines(text, client.name) if text else {}


def has_strict_hooks(client: Client, scope: Scope, locations: Locations) -> bool:
    """Whether the hooks of a client are set up to refuse a call that cannot be recorded."""
    text = hooks_text(client, scope, locations)
    return text is not None and desired.is_strict(text, client.name)


def hooks_text(client: Client, scope: Scope, locations: Locations) -> JsonText | None:
    """The text of a client's hooks file, if it exists."""
    path = client.hooks_file(scope, locations)
    content = files.read(path) if path else None
    text = open_text(path, content)[0] if path and content is not None else None
    return text if isinstance(text, JsonText) else None


def are_strict(client: Client, elements: Mapping[str, list[Any]]) -> bool:
    """Whether elements of ours refuse a call that cannot be recorded."""
    lines = [line for each in elements.values() for element in each for line in _lines(client.name, element)]
    return any("--strict" in line.split() for line in lines)


def _has_hooks(client: Client, scope: Scope, locations: Locations) -> bool:
    try:
        return bool(hook_lines(client, scope, locations))
    except TallystickError:
        return False


# ----------------------------------------------------------------------------------------------------------------------
# Problems.


def missing_program(lines: Iterable[str]) -> str:
    """The first missing file that a line of ours runs. The line itself reports nothing."""
    for line in lines:
        try:
            words = shlex.split(line)
        except ValueError:
            return f"no shell can read this line of ours: {line}"
        for index, word in enumerate(words):
            if not index and os.path.isabs(word) and not shutil.which(word):
                return f"its hooks name {word}, which does not exist"
            if word.endswith("/hook/run.py") and os.path.isabs(word) and not os.path.isfile(word) and "-I" in words:
                return f"its hooks name {word}, which does not exist"
    return ""


def changed_hook(client: Client, elements: Mapping[str, list[Any]], env: Mapping[str, str]) -> str:
    """The first element of ours that differs from what setup would write, in more than which Python runs it."""
    wanted = desired.desired_hooks(client.name, env, strict=are_strict(client, elements))
    for event, element in wanted.items():
        if [_without_python(each) for each in elements.get(event, [])] != [_without_python(element)]:
            return f"the hook of {event} is not as it was set up"
    return ""


def disabled_hooks(client: Client, scope: Scope, locations: Locations) -> str:
    """The setting that turns the hooks off, in any file that the client reads it from.

    Codex has its settings in the servers file, the other clients in the hooks file.
    """
    file = client.servers_file if client.name == "codex" else client.hooks_file
    paths = [file(each, locations) for each in (scope, *SCOPES)]
    paths += [locations.project / ".claude" / "settings.json"] if client.name == "claude-code" else []
    for path in dict.fromkeys(filter(None, paths)):
        text, _ = open_text(path, files.read(path))
        for switch, value in _OFF_SWITCHES.get(client.name, ()):
            if text.get(switch) is value:
                return f"{'.'.join(switch)} in {path} turns all hooks off: change it there"
        if client.name == "gemini-cli" and HOOK_NAME in (text.get(_GEMINI_DISABLED) or ()):
            return f"{'.'.join(_GEMINI_DISABLED)} in {path} names our hooks: remove them there, or type /hooks enable"
    return ""


def started_command_problem(env: Mapping[str, str]) -> str:
    """Whether the command that hooks start, for the brief and at a stop, can be run."""
    folder = hook_bundle.program_folder(env)
    words = environment.start_command(environment.load_settings(str(folder)))
    if not words:
        return f"{folder / environment.FILE_NAME} does not name the command that hooks start"
    try:
        done = subprocess.run([*words, "--version"], capture_output=True, timeout=VERSION_SECONDS, check=False)
    except (OSError, subprocess.SubprocessError) as error:
        return f"hooks start {words[0]}, which cannot be run ({getattr(error, 'strerror', None) or error})"
    return f"hooks start {words[0]}, which fails ({done.returncode})" if done.returncode else ""


def spool_problem(env: Mapping[str, str]) -> str:
    """Whether hooks can write: a new file in the spool folder, and each spool in it."""
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
    return [handler_command(client, each) for each in handlers_of(client, element)]


def _without_python(element: Any) -> Any:
    """An element without the path of the interpreter: any that runs will do."""
    if isinstance(element, dict):
        return {key: _without_python(value) for key, value in element.items()}
    if isinstance(element, list):
        return [_without_python(value) for value in element]
    return element.partition(" -I -S ")[1:] if isinstance(element, str) and " -I -S " in element else element
