"""Rate limits: excess requests get Retry-After, and other clients are served."""

import pytest

from tallystick.server.rate_limits import MAX_BUCKETS, TokenBuckets, client_address
from tests.server.test_login import Now
from tests.server.web_server import running_server


def test_a_bucket_fills_at_its_rate_and_no_further_than_its_burst() -> None:
    now = Now()
    buckets = TokenBuckets(rate=2.0, burst=4.0, now=now)
    assert [buckets.take("a") for _ in range(4)] == [0.0] * 4
    assert buckets.take("a") == 0.5
    assert buckets.take("b") == 0.0
    now.time = 0.5
    assert buckets.take("a") == 0.0
    assert buckets.take("a") > 0.0
    now.time = 1000.0
    assert [buckets.take("a") for _ in range(4)] == [0.0] * 4
    assert buckets.take("a") > 0.0


def test_the_number_of_buckets_is_bounded() -> None:
    buckets = TokenBuckets(rate=1.0, burst=1.0, now=Now())
    for number in range(MAX_BUCKETS + 100):
        buckets.take(str(number))
    assert len(buckets) == MAX_BUCKETS


def test_a_client_over_its_rate_gets_retry_after_and_others_are_served() -> None:
    with running_server(login=True, rate=0.5) as found:
        greedy, modest = found.token("read"), found.token("read")
        met = [found.ask("/v1/executions", token=greedy) for _ in range(4)]
        assert {answer.status for answer in met} == {200, 429}
        assert met[-1].json["code"] == "busy"
        assert int(met[-1].headers["retry-after"]) >= 1
        assert found.ask("/v1/executions", token=modest).status == 200


def test_an_address_without_a_token_is_limited_and_other_addresses_are_not() -> None:
    with running_server(login=True, rate=5.0) as found:
        met = [found.ask("/v1/executions").status for _ in range(6)]
        assert met == [401] * 4 + [429] * 2
        elsewhere = {"x-forwarded-for": "203.0.113.9"}
        assert found.ask("/v1/executions", token=found.token("read"), headers=elsewhere).status == 200


def test_programs_on_this_machine_are_as_fast_as_they_are() -> None:
    with running_server(rate=0.1) as found:
        assert {found.ask("/v1/executions").status for _ in range(20)} == {200}


@pytest.mark.parametrize(
    ("client", "name"),
    [
        (("203.0.113.9", 1), "203.0.113.9"),
        (("2001:db8:1:2:3:4:5:6", 1), "2001:0db8:0001:0002::/64"),
        (("2001:db8:1:2::", 1), "2001:0db8:0001:0002::/64"),
        (("testclient", 1), "testclient"),
        (None, ""),
    ],
)
def test_an_ipv6_address_counts_as_its_network(client: tuple[str, int] | None, name: str) -> None:
    assert client_address({"type": "http", "client": client}) == name
