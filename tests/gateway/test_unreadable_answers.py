"""Responses that the client or the gateway cannot read: no request is left waiting, and none gets a wrong outcome."""

import json
from pathlib import Path

import pytest

from tests.gateway.gateway_client import GatewayClient, ScriptedServer, config_for, refusal_of, text_of

DEEP = f'"result":{{"content":[],"structuredContent":{"[" * 3000}{"]" * 3000}}}'
CONTROL = '"result":{"content":[{"type":"text","text":"raw\x01control"}]}'
NOT_A_NUMBER = '"result":{"content":[],"structuredContent":{"n":NaN}}'
FINE = '"result":{"content":[{"type":"text","text":"fine"}]}'
CUT = '"result":{"content":[{"type":"text","text":"in two\nlines"}]}'


def test_a_client_that_cannot_be_asked_for_input_gets_an_error_that_the_call_is_in_doubt(tmp_path: Path) -> None:
    server = ScriptedServer(tmp_path, "one", "modern")
    with GatewayClient(tmp_path, config_for(server), "legacy") as client:
        result = client.result("input")
        (action,) = client.actions()
    assert "resultType" not in result
    assert refusal_of(result)["code"] == "in_doubt_open"
    assert "does not support" in refusal_of(result)["message"]
    assert action.state == "in_doubt"


@pytest.mark.parametrize("raw_answer", [DEEP, CONTROL, NOT_A_NUMBER, CUT], ids=["deep", "control", "nan", "cut"])
def test_an_answer_that_cannot_be_read_ends_its_call_at_once_and_in_doubt(raw_answer: str, tmp_path: Path) -> None:
    server = ScriptedServer(tmp_path, "one")
    with GatewayClient(tmp_path, config_for(server)) as client:
        error = client.refusal("raw", answer=raw_answer)
        (action,) = client.actions()
        assert text_of(client.result("echo", a=1)) == '{"a": 1}'
    assert error["code"] == "in_doubt_open"
    assert "answer that could not be read" in error["message"]
    assert action.state == "in_doubt"


def test_a_response_with_its_id_as_text_is_accepted_as_clients_accept_it(tmp_path: Path) -> None:
    server = ScriptedServer(tmp_path, "one")
    with GatewayClient(tmp_path, config_for(server)) as client:
        result = client.result("raw", id='"{}"', answer=FINE)
        (action,) = client.actions()
    assert text_of(result) == "fine"
    assert action.state == "ok"


def test_a_response_with_an_id_that_no_client_accepts_ends_its_call_in_doubt(tmp_path: Path) -> None:
    server = ScriptedServer(tmp_path, "one")
    with GatewayClient(tmp_path, config_for(server)) as client:
        error = client.refusal("raw", id="{}.0", answer=FINE)
        (action,) = client.actions()
    assert error["code"] == "in_doubt_open"
    assert action.state == "in_doubt"


def test_an_unreadable_question_of_a_server_is_no_answer(tmp_path: Path) -> None:
    server = ScriptedServer(tmp_path, "one")
    with GatewayClient(tmp_path, config_for(server)) as client:
        client.start("call", "tools/call", {"name": "wait", "arguments": {}})
        while not server.calls("wait"):
            client.result("look")
        question = '"method":"roots/list","params":{"result":1,"n":NaN}}\n{"jsonrpc":"2.0","id":9999'
        client.ask("custom/tell", {"answer": question})
        states = [each.state for each in client.actions()]
    assert "in_doubt" not in states


def test_a_byte_order_mark_is_ignored(tmp_path: Path) -> None:
    server = ScriptedServer(tmp_path, "one")
    with GatewayClient(tmp_path, config_for(server)) as client:
        result = client.result("bytes", before="\xef\xbb\xbf", text="fine")
    assert text_of(result) == "fine"


@pytest.mark.parametrize("failed", [False, True])
def test_bytes_that_are_not_utf8_are_replaced_and_break_no_client(failed: bool, tmp_path: Path) -> None:
    server = ScriptedServer(tmp_path, "one")
    with GatewayClient(tmp_path, config_for(server)) as client:
        result = client.result("bytes", text="\xff\xfe bad", failed=failed)
        (action,) = client.actions()
        for line in client.lines:
            line.decode()
        assert "not valid UTF-8" in client.last_words()
    assert text_of(result) == "\ufffd\ufffd bad"
    assert action.state == ("failed" if failed else "ok")
    assert "\ufffd" in json.dumps(action.end_body, ensure_ascii=False)
