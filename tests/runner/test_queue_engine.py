"""The engine `queue` in its database: how its tables come into being, who may use them, and what an outage does."""

import asyncio
from contextlib import suppress
from importlib.metadata import version
from typing import Any, LiteralString

import psycopg
import pytest

from tallystick.core.errors import InvalidArgument, StorageUnavailable, Unsupported
from tallystick.runner.engines import queue
from tallystick.runner.engines.interface import Limit, Work
from tallystick.runner.engines.queue import QueueEngine, create_schema
from tallystick.runner.engines.queue_figures import SCHEMA, read_queues
from tests.postgres_server import Server, own_server
from tests.runner.test_engines import Deliveries, run, serving


def execute(url: str, *statements: str) -> list[tuple[object, ...]]:
    with psycopg.connect(url, autocommit=True) as connection:
        found: list[tuple[object, ...]] = []
        for statement in statements:
            cursor = connection.execute(statement.encode())
            found = cursor.fetchall() if cursor.description else []
        return found


def test_only_a_journal_in_postgresql_has_a_queue() -> None:
    with pytest.raises(InvalidArgument, match="needs a journal in PostgreSQL"):
        QueueEngine("sqlite:///journal.db", "j")


def test_several_workers_may_start_at_once_in_a_new_database(postgres: Server) -> None:
    async def main() -> None:
        with postgres.database() as url:
            engines = [QueueEngine(url, "j") for _ in range(6)]
            await asyncio.gather(*(engine.submit(Work("ex_1", f"s{n}")) for n, engine in enumerate(engines)))
            assert [(each.state, each.count) for each in await engines[0].counts()] == [("waiting", 6)]
            for engine in engines:
                await engine.stop()

    run(main)


def test_operators_see_what_waits_how_long_and_what_is_under_way(postgres: Server) -> None:
    async def main() -> None:
        with postgres.database() as url:
            assert read_queues(url, "j") == []  # no worker was ever started
            engine = QueueEngine(url, "j", at_once=1)
            for name in ("a", "b"):
                await engine.submit(Work("ex_1", name))
            await engine.submit(Work("ex_1", "c"), delay=600)
            await engine.submit(Work("ex_1"))
            await QueueEngine(url, "other").submit(Work("ex_1", "z"))
            execute(url, "update tallystick_queue.procrastinate_jobs set args = args || '{\"at\": 1000}'")
            await engine.submit(Work("ex_1", "a", tries=1))  # submitted again, it has still waited since then
            looks, steps = sorted(read_queues(url, "j"), key=lambda each: each.queue)
            assert (looks.queue, looks.due, looks.delivered) == ("", 1, 0)
            assert (steps.queue, steps.due, steps.later, steps.delivered) == ("default", 2, 1, 0)
            assert steps.oldest_wait_seconds > 1_000_000_000
            await engine.stop()

    run(main)
    assert read_queues("sqlite:///journal.db", "j") == []


def test_the_tables_of_an_older_procrastinate_are_made_anew_and_those_of_a_newer_one_are_left_alone(
    postgres: Server,
) -> None:
    async def main() -> None:
        with postgres.database() as url:
            await create_schema(url)
            execute(url, f"insert into {SCHEMA}.procrastinate_workers default values")
            await create_schema(url)
            assert execute(url, f"select count(*) from {SCHEMA}.procrastinate_workers") == [(1,)]
            execute(url, f"comment on schema {SCHEMA} is 'procrastinate 3.9'")
            await create_schema(url)
            assert execute(url, f"select count(*) from {SCHEMA}.procrastinate_workers") == [(0,)]
            execute(url, f"comment on schema {SCHEMA} is 'procrastinate 4.0'")
            with pytest.raises(Unsupported, match=r"made by procrastinate 4\.0; this program has procrastinate 3\."):
                await create_schema(url)

    run(main)
    assert version("procrastinate").startswith("3.10.")


def test_a_user_who_may_not_create_a_schema_is_told_what_an_administrator_can_do(postgres: Server) -> None:
    async def main() -> None:
        with postgres.database() as url:
            with suppress(psycopg.errors.DuplicateObject):
                postgres.execute("create role plain_user login")
            plain = url.replace("postgres:@", "plain_user:@").replace("user=postgres", "user=plain_user")
            assert plain != url
            with pytest.raises(Unsupported, match="may not create the schema") as refusal:
                await create_schema(plain)
            assert f"create schema {SCHEMA} authorization" in str(refusal.value.hint)
            execute(url, f"create schema {SCHEMA} authorization plain_user")
            engine, deliveries = QueueEngine(plain, "j"), Deliveries()
            await engine.submit(Work("ex_1", "a"))
            async with serving(engine, deliveries):
                assert await deliveries.until_done(1) == ["a"]

    run(main)


def test_a_member_of_the_role_that_opens_journals_may_submit_and_work(postgres: Server) -> None:
    async def main() -> None:
        with postgres.database() as url:
            with suppress(psycopg.errors.DuplicateObject):
                postgres.execute("create role member_user login in role tallystick")
            await create_schema(url)
            member = url.replace("postgres:@", "member_user:@").replace("user=postgres", "user=member_user")
            engine, deliveries = QueueEngine(member, "j"), Deliveries()
            await engine.submit(Work("ex_1", "a"))
            async with serving(engine, deliveries):
                assert await deliveries.until_done(1) == ["a"]

    run(main)


def test_a_worker_goes_on_after_a_restart_of_the_server() -> None:
    async def main() -> None:
        with own_server() as server, server.database() as url:
            engine, deliveries = QueueEngine(url, "j", lease=1.0), Deliveries("a")
            async with serving(engine, deliveries):
                await engine.submit(Work("ex_1", "a"))
                await deliveries.until(1)
                await asyncio.to_thread(server.restart_at_once)
                deliveries.release()
                submitted = False
                while not submitted:
                    with suppress(StorageUnavailable):
                        await engine.submit(Work("ex_1", "b"))
                        submitted = True
                assert (await deliveries.until_done(2))[-1] == "b"
                while await engine.counts():  # noqa: ASYNC110  # until what is done is deleted
                    await asyncio.sleep(0.05)

    run(main)


def test_work_that_fails_again_and_again_waits_longer_each_time(
    postgres: Server, caplog: pytest.LogCaptureFixture
) -> None:
    async def main() -> None:
        with postgres.database() as url:
            engine = QueueEngine(url, "j")
            failed = asyncio.Event()

            async def fail(work: Work) -> None:
                failed.set()
                raise LookupError("on purpose")

            await engine.submit(Work("ex_1", "a"))
            execute(url, f"update {SCHEMA}.procrastinate_jobs set attempts = 3")
            async with serving(engine, fail):
                await failed.wait()
                while [each.state for each in await engine.counts()] != ["waiting"]:  # noqa: ASYNC110
                    await asyncio.sleep(0.01)
            waits = f"select extract(epoch from scheduled_at - now())::int from {SCHEMA}.procrastinate_jobs"
            assert execute(url, waits)[0][0] in (7, 8)

    run(main)
    assert "delivered again in 8 s" in caplog.text


def test_work_that_cannot_be_given_back_during_an_outage_is_given_back_after_it(
    postgres: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def main() -> None:
        with postgres.database() as url:
            engine, deliveries = QueueEngine(url, "j"), Deliveries()
            database, failures = engine._database, 0
            run_statement = database.run

            async def run_after_outage(sql: LiteralString, **values: Any) -> None:
                nonlocal failures
                if sql == queue._GIVE_BACK and failures < 2:
                    failures += 1
                    raise psycopg.OperationalError("the server is away")
                await run_statement(sql, **values)

            async def fail_first(work: Work) -> None:
                await deliveries(work)
                if len(deliveries.got) == 1:
                    raise LookupError("on purpose")

            monkeypatch.setattr(database, "run", run_after_outage)
            monkeypatch.setattr(queue, "POLL_SECONDS", 0.01)
            async with serving(engine, fail_first):
                await engine.submit(Work("ex_1", "a"), limit=Limit("bank", 1))
                assert await deliveries.until(2) == ["a", "a"]
            assert failures == 2

    run(main)
