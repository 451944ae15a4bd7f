"""Commands of approvers and administrators over a server: with their credential, and without an agent's session."""

import json
from typing import Any

from tallystick.interfaces.cli import run
from tests.server.web_server import RunningServer, running_server


def test_deciding_and_administering_by_command_line_need_a_credential_and_nothing_else() -> None:
    with running_server() as found:
        secret = found.token("approve", "admin", name="ada")
        agent = found.journal()
        execution = agent.record_execution_start(title="Deploy").id
        approval_id = agent.request_approval(execution_id=execution, question="Really?", tool="deploy", arguments={}).id
        stored = agent.record_context(key="k", value="v")
        _typed(found, secret, "decide", "approval", approval_id, "--verdict", "approve")
        _typed(found, secret, "credential", "add", "reader", "--scopes", "read")
        _typed(found, secret, "credential", "revoke", "reader")
        _typed(found, secret, "erase", "--seqs", str(stored.seq), "--reason", "the customer asked")
        assert agent.get_approval(approval_id=approval_id).decided_by == "ada"
        assert {each.name: bool(each.revoked) for each in agent.list_credentials().credentials}["reader"]
        assert agent.read_entries(id=stored.id).entries[0].erased


def test_an_approver_moves_an_execution_by_command_line_as_that_person() -> None:
    with running_server() as found:
        secret = found.token("approve", name="bob")
        execution = found.journal().record_execution_start(title="Deploy").id
        for decision in ("pause", "resume", "stop"):
            _typed(found, secret, "record", "decision", decision, "--execution-id", execution, "--why", "so it is")
        entries = found.journal().read_entries(kind="decision_recorded").entries
        assert [(each.actor_kind, each.actor) for each in entries] == [("person", "bob")] * 3
        refused = ["record", "execution-start", "--title", "x"]
        assert run(refused, env=_env(found, TALLYSTICK_CREDENTIAL=secret)).exit_code == 3


def test_a_command_without_a_credential_is_refused_and_names_the_one_it_needs() -> None:
    with running_server() as found:
        agent = found.journal()
        execution = agent.record_execution_start(title="Deploy").id
        approval_id = agent.request_approval(execution_id=execution, question="Really?", tool="deploy", arguments={}).id
        done = run(["decide", "approval", approval_id, "--verdict", "approve"], env=_env(found))
        assert done.exit_code != 0
        assert "approve" in done.stderr
        assert agent.get_approval(approval_id=approval_id).status == "pending"


def _typed(found: RunningServer, secret: str, *words: str) -> Any:
    done = run([*words, "--json"], env=_env(found, TALLYSTICK_CREDENTIAL=secret))
    assert (done.exit_code, done.stderr) == (0, "")
    return json.loads(done.stdout)


def _env(found: RunningServer, **more: str) -> dict[str, str]:
    return {"TALLYSTICK_URL": f"http://127.0.0.1:{found.port}", **more}
