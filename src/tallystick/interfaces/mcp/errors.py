"""Builds the response of a tool that fails: what is wrong, what is allowed and the next call, in under 80 tokens.

The fix is never cut: the message gives way to the hint, and the hint's first sentences to its last one.
"""

import re
from collections.abc import Collection
from typing import Any

from tallystick import operations
from tallystick.core.errors import InvalidArgument, Refused, TallystickError
from tallystick.core.formats.tokens import cost, fits, shorten
from tallystick.core.plans import NEW_PLAN
from tallystick.interfaces.mcp.responses import McpResponse, escape_mark, format_value
from tallystick.settings import Settings

# ----------------------------------------------------------------------------------------------------------------------
# The next call. Errors name operations; an agent has six tools or fewer.

SuggestedCall = tuple[str, dict[str, Any]]

SIX_TOOLS = (
    *("record_plan", "record_execution_start", "record_action", "record_decision", "record_context"),
    "query_ledger",
)
_WITHOUT_TOOL = {"record_execution_start": "Record a plan for what you do: it starts as it is recorded."}
"""The advice for an agent whose client does not list the tool."""
_HINT_INSTEAD = {"open_session": "Leave the session out: the connection has its own."}
"""Replaces the hint of an error that names an operation without a tool."""
_BOUND_TO_SESSION = ("open_session", "record_execution_start", "record_plan")
"""Operations that belong to the agent's session: a command in a shell would use another session."""
_ONE_ITEM = {
    "get_approval": ("approvals", "id", "approval_id"),
    "get_action": ("journal", "action", "action_id"),
    "get_plan": ("plans", "id", "plan_id"),
    "get_execution": ("executions", "id", "execution_id"),
}
"""Operations that read one item: the view that shows it, its filter, and the operation's argument."""
_LEAVE_OUT = re.compile(r"\b[Ll]eave\b.*\bout\b")
_SENTENCE_END = re.compile(r"(?<=[.;:]) ")


def suggest_call(error: TallystickError, tools: Collection[str], called: str = "") -> SuggestedCall | None:
    """The next call with a tool that the client lists; None when no tool helps. `called` is the tool that failed.

    For a wrong value it is the same call with another value; for a rule that refuses, the brief. There is none where
    the hint says all: an argument is to be left out.
    """
    if error.next_call is not None:
        name, arguments = _as_tool_call(*error.next_call)
        if name in tools:
            return name, arguments
        if name in _WITHOUT_TOOL and "record_plan" in tools:
            return NEW_PLAN
    if isinstance(error, InvalidArgument) and called in tools:
        field = re.split(r"[.\[]", error.field or "")[0]
        is_wanted = _has_argument(called, field) and not _LEAVE_OUT.search(error.hint)
        return (called, {field: "..."}) if is_wanted else None
    if isinstance(error, Refused) and "query_ledger" in tools:
        return "query_ledger", {"view": "brief"}
    return None


def suggest_command(error: TallystickError, tools: Collection[str]) -> SuggestedCall | None:
    """The next call, by the operation's name, if no listed tool makes it but a shell command can."""
    if error.next_call is None or error.next_call[0] in _BOUND_TO_SESSION:
        return None
    if error.next_call[0] == "record_action" and error.next_call[1].get("phase") == "begin":
        return None  # its calls are journaled as they are made
    return error.next_call if _as_tool_call(*error.next_call)[0] not in tools else None


def _has_argument(tool: str, field: str) -> bool:
    operation = operations.CATALOGUE.get(tool)
    return operation is not None and field in operation.arguments.__struct_fields__


def format_hint(error: TallystickError, tools: Collection[str], *, has_command: bool = False) -> str:
    """The hint of an error, without sentences that name a tool which the client does not list.

    With `has_command` the next call is given as a command, so nothing has to be done instead.
    """
    following = error.next_call[0] if error.next_call else ""
    if following in _HINT_INSTEAD:
        return _HINT_INSTEAD[following]
    hidden = [name for name in SIX_TOOLS if name not in tools] if set(tools) < set(SIX_TOOLS) else []
    if following in hidden and following in _WITHOUT_TOOL and not has_command:
        return _WITHOUT_TOOL[following]
    sentences = _SENTENCE_END.split(error.hint)
    return " ".join(each for each in sentences if not any(name in each for name in hidden))


def _as_tool_call(name: str, arguments: dict[str, Any]) -> SuggestedCall:
    """The call of an operation as a call of one of the six tools; unchanged if none does the same."""
    if name == "request_approval":
        return "record_decision", {"decision": "ask_human", **arguments, "why": "..."}
    if name in _ONE_ITEM:
        view, filter, argument = _ONE_ITEM[name]
        return "query_ledger", {"view": view, "filter": f"{filter}:{arguments[argument]}"}
    if name == "open_session":
        return "query_ledger", {"view": "brief"}  # what the session left behind
    view = operations.CATALOGUE[name].view if name in operations.CATALOGUE else ""
    return ("query_ledger", {"view": view, **_as_query(arguments)}) if view else (name, arguments)


def _as_query(arguments: dict[str, Any]) -> dict[str, Any]:
    """Arguments of a read operation as those of `query_ledger`: `after` is the cursor, most others are filters."""
    filters = dict(arguments)
    query: dict[str, Any] = {name: filters.pop(name) for name in ("execution_id", "limit") if name in filters}
    if "after" in filters:
        query["cursor"] = str(filters.pop("after"))
        filters["order"] = "oldest"
    if filters:
        query["filter"] = " ".join(f"{name}:{value}" for name, value in filters.items())
    return query


# ----------------------------------------------------------------------------------------------------------------------
# The response

ERROR_TOKENS = 79
"""The limit of the text. An agent reads an error in the middle of other work."""
PLAIN_WORDS = 0.8
"""The tokens of a hint in plain words, compared with their estimate, which is from above for any script."""
MARGIN_TOKENS = 5
"""For hints that are less plain."""
MAX_HINT_TOKENS = 56
"""The limit of the hint in the text, as an estimate. Only lists of names are longer; the structure has them."""
HINT_TOKENS = 160
"""The limit of the hint in the structure, which programs read."""
MIN_MESSAGE_TOKENS = 20
"""The least for a long message, however long its hint is."""
MIN_TEXT_TOKENS = 32
"""The least for message and hint, however long the next call is."""
MIN_TEXT_TOKENS_WITH_COMMAND = 12
"""The same beside a command, which says by itself what it is about, and is of no use when it is cut."""
FIELD_TOKENS = 30
MAX_ALLOWED_WORDS = 20
_ASK_PERSON = {
    "record_action": " Have a person settle it.",
    "record_decision": " Have a person decide that.",
    "request_approval": " Have a person asked.",
}
"""The advice where a command is too long to show."""
MAX_PLAIN_PAIR = 40
"""A longer argument of the next call gives way first: no id is so long."""
MAX_WORDS_CUT = 100
"""A longer sentence is cut at its end."""
_LONG_VALUE = re.compile(r'"([^"]{12})[^"]{12,}"')
_IN_PARENTHESES = re.compile(r" \([^()]*\)")
_PARTIAL_WORD = re.compile(r"[\w.:@/+#-]{1,60}$", re.ASCII)


def error_response(
    error: TallystickError, tools: Collection[str], called: str = "", shell: Settings | None = None
) -> McpResponse:
    """The response for an error. `tools` are the tools that the client lists, `called` the one that failed.

    With `shell`, the settings of a journal that a shell can reach, a next call without a tool is shown as a command.
    """
    command = suggest_command(error, tools) if shell else None
    call = suggest_call(error, tools, called) if command is None else None
    hint = format_hint(error, tools, has_command=command is not None)
    structure = _error_structure(error, hint)
    following = ""
    room = ERROR_TOKENS - cost(f"{error.code}: ")
    if shell and command:
        commands = _format_commands(shell, *command)
        if commands:
            structure["next"] = {"command": commands[0]}
        texts = (f" In a shell: {each}" for each in commands)
        shown = (text for text in texts if fits(text, room - MIN_TEXT_TOKENS_WITH_COMMAND))
        following = next(shown, _ASK_PERSON.get(command[0], ""))
    elif call:
        structure["next"] = {"tool": call[0], "arguments": call[1]}
        needed = cost(_first_sentence(error.message)) + cost(f" {hint}") * PLAIN_WORDS + MARGIN_TOKENS
        following = _format_call(call, room - MIN_TEXT_TOKENS, (room - needed) / PLAIN_WORDS)
    text = _format_text(error, hint, following, has_command=command is not None)
    return McpResponse(text=text, content={"error": structure}, failed=True)


def _format_text(error: TallystickError, hint: str, following: str, *, has_command: bool) -> str:
    """The code, the message, the hint and the next call, in ERROR_TOKENS. The message is cut before the hint is."""
    room = ERROR_TOKENS - cost(f"{error.code}: {following}")
    if has_command:
        message = _cut_message(error.message, max(room - cost(f" {hint}"), min(MIN_TEXT_TOKENS_WITH_COMMAND, room)))
        hint = _cut_line(_cut_sentences(hint, room - cost(f"{message} ")), room - cost(f"{message} "))
    else:
        room += cost(following) * (1 - PLAIN_WORDS) - MARGIN_TOKENS
        hint = _cut_line(_cut_sentences(hint, MAX_HINT_TOKENS), MAX_HINT_TOKENS)
        message = _cut_message(error.message, max(room - cost(f" {hint}") * PLAIN_WORDS, MIN_MESSAGE_TOKENS))
    return f"{error.code}: {f'{message} {hint}'.rstrip()}{following}"


def _error_structure(error: TallystickError, hint: str) -> dict[str, Any]:
    """The error as a structure, without the next call."""
    structure = {**error.as_dict(), "message": _cut_line(error.message, ERROR_TOKENS)}
    for name in ("next", "hint"):
        structure.pop(name, None)
    if hint:
        structure["hint"] = _cut_line(hint, HINT_TOKENS)
    if "field" in structure:
        structure["field"] = _cut_line(structure["field"], FIELD_TOKENS)
    if "allowed" in structure:
        structure["allowed"] = [_cut_line(each, FIELD_TOKENS) for each in structure["allowed"][:MAX_ALLOWED_WORDS]]
    return structure


def _format_commands(shell: Settings, name: str, arguments: dict[str, Any]) -> list[str]:
    """The next call as a command, and without tool and arguments if it is a step: the plan knows those.

    A command with characters that are not printable is left out: it must not be copied into a shell.
    """
    from tallystick.interfaces.fields import shell_command  # most errors need no command

    short = {key: value for key, value in arguments.items() if key not in ("tool", "arguments")}
    forms = (arguments, short) if "step" in arguments else (arguments,)
    return [text for each in forms if (text := shell_command(shell, name, each)).isprintable()]


def _format_call(call: SuggestedCall, room: float, wanted: float) -> str:
    """The next call as text. If it does not fit, without its arguments, which a plan knows, then by its first parts.
    Long values give way before a sentence of the message does, which leaves the call the `wanted` room."""
    name, arguments = call
    pairs = [f"{key}={format_value(value)}" for key, value in arguments.items()]
    short = ["arguments=..." if pair.startswith("arguments=") else pair for pair in pairs]
    plain = [pair if len(pair) <= MAX_PLAIN_PAIR else f"{pair.partition('=')[0]}=..." for pair in short]
    planned = [each for each in short if not each.startswith(("tool=", "arguments="))] if "step" in arguments else short
    forms = [f" Next: {name}({', '.join(each)})." for each in (pairs, short, plain, planned, [*plain[:3], "..."])]
    fitting = [text for text in forms if fits(text, room)]
    whole = (text for text in fitting if text in forms[:3] and fits(text, wanted))
    return next(whole, forms[2] if forms[2] in fitting else next(iter(fitting), f" Next: {name}(...)."))


def _cut_sentences(text: str, room: float) -> str:
    """As many of the last sentences as fit, but at least the last: it says what to do."""
    while not fits(text, room) and ". " in text:
        text = text[text.index(". ") + 2 :]
    return text


def _first_sentence(text: str) -> str:
    return _LONG_VALUE.sub(lambda match: f'"{match[1]}…"', text).partition(". ")[0]


def _cut_message(text: str, room: float) -> str:
    """The message within so many tokens: long quoted values give way first, then whole sentences from the end, then
    what is in parentheses, then the middle. A sentence without its end says nothing."""
    line = escape_mark(" ".join(text.split()))
    if fits(line, room):
        return line
    line = _LONG_VALUE.sub(lambda match: f'"{match[1]}…"', line)
    while not fits(line, room) and ". " in line:
        line = line[: line.rindex(". ") + 1]
    line = line if fits(line, room) else _IN_PARENTHESES.sub("", line)
    words = line.split(" ")
    if fits(line, room) or len(words) > MAX_WORDS_CUT:
        return _cut_line(line, room)
    for kept in range(len(words) - 1, 3, -1):
        first = (kept + 1) // 2
        shown = " ".join((*words[:first], "…", *words[len(words) - kept + first :]))
        if fits(shown, room):
            return shown
    return _cut_line(line, room)


def _cut_line(text: str, room: float) -> str:
    """The text in one line, cut to so many tokens. No word is split, because it may be a handle."""
    line = escape_mark(" ".join(text.split()))
    cut = shorten(line, room)
    if cut == line or not cut:
        return cut
    start = cut[:-1]
    following = line[len(start) : len(start) + 1]
    partial = _PARTIAL_WORD.search(start) if following and _PARTIAL_WORD.match(following) else None
    return (start[: partial.start()].rstrip() if partial and partial.start() else start) + "…"
