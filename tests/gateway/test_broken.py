"""What no client should send, and errors that nobody foresaw: one request fails, and the gateway goes on."""

from pathlib import Path

import pytest

from tallystick.gateway.loop import Loop
from tests.gateway.through import Behind, Through, configured, text_of

BAD: dict[str, bytes] = {
    "a number that is none": b'{"a":1e400}',
    "a byte that is no text": b'{"a":"x\xffy"}',
    "half a character": rb'{"a":"\ud83d"}',
}


def _call(id: int, arguments: bytes, tool: bytes = b"echo") -> bytes:
    params = b'{"name":"%s","arguments":%s}' % (tool, arguments)
    return b'{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":%s}' % (id, params)


@pytest.mark.parametrize("kind", BAD)
def test_arguments_that_cannot_be_read_fail_one_call(kind: str, tmp_path: Path) -> None:
    behind = Behind(tmp_path, "one")
    with Through(tmp_path, configured(behind), "legacy") as client:
        client.send(_call(9, BAD[kind]))
        answer = client.until(lambda message: message.get("id") == 9)
        assert "error" in answer or answer["result"]["isError"], answer
        assert text_of(client.result("echo", a=1)) == '{"a": 1}'
        assert client.process.poll() is None


def test_a_cancellation_that_cannot_be_read_is_passed_over(tmp_path: Path) -> None:
    behind = Behind(tmp_path, "one")
    with Through(tmp_path, configured(behind), "legacy") as client:
        for said in (b'{"requestId":"\xff"}', rb'{"requestId":"\ud83d"}', b'{"requestId":1,"reason":"\xff"}'):
            client.send(b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":%s}' % said)
        client.send(b'{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"\xff"}}')
        assert text_of(client.result("echo", a=1)) == '{"a": 1}'


def test_an_error_in_one_unit_of_work_does_not_end_the_others(capfd: pytest.CaptureFixture[str]) -> None:
    loop = Loop()
    done: list[str] = []

    def fail(secret: str = "hunter2hunter2") -> None:
        raise KeyError(secret)

    def end() -> bool:
        if "later" in done:
            loop.stop()
        return False

    loop.post(fail)
    loop.later(0, fail)
    loop.turn_ends += [lambda: bool(fail()), end]  # type: ignore[func-returns-value]
    loop.post(lambda: done.append("posted"))
    loop.later(0.01, lambda: done.append("later"))
    loop.run()
    loop.close()
    assert done == ["posted", "later"]
    said = capfd.readouterr().err
    assert "KeyError at test_broken.py" in said
    assert "hunter2" not in said
