"""Texts of errors, fixes and the brief as a shell has them: options for arguments, commands for operations, and their
store.

The core writes for every interface: `execution_id`, "say why in `again`", record_plan,
record_decision(decision=done, why=...). A reader at a shell types `--execution-id`, `--again`, `tallystick record plan`
and `tallystick record decision done --why "..."`.
"""

import re
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from tallystick.core.formats import canonical_json
from tallystick.core.formats.shell_text import quote_word
from tallystick.interfaces.fields import PROGRAM, Field, command_words, fields_of, option_name, positional_field
from tallystick.operations import CATALOGUE, Operation
from tallystick.settings import without_password

FILL_IN = '"..."'
"""A text that the reader has to write."""
PLACEHOLDERS = (None, "", "...")
"""Values that stand for one that the reader has to find."""
_QUOTED = re.compile(r'("(?:[^"\\]|\\.)*")')
_QUOTED_WORD = re.compile(rf"{_QUOTED.pattern}|'[^']*'")
_CALL = re.compile(r""""[^"]*"|\b([a-z]+(?:_[a-z]+)+)\(((?:"[^"]*"|[^()"…])*)([)…])""")
"""A quoted text, which stays; or a call of an operation, which may be cut off."""
_ARGUMENT = re.compile(r"""([a-z_]+)(?:=("[^"]*"|[^,"]*))?""")
_ALL_ARGUMENTS = ("execution_id", "action_id", "approval_id", "plan_id", "task_id", "session_id")
"""Arguments that hints name, whatever command is given."""
_WITHOUT_JOURNAL = ("journals", "rebuild", "backup", "restore")
_WITH_STORE = (
    *("status", "show", "tail", "owed", "report", "verify", "export", "erase", "doctor", "credential add", "run"),
    *("worker", "workers"),
    *_WITHOUT_JOURNAL,
)


def to_shell_words(text: str, operation: Operation[..., Any] | None, field: str = "") -> str:
    """A text with options and commands in it; it may begin with a `field`. What is in double quotes is recorded data,
    and stays."""
    fields = fields_of(operation) if operation else ()
    positional = positional_field(operation, fields) if operation else None
    is_option = any(each.name == field and each != positional for each in fields)
    if is_option and text.startswith(f"{field} "):
        text = option_name(field) + text[len(field) :]
    return _outside_quotes(calls_as_commands(text), lambda part: _translated(part, operation))


def with_store(text: str, options: Mapping[str, Any]) -> str:
    """A text whose commands have the `--url` and `--journal` of this one: copied, they use the same journal.

    A URL with a password is shown without it.
    """
    url, journal = (options.get(name) or "" for name in ("url", "journal"))
    if not url and not journal:
        return text
    store = f" --url {quote_word(without_password(url))}" if url else ""

    def add(match: re.Match[str]) -> str:
        named = f" --journal {quote_word(journal)}" if journal and match[1] not in _WITHOUT_JOURNAL else ""
        return f"{match[0]}{store}{named}"

    return "\n".join(_change_commands(line, add) for line in text.split("\n"))


def _change_commands(line: str, change: Callable[[re.Match[str]], str]) -> str:
    """A line with its commands changed. A quoted word of a command is recorded data, and stays, whatever is in it; what
    comes before the first command may hold an apostrophe."""
    parts, quoted, at = [], _QUOTED, 0
    while at < len(line):
        command, word = _command_pattern().search(line, at), quoted.search(line, at)
        if word and not (command and command.start() < word.start()):
            parts.append(line[at : word.end()])
            at = word.end()
        elif command:
            parts += [line[at : command.start()], change(command)]
            quoted, at = _QUOTED_WORD, command.end()
        else:
            break
    return "".join([*parts, line[at:]])


def _outside_quotes(text: str, change: Callable[[str], str]) -> str:
    parts = _QUOTED.split(text)
    return "".join(part if number % 2 else change(part) for number, part in enumerate(parts))


@cache
def _command_pattern() -> re.Pattern[str]:
    commands = {*(" ".join(command_words(each)) for each in CATALOGUE.values()), *_WITH_STORE}
    longest_first = sorted(map(re.escape, commands), key=len, reverse=True)
    return re.compile(rf"\b{PROGRAM} ({'|'.join(longest_first)})(?![\w-])(?! --help)")


def _translated(text: str, operation: Operation[..., Any] | None) -> str:
    fields = fields_of(operation) if operation else ()
    positional = positional_field(operation, fields) if operation else None
    names = {field.name for field in fields} | set(_ALL_ARGUMENTS)
    flags = {field.name for field in fields if field.kind == "flag"}

    def argument(match: re.Match[str]) -> str:
        name, value = match["name"], match["value"]
        if name not in names or (not match["tick"] and not value and "_" not in name):
            return match[0]
        if value and positional and name == positional.name:
            return value
        return f"{option_name(name)} {value}" if value and name not in flags else option_name(name)

    text = re.sub(r"(?P<tick>`?)\b(?P<name>[a-z]+(?:_[a-z]+)*)(?:=(?P<value>[\w.-]*\w))?(?P=tick)", argument, text)
    return re.sub(r"`?\b([a-z]+(?:_[a-z]+)+)\b`?", _command, text)


def _command(match: re.Match[str]) -> str:
    operation = CATALOGUE.get(match[1])
    return f"`{PROGRAM} {' '.join(command_words(operation))}`" if operation else match[0]


# ----------------------------------------------------------------------------------------------------------------------
# Calls of operations


def calls_as_commands(text: str, execution_id: str = "") -> str:
    """A text whose calls, such as record_decision(decision=done, why=...), are commands. They name the execution."""

    def command(match: re.Match[str]) -> str:
        operation = CATALOGUE.get(match[1] or "")
        if operation is None:
            return match[0]
        given = [(each[1], each[2]) for each in _ARGUMENT.finditer(match[2])]
        is_cut = match[3] == "…"
        words = _command_of(operation, dict(given[:-1] if is_cut else given), "" if is_cut else execution_id)
        return f"`{words}{' …' if is_cut else ''}`"

    return _CALL.sub(command, text)


def command_of_call(name: str, arguments: Mapping[str, Any]) -> str:
    """The command for a call that an error names as the next; empty if nothing of its arguments is known."""
    if arguments.get("decision") == "settle":
        return settle_command(arguments["action_id"])
    if name not in CATALOGUE or (arguments and all(value in PLACEHOLDERS for value in arguments.values())):
        return ""
    return _command_of(CATALOGUE[name], arguments, "")


def settle_command(action_id: str) -> str:
    return f"{PROGRAM} record decision settle --action-id {action_id} --outcome ... --evidence {FILL_IN}"


def answer_command(approval_id: str, *, has_options: bool) -> str:
    answer = "respond --answer ..." if has_options else f"approve --reason {FILL_IN}"
    return f"{PROGRAM} decide approval {approval_id} --verdict {answer}"


def continue_command(execution_id: str) -> str:
    return f"{PROGRAM} record decision continue --execution-id {execution_id} --why {FILL_IN}"


def placed_command(action_id: str) -> str:
    return f"{PROGRAM} record decision continue --action-id {action_id} --undoes ... --why {FILL_IN}"


def unplanned_command(execution_id: str) -> str:
    return f"{PROGRAM} list actions --execution-id {execution_id} --only unplanned"


def start_command(plan_id: str) -> str:
    return f"{PROGRAM} record execution-start --plan-id {plan_id}"


def undo_command(action_id: str) -> str:
    return f"{PROGRAM} record action done --kind undo --undoes {action_id} --outcome ok --summary {FILL_IN}"


def _command_of(operation: Operation[..., Any], given: Mapping[str, Any], execution_id: str) -> str:
    fields = {field.name: field for field in fields_of(operation)}
    positional = positional_field(operation, tuple(fields.values()))
    if given.get("decision", "settle") != "settle":
        given = {**given, "why": given.get("why")}  # every other decision needs a reason
    first = [given[positional.name] or "..."] if positional and positional.name in given else []
    if execution_id and "execution_id" in fields and not {"execution_id", "action_id"} & given.keys():
        first += ["--execution-id", execution_id]
    named = [(field, given[name]) for name, field in fields.items() if name in given and field != positional]
    options = [word for field, value in named for word in _option_words(field, value)]
    return " ".join([PROGRAM, *command_words(operation), *first, *options])


def _option_words(field: Field, value: Any) -> tuple[str, ...]:
    """An option as words of a shell; a value that is no text is JSON."""
    name = option_name(field.name)
    if value is True:
        return (name,)
    if value in PLACEHOLDERS:
        return name, FILL_IN if field.kind == "text" and not field.is_name else "..."
    return name, _plain_word(value) if isinstance(value, str) else quote_word(canonical_json.encode(value))


# ----------------------------------------------------------------------------------------------------------------------
# The brief

_NAME = r'([\w.:/@+-]+|"[^"]*")'
_DOUBTS = re.compile(r"(In doubt(?: in other executions)? \(\d+\+?\):) ")
_DOUBT = re.compile(r"- (ac_\w+) ")
_PENDING = re.compile(r"- (ap_\w+) pending(?:( \()|:| for )")
_TAKE_UP = re.compile(r"any record with execution_id=(\w+)\.?")
_APPROVED = re.compile(rf'(Next: {_NAME}(?: "[^"]*")?(?: with {_NAME})?, .*)\bbegin it with approval_id=(\w+)')
_OWED = re.compile(r"\bsee view=owed\b")
_UNPLANNED = re.compile(r"\bview=journal, filter=only:unplanned\b")
_ANSWER = re.compile(r"\bview=approvals\b(?=.*approval_id=(\w+))")
_ADVICE = re.compile(rf'(- {_NAME}(?: with "[^"]*")?: the plan .*)')
_DECIDE = re.compile(r"\bdecide (\w+)((?:, \w+)* or \w+)")

_NOTES: tuple[tuple[re.Pattern[str], Callable[[str], str]], ...] = (
    (re.compile(r"(ex_\w+) of the same work is \w+: (continue it) unless"), lambda id: f"`{continue_command(id)}`"),
    (re.compile(r"(ac_\w+) .*, then (decide settle with .*)\."), lambda id: f"`{settle_command(id)}`"),
    (re.compile(r"(pl_\w+) was .*: a start with (plan_id=\w+) is"), lambda id: f"`{start_command(id)}`"),
)
"""Notes of receipts: the handle, and the part that a command of it replaces."""


def note_as_command(note: str) -> str:
    """A note of a receipt whose hint is a command."""
    for pattern, command in _NOTES:
        if found := pattern.match(note):
            return note[: found.start(2)] + command(found[1]) + note[found.end(2) :]
    return calls_as_commands(note)


def brief_as_commands(text: str, execution_id: str) -> str:
    """A brief whose hints are commands. The one that settles a doubt or answers a question is in the line below
    it."""
    lines: list[str] = []
    is_doubt = False
    for line in text.split("\n"):
        heading, doubt = _DOUBTS.match(line), _DOUBT.match(line)
        is_doubt = bool(heading) or (is_doubt and line.startswith("- "))
        lines.append(
            f"{heading[1]} look first, then settle, skipped if it never happened:"
            if heading
            else _hints_as_commands(line, execution_id)
        )
        if is_doubt and doubt:
            lines.append(f"  {settle_command(doubt[1])}")
        if pending := _PENDING.match(line):
            lines.append(f"  {answer_command(pending[1], has_options=bool(pending[2]))}")
    return "\n".join(lines)


def advice_as_command(text: str, execution_id: str, step: str) -> str:
    """Advice to decide something, as the command for the first possible decision and the words for the others."""

    def command(match: re.Match[str]) -> str:
        about = f" --step {_plain_word(step)}" if step and match[1] in ("retry", "skip") else ""
        words = f"{PROGRAM} record decision {match[1]} --execution-id {execution_id}{about} --why {FILL_IN}"
        return f"`{words}` ({match[2].removeprefix(', ').strip()})"

    return _outside_quotes(text, lambda part: _DECIDE.sub(command, part))


def _hints_as_commands(line: str, execution_id: str) -> str:
    if line.startswith("- "):
        advice = _ADVICE.match(line)
        return advice_as_command(line, execution_id, advice[2]) if advice else line
    line = _outside_quotes(line, lambda part: _TAKE_UP.sub(lambda match: f"`{continue_command(match[1])}`", part))
    line = _OWED.sub(f"see `{PROGRAM} owed`", line)
    line = _UNPLANNED.sub(f"`{unplanned_command(execution_id)}`", line)
    line = _ANSWER.sub(lambda match: f"`{PROGRAM} get approval {match[1]}`", line)
    line = _APPROVED.sub(lambda match: f"{match[1]}`{_begin_command(execution_id, *match.groups()[1:])}`", line)
    return calls_as_commands(advice_as_command(line, execution_id, ""), execution_id)


def _begin_command(execution_id: str, step: str, tool: str | None, approval_id: str) -> str:
    call = f"--step {_plain_word(step)}{f' --tool {_plain_word(tool)}' if tool else ''}"
    return f"{PROGRAM} record action begin --execution-id {execution_id} {call} --approval-id {approval_id}"


def _plain_word(name: str) -> str:
    return quote_word(name.strip('"'))
