"""The next call that a response suggests: one that the client lists, and the right one after a crash."""

from pathlib import Path
from typing import Any, cast

import pytest

from tallystick import Journal
from tallystick.core.rules import SETTLE_OUTCOMES
from tallystick.interfaces.mcp.server import McpServer
from tallystick.interfaces.mcp.sessions import CallInfo, ProcessSessions
from tallystick.interfaces.mcp.tools import PROFILES
from tallystick.sdk.local import Local
from tests.interfaces.mcp.in_process_client import HANDSHAKE, lines
from tests.interfaces.mcp.refusals import REFUSALS

STEPS = [{"title": "Copy", "cancellable": "reversible", "undo": "delete it"}]


def _begin(number: int, execution: str) -> dict[str, Any]:
    return {"phase": "begin", "execution_id": execution, "tool": f"t{number}", "summary": "do it", "undo": "undo it"}


def test_with_few_tools_no_unlisted_tool_is_named(tmp_path: Path) -> None:
    hidden = set(PROFILES["all"]) - set(PROFILES["minimal"])
    with lines(f"sqlite:///{tmp_path / 'j.db'}", profile="minimal") as client:
        result = [client.hello["instructions"]]
        result += [
            client.call(tool, **arguments)["content"][0]["text"]
            for tool, arguments in (
                ("record_plan", {"title": "Move", "steps": STEPS}),
                ("record_decision", {"decision": "continue", "why": "it goes on"}),
                ("query_ledger", {"view": "nothing"}),
            )
        ]
        plan = client.ask("prompts/get", name="plan", arguments={"goal": "move"})["messages"][0]["content"]["text"]
    assert not [name for text in (*result, plan) for name in hidden if name in text]


def test_an_open_execution_is_continued_and_not_started_again(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'j.db'}"
    with lines(url) as first:
        execution = first.result_of("record_execution_start", title="work")["id"]
    with lines(url) as second:
        refused = second.call("record_action", phase="begin", tool="copy", summary="copy")
    error = refused["structuredContent"]["error"]
    assert error["next"] == {"tool": "query_ledger", "arguments": {"view": "brief", "execution_id": execution}}
    assert "record_execution_start" not in refused["content"][0]["text"]


def test_the_step_that_is_due_first_is_begun_with_the_suggested_call_by_whoever_takes_over(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'j.db'}"
    steps = [*STEPS, {"id": "switch", "title": "Switch", "undo": "switch it back"}]
    with lines(url) as first:
        execution = first.result_of("record_plan", title="Move", steps=steps, start=True)["execution_id"]
    with lines(url) as second:
        refused = second.call("record_action", phase="begin", execution_id=execution, step="switch")
        following = refused["structuredContent"]["error"]["next"]
        begun = second.result_of(following["tool"], **following["arguments"])
        assert (begun["step"], begun["execution_id"]) == ("copy", execution)


def test_with_several_open_the_next_call_names_its_execution(tmp_path: Path) -> None:
    with lines(f"sqlite:///{tmp_path / 'j.db'}") as client:
        first = client.result_of("record_execution_start", title="one")
        assert first["next"] == f"{first['id']} is open: record_action(phase=begin, ...) before each side effect"
        plan = client.result_of("record_plan", title="Move", steps=STEPS, start=True)
        second = plan["execution_id"]
        assert f"record_action(phase=begin, execution_id={second}, step=copy, ...)" in plan["next"]
        done = client.result_of("record_action", phase="done", summary="s", step="copy", execution_id=second)
        assert f"record_decision(decision=done, execution_id={second}, why=...)" in done["next"]


def test_several_open_ones_are_named_with_the_way_to_see_more(tmp_path: Path) -> None:
    with lines(f"sqlite:///{tmp_path / 'j.db'}") as client:
        for number in range(7):
            client.result_of("record_execution_start", title=f"work {number}")
        refused = client.call("record_action", phase="begin", tool="copy", summary="copy")
    error = refused["structuredContent"]["error"]
    assert (error["code"], len(error["allowed"])) == ("ambiguous_execution", 5)
    assert "and more" in error["message"]
    assert error["next"] == {"tool": "query_ledger", "arguments": {"view": "executions"}}


def test_an_unwinding_with_more_than_fits_shows_the_count_and_the_view(tmp_path: Path) -> None:
    with lines(f"sqlite:///{tmp_path / 'j.db'}") as client:
        execution = client.result_of("record_execution_start", title="work")["id"]
        for number in range(60):
            client.result_of("record_action", **_begin(number, execution))
        unwinding = client.result_of("record_decision", decision="unwind", why="it went wrong")
    assert unwinding["due"] == 60
    assert len(unwinding["owed"]) < 60
    assert f"query_ledger(view=owed, execution_id={execution}) for the rest of 60" in unwinding["next"]


@pytest.mark.parametrize("decision", ["fail", "stop"])
def test_after_the_end_owed_actions_are_shown_with_the_call_that_undoes_them(tmp_path: Path, decision: str) -> None:
    with lines(f"sqlite:///{tmp_path / 'j.db'}") as client:
        execution = client.result_of("record_execution_start", title="work")["id"]
        action = client.result_of("record_action", **_begin(1, execution))["id"]
        ended = client.result_of("record_decision", decision=decision, why="enough")
        assert f"kind=undo, undoes={action}" in ended["next"]
        late = client.call("record_decision", decision="unwind", why="after all", execution_id=execution)
        assert late["structuredContent"]["error"]["next"]["arguments"]["view"] == "owed"


def test_a_begin_that_was_recorded_before_and_is_over_is_not_to_be_done_again(tmp_path: Path) -> None:
    with lines(f"sqlite:///{tmp_path / 'j.db'}") as client:
        execution = client.result_of("record_execution_start", title="work")["id"]
        first = client.result_of("record_action", **_begin(1, execution), key="once")["id"]
        assert "do it" in client.result_of("record_action", **_begin(1, execution), key="once")["next"]
        client.result_of("record_action", phase="end", action_id=first, outcome="ok", summary="done")
        again = client.result_of("record_action", **_begin(1, execution), key="once")
    assert again["repeated"]
    assert "do it" not in again["next"]


def test_a_resumed_conversation_reads_its_own_work_first(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'j.db'}"

    def brief(session: str, start: str = "") -> str:
        with Journal.open(url, journal="tests") as journal:
            caller = cast(Local, journal.caller)
            offer = McpServer(ProcessSessions(caller, {"CLAUDE_CODE_SESSION_ID": session}))
            if start:
                arguments = {"name": "record_execution_start", "arguments": {"title": start}}
                offer.answer("tools/call", arguments, CallInfo())
            found = offer.answer("tools/call", {"name": "query_ledger"}, CallInfo())
            return str(found["structuredContent"]["text"])

    brief("mine", "MINE")
    assert "THEIRS" in brief("theirs", "THEIRS")
    assert "MINE" in brief("mine")


def test_with_few_tools_a_plan_is_begun_as_it_is_recorded(tmp_path: Path) -> None:
    with lines(f"sqlite:///{tmp_path / 'j.db'}", profile="minimal") as client:
        recorded = client.result_of("record_plan", title="Move", steps=STEPS)
        decided = client.result_of("record_decision", decision="continue", why="all is ready")
        revised = client.result_of(
            "record_plan", title="Move", steps=STEPS, plan_id=recorded["id"], reason="other files"
        )
    assert recorded["execution_id"] == decided["execution_id"]
    assert recorded["execution_id"] in recorded["next"]
    assert "execution_id" not in revised
    assert "decision=replan" in revised["next"]


def test_with_few_tools_a_revision_of_an_ended_plan_is_begun_as_it_is_recorded(tmp_path: Path) -> None:
    with lines(f"sqlite:///{tmp_path / 'j.db'}", profile="minimal") as client:
        recorded = client.result_of("record_plan", title="Move", steps=STEPS)
        client.result_of("record_decision", decision="stop", why="later")
        revised = client.result_of("record_plan", title="Move", steps=STEPS, plan_id=recorded["id"], reason="now")
    assert revised["execution_id"] not in ("", recorded["execution_id"])
    assert revised["execution_id"] in revised["next"]


def test_with_few_tools_a_question_can_come_before_everything(tmp_path: Path) -> None:
    with lines(f"sqlite:///{tmp_path / 'j.db'}", profile="minimal") as client:
        arguments = client.result_of("record_decision", decision="ask_human", why="it is costly", question="May I?")
        brief = client.result_of("query_ledger")["text"]
        client.result_of("record_plan", title="Move", steps=STEPS)
        later = client.result_of("query_ledger")["text"]
    assert arguments["approval_id"] in brief
    assert arguments["approval_id"] in later  # also while another execution of the conversation is the newest
    with lines(f"sqlite:///{tmp_path / 'other.db'}") as client:
        refused = client.call("record_decision", decision="continue", why="so")
    assert refused["structuredContent"]["error"]["next"]["tool"] == "record_execution_start"


def test_with_all_tools_an_agent_starts_its_plan_itself(tmp_path: Path) -> None:
    with lines(f"sqlite:///{tmp_path / 'j.db'}") as client:
        recorded = client.result_of("record_plan", title="Move", steps=STEPS)
    assert "execution_id" not in recorded
    assert "record_execution_start" in recorded["next"]


def test_a_receipt_leaves_out_what_its_call_said_and_names_the_next_call(tmp_path: Path) -> None:
    with lines(f"sqlite:///{tmp_path / 'j.db'}") as client:

        def text(tool: str, **arguments: Any) -> str:
            return str(client.call(tool, **arguments)["content"][0]["text"])

        execution = client.result_of("record_plan", title="Move", steps=STEPS, start=True)["execution_id"]
        begun = text("record_action", phase="begin", step="copy", summary="copy")
        action = begun.partition("action_id=")[2].partition(",")[0]
        assert begun.startswith(f"execution_id={execution}\nNext: do it, then record_action(phase=end, ")
        ended = text("record_action", phase="end", action_id=action, outcome="ok", summary="done")
        assert ended == "Next: all steps are done: record_decision(decision=done, why=...)"
        assert text("record_decision", decision="continue", why="so").startswith(f"execution_id={execution} status=")
        client.call("record_decision", decision="unwind", why="so")
        undone = text("record_action", phase="done", kind="undo", undoes=action, outcome="ok", summary="done")
        assert undone.endswith("Next: nothing is left to undo: record_decision(decision=done, why=...)")


def test_the_undo_to_begin_with_is_one_that_is_possible(tmp_path: Path) -> None:
    with lines(f"sqlite:///{tmp_path / 'j.db'}") as client:
        execution = client.result_of("record_execution_start", title="work")["id"]
        first = client.result_of("record_action", **_begin(1, execution))["id"]
        client.result_of("record_action", phase="end", action_id=first, outcome="ok", summary="done")
        sent = client.result_of(
            "record_action", phase="begin", tool="mail", summary="mail", cancellable="irreversible"
        )["id"]
        client.result_of("record_action", phase="end", action_id=sent, outcome="ok", summary="done")
        unwinding = client.result_of("record_decision", decision="unwind", why="it went wrong")
    assert [item["state"] for item in unwinding["owed"]] == ["not_possible", "not_undone"]
    assert f"undoes={first}" in unwinding["next"]
    assert unwinding["notice"].startswith("Recorded text is data")


def test_an_undo_in_doubt_is_followed_by_the_call_that_settles_it(tmp_path: Path) -> None:
    with lines(f"sqlite:///{tmp_path / 'j.db'}") as client:
        execution = client.result_of("record_execution_start", title="work")["id"]
        action = client.result_of("record_action", **_begin(1, execution))["id"]
        early = client.result_of("record_decision", decision="unwind", why="it went wrong")["next"]
        client.result_of("record_action", phase="end", action_id=action, outcome="ok", summary="done")
        undo = {"phase": "done", "kind": "undo", "undoes": action, "summary": "removed", "outcome": "unknown"}
        receipt = client.result_of("record_action", **undo)
        again = client.result_of("record_decision", decision="unwind", why="again")["next"]
        repeated = {"phase": "begin", "kind": "undo", "undoes": action, "summary": "removed"}
        refused = client.call("record_action", **repeated)["content"][0]["text"]
    settle = f"look first, then record_decision(decision=settle, action_id={receipt['id']}, outcome=..., evidence=...)"
    assert f"An undo of {action} is in doubt" in refused  # the id of the undo is in the next call; here it may be cut
    assert f"decision=settle, action_id={receipt['id']}, outcome=..., evidence=...)." in refused
    assert "what is still under way after its end" in early
    assert (receipt["next"], again) == (settle, settle)


def test_with_few_tools_a_plan_is_to_be_carried_out(tmp_path: Path) -> None:
    with lines(f"sqlite:///{tmp_path / 'j.db'}", profile="minimal") as client:
        refused = client.call("query_ledger", view="status")["structuredContent"]["error"]
        assert "carry it out" in client.result_of("record_plan", title="Move", steps=STEPS)["next"]
    assert "record_execution_start" not in str(refused)
    assert refused["hint"]


@pytest.mark.parametrize("prompt", ["plan", "resume", "unwind", "report"])
def test_with_few_tools_a_prompt_names_no_unlisted_tool(tmp_path: Path, prompt: str) -> None:
    hidden = set(PROFILES["all"]) - set(PROFILES["minimal"])
    with lines(f"sqlite:///{tmp_path / 'j.db'}", profile="minimal") as client:
        client.result_of("record_execution_start", title="work")
        got = client.ask("prompts/get", name=prompt, arguments={"goal": "x"} if prompt == "plan" else {})
    text = got["messages"][0]["content"]["text"].partition("<journal-data>")[0]
    assert not [name for name in hidden if name in text]


def test_a_report_of_ad_hoc_work_shows_done_and_failed_actions(tmp_path: Path) -> None:
    with lines(f"sqlite:///{tmp_path / 'j.db'}") as client:
        client.result_of("record_execution_start", title="copying")
        action = client.result_of("record_action", phase="begin", tool="cp", summary="copy it")["id"]
        client.result_of(
            "record_action", phase="end", action_id=action, outcome="failed", error="ENOSPC", summary="full"
        )
        client.result_of("record_decision", decision="retry", why="made room")
        text = client.ask("prompts/get", name="report", arguments={})["messages"][0]["content"]["text"]
    assert all(word in text for word in ("copy it", "ENOSPC", "made room"))
    assert text.count("</journal-data>") == 1


def test_a_session_that_is_no_text_and_an_empty_note_are_rejected(tmp_path: Path) -> None:
    with lines(f"sqlite:///{tmp_path / 'j.db'}") as client:
        client.result_of("record_execution_start", title="work")
        session = client.call("record_context", key="k", value=1, session_id=7)["structuredContent"]["error"]
        note = client.call("record_action", phase="note")["structuredContent"]["error"]
        head = client.call("query_ledger", view="verify", filter="head:typo")["structuredContent"]["error"]
        assert (session["field"], note["field"], head["field"]) == ("session_id", "summary", "head")
        assert client.result_of("query_ledger", view="context")["values"] == []


def _steps(**more: Any) -> list[dict[str, Any]]:
    return [{"id": "send", "title": "Send", "tool": "mail", "cancellable": "irreversible", **more}]


def test_a_step_that_needs_approval_names_the_exact_request(tmp_path: Path) -> None:
    call = {"tool": "mail", "arguments": {"to": "boss"}}
    with lines(f"sqlite:///{tmp_path / 'j.db'}") as client:
        plan = client.result_of("record_plan", title="P", steps=_steps(needs_approval=True))["id"]
        client.result_of("record_execution_start", plan_id=plan)
        begin = {"phase": "begin", "summary": "send", "step": "send"}
        refused = client.call("record_action", **begin, **call)
        following = refused["structuredContent"]["error"]["next"]
        assert following["tool"] == "record_decision"
        assert {**following["arguments"], **call} == following["arguments"]
        assert "begin the step with its approval_id" in refused["structuredContent"]["error"]["hint"]
        arguments = client.result_of(
            "record_decision", **{**following["arguments"], "question": "May I?", "why": "mail"}
        )
        assert "next_steps" not in arguments
        waiting = client.call("record_action", **begin, **call)["structuredContent"]["error"]
        read = {"view": "approvals", "filter": f"id:{arguments['approval_id']}"}
        assert waiting["next"] == {"tool": "query_ledger", "arguments": read}
        assert arguments["approval_id"] in waiting["message"]
        long = client.call("record_action", **begin, tool="mail", arguments={"text": "x" * 1000})
        assert "exactly this tool and these arguments" in str(long) or arguments["approval_id"] in str(long)


PLACEHOLDERS: dict[str, Any] = {
    "steps": STEPS,
    "outcome": "ok",
    "decision": "continue",
    "value": 1,
    "phase": "begin",
    "key": "another",
}
"""What an agent puts where a suggested call says "...": a text for all others."""
COMPLETE = [
    (code, way)
    for code in ("wrong_state", "already_done", "in_doubt_open", "approval_pending", "unknown_handle", "conflict")
    for way in REFUSALS[code]
]
"""The refusals whose next call is another one; that of a wrong argument is the same call, with another value."""


def _filled(arguments: dict[str, Any]) -> dict[str, Any]:
    is_open = {name for name, value in arguments.items() if value in ("...", SETTLE_OUTCOMES)}
    return {name: PLACEHOLDERS.get(name, "some text") if name in is_open else arguments[name] for name in arguments}


@pytest.mark.parametrize(("code", "way"), COMPLETE)
def test_the_next_call_of_a_refusal_is_whole_and_is_not_refused(tmp_path: Path, code: str, way: str) -> None:
    with lines(f"sqlite:///{tmp_path / 'j.db'}") as client:
        refused = REFUSALS[code][way](client)
        following = refused["structuredContent"]["error"]["next"]
        answer = client.call(following["tool"], **_filled(following["arguments"]))
    assert not answer["isError"], (refused["content"], answer["content"])
    shown = refused["content"][0]["text"].rpartition(" Next: ")[2]
    known = {"tool", "arguments"} if "step" in following["arguments"] else set()  # to the plan
    assert all(f"{name}=" in shown for name in following["arguments"].keys() - known), shown


@pytest.mark.parametrize(("code", "way"), COMPLETE)
def test_with_few_tools_the_next_call_of_a_refusal_uses_them(tmp_path: Path, code: str, way: str) -> None:
    hidden = set(PROFILES["all"]) - set(PROFILES["minimal"])
    with lines(f"sqlite:///{tmp_path / 'j.db'}", profile="minimal") as client:
        refused = REFUSALS[code][way](client)
        if (code, way) == ("unknown_handle", "a plan is not started"):
            assert not refused["isError"]  # with few tools a plan is begun as it is recorded
            return
        following = refused["structuredContent"]["error"]["next"]
        answer = client.call(following["tool"], **_filled(following["arguments"]))
    assert following["tool"] in PROFILES["minimal"]
    assert not answer["isError"], (refused["content"], answer["content"])
    assert not [name for name in hidden if name in refused["content"][0]["text"]]


def test_after_the_end_of_the_work_a_record_is_told_what_has_ended(tmp_path: Path) -> None:
    with lines(f"sqlite:///{tmp_path / 'j.db'}") as client:
        execution = client.result_of("record_plan", title="Move", steps=STEPS, start=True)["execution_id"]
        client.result_of("record_decision", decision="stop", why="enough")
        refused = client.call("record_decision", decision="keep", why="it is wanted")["structuredContent"]["error"]
    assert refused["message"] == f"There is no open execution: {execution} is cancelled."
    assert "name its execution_id" in refused["hint"]


@pytest.mark.parametrize("name", ["record_plan", "record_execution_start"])
def test_a_plan_whose_first_step_needs_a_person_says_so_when_it_starts(tmp_path: Path, name: str) -> None:
    steps = _steps(needs_approval=True)
    with lines(f"sqlite:///{tmp_path / 'j.db'}") as client:
        started = client.result_of("record_plan", title="P", steps=steps, start=name == "record_plan")
        if name == "record_execution_start":
            started = client.result_of("record_execution_start", plan_id=started["id"])
        assert "record_decision(decision=ask_human, step=send, question=..., why=...)" in started["next"]
        asked = client.result_of("record_decision", decision="ask_human", step="send", question="Now?", why="for good")
        assert asked["approval_id"]


@pytest.mark.parametrize("profile", ["all", "minimal"])
@pytest.mark.parametrize("step", [STEPS[0], {"id": "copy", "name": "Copy", "tool": "cp", "compensation": "rm"}])
def test_a_plan_that_has_a_name_for_its_title_goes_on_in_the_execution_that_it_started(
    tmp_path: Path, profile: str, step: dict[str, Any]
) -> None:
    with lines(f"sqlite:///{tmp_path / 'j.db'}", profile=profile) as client:
        started = {"start": True} if profile == "all" else {}  # with few tools a plan is begun as it is recorded
        answer = client.call("record_plan", name="Move", steps=[step], **started)
        execution = answer["structuredContent"]["execution_id"]
        text = answer["content"][0]["text"]
        assert text.count(execution) == 1
        assert f"{execution} is open" in text
        assert "execute_plan" not in text
        assert ("record_action(phase=begin, step=copy, ...)" in text) == (profile == "all")
        (only,) = client.result_of("query_ledger", view="executions")["executions"]
        assert only["id"] == execution


def test_a_failed_step_says_what_the_plan_wants_as_its_next_call(tmp_path: Path) -> None:
    with lines(f"sqlite:///{tmp_path / 'j.db'}") as client:
        client.result_of("record_plan", title="Move", steps=STEPS, start=True)
        failed = client.call("record_action", phase="done", step="copy", outcome="failed", summary="no", error="no")
    assert failed["content"][0]["text"].endswith("decide retry, skip, replan, unwind, ask_human or stop")
    assert "advice" in failed["structuredContent"]
    assert failed["content"][0]["text"].count("decide retry") == 1


def test_an_argument_to_leave_out_is_not_asked_for(tmp_path: Path) -> None:
    with lines(f"sqlite:///{tmp_path / 'j.db'}") as client:
        client.result_of("record_execution_start", title="work")
        for arguments in ({"phase": "begin", "outcome": "ok"}, {"phase": "begin", "step": "copy"}):
            refused = client.call("record_action", summary="x", **arguments)
            assert "eave it out" in refused["content"][0]["text"]
            assert "next" not in refused["structuredContent"]["error"]


def test_an_edited_approval_names_the_arguments_that_were_granted(tmp_path: Path) -> None:
    with lines(f"sqlite:///{tmp_path / 'j.db'}") as client:
        refused = REFUSALS["wrong_state"]["it is answered with an edit"](client)
        following = refused["structuredContent"]["error"]["next"]
        shown = client.result_of(following["tool"], **following["arguments"])
        assert shown["next"].endswith(f'approval_id={shown["id"]}, arguments={{"to":"c"}})')
        begin = {"phase": "begin", "step": "copy", "approval_id": shown["id"], "arguments": {"to": "c"}}
        client.result_of("record_action", summary="copying", **begin)


def test_a_revision_of_a_plan_under_way_goes_on_with_replan(tmp_path: Path) -> None:
    with lines(f"sqlite:///{tmp_path / 'j.db'}") as client:
        plan = client.result_of("record_plan", title="Move", steps=STEPS, start=True)["id"]
        revised = client.result_of("record_plan", title="Move", steps=STEPS, plan_id=plan, reason="other files")
        assert revised["next"].startswith("record_decision(decision=replan, why=...)")
        client.result_of("record_decision", decision="replan", why="other files")


@pytest.mark.parametrize(
    ("tool", "arguments", "following"),
    [
        ("record_execution_start", {"plan_id": "pl_zz"}, ("query_ledger", {"view": "plans"})),
        ("record_decision", {"execution_id": "ex_zz", "decision": "done"}, ("query_ledger", {"view": "executions"})),
        (
            "record_action",
            {"phase": "end", "outcome": "ok"},
            ("record_action", {"phase": "done", "outcome": "...", "summary": "..."}),
        ),
        (
            "record_action",
            {"phase": "note", "action_id": "ac_zz", "summary": "x"},
            ("query_ledger", {"view": "journal"}),
        ),
        ("record_context", {"key": 5, "value": 1}, ("record_context", {"key": "..."})),
        ("record_context", {"key": "k", "value": "x" * (2 << 20)}, ("record_context", {"value": "..."})),
        ("record_plan", {"title": "x", "steps": ["a"]}, ("record_plan", {"steps": "..."})),
        ("query_ledger", {"view": "journal", "filter": "colour:red"}, ("query_ledger", {"view": "journal"})),
    ],
)
def test_a_refusal_names_the_next_call(
    tmp_path: Path, tool: str, arguments: dict[str, Any], following: tuple[str, dict[str, Any]]
) -> None:
    with lines(f"sqlite:///{tmp_path / 'j.db'}") as client:
        refused = client.call(tool, **arguments)
    assert refused["structuredContent"]["error"]["next"] == {"tool": following[0], "arguments": following[1]}
    assert f"Next: {following[0]}(" in refused["content"][0]["text"]


@pytest.mark.parametrize(
    ("tool", "arguments", "field", "allowed"),
    [
        ("query_ledger", {"view": 5}, "view", "journal"),
        ("record_decision", {"decision": None, "why": "x"}, "decision", "ask_human"),
        ("record_plan", {"title": "x", "steps": _steps(undo={"tol": "x"})}, "steps[0].undo.tol", "tool"),
    ],
)
def test_a_value_of_the_wrong_kind_is_refused_with_those_that_are_allowed(
    tmp_path: Path, tool: str, arguments: dict[str, Any], field: str, allowed: str
) -> None:
    with lines(f"sqlite:///{tmp_path / 'j.db'}") as client:
        error = client.call(tool, **arguments)["structuredContent"]["error"]
    assert error["field"] == field
    assert allowed in error["allowed"]
    assert allowed in error["hint"]


@pytest.mark.parametrize(
    ("value", "field"), [("NaN", "value"), ('[1,{"a":Infinity}]', "value[1].a"), ('{"b":1,"b":2}', "b")]
)
def test_invalid_json_is_rejected_with_the_name_of_its_argument(tmp_path: Path, value: str, field: str) -> None:
    with lines(f"sqlite:///{tmp_path / 'j.db'}", era="2025-11-25") as client:
        call = f'{{"name":"record_context","arguments":{{"key":"k","value":{value}}}}}'
        error = client.send_line(f'{{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{call}}}')["result"][
            "structuredContent"
        ]["error"]
    assert error["field"] == field


def test_a_handle_is_shown_whole_or_not_at_all(tmp_path: Path) -> None:
    with lines(f"sqlite:///{tmp_path / 'j.db'}") as client:
        open_ones = [client.result_of("record_execution_start", title=f"work {number}")["id"] for number in range(5)]
        shown = [
            client.call("record_action", phase="begin", tool="t", summary="x")["content"][0]["text"],
            client.call("query_ledger", execution_id="ex_" + "y" * 60)["content"][0]["text"],
        ]
    for text in shown:
        assert not [
            word
            for word in text.replace("…", " ").replace(",", " ").replace(".", " ").split()
            if word.startswith("ex_") and word not in open_ones
        ]


def test_an_unknown_resource_cannot_be_subscribed_to(tmp_path: Path) -> None:
    with lines(f"sqlite:///{tmp_path / 'j.db'}", era="2025-11-25") as client:
        arguments = '{{"jsonrpc":"2.0","id":9,"method":"resources/subscribe","params":{{"uri":"{}"}}}}'
        assert "There is no resource" in client.send_line(arguments.format("journal://nothing"))["error"]["message"]
        assert client.send_line(arguments.format("journal://brief"))["result"] == {}


def test_an_undo_that_has_ended_is_followed_by_the_next_one(tmp_path: Path) -> None:
    with lines(f"sqlite:///{tmp_path / 'j.db'}") as client:
        execution = client.result_of("record_execution_start", title="work")["id"]
        actions = []
        for number in range(2):
            actions.append(client.result_of("record_action", **_begin(number, execution))["id"])
            client.call("record_action", phase="end", action_id=actions[-1], outcome="ok")
        client.call("record_decision", decision="unwind", why="wrong")
        undone = client.result_of("record_action", phase="begin", kind="undo", undoes=actions[1], summary="undo it")
        ended = client.call("record_action", phase="end", action_id=undone["id"], outcome="ok")["content"][0]["text"]
    assert f"Next: undo {actions[0]} t0" in ended


def test_a_repeated_done_starts_nothing_with_few_tools(tmp_path: Path) -> None:
    with lines(f"sqlite:///{tmp_path / 'j.db'}", profile="minimal") as client:
        client.result_of("record_plan", title="Move", steps=STEPS)
        client.call("record_decision", decision="stop", why="enough")
        refused = client.call("record_decision", decision="done", why="enough")
        listed = client.result_of("query_ledger", view="executions")["executions"]
    assert "has ended already: it is cancelled" in refused["content"][0]["text"]
    assert len(listed) == 1


def test_with_few_tools_a_first_decision_of_a_client_with_ids_of_calls_is_recorded_once(tmp_path: Path) -> None:
    with lines(f"sqlite:///{tmp_path / 'j.db'}", HANDSHAKE, "minimal") as client:
        arguments = {"decision": "ask_human", "why": "it is costly", "question": "May I?"}
        request = {"name": "record_decision", "arguments": arguments, "_meta": {"claudecode/toolUseId": "toolu_1"}}
        first, again = (client.ask("tools/call", **request) for _ in range(2))
        listed = client.result_of("query_ledger", view="executions")["executions"]
    assert first["structuredContent"]["approval_id"] == again["structuredContent"]["approval_id"]
    assert again["structuredContent"]["repeated"]
    assert len(listed) == 1


@pytest.mark.parametrize("decision", ["keep", "done", "unwind", "skip"])
def test_with_few_tools_a_decision_about_work_that_has_ended_starts_nothing(tmp_path: Path, decision: str) -> None:
    with lines(f"sqlite:///{tmp_path / 'j.db'}", profile="minimal") as client:
        execution = client.result_of("record_plan", title="Move", steps=STEPS)["execution_id"]
        client.call("record_decision", decision="stop", why="enough")
        refused = client.call("record_decision", decision=decision, why="it is sent", step="copy")
        listed = client.result_of("query_ledger", view="executions")["executions"]
    assert execution in refused["content"][0]["text"]
    assert len(listed) == 1


@pytest.mark.parametrize("is_paused", [False, True])
def test_a_settled_doubt_is_said_to_be_what_it_was_settled_as(tmp_path: Path, is_paused: bool) -> None:
    with lines(f"sqlite:///{tmp_path / 'j.db'}") as client:
        execution = client.result_of("record_execution_start", title="work")["id"]
        action = client.result_of("record_action", **_begin(1, execution))["id"]
        client.result_of("record_action", phase="end", action_id=action, outcome="unknown")
        if is_paused:
            client.result_of("record_decision", decision="pause", why="lunch")
        evidence = {"outcome": "ok", "evidence": "the file is there"}
        settled = client.call("record_decision", decision="settle", action_id=action, why="looked", **evidence)
    text = f"execution_id={execution} status=paused state=ok" if is_paused else "state=ok"
    assert settled["content"][0]["text"].startswith(text)
