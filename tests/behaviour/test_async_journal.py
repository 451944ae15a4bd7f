"""The asynchronous journal: the same scopes, decorator, carrying out and following, awaited."""

import asyncio
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from tallystick import AsyncJournal, InvalidArgument, Journal, Step, Undo, UnknownHandle
from tallystick.operations.runtime.operation_context import OperationContext, Principal
from tests.behaviour.scenarios import entries, plan, status, step
from tests.drivers import Local
from tests.matrix import Cell
from tests.promises import promise


def _awaited(cell: Cell, work: Callable[[AsyncJournal], Awaitable[Any]]) -> Any:
    """Run a coroutine on a loop of its own, with an asynchronous journal on the cell's store."""

    async def run() -> Any:
        async with AsyncJournal(Local(OperationContext(cell.store, cell.settings, Principal()))) as journal:
            return await work(journal)

    return asyncio.run(run())


@promise("async-scopes-do-the-same")
def test_async_scopes_record_the_begin_and_the_end(cell: Cell) -> None:
    made = plan(cell.journal, "one")

    async def work(journal: AsyncJournal) -> tuple[str, str]:
        async with journal.execution("Move", plan_id=made.id) as execution:
            async with journal.step("one", "copy", tool="cp") as copy:
                copy.result = {"files": 3}
            await execution.remember("target", "b")
            await execution.decide("continue", "all is well")
        return execution.id, copy.id

    execution, action = _awaited(cell, work)
    assert status(cell.journal, execution) == "completed"
    assert entries(cell.journal, id=action)[-1].body == {"result": {"files": 3}}
    assert cell.journal.get_context(key="target", scope="execution", execution_id=execution).values[0].value == "b"


@promise("async-scopes-do-the-same")
def test_an_exception_in_an_async_scope_passes_unchanged(cell: Cell) -> None:
    error = ValueError("no room")

    async def work(journal: AsyncJournal) -> str:
        async with journal.execution("Move") as execution:
            with pytest.raises(ValueError, match="no room") as caught:
                async with execution.action("copy", tool="cp"):
                    raise error
            assert caught.value is error
            await execution.decide("stop", "enough")
        return execution.id

    execution = _awaited(cell, work)
    assert status(cell.journal, execution) == "cancelled"
    assert entries(cell.journal, kind="action_ended")[0].body == {"error": "ValueError: no room"}


@promise("async-scopes-do-the-same")
def test_a_cancelled_task_leaves_its_action_in_doubt(cell: Cell) -> None:
    async def work(journal: AsyncJournal) -> str:
        begun = asyncio.Event()
        ids: list[str] = []

        async def task() -> None:
            async with journal.execution("Move"), journal.action("copy", tool="cp") as action:
                ids.append(action.id)
                begun.set()
                await asyncio.Event().wait()

        running = asyncio.create_task(task())
        await begun.wait()
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running
        return ids[0]

    action = _awaited(cell, work)
    assert [item.action_id for item in cell.journal.list_in_doubt().in_doubt] == [action]


@promise("async-scopes-do-the-same")
def test_tasks_have_their_own_current_execution(cell: Cell) -> None:
    async def one(journal: AsyncJournal, name: str) -> tuple[str, str]:
        async with journal.execution(name) as execution, journal.action(name, tool=name) as action:
            await asyncio.sleep(0)
        return execution.id, action.id

    async def work(journal: AsyncJournal) -> list[tuple[str, str]]:
        return await asyncio.gather(*(one(journal, f"task {number}") for number in range(8)))

    for execution, action in _awaited(cell, work):
        assert entries(cell.journal, id=action)[0].execution_id == execution


@promise("async-scopes-do-the-same")
def test_each_call_of_a_decorated_coroutine_is_an_action(cell: Cell) -> None:
    async def work(journal: AsyncJournal) -> str:
        @journal.recorded()
        async def fetch(url: str) -> dict[str, str]:
            return {"from": url}

        async with journal.execution("work"):
            return (await fetch("example"))["from"]

    assert _awaited(cell, work) == "example"
    assert entries(cell.journal, kind="action_begun")[0].body["arguments"] == {"url": "example"}
    assert entries(cell.journal, kind="action_ended")[0].body["result"] == {"from": "example"}


@promise("async-scopes-do-the-same")
def test_a_plan_is_carried_out_by_awaiting(cell: Cell) -> None:
    made = plan(cell.journal, "one", step("two", failure_policy="cancel_all"), "three")
    called: list[Any] = []

    async def executor(each: Step) -> dict[str, str]:
        called.append(each.id)
        await asyncio.sleep(0)
        if each.id == "two":
            raise ValueError("no")
        return {"did": str(each.id)}

    final = _awaited(cell, lambda journal: journal.carry_out(made, executor, go_on=True))
    assert (called, final.results) == (["one", "two"], {"one": {"did": "one"}})
    with pytest.raises(ValueError, match="no"):
        _awaited(cell, lambda journal: journal.carry_out(made, executor))
    assert {each.id: each.actual for each in final.steps} == {"one": "done", "two": "failed", "three": "planned"}
    assert final.advice[0].policy == "cancel_all"


@promise("async-scopes-do-the-same")
def test_the_journal_is_followed_by_awaiting(cell: Cell) -> None:
    async def work(journal: AsyncJournal) -> list[int]:
        await journal.record_context(key="k", value=0)
        after = (await journal.get_stats()).entries
        seen: list[int] = []

        async def follow() -> None:
            async for entry in journal.follow(after=after, kind="context_recorded"):
                seen.append(entry.body["value"])
                if len(seen) == 3:
                    return

        following = asyncio.create_task(follow())
        for number in (1, 2, 3):
            await journal.record_context(key="k", value=number)
        await following
        return seen

    assert _awaited(cell, work) == [1, 2, 3]


@promise("async-scopes-do-the-same")
def test_many_calls_at_once_are_all_recorded(cell: Cell) -> None:
    async def work(journal: AsyncJournal) -> list[int]:
        receipts = await asyncio.gather(*(journal.record_context(key=f"k{n}", value=n) for n in range(100)))
        return [receipt.seq for receipt in receipts]

    seqs = _awaited(cell, work)
    assert len(set(seqs)) == 100
    assert len(cell.journal.list_context(limit=100).values) == 100
    assert cell.journal.verify().ok


@promise("awaited-calls-stand-each-for-itself")
def test_one_that_is_refused_stops_no_other(cell: Cell) -> None:
    async def work(journal: AsyncJournal) -> list[Any]:
        calls = [
            journal.record_context(key=f"k{n}", value=n)
            if n % 3
            else journal.record_action(phase="end", action_id="ac_none", outcome="ok")
            for n in range(30)
        ]
        return list(await asyncio.gather(*calls, return_exceptions=True))

    answers = _awaited(cell, work)
    assert [isinstance(answer, UnknownHandle) for answer in answers] == [n % 3 == 0 for n in range(30)]
    assert len(cell.journal.list_context(limit=100).values) == 20
    assert cell.journal.verify().ok


@promise("awaited-calls-stand-each-for-itself")
def test_one_that_is_cancelled_is_recorded_whole_or_not_at_all(cell: Cell) -> None:
    async def work(journal: AsyncJournal) -> int:
        tasks = [asyncio.create_task(journal.record_context(key=f"k{n}", value=n)) for n in range(20)]
        await asyncio.sleep(0)
        for task in tasks[::2]:
            task.cancel()
        answers = await asyncio.gather(*tasks, return_exceptions=True)
        return sum(not isinstance(answer, BaseException) for answer in answers)

    assert _awaited(cell, work) == 10
    assert 10 <= len(cell.journal.list_context(limit=100).values) <= 20
    assert cell.journal.verify().ok


@promise("awaited-calls-stand-each-for-itself")
def test_every_waiting_call_gets_an_error_when_the_caller_breaks() -> None:
    class Broken:
        def call(self, operation: object, arguments: object) -> Any:
            raise ZeroDivisionError

        def call_together(self, calls: object) -> Any:
            raise ZeroDivisionError

        def close(self) -> None:
            """There is nothing to let go of."""

    async def work() -> list[Any]:
        async with AsyncJournal(Broken()) as journal:
            calls = [journal.record_context(key="k", value=n) for n in range(5)]
            return await asyncio.wait_for(asyncio.gather(*calls, journal.get_stats(), return_exceptions=True), 20)

    assert [type(answer) for answer in asyncio.run(work())] == [ZeroDivisionError] * 6


@promise("a-call-that-was-not-awaited-is-not-ok")
def test_a_block_of_an_async_journal_without_async_says_what_to_write(cell: Cell) -> None:
    async def work(journal: AsyncJournal) -> list[str]:
        with pytest.raises(InvalidArgument, match="Write `async with`"), journal.execution("Move"):
            pass
        async with journal.execution("Move") as execution:
            with pytest.raises(InvalidArgument, match="Write `async with`"), execution.action("copy", tool="cp"):
                pass
        return [entry.kind for entry in (await journal.read_entries()).entries]

    assert _awaited(cell, work)[1:] == ["execution_started", "decision_recorded", "execution_ended"]


@promise("async-scopes-do-the-same")
def test_leaving_the_async_journal_ends_its_session(cell: Cell) -> None:
    async def work(journal: AsyncJournal) -> str:
        await journal.record_execution_start(title="x")
        return (await journal.record_action(phase="begin", tool="touch")).id

    action = _awaited(cell, work)
    waiting: Journal = cell.journal
    assert [item.action_id for item in waiting.list_in_doubt().in_doubt] == [action]


@promise("awaited-calls-stand-each-for-itself")
def test_a_record_does_not_wait_for_a_long_poll(cell: Cell) -> None:
    async def work(journal: AsyncJournal) -> list[int]:
        start = (await journal.record_context(key="k", value=0)).seq
        polls = [asyncio.create_task(journal.read_entries(after=start, wait_seconds=30)) for _ in range(20)]
        await asyncio.sleep(0.1)
        await asyncio.wait_for(journal.record_context(key="k", value=1), 10)
        return [len(page.entries) for page in await asyncio.wait_for(asyncio.gather(*polls), 20)]

    assert _awaited(cell, work) == [1] * 20


@promise("a-closed-journal-says-so")
@pytest.mark.parametrize("used", [False, True])
def test_a_closed_async_journal_refuses_each_call(cell: Cell, *, used: bool) -> None:
    async def work() -> list[str]:
        journal = AsyncJournal(Local(OperationContext(cell.store, cell.settings, Principal())))
        if used:
            await journal.record_context(key="k", value=1)
        await journal.close()
        records = [journal.record_context(key="k", value=number) for number in (2, 3)]
        calls = [records[0], journal.get_stats(), records[1]]
        return [str(await asyncio.gather(asyncio.wait_for(call, 10), return_exceptions=True)) for call in calls]

    assert all("This journal is closed." in message for message in asyncio.run(work()))


@promise("a-journal-works-on-both-sides-of-a-fork")
def test_an_async_journal_works_in_a_forked_child(tmp_path: Path) -> None:
    program = f"""if True:
        import asyncio, os
        from tallystick import AsyncJournal
        journal = AsyncJournal.open("sqlite:///{tmp_path}/journal.db", journal="forked")
        asyncio.run(journal.record_context(key="k", value=1))
        if os.fork() == 0:
            print(asyncio.run(asyncio.wait_for(journal.record_context(key="k", value=2), 10)).version, flush=True)
            os._exit(0)
        os.wait()
        print(asyncio.run(journal.record_context(key="k", value=3)).version)
    """
    quiet = [sys.executable, "-W", "ignore::DeprecationWarning", "-c", program]  # from 3.12 on, of forks beside threads
    done = subprocess.run(quiet, capture_output=True, text=True, timeout=60, check=False)
    assert (done.stdout.split(), done.stderr) == (["2", "3"], "")


@promise("async-scopes-do-the-same")
def test_a_plain_verb_in_an_async_scope_means_its_execution(cell: Cell) -> None:
    async def work(journal: AsyncJournal) -> tuple[str, str]:
        await journal.record_execution_start(title="beside it")
        async with journal.execution("Current") as execution:
            decided = await journal.record_decision(decision="continue", why="so")
        return execution.id, decided.execution_id

    expected, found = _awaited(cell, work)
    assert expected == found


@promise("async-scopes-do-the-same")
def test_carrying_out_that_is_broken_off_leaves_its_step_in_doubt(cell: Cell) -> None:
    made = plan(cell.journal, "one")

    async def work(journal: AsyncJournal) -> list[str]:
        async def slow(each: Step) -> None:
            async with journal.action("a part of it", tool="inner"):
                pass
            await asyncio.sleep(60)

        with pytest.raises(TimeoutError):
            await asyncio.wait_for(journal.carry_out(made, slow), 0.5)
        return [item.step for item in (await journal.list_in_doubt()).in_doubt]

    assert _awaited(cell, work) == ["one"]


@promise("async-scopes-do-the-same")
def test_an_action_that_is_cancelled_during_its_begin_is_skipped(cell: Cell) -> None:
    called: list[int] = []

    async def work(journal: AsyncJournal) -> None:
        @journal.recorded(tool="deploy")
        async def deploy(number: int) -> None:
            called.append(number)

        await journal.record_execution_start(title="work")
        task = asyncio.create_task(deploy(1))
        await asyncio.sleep(0)  # by now it waits for its record
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    _awaited(cell, work)
    assert called == []
    assert [entry.facts["outcome"] for entry in entries(cell.journal, kind="action_ended")] == ["skipped"]


@promise("async-scopes-do-the-same")
def test_an_execution_is_unwound_by_awaiting(cell: Cell) -> None:
    undo = Undo(tool="rm", arguments={"path": "${result.path}"})
    made = plan(cell.journal, step("one", tool="mk", undo=undo), step("two", tool="mk", undo="by hand"))
    removed: list[Any] = []

    async def remove(path: str) -> None:
        await asyncio.sleep(0)
        removed.append(path)

    async def make(each: Step) -> dict[str, str]:
        return {"path": f"/{each.id}"}

    async def work(journal: AsyncJournal) -> Any:
        done = await journal.carry_out(made, make)
        return await journal.unwind(
            done.execution.id, {"rm": remove}, by_hand=lambda item: removed.append(item.undo and item.undo.words)
        )

    unwound = _awaited(cell, work)
    assert (removed, len(unwound.undone), unwound.left) == (["by hand", "/one"], 2, ())


@promise("async-scopes-do-the-same")
def test_a_run_with_the_same_key_is_resumed_by_awaiting(cell: Cell) -> None:
    called: list[int] = []

    async def work(journal: AsyncJournal) -> list[int]:
        @journal.recorded
        async def double(number: int) -> int:
            called.append(number)
            return 2 * number

        results = []
        for _ in range(2):
            async with journal.execution("work", key="k"):
                results.append(await double(2))
        return results

    assert (_awaited(cell, work), called) == ([4, 4], [2])
