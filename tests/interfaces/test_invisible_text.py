"""Characters that cannot be seen are shown escaped, wherever a model or a terminal reads recorded text."""

import json
import os
from collections.abc import Iterator
from functools import partial

import pytest

from tallystick import Journal, TallystickError
from tallystick.core.formats.visible import escape_block, escape_json, escape_line
from tallystick.gateway.io.log import StderrLog
from tallystick.interfaces import capture_command, cli
from tallystick.interfaces.mcp.query import VIEWS
from tallystick.protocol import ProtocolError
from tallystick.protocol.jsonrpc import error_object
from tests.browser.hostile_journal import Tainted, taint
from tests.interfaces.mcp.in_process_client import MODERN, Lines

HIDDEN = (
    *("\x1b[31m", "\u202e", "\U000e0041\U000e007f", "\x9b2J", "a\u200bb\u200dc", "\u2066x\u2069", "\ufeff", "\u00ad"),
    *("\x07", "\u3164", "\ufe01", "\u2028"),
)
COMMANDS = (
    "status",
    "show {}",
    "show {} --json",
    "tail -n 200",
    "owed",
    "owed --json",
    "list actions",
    "list plans",
    "list executions",
    "list approvals",
    "list context",
    "list decisions",
    "list sessions",
    "get status",
    "get brief",
    "get status --json",
    "read entries",
    "report {}",
    "search text",
    "journals",
    "doctor",
    "show \x1b[2J\u202e",
    "list \x1b[2J\u202e",
)
Hostile = tuple[str, Journal, Tainted]


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hostile]:
    """A journal with hidden characters in every free field."""
    url = f"sqlite://{tmp_path_factory.mktemp('hostile') / 'journal.db'}"
    texts = [HIDDEN[number % len(HIDDEN)] + f" text {number} " + "".join(HIDDEN) for number in range(300)]
    tainted = taint(partial(Journal.open, url, journal="hostile"), texts)
    with Journal.open(url, journal="hostile") as journal:
        yield url, journal, tainted


def _hidden(text: str) -> list[str]:
    """The characters of a text that cannot be seen."""
    return sorted({each for each in text if each not in "\n\t" and escape_block(each) != each})


@pytest.mark.parametrize("command", COMMANDS)
def test_the_commands_print_them_escaped(hostile: Hostile, command: str) -> None:
    _, journal, tainted = hostile
    words = command.format(tainted.executions[0]).split(" ")
    env = {"XDG_DATA_HOME": os.environ["XDG_DATA_HOME"]}
    done = cli.run(words, stdin="", env=env, caller=journal.caller)
    assert done.stdout + done.stderr
    assert _hidden(done.stdout + done.stderr) == []


def test_the_brief_and_the_texts_of_the_hooks_command_escape_them(
    hostile: Hostile, capsys: pytest.CaptureFixture[str]
) -> None:
    url, journal, _ = hostile
    assert _hidden(journal.get_brief(tokens=2000).text) == []
    for command in ("brief", "stop"):
        capture_command.main(
            [command, "--url", url, "--journal", "hostile", "--client", "codex", "--conversation", "x"]
        )
    printed = capsys.readouterr()
    assert "text" in printed.out
    assert _hidden(printed.out + printed.err) == []


def test_tools_prompts_and_resources_of_mcp_escape_them(hostile: Hostile) -> None:
    url, journal, tainted = hostile
    client = Lines(url, journal, MODERN, "all")
    texts = []
    for view in VIEWS:
        for detail in ("concise", "detailed"):
            asked = {"view": view, "execution_id": tainted.executions[0], "detail": detail}
            texts.append(client.call("query_ledger", **asked)["content"][0]["text"])
    texts.append(client.call("query_ledger", view="".join(HIDDEN))["content"][0]["text"])
    for prompt in ("resume", "unwind", "report"):
        asked = {"execution_id": tainted.executions[0]}
        texts.append(client.ask("prompts/get", name=prompt, arguments=asked)["messages"][0]["content"]["text"])
    goal = client.ask("prompts/get", name="plan", arguments={"goal": "".join(HIDDEN)})
    texts.append(goal["messages"][0]["content"]["text"])
    for resource in client.ask("resources/list")["resources"]:
        texts.append(resource.get("title", "") + resource.get("description", ""))
        texts.append(client.ask("resources/read", uri=resource["uri"])["contents"][0]["text"])
    client.close()
    assert len(texts) > 25
    assert [(text[:200], found) for text in texts if (found := _hidden(text))] == []


@pytest.mark.parametrize("form", ["markdown", "html", "csv"])
def test_reports_escape_them(hostile: Hostile, form: str) -> None:
    _, journal, tainted = hostile
    text = journal.get_report(execution_id=tainted.executions[0], form=form).text  # type: ignore[arg-type]
    assert _hidden(text.replace("\r\n", "\n")) == []


def test_log_lines_and_errors_escape_them() -> None:
    text = "".join(HIDDEN)
    assert _hidden(str(TallystickError(text, hint=text))) == []
    read, write = os.pipe()
    log = StderrLog(write)
    log.log(f"no such tool: {text}")
    log.finish()
    os.close(write)
    with os.fdopen(read, "rb") as pipe:
        assert _hidden(pipe.read().decode()) == []
    assert _hidden(error_object(1, text)["message"] + ProtocolError(1, text).as_dict()["message"]) == []


def test_joiners_stay_where_they_join_and_json_keeps_its_value() -> None:
    for text in ("Grüße, 世界 👩\u200d💻", "\u0645\u06cc\u200c\u062e", "❤\ufe0f", "❤\ufe0f\u200d🔥", "1\ufe0f\u20e3"):
        assert escape_block(text) == text
    assert escape_line("❤\ufe0f\ufe0e\ufe0f") == "❤\ufe0f\\ufe0e\\ufe0f"
    assert escape_line("a\ufe0f 1\ufe0e") == "a\\ufe0f 1\\ufe0e"
    assert escape_line("é\u200d\ufe0f") == "é\\u200d\\ufe0f"
    assert escape_line("pass\u200dword") == "pass\\u200dword"
    assert escape_line("\u200d\u200d世") == "\\u200d\\u200d世"
    value = {"text": "".join(HIDDEN) + "😀"}
    shown = escape_json(json.dumps(value, ensure_ascii=False))
    assert json.loads(shown) == value
    assert _hidden(shown) == []
