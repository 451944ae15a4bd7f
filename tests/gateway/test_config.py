"""The configuration: the form that every client uses, our policy beside it, and mistakes that name the field."""

from pathlib import Path
from typing import Any

import pytest

from tallystick.core.errors import InvalidArgument
from tallystick.gateway.config import checked, describe, read
from tallystick.gateway.policy.rulings import Hints, Policies

ONE = {"command": "one"}


def _ruled(settings: Any, others: Any = None, **servers: Any) -> Any:
    return {"mcpServers": {"a": ONE, **servers}, "tallystick": {"servers": {"a": settings, **(others or {})}}}


def test_a_duplicate_name_in_an_object_is_rejected(tmp_path: Path) -> None:
    path = tmp_path / "mcp.json"
    path.write_text('{"mcpServers": {"a": {"command": "x"}, "a": {"command": "y"}}}')
    with pytest.raises(InvalidArgument, match='"a" occurs twice'):
        read(path, {})


@pytest.mark.parametrize(
    ("config", "field"),
    [
        ({}, "mcpServers"),
        ([], "mcpServers"),
        ({"mcpServers": {"a": {}}}, "mcpServers.a"),
        ({"mcpServers": {"a": {"command": "x", "url": "http://y"}}}, "mcpServers.a"),
        ({"mcpServers": {"a": {"command": "x", "type": "http"}}}, "mcpServers.a.type"),
        ({"mcpServers": {"a": {"url": "ftp://y"}}}, "mcpServers.a.url"),
        ({"mcpServers": {"a b": ONE, "a_b": ONE}}, "mcpServers.a_b"),
        ({"mcpServers": {"a": ONE}, "tallystick": {"servers": {"b": {}}}}, "tallystick.servers.b"),
        ({"mcpServers": {"a": ONE}, "tallystick": {"polices": {}}}, "tallystick.polices"),
        ({"mcpServers": {"a": ONE}, "tallystick": {"repeat": "maybe"}}, "tallystick.repeat"),
        ({"mcpServers": {"b": ONE, "a": {"command": 5}}}, "mcpServers.a.command"),
        (_ruled({"tools": {"y": "ask", "x.y": "aks"}}), "tallystick.servers.a.tools.x.y"),
        ({"mcpServers": {"a": ONE}, "Tallystick": {}}, "Tallystick"),
        ({"mcpServers": {"a": ONE}, "talystick": {}}, "talystick"),
        ({"mcpServers": {"a": ONE}, "annotated": {}}, "annotated"),
        ({"mcpServers": {"tallystick": ONE}}, "mcpServers.tallystick"),
        ({"mcpServers": {"*": ONE}}, "mcpServers.*"),
        ({"mcpServers": {"a__b": ONE}}, "mcpServers.a__b"),
        ({"mcpServers": {"a": ONE}, "tallystick": {"timeouts": {"call": -1}}}, "tallystick.timeouts.call"),
        (_ruled({"timeouts": {"list": -0.5}}), "tallystick.servers.a.timeouts.list"),
        (_ruled({"tools": {"x": {"timeout": -1}}}), "tallystick.servers.a.tools.x.timeout"),
        (_ruled({"tools": {"x": {"expires": "banana"}}}), "tallystick.servers.a.tools.x.expires"),
        (_ruled({"prefix": "b"}, b=ONE), "tallystick.servers.a.prefix"),
        (_ruled({"prefix": "p"}, b=ONE, others={"b": {"prefix": "p"}}), "tallystick.servers.b.prefix"),
    ],
)
def test_a_mistake_names_the_field_and_the_fix(config: Any, field: str) -> None:
    with pytest.raises(InvalidArgument) as caught:
        checked(config, {})
    assert caught.value.field == field
    assert caught.value.hint


def test_a_wrong_value_is_rejected_with_the_allowed_values() -> None:
    with pytest.raises(
        InvalidArgument, match=r"tallystick\.servers\.a\.tools\.move_file: Invalid enum value 'aks'"
    ) as caught:
        checked(_ruled({"tools": {"move_file": "aks"}}), {})
    assert caught.value.hint == "Use one of: record, ask, refuse, plan."


def test_variables_are_taken_from_the_environment_and_their_values_are_not_shown() -> None:
    server = {"command": "${HOME}/x", "env": {"KEY": "${SECRET}"}, "args": ["${NONE:-else}"]}
    whole = checked({"mcpServers": {"a": server}}, {"HOME": "/h", "SECRET": "hidden-value"})
    assert whole.servers["a"].command == "/h/x"
    assert whole.servers["a"].env == {"KEY": "hidden-value"}
    assert whole.servers["a"].args == ("else",)
    assert "hidden-value" not in "".join(describe(whole))
    with pytest.raises(InvalidArgument, match="SECRET"):
        checked({"mcpServers": {"a": server}}, {"HOME": "/h"})


def test_fields_of_other_programs_and_disabled_servers_are_ignored() -> None:
    servers = {"a": {**ONE, "alwaysAllow": ["x"]}, "b": {**ONE, "disabled": True}}
    assert checked({"mcpServers": servers, "theme": "dark"}, {}).servers.keys() == {"a"}


def test_the_nearest_rule_wins_and_the_first_pattern_that_fits() -> None:
    ours = {
        "servers": {
            "a": {"tools": {"write_*": "ask", "*": {"effect": "read"}}},
            "*": {"tools": {"write_x": "refuse", "list": {"policy": "plan", "timeout": 5}}},
        }
    }
    policies = Policies(checked({"mcpServers": {"a": ONE, "b": ONE}, "tallystick": ours}, {}))
    assert policies.ruling("a", "write_x", Hints()).policy == "ask"
    assert policies.ruling("b", "write_x", Hints()).policy == "refuse"
    listing = policies.ruling("a", "list", Hints())
    assert (listing.policy, listing.effect, listing.timeout) == ("plan", "read", 5)
    assert policies.ruling("b", "other", Hints(idempotent_hint=True)).effect == "idempotent"


def test_a_list_of_several_servers_waits_less_for_each_unless_configured() -> None:
    assert checked({"mcpServers": {"a": ONE}}, {}).list_seconds("a") == 10
    assert checked({"mcpServers": {"a": ONE, "b": ONE}}, {}).list_seconds("a") == 2
    assert checked(_ruled({"timeouts": {"list": 20}}, b=ONE), {}).list_seconds("a") == 20
