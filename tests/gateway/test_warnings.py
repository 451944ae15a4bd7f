"""The warning that a call could not be recorded: it is added to any kind of response."""

import json

import pytest
from msgspec import Raw

from tallystick.gateway.messages import warn_in_result


@pytest.mark.parametrize("result", [b"{}", b"{ }", b'{"content":[]}', b'{"structuredContent":{"a":1}}'])
def test_a_result_warns_that_its_call_could_not_be_recorded(result: bytes) -> None:
    answer = json.loads(bytes(warn_in_result(Raw(result), "it waits in the spool")))
    assert answer["content"][-1]["text"] == "Warning: it waits in the spool"
    assert {name: value for name, value in answer.items() if name != "content"}.items() <= json.loads(result).items()


def test_without_a_warning_a_result_is_unchanged() -> None:
    assert bytes(warn_in_result(Raw(b"{ }"), "")) == b"{ }"


def test_a_warning_leaves_the_rest_of_a_result_unchanged_even_huge_numbers() -> None:
    block, more = b'{"type":"text","text":"\\u0041"}', b'{"a":1e999,"b":1.0}'
    text = bytes(
        warn_in_result(Raw(b'{"content":[%s],"structuredContent":%s}' % (block, more)), "it waits in the spool")
    )
    assert block in text
    assert more in text
    assert b"Warning: it waits in the spool" in text
