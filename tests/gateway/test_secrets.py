"""Secrets that pass through the gateway: the server gets them, and the disk does not."""

import json
import random
from pathlib import Path
from typing import Any

from tallystick.protocol import CLIENT_KEY
from tests.core.secret_corpus import planted_secrets, survivors
from tests.gateway.gateway_client import GatewayClient, ScriptedServer, config_for, text_of
from tests.gateway.test_policy import LockedJournal

EACH = 20
"""How many credentials one call holds. The server answers with them, so each goes through twice."""


def test_of_2000_credentials_almost_none_is_on_the_disk_or_in_a_log(tmp_path: Path) -> None:
    values = list(planted_secrets(each=9))
    random.Random(9).shuffle(values)
    values = values[:2000]
    capture_folder = tmp_path / "kept"
    capture_folder.mkdir()
    server = ScriptedServer(tmp_path, "one")
    with GatewayClient(capture_folder, config_for(server)) as client:
        for at in range(0, len(values), EACH):
            arguments: dict[str, Any] = {f"a{i}": each.value for i, each in enumerate(values[at : at + EACH])}
            assert client.result("echo", **arguments)["structuredContent"]["given"] == json.loads(json.dumps(arguments))
        client.ask("tools/call", {"name": "break", "arguments": {"why": values[0].value}})
        logged = client.last_words()
        files = [path for path in capture_folder.rglob("*") if path.is_file()]
        output = "\n".join([logged, *(path.read_bytes().decode("latin-1") for path in files)])
    assert len(server.calls("echo")) == len(values) / EACH
    assert any(path.name.endswith("-wal") for path in files)
    left = {each.pieces for each in survivors(values, output)}
    assert len(left) <= 10, sorted(left)


def test_names_of_a_client_that_hold_a_secret_are_masked_in_the_spool_too(tmp_path: Path) -> None:
    conversation, call, client_name = (f"ghp_{letter}{'8kQ2xV7mZ4' * 4}"[:40] for letter in "abc")
    server = ScriptedServer(tmp_path, "one")
    config, env = config_for(server, on_journal_failure="spool"), {"TALLYSTICK_SPOOL": str(tmp_path / "spool")}
    meta = {"threadId": conversation, "callId": call, CLIENT_KEY: {"name": client_name, "version": "1"}}
    with GatewayClient(tmp_path, config, env=env) as client:
        client.result("look", meta=meta)
        with LockedJournal(tmp_path):
            client.result("echo", meta=meta, a=1)
            answer = text_of(client.result("echo", meta=meta, a=1))
            files = [path.read_bytes().decode() for path in (tmp_path / "spool").rglob("*.spool")]
        client.result("look", meta=meta)
        states = [(each.tool, each.state) for each in client.actions()]
    assert "waits in the spool" in answer
    assert files
    assert not [each for each in (conversation, call, client_name) for text in files if each in text]
    assert ("mcp__one__echo", "ok") in states
    assert len(server.calls("echo")) == 1
