"""Our hooks and our MCP server in the text of a client's file: what should be there, and how to add and remove it."""

from collections.abc import Mapping, Sequence
from typing import Any

from tallystick.capture.setup import hook_bundle
from tallystick.capture.setup.clients import NO_SETTINGS, SERVER_NAME, server_entry, servers_key
from tallystick.capture.setup.edit.json import JsonText, WrongKind
from tallystick.capture.setup.edit.toml import TomlText
from tallystick.capture.setup.hook_events import HOOKS, event_elements, handler_command, handlers_of

HOOKS_KEY = "hooks"
GATEWAY = "gateway"
ConfigText = JsonText | TomlText


# ----------------------------------------------------------------------------------------------------------------------
# Hooks.


def desired_hooks(client: str, env: Mapping[str, str], *, strict: bool = False) -> dict[str, dict[str, Any]]:
    """Our element for the list of each event."""

    def command_line(event: str, is_strict: bool) -> str:
        return hook_bundle.command_line(client, env, event=event, strict=is_strict)

    return event_elements(client, command_line, strict=strict)


def put_hooks(text: JsonText, client: str, wanted: dict[str, dict[str, Any]]) -> None:
    """Make every event have exactly one element of ours, as wanted. Elements of others stay as they are."""
    for key, value in HOOKS[client].file_fields.items():
        if text.get((key,)) is None:
            text.put((key,), value)
    events = text.get((HOOKS_KEY,))
    if not isinstance(events, dict | None):
        raise WrongKind((HOOKS_KEY,), "an object")
    missing = dict(wanted)
    for event in events or {}:
        if [each for each in _elements(text, event) if _is_ours(client, each)] == [wanted.get(event)]:
            del missing[event]
        else:
            _remove_handlers(text, client, event)
    for event, element in missing.items():
        text.append((HOOKS_KEY, event), element)


def remove_hooks(text: JsonText, client: str) -> None:
    """Remove our handlers from every event."""
    for event in [*_events(text)]:
        _remove_handlers(text, client, event)


def our_command_lines(text: JsonText, client: str) -> dict[str, list[str]]:
    """Our command lines in a text, by event."""
    found = {
        event: [line for each in _elements(text, event) for line in _lines(client, each) if hook_bundle.is_ours(line)]
        for event in _events(text)
    }
    return {event: lines for event, lines in found.items() if lines}


def is_strict(text: JsonText, client: str) -> bool:
    """Whether a command line of ours refuses a call that cannot be recorded."""
    return any("--strict" in line.split() for lines in our_command_lines(text, client).values() for line in lines)


def our_elements(text: JsonText, client: str) -> dict[str, list[Any]]:
    """The elements with a handler of ours, by event."""
    found = {event: [each for each in _elements(text, event) if _is_ours(client, each)] for event in _events(text)}
    return {event: elements for event, elements in found.items() if elements}


def has_plugin(text: ConfigText) -> bool:
    """Whether settings of Claude Code enable a plugin of ours."""
    enabled = text.get(("enabledPlugins",))
    return isinstance(enabled, dict) and any(
        name.startswith(f"{SERVER_NAME}@") and value is not False for name, value in enabled.items()
    )


def _events(text: JsonText) -> dict[str, Any]:
    events = text.get((HOOKS_KEY,))
    return events if isinstance(events, dict) else {}


def _elements(text: JsonText, event: str) -> list[Any]:
    found = text.get((HOOKS_KEY, event))
    return found if isinstance(found, list) else []


def _lines(client: str, element: Any) -> list[str]:
    return [handler_command(client, each) for each in handlers_of(client, element)]


def _is_ours(client: str, element: Any) -> bool:
    return any(hook_bundle.is_ours(line) for line in _lines(client, element))


def _remove_handlers(text: JsonText, client: str, event: str) -> None:
    """Remove our handlers from one event, from the last on. A group with handlers of others keeps those."""
    for number, element in reversed([*enumerate(_elements(text, event))]):
        ours = [hook_bundle.is_ours(line) for line in _lines(client, element)]
        if not any(ours):
            continue
        if all(ours) and len(ours) == _handler_count(client, element):
            text.remove((HOOKS_KEY, event, number))
            continue
        indexes = [index for index, each in enumerate(element["hooks"]) if _is_our_handler(client, each)]
        for index in reversed(indexes):
            text.remove((HOOKS_KEY, event, number, "hooks", index))


def _handler_count(client: str, element: Any) -> int:
    return len(element["hooks"]) if HOOKS[client].shape == "grouped" else 1


def _is_our_handler(client: str, handler: Any) -> bool:
    return isinstance(handler, dict) and hook_bundle.is_ours(handler_command(client, handler))


# ----------------------------------------------------------------------------------------------------------------------
# The MCP server.


def put_server(text: ConfigText, client: str, command: Sequence[str], env: Mapping[str, str] = NO_SETTINGS) -> str:
    """Put the entry of our server into a text.

    The user's additions to the entry stay, except the list of tools. Returns a remark if the text was not changed.
    """
    path = (servers_key(client), SERVER_NAME)
    current = text.get(path)
    if current is None:
        text.put(path, server_entry(client, command, env))
    elif not is_our_server(current):
        return f'another server has the name "{SERVER_NAME}"; it was not changed'
    elif GATEWAY in current["args"] and GATEWAY not in command:
        return "the gateway is set up there, which has our tools too; it was not changed"
    else:
        entry = server_entry(client, [*command, *([] if GATEWAY in command else _user_options(current["args"]))])
        if isinstance(text, TomlText):
            new = {"env": dict(env)} if env and "env" not in current else {}
            text.put(path, {"command": entry["command"], "args": entry["args"], **new})
            if env and not new:  # into the existing value, which may be a section of its own
                text.put((*path, "env"), dict(env))
        else:
            text.put((*path, "command"), entry["command"])
            text.put((*path, "args"), entry["args"])
            for name, value in env.items():
                text.put((*path, "env", name), value)
    return ""


def remove_server(text: ConfigText, client: str) -> None:
    """Remove our entry if setup added it. If it was there before, restore what it contained."""
    path = (servers_key(client), SERVER_NAME)
    if not is_our_server(text.get(path)):
        return
    if path in text.notes.added:
        text.remove(path)
    for added in sorted(text.notes.added, key=len, reverse=True):
        if added[:2] == path and len(added) > 2 and not isinstance(text.get(added) or None, dict):
            text.remove(added)
    for replaced, raw in text.notes.replaced:
        if replaced[:2] == path:
            text.restore(replaced, raw)


def our_server(text: ConfigText, client: str) -> Any:
    """The entry of our server, or None."""
    found = text.get((servers_key(client), SERVER_NAME))
    return found if is_our_server(found) else None


def is_our_server(entry: Any) -> bool:
    """Whether an entry starts our server or gateway over standard input and output, wherever it is installed."""
    if not isinstance(entry, dict) or not isinstance(entry.get("args"), list):
        return False
    words = [str(entry.get("command", "")), *map(str, entry["args"])]
    return words[0].rpartition("/")[2] == "tallystick" or words[1:3] == ["-m", "tallystick"]


def _user_options(words: list[Any]) -> list[str]:
    """The options that the user gave the server, without `--tools`."""
    left = [str(each) for each in words]
    left = left[left.index("mcp") + 1 :] if "mcp" in left else []
    options: list[str] = []
    while left:
        word = left.pop(0)
        if word == "--tools":
            left[:1] = []
        elif not word.startswith("--tools="):
            options.append(word)
    return options


# ----------------------------------------------------------------------------------------------------------------------
# Both.


def has_ours(text: ConfigText, client: str) -> bool:
    """Whether a text contains a hook or a server of ours."""
    has_hooks = isinstance(text, JsonText) and client in HOOKS and bool(our_command_lines(text, client))
    return has_hooks or our_server(text, client) is not None


def assume_notes(text: ConfigText, client: str) -> None:
    """Fill in the notes of a text without any: our server, and each container with nothing but ours, count as added."""
    added = text.notes.added
    server = (servers_key(client), SERVER_NAME)
    if our_server(text, client) is not None:
        added += [server, *([server[:1]] if [*text.get(server[:1])] == [SERVER_NAME] else [])]
    if not isinstance(text, JsonText) or client not in HOOKS:
        return
    ours = our_elements(text, client)
    events = text.get((HOOKS_KEY,))
    added += [(HOOKS_KEY, event) for event, elements in ours.items() if elements == events[event]]
    if ours and {event: elements for event, elements in events.items() if elements} == ours:
        fields = HOOKS[client].file_fields.items()
        added += [(HOOKS_KEY,), *((key,) for key, value in fields if text.get((key,)) == value)]


def remove_all(text: ConfigText, client: str) -> None:
    """Remove everything of ours, and the containers and the version that were added only for it."""
    if isinstance(text, JsonText) and client in HOOKS:
        remove_hooks(text, client)
    remove_server(text, client)
    text.tidy()
    # Hooks that others added since need the version too.
    others = text.get((HOOKS_KEY,)) if (HOOKS_KEY,) in text.notes.added else None
    if isinstance(text, JsonText) and client in HOOKS and not any(others.values() if isinstance(others, dict) else ()):
        for key in HOOKS[client].file_fields:
            if (key,) in text.notes.added:
                text.remove((key,))
        text.tidy()
