"""Rate limits: excess requests get Retry-After, and other clients are served."""

import pytest

from tallystick.core.errors import InvalidArgument
from tallystick.server.command import _checked_proxies
from tallystick.server.rate_limits import MAX_BUCKETS, TokenBuckets, client_address
from tests.server.test_login import Now
from tests.server.web_server import Browser, running_server


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
        assert found.ask("/v1/executions", token="ts_guessed").status == 429


@pytest.mark.parametrize("path", ["/v1/executions", "/session"])
def test_a_valid_token_or_login_is_served_while_others_guess_at_its_address(path: str) -> None:
    with running_server(login=True, rate=0.5) as found:
        person, late, token = Browser(), Browser(), found.token("read")
        found.ask("/login", {"token": found.token("read")}, browser=person)
        guesses = {found.ask(path, token=f"ts_{number}").status for number in range(10)}
        assert guesses == {401, 429}
        assert found.ask(path, token=token).status == 200
        assert found.ask(path, browser=person).status == 200
        assert found.ask("/login", {"token": found.token("read")}, browser=late).status == 200


@pytest.mark.parametrize("proxies", [(), ("203.0.113.0/24",), ("127.0.0.1",)])
def test_a_forwarded_address_counts_only_from_a_trusted_proxy(proxies: tuple[str, ...]) -> None:
    with running_server(login=True, rate=0.5, trusted_proxies=proxies) as found:
        met = [
            found.ask("/v1/executions", headers={"x-forwarded-for": f"203.0.113.{number}"}).status
            for number in range(6)
        ]
        assert met == [401] * 6 if "127.0.0.1" in proxies else [401] * 4 + [429] * 2


@pytest.mark.parametrize("path", ["/v1/executions", "/mcp"])
def test_the_shared_token_has_a_rate_too(path: str) -> None:
    with running_server(token="shared-by-all", rate=0.5) as found:
        met = [found.ask(path, token="shared-by-all").status for _ in range(4)]
        assert met[0] != 429
        assert met[-1] == 429
        assert found.ask(path, token=found.token("read")).status != 429


def test_a_trusted_proxy_is_an_address_or_a_network() -> None:
    with pytest.raises(InvalidArgument, match="is not an address"):
        _checked_proxies(("127.0.0.1", "10.0.0.0/8", "*"))


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
