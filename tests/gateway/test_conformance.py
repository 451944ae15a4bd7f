"""The official conformance suite through the gateway: it holds to every scenario that the server behind holds to.

That the server does so without the gateway is proved beside the server.
"""

import json
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.interfaces.mcp.http_client import COMMAND, served
from tests.interfaces.mcp.test_conformance import (
    DOES_NOT_APPLY,
    HELD_TO,
    REVISIONS,
    SERVER,
    problems,
    required,
    results,
)


@pytest.mark.parametrize("revision", REVISIONS)
def test_a_server_conforms_through_the_gateway_as_without_it(revision: str, tmp_path: Path) -> None:
    with served(f"sqlite:///{tmp_path / 'behind.db'}", program=SERVER) as server, _gateway(tmp_path, server.url) as url:
        ran = results(url, revision, tmp_path / "results")
    assert required(revision) <= ran.keys() <= HELD_TO | DOES_NOT_APPLY.keys()
    assert not problems(ran), "\n".join(problems(ran))


@contextmanager
def _gateway(folder: Path, url: str) -> Iterator[str]:
    """The gateway over HTTP. The server behind has our tools already, so that it adds none."""
    config = {"mcpServers": {"behind": {"url": url}}, "tallystick": {"tools": "none"}}
    (folder / "mcp.json").write_text(json.dumps(config))
    store = ("--url", f"sqlite:///{folder / 'journal.db'}", "--journal", "test")
    command = [str(COMMAND), "gateway", "--config", str(folder / "mcp.json"), "--http", "0", *store]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        yield process.stdout.readline().split()[-1]
    finally:
        process.terminate()
        process.communicate(timeout=30)
