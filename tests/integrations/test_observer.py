"""The part that all adapters share: calls are recorded before and after, and errors never reach the program."""

import asyncio
import gc
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from tallystick import AsyncJournal, InDoubtOpen, InvalidArgument, Journal, Step, StorageUnavailable, Undo
from tallystick.integrations.observer import CallObserver
from tests.integrations.world import actions_of, facts, leave_in_doubt
from tests.interfaces.rest.conftest import server as server
from tests.interfaces.rest.rest_server import StoreServer


def test_a_call_is_on_disk_before_it_is_made(journal: Journal) -> None:
    with CallObserver(journal, "test").call("add", {"a": 1}, call_id="on disk", agent="ada") as seen:
        (before,) = actions_of(journal)
        seen.result = 2
    (after,) = actions_of(journal)
    assert (before.outcome, after.outcome, after.payload) == ("open", "ok", 2)
    assert (after.tool, after.arguments, after.actor, after.kind, after.call) == (
        "add",
        {"a": 1},
        "ada",
        "agent",
        "on disk",
    )


def test_the_same_id_for_another_call_is_another_action(journal: Journal) -> None:
    observer = CallObserver(journal, "test")
    for number in range(3):
        with observer.call("add", {"a": number}, call_id="call_0") as seen:
            seen.result = number
    assert facts(journal) == [("add", {"a": number}, "ok", number) for number in range(3)]
    assert len({each.call for each in actions_of(journal)}) == 3


def test_two_observers_of_the_same_call_make_one_action(journal: Journal) -> None:
    outer, inner = CallObserver(journal, "outer"), CallObserver(journal, "inner")
    with outer.call("add", {}, call_id="c1") as first, inner.call("add", {}, call_id="c1") as second:
        first.result = second.result = 3
    assert facts(journal) == [("add", {}, "ok", 3)]


def test_two_observers_of_calls_that_share_an_id_make_one_action_of_each(journal: Journal) -> None:
    outer, inner = CallObserver(journal, "outer"), CallObserver(journal, "inner")
    for number in range(3):  # a model that counts its calls from the start in each turn
        with outer.call("add", {"a": number}, call_id="call_0"), inner.call("add", {"a": number}, call_id="call_0"):
            pass
    assert [each.arguments for each in actions_of(journal)] == [{"a": 0}, {"a": 1}, {"a": 2}]


def test_concurrent_calls_that_share_an_id_are_distinguished_by_their_arguments(journal: Journal) -> None:
    outer, inner = CallObserver(journal, "outer"), CallObserver(journal, "inner")
    with (
        outer.call("add", {"a": 1}, call_id="call_0") as first,
        outer.call("add", {"a": 2}, call_id="call_0") as second,
        inner.call("add", {"a": 2}, call_id="call_0") as second_again,
        inner.call("add", {"a": 1}, call_id="call_0") as first_again,
    ):
        first.result = first_again.result = "one"
        second.result = second_again.result = "two"
    assert facts(journal) == [("add", {"a": 1}, "ok", "one"), ("add", {"a": 2}, "ok", "two")]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (("ask", {"q": "please"}, ""), ("delete", {"path": "/x"}, "")),
        (("ask", {}, ""), ("delete", {}, "")),
        (("send", {"to": "ann"}, ""), ("send", {"to": "bob"}, "")),
        (("send", {}, ""), ("send", {"to": "bob"}, "")),
        (("send", {"to": "ann"}, "run 1"), ("send", {"to": "ann"}, "run 2")),
    ],
    ids=["other tool and arguments", "other tool", "other arguments", "no arguments", "other run"],
)
def test_different_concurrent_calls_under_one_id_are_one_action_each(journal: Journal, first: Any, second: Any) -> None:
    outer, inner = CallObserver(journal, "outer"), CallObserver(journal, "inner")
    with outer.call(*first[:2], call_id="call_0", run=first[2]) as one:
        with inner.call(*second[:2], call_id="call_0", run=second[2]) as two:
            two.result = "inside"
        one.result = "outside"
    assert facts(journal) == [(*first[:2], "ok", "outside"), (*second[:2], "ok", "inside")]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (("add", {"a": 1}, "run 1"), ("add", {"a": 1, "filled_in": 2}, "")),
        (("mcp__sums__add", {"a": 1}, ""), ("add", {"a": 1}, "")),
        (("add", {"__arg1": "1"}, "run 1"), ("add", {"input": "1"}, "run 1")),
    ],
    ids=["one gets more", "one names the server", "one gets a text"],
)
def test_a_call_that_two_observers_see_differently_is_one_action(journal: Journal, first: Any, second: Any) -> None:
    outer, inner = CallObserver(journal, "outer"), CallObserver(journal, "inner")
    with outer.call(*first[:2], call_id="call_0", run=first[2]) as one:
        with inner.call(*second[:2], call_id="call_0", run=second[2]) as two:
            two.result = 3
        one.result = 3
    assert facts(journal) == [(*first[:2], "ok", 3)]


@pytest.mark.parametrize(("shares_ids", "actions"), [(False, 2), (True, 1)], ids=["its own ids", "ids of the client"])
def test_a_call_of_another_process_with_the_same_id_is_another_one_unless_ids_are_shared(
    journal: Journal, tmp_path: Path, shares_ids: bool, actions: int
) -> None:
    with Journal.open(f"sqlite://{tmp_path}/journal.db", witness="observed") as other:
        other.record_action(phase="begin", tool="add", call_id="call_0")
        with CallObserver(journal, "test", shares_ids=shares_ids).call("add", {}, call_id="call_0"):
            pass
        assert len(actions_of(journal)) == actions


def test_a_call_belongs_to_the_execution_of_its_context(journal: Journal) -> None:
    observer = CallObserver(journal, "test")
    with journal.execution("outer"), journal.execution("inner") as inner, observer.call("add", {}):
        pass
    (begun,) = journal.read_entries(kind="action_begun").entries
    assert begun.execution_id == inner.id


def test_an_execution_of_another_journal_is_not_used(journal: Journal) -> None:
    with Journal.open("memory:") as other, other.execution("elsewhere"), CallObserver(journal, "test").call("add", {}):
        pass
    assert facts(journal) == [("add", {}, "ok", None)]


def test_the_same_id_again_does_not_bring_an_execution_of_another_journal_back(
    journal: Journal, complaints: list[str]
) -> None:
    observer = CallObserver(journal, "test")
    with Journal.open("memory:") as other, other.execution("elsewhere"):
        for number in range(2):
            with observer.call("add", {"a": number}, call_id="call_0"):
                pass
    assert (facts(journal), complaints) == ([("add", {"a": number}, "ok", None) for number in range(2)], [])


def test_an_open_id_is_free_when_its_observer_is_gone(journal: Journal) -> None:
    with Journal.open("memory:") as other:
        CallObserver(other, "test").call("add", {}, call_id="call_0").begin()
    with CallObserver(journal, "test").call("add", {"a": 1}, call_id="call_0"):
        pass
    assert [each.call for each in actions_of(journal)] == ["call_0"]


def test_effects_are_set_by_patterns_and_a_read_is_not_owed(journal: Journal) -> None:
    observer = CallObserver(journal, "test", effects={"search*": "read"})
    for tool in ("search_web", "send"):
        with observer.call(tool, {}):
            pass
    assert [item.tool for item in journal.get_undo_list().items] == ["send"]


def test_an_agent_that_acts_inside_a_call_of_another_is_a_sub_agent(journal: Journal) -> None:
    observer = CallObserver(journal, "test")
    with observer.call("ask", {}, agent="ada"), observer.call("look", {}, agent="bob"):
        pass
    with observer.call("look", {}, agent="bob"):
        pass
    assert [(each.actor, each.kind) for each in actions_of(journal)] == [
        ("ada", "agent"),
        ("bob", "sub-agent"),
        ("bob", "agent"),
    ]


def test_an_async_journal_works_too(tmp_path: Path) -> None:
    async def run() -> list[str]:
        async with AsyncJournal.open(f"sqlite://{tmp_path}/journal.db") as journal:
            async with CallObserver(journal, "test").call("add", {}):
                pass
            return [entry.kind for entry in (await journal.read_entries()).entries]

    assert asyncio.run(run())[-2:] == ["action_begun", "action_ended"]


FORKED = """
import asyncio, faulthandler, os, sys
from tallystick import Journal
from tallystick.integrations.observer import CallObserver

async def call(who):
    async with observer.call("add", {}, agent=who):
        pass

with Journal.open(sys.argv[1]) as journal:
    observer = CallObserver(journal, "test")
    asyncio.run(call("parent"))
    child = os.fork()
    if not child:
        faulthandler.dump_traceback_later(20, exit=True)
        asyncio.run(call("child"))
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    asyncio.run(call("parent again"))
"""


def test_an_observer_works_in_a_forked_child(journal: Journal, tmp_path: Path) -> None:
    url = f"sqlite://{tmp_path}/journal.db"
    done = subprocess.run([sys.executable, "-c", FORKED, url], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert [(each.actor, each.outcome) for each in actions_of(journal)] == [
        ("parent", "ok"),
        ("child", "ok"),
        ("parent again", "ok"),
    ]


def test_calls_on_another_event_loop_are_recorded(journal: Journal) -> None:
    async def run() -> None:
        async with CallObserver(journal, "test").call("add", {}):
            pass

    with pytest.raises(StopIteration):  # it runs to its end with nothing to wait for
        run().send(None)
    assert facts(journal) == [("add", {}, "ok", None)]


def test_a_call_with_a_cancelled_begin_is_skipped(journal: Journal) -> None:
    async def run() -> None:
        seen = CallObserver(journal, "test").call("add", {}, call_id="c1")
        task = asyncio.ensure_future(seen.abegin())
        await asyncio.sleep(0)  # it has handed its record over
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        assert task.cancelled()

    asyncio.run(run())
    assert facts(journal) == [("add", {}, "skipped", "cancelled before it was called")]


def test_a_call_with_an_unrecorded_begin_is_recorded_at_its_end(
    unwritable: Journal, tmp_path: Path, complaints: list[str]
) -> None:
    with CallObserver(unwritable, "test").call("add", {"a": 1}, call_id="afterwards") as seen:
        (tmp_path / "folder").unlink()  # there is room for a folder again
        seen.result = 2
    assert facts(unwritable) == [("add", {"a": 1}, "ok", 2)]
    assert actions_of(unwritable)[0].call == "afterwards"
    assert [messages.partition(":")[2].split()[2] for messages in complaints] == ["cannot", "records"]


def test_an_outage_is_logged_once_and_so_is_its_end(unwritable: Journal, tmp_path: Path, complaints: list[str]) -> None:
    observer = CallObserver(unwritable, "test")
    for _ in range(3):
        with observer.call("add", {}):
            pass
    assert len(complaints) == 1
    assert complaints[0].startswith("test: the journal cannot record: StorageUnavailable")
    (tmp_path / "folder").unlink()
    for _ in range(2):
        with observer.call("add", {}):
            pass
    assert complaints[1:] == ["test: the journal records again; 6 records were missed."]


def test_missed_records_are_in_the_coverage_the_brief_and_the_journal(unwritable: Journal, tmp_path: Path) -> None:
    observer = CallObserver(unwritable, "test")
    for _ in range(2):
        with observer.call("add", {}):
            pass
    (tmp_path / "folder").unlink()
    with observer.call("add", {}):
        pass
    (noted,) = unwritable.read_entries(kind="session_noted").entries
    assert (noted.witness, (noted.body or {})["details"]) == ("observed", {"missed": 4})
    assert unwritable.get_coverage().missed == 4
    assert " 4 events were lost" in unwritable.get_brief().text
    url = f"sqlite://{tmp_path}/folder/journal.db"
    requests = [sys.executable, "-m", "tallystick", "--url", url, "capture", "health"]
    health = subprocess.run(requests, capture_output=True, text=True, cwd=Path.cwd(), check=True).stdout
    assert "Events that could not be kept: 4" in health


def test_a_refused_call_is_not_counted_as_missed(unwritable: Journal, tmp_path: Path) -> None:
    observer = CallObserver(unwritable, "test", strict=True)
    with pytest.raises(StorageUnavailable), observer.call("add", {}):
        pass
    (tmp_path / "folder").unlink()
    with observer.call("add", {}):
        pass
    assert unwritable.get_coverage().missed == 0
    assert unwritable.read_entries(kind="session_noted").entries == ()


def test_a_strict_observer_refuses_what_is_in_doubt_until_it_is_settled(
    journal: Journal, complaints: list[str]
) -> None:
    observer = CallObserver(journal, "test", strict=True, effects={"look": "read", "set": "idempotent"})
    for tool in ("look", "set"):
        leave_in_doubt(journal, tool, {})
        with observer.call(tool, {}):
            pass
    doubt = leave_in_doubt(journal, "pay", {"to": "ada"})
    with pytest.raises(InDoubtOpen, match=f"in doubt as {doubt}") as refused, observer.call("pay", {"to": "ada"}):
        pass
    assert journal.get_action(action_id=doubt).repeated_by == ()
    with observer.call("pay", {"to": "bo"}):
        pass
    assert refused.value.next_call is not None
    _, settle = refused.value.next_call
    journal.record_decision(**{**settle, "outcome": "skipped", "evidence": "the account shows nothing"})
    with observer.call("pay", {"to": "ada"}):
        pass
    assert complaints == []


def test_an_observer_that_is_not_strict_makes_a_call_in_doubt_and_marks_it(journal: Journal) -> None:
    doubt = leave_in_doubt(journal, "pay", {})
    with CallObserver(journal, "test").call("pay", {}) as again:
        pass
    assert journal.get_action(action_id=again.id).repeats == doubt


def test_strict_refuses_before_the_call(unwritable: Journal) -> None:
    made = []
    with pytest.raises(StorageUnavailable), CallObserver(unwritable, "test", strict=True).call("add", {}):
        made.append(1)
    assert made == []


class Odd:
    def __repr__(self) -> str:
        raise RuntimeError("no words")


@pytest.mark.parametrize("value", [Odd(), {"deep": Odd()}, "\x00\udcff", 10**40, {1: {2: 3}}, b"\xff"])
def test_no_value_of_a_tool_stops_it(journal: Journal, value: Any) -> None:
    with CallObserver(journal, "test").call("odd\n" * 100, value, call_id="x" * 500, agent="\x00") as seen:
        seen.result = value
    with CallObserver(journal, "test").call("", None):
        pass
    assert actions_of(journal)[-1].outcome == "ok"


def test_a_secret_in_arguments_results_or_errors_does_not_reach_the_disk(journal: Journal, tmp_path: Path) -> None:
    secret = "sk-ant-api03-" + "Qx7Lw9Zt2Rb5Nv8Kp3Hd6Yc1Mf4Js0Ga" * 2
    observer = CallObserver(journal, "test")
    with pytest.raises(ValueError, match="sk-ant"), observer.call("send", {"password": "hunter2hunter2", "to": secret}):
        raise ValueError(f"the server refused {secret}")
    with observer.call("read", secret) as seen:
        seen.result = {"headers": {"Authorization": f"Bearer {secret}"}}
    written = b"".join(path.read_bytes() for path in tmp_path.iterdir() if path.is_file())
    assert b"the server refused" in written
    assert secret.encode() not in written
    assert b"hunter2hunter2" not in written


FRAMEWORKS = {
    "openai_agents": ("agents", "openai-agents"),
    "langchain": ("langchain", "langchain"),
    "pydantic_ai": ("pydantic_ai", "pydantic-ai"),
    "claude_agent_sdk": ("claude_agent_sdk", "claude-agent-sdk"),
}


@pytest.mark.parametrize("module", FRAMEWORKS)
def test_a_framework_that_is_not_installed_is_named_with_the_command_to_install_it(module: str) -> None:
    package, extra = FRAMEWORKS[module]
    program = f"""
import sys
sys.modules[{package!r}] = None
try:
    import tallystick.integrations.{module}
except ImportError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert f"pip install 'tallystick[{extra}]'" in done.stdout


def test_a_failed_record_of_a_cancelled_task_is_not_reported_to_it(unwritable: Journal) -> None:
    received: list[Any] = []
    observer = CallObserver(unwritable, "test", strict=True)

    async def run() -> None:
        asyncio.get_running_loop().set_exception_handler(lambda loop, context: received.append(context["message"]))
        begins = [asyncio.ensure_future(observer.call("add", {}).abegin()) for _ in range(20)]
        await asyncio.sleep(0)
        for each in begins:
            each.cancel()
        await asyncio.gather(*begins, return_exceptions=True)

    asyncio.run(run())
    gc.collect()
    assert received == []


@pytest.mark.parametrize("kind", [Journal, AsyncJournal])
def test_a_journal_at_a_server_records_observed_calls(server: StoreServer, kind: Any) -> None:
    far = kind.open(server.url)
    observer = CallObserver(far, "test", strict=True)
    with observer.call("add", {"a": 1}, call_id="c1", agent="ada") as seen:
        seen.result = 2
    with pytest.raises(ValueError, match="no ink"), observer.call("fail", {}, agent="scout", sub_agent=True):
        raise ValueError("no ink")
    with Journal.open(server.url) as journal:
        assert [(each.tool, each.outcome, each.payload, each.actor, each.kind) for each in actions_of(journal)] == [
            ("add", "ok", 2, "ada", "agent"),
            ("fail", "failed", "ValueError: no ink", "scout", "sub-agent"),
        ]
    asyncio.run(far.close()) if kind is AsyncJournal else far.close()


@pytest.mark.parametrize(
    ("options", "fix"),
    [
        ({"stirct": True}, "Did you mean strict?"),
        ({"colour": "red"}, "Use one of: agent, strict, effects."),
        ({"effects": {"look*": "reads"}}, "Use one of: read, idempotent, probeable, unsafe."),
        ({"effects": ["look*"]}, 'Give patterns with their effects: {"search*": "read"}.'),
        ({"strict": "no"}, "Use True or False."),
        ({"agent": 7}, "Give a name."),
    ],
)
def test_a_wrong_option_is_refused_at_once_with_the_fix(journal: Journal, options: Any, fix: str) -> None:
    with pytest.raises(InvalidArgument) as caught:
        CallObserver(journal, "test", **options)
    assert caught.value.hint == fix


def test_no_journal_is_refused_at_once() -> None:
    with pytest.raises(InvalidArgument, match="is NoneType, not a Journal"):
        CallObserver(None, "test")  # type: ignore[arg-type]


def test_an_execution_that_was_opened_for_observed_calls_ends_with_the_journal(tmp_path: Path) -> None:
    url = f"sqlite://{tmp_path}/journal.db"
    with Journal.open(url) as journal:
        with CallObserver(journal, "test").call("add", {}, call_id="c1"):
            pass
        with pytest.raises(ValueError, match="no"), CallObserver(journal, "test").call("fail", {}, call_id="c2"):
            raise ValueError("no")
        journal.record_execution_start(title="of the program")
        with CallObserver(journal, "test").call("add", {"a": 1}, call_id="c3"):
            pass
    with Journal.open(url) as journal:
        found = {each.title: each for each in journal.list_executions().executions}
    assert (found["Observed: test"].status, found["Observed: test"].unfinished) == ("completed", {"undecided": 1})
    assert found["of the program"].status == "running"


def test_what_is_in_doubt_or_temporary_does_not_keep_an_observed_execution_from_ending(tmp_path: Path) -> None:
    url = f"sqlite://{tmp_path}/journal.db"
    with Journal.open(url) as journal:
        observer = CallObserver(journal, "test")
        with suppress(KeyboardInterrupt), observer.call("pay", {}, call_id="c1"):
            raise KeyboardInterrupt
        execution = journal.list_executions().executions[0].id
        lock: dict[str, Any] = {"tool": "lock", "undo": "open it", "temporary": True, "outcome": "ok"}
        journal.record_action(phase="done", execution_id=execution, **lock)
    with Journal.open(url) as journal:
        ended = journal.get_execution(execution_id=execution)
    assert (ended.status, ended.unfinished) == ("completed", {"in_doubt": 1, "temporary": 1})


def test_an_execution_with_a_call_that_waits_for_a_person_outlives_the_journal(tmp_path: Path) -> None:
    url = f"sqlite://{tmp_path}/journal.db"
    with Journal.open(url) as journal:
        call = CallObserver(journal, "test").call("ask", {}, call_id="c1")
        call.begin()
        call.suspend()
    with Journal.open(url) as journal:
        assert [each.status for each in journal.list_executions().executions] == ["running"]


def test_an_agent_that_recovered_ends_its_execution(journal: Journal) -> None:
    observer = CallObserver(journal, "test")
    with journal.execution("Do the sums") as execution:
        with pytest.raises(ValueError, match="no"), observer.call("add", {"a": 1}, call_id="c1"):
            raise ValueError("no")
        with observer.call("add", {"a": 2}, call_id="c2"):
            pass
    ended = journal.get_status(execution_id=execution.id).execution
    assert (ended.status, ended.unfinished) == ("completed", {"undecided": 1})


def test_a_retry_that_succeeded_takes_its_step_and_the_next_one_is_in_order(journal: Journal) -> None:
    undo = Undo(tool="drop", arguments={"table": "${arguments.table}"})
    steps = [
        Step(id="make", title="Make", tool="make", undo=undo),
        Step(id="fill", title="Fill", tool="fill", undo="-"),
    ]
    plan = journal.record_plan(title="Load", steps=steps)
    observer = CallObserver(journal, "test")
    with journal.execution(plan_id=plan.id, strict=True) as execution:
        with observer.call("mcp__db__make", {"table": "t"}, call_id="c1") as first:
            first.failed("locked")
        with observer.call("mcp__db__make", {"table": "t"}, call_id="c2") as second:
            second.unknown("timed out")
        for number, tool in enumerate(("make", "fill"), 3):
            with observer.call(f"mcp__db__{tool}", {"table": "t"}, call_id=f"c{number}"):
                pass
        journal.record_action(
            phase="end", action_id=second.id, outcome="failed", without_effect=True, evidence="looked"
        )
        journal.record_decision(decision="continue", why="the third one worked")
    status = journal.get_status(execution_id=execution.id)
    assert [(step.id, step.actual, step.attempts) for step in status.steps] == [
        ("make", "done", 3),
        ("fill", "done", 1),
    ]
    assert status.execution.unplanned == 0
    begun = journal.read_entries(kind="action_begun").entries
    assert [entry.facts.get("repeats", "") for entry in begun] == ["", "", second.id, ""]
    undos = {
        item.action_id: item.undo.arguments
        for item in journal.get_undo_list(execution_id=execution.id).items
        if item.undo
    }
    assert undos[begun[2].id] == {"table": "t"}


def test_the_text_of_an_error_holds_no_task_and_no_address(journal: Journal) -> None:
    async def cancelled() -> None:
        async with CallObserver(journal, "test").call("wait", {}, call_id="c1"):
            raise asyncio.CancelledError(f"Cancelled via cancel scope 7f00deadbeef by {asyncio.current_task()!r}")

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(cancelled())
    with pytest.raises(ValueError, match="object"), CallObserver(journal, "test").call("fail", {}, call_id="c2"):
        raise ValueError(f"{object()!r} is not {asyncio.Event!r}")
    assert [each.payload for each in actions_of(journal)] == [
        "interrupted by CancelledError: Cancelled via cancel scope by <Task>",
        "ValueError: <object object> is not <class 'asyncio.locks.Event'>",
    ]
