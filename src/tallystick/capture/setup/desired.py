"""What is to stand in a client's files: its hooks and its MCP server, put into a text and taken out of it again."""

from collections.abc import Mapping, Sequence
from typing import Any

from tallystick.capture.setup import clients, hook_bundle
from tallystick.capture.setup.edit.json import JsonText, NotThatKind
from tallystick.capture.setup.edit.json_positions import Path
from tallystick.capture.setup.edit.toml import TomlText
from tallystick.capture.setup.hook_events import HOOKS, command_of, elements, handlers

HOOKS_AT = "hooks"
GATEWAY = "gateway"
Text = JsonText | TomlText


def hooks_of(client: str, env: Mapping[str, str], *, strict: bool = False) -> dict[str, dict[str, Any]]:
    """The element of ours in the list of each event."""
    return elements(
        client, lambda event, held: hook_bundle.command_line(client, env, event=event, strict=held), strict=strict
    )


def put_hooks(text: JsonText, client: str, wanted: dict[str, dict[str, Any]]) -> None:
    """Every event with exactly one element of ours, as it should be; what others have in it stays as it is."""
    for key, value in HOOKS[client].top.items():
        if text.get((key,)) is None:
            text.put((key,), value)
    there = text.get((HOOKS_AT,))
    if not isinstance(there, dict | None):
        raise NotThatKind((HOOKS_AT,), "an object")
    missing = dict(wanted)
    for event in there or {}:
        if [each for each in _listed(text, event) if _ours(client, each)] == [wanted.get(event)]:
            del missing[event]
        else:
            _take_ours(text, client, event)
    for event, element in missing.items():
        text.append((HOOKS_AT, event), element)


def take_hooks(text: JsonText, client: str) -> None:
    """Take our handlers out of every event."""
    there = text.get((HOOKS_AT,))
    for event in [*there] if isinstance(there, dict) else []:
        _take_ours(text, client, event)


def hooks_in(text: JsonText, client: str) -> dict[str, list[str]]:
    """Our command lines in a text, by event."""
    there = text.get((HOOKS_AT,))
    found = {
        event: [line for each in _listed(text, event) for line in _lines(client, each) if hook_bundle.is_ours(line)]
        for event in (there if isinstance(there, dict) else {})
    }
    return {event: lines for event, lines in found.items() if lines}


def is_strict(text: JsonText, client: str) -> bool:
    """Whether lines of ours hold a call back that cannot be recorded."""
    return any("--strict" in line.split() for lines in hooks_in(text, client).values() for line in lines)


def elements_in(text: JsonText, client: str) -> dict[str, list[Any]]:
    """The elements with a handler of ours, by event."""
    there = text.get((HOOKS_AT,))
    events = there if isinstance(there, dict) else {}
    found = {event: [each for each in _listed(text, event) if _ours(client, each)] for event in events}
    return {event: each for event, each in found.items() if each}


def plugin_in(text: Text) -> bool:
    """Whether settings of Claude Code enable a plugin of ours."""
    enabled = text.get(("enabledPlugins",))
    return isinstance(enabled, dict) and any(
        name.startswith(f"{clients.NAME}@") and said is not False for name, said in enabled.items()
    )


def put_server(text: Text, client: str, start: Sequence[str], env: Mapping[str, str] = clients.NO_SETTINGS) -> str:
    """The entry of our server. What somebody added to it stays, but for which tools; a remark, if it was left alone."""
    path = (clients.under(client), clients.NAME)
    there = text.get(path)
    if there is None:
        text.put(path, clients.server(client, start, env))
    elif not is_server(there):
        return f'another server has the name "{clients.NAME}", and was left alone'
    elif GATEWAY in there["args"] and GATEWAY not in start:
        return "the gateway stands there, which has our tools too, and was left alone"
    else:
        entry = clients.server(client, [*start, *([] if GATEWAY in start else _options(there["args"]))])
        if isinstance(text, TomlText):
            new = {"env": dict(env)} if env and "env" not in there else {}
            text.put(path, {"command": entry["command"], "args": entry["args"], **new})
            if env and not new:  # into what somebody has there, which may be a section of its own
                text.put((*path, "env"), dict(env))
        else:
            text.put((*path, "command"), entry["command"])
            text.put((*path, "args"), entry["args"])
            for name, value in env.items():
                text.put((*path, "env", name), value)
    return ""


def take_server(text: Text, client: str) -> None:
    """Take our entry out if we made it; if it was there before, give it back what it had."""
    path = (clients.under(client), clients.NAME)
    if not is_server(text.get(path)):
        return
    if path in text.notes.made:
        text.remove(path)
    for place in sorted(text.notes.made, key=len, reverse=True):
        if place[:2] == path and len(place) > 2 and not isinstance(_left(text, place), dict):
            text.remove(place)
    for place, raw in text.notes.was:
        if place[:2] == path:
            text.restore(place, raw)


def server_in(text: Text, client: str) -> Any:
    """The entry of our server, or None."""
    found = text.get((clients.under(client), clients.NAME))
    return found if is_server(found) else None


def is_server(entry: Any) -> bool:
    """Whether an entry starts our server or gateway over standard input and output, wherever it is installed."""
    if not isinstance(entry, dict) or not isinstance(entry.get("args"), list):
        return False
    words = [str(entry.get("command", "")), *map(str, entry["args"])]
    return words[0].rpartition("/")[2] == "tallystick" or words[1:3] == ["-m", "tallystick"]


def is_in(text: Text, client: str) -> bool:
    """Whether something of ours is in a text."""
    hooked = isinstance(text, JsonText) and client in HOOKS and bool(hooks_in(text, client))
    return hooked or server_in(text, client) is not None


def guess(text: Text, client: str) -> None:
    """Note what we must have made, where no notes were kept: what holds nothing but ours, and our server."""
    made = text.notes.made
    server = (clients.under(client), clients.NAME)
    if server_in(text, client) is not None:
        made += [server, *([server[:1]] if [*text.get(server[:1])] == [clients.NAME] else [])]
    if not isinstance(text, JsonText) or client not in HOOKS:
        return
    ours = elements_in(text, client)
    there = text.get((HOOKS_AT,))
    made += [(HOOKS_AT, event) for event, found in ours.items() if found == there[event]]
    if ours and {event: found for event, found in there.items() if found} == ours:
        made += [(HOOKS_AT,), *((key,) for key, value in HOOKS[client].top.items() if text.get((key,)) == value)]


def take_all(text: Text, client: str) -> None:
    """Take out all of ours, and the containers and the version that were only for it."""
    if isinstance(text, JsonText) and client in HOOKS:
        take_hooks(text, client)
    take_server(text, client)
    text.tidy()
    theirs = text.get((HOOKS_AT,)) if (HOOKS_AT,) in text.notes.made else None  # whoever came since needs the version
    if isinstance(text, JsonText) and client in HOOKS and not any(theirs.values() if isinstance(theirs, dict) else ()):
        for key in HOOKS[client].top:
            if (key,) in text.notes.made:
                text.remove((key,))
        text.tidy()


def _left(text: Text, place: Path) -> Any:
    """What is at a place, if more than nothing is in it."""
    return text.get(place) or None


def _options(words: list[Any]) -> list[str]:
    """The options that somebody gave the server, without those that say which tools."""
    left = [str(each) for each in words]
    left = left[left.index("mcp") + 1 :] if "mcp" in left else []
    kept: list[str] = []
    while left:
        word = left.pop(0)
        if word == "--tools":
            left[:1] = []
        elif not word.startswith("--tools="):
            kept.append(word)
    return kept


def _listed(text: JsonText, event: str) -> list[Any]:
    found = text.get((HOOKS_AT, event))
    return found if isinstance(found, list) else []


def _lines(client: str, element: Any) -> list[str]:
    return [command_of(client, each) for each in handlers(client, element)]


def _ours(client: str, element: Any) -> bool:
    return any(hook_bundle.is_ours(line) for line in _lines(client, element))


def _take_ours(text: JsonText, client: str, event: str) -> None:
    """Our handlers in one event, from the last: a group that others put theirs into keeps those."""
    for number, element in reversed([*enumerate(_listed(text, event))]):
        lines = [hook_bundle.is_ours(line) for line in _lines(client, element)]
        if not any(lines):
            continue
        if all(lines) and len(lines) == _handlers_in(client, element):
            text.remove((HOOKS_AT, event, number))
            continue
        places = [place for place, each in enumerate(element["hooks"]) if _is_our_handler(client, each)]
        for place in reversed(places):
            text.remove((HOOKS_AT, event, number, "hooks", place))


def _handlers_in(client: str, element: Any) -> int:
    return len(element["hooks"]) if HOOKS[client].shape == "grouped" else 1


def _is_our_handler(client: str, handler: Any) -> bool:
    return isinstance(handler, dict) and hook_bundle.is_ours(command_of(client, handler))
