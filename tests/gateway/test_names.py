"""Names of tools: no two tools are one in the journal."""

import json
import subprocess
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from tallystick.core.errors import InvalidArgument
from tallystick.gateway.config import checked
from tallystick.gateway.upstream import names
from tallystick.gateway.upstream.names import MAX_NAME, Names, journal_name
from tallystick.gateway.upstream.server import Upstream
from tests.interfaces.mcp.line_client import COMMAND, environment


@pytest.mark.parametrize("pair", [("a", "a__b"), ("a__b", "a"), ("a", "a_"), ("a b", "a_b__c")])
def test_servers_with_tools_that_could_share_a_name_are_refused(pair: tuple[str, str]) -> None:
    with pytest.raises(InvalidArgument, match=r"could be of either|parts names of tools"):
        names.check(checked({"mcpServers": {name: {"command": "x"} for name in pair}}, {}))


def test_prefixes_that_make_one_name_of_two_are_refused() -> None:
    ours = {"servers": {"b": {"prefix": "a__x"}}}
    found = checked({"mcpServers": {"a": {"command": "x"}, "b": {"command": "x"}}, "tallystick": ours}, {})
    with pytest.raises(InvalidArgument, match="could be of either"):
        names.check(found)


@pytest.mark.parametrize("pair", [("a", "ab"), ("a", "a-b"), ("files", "files_old")])
def test_servers_with_distinct_names_are_accepted(pair: tuple[str, str]) -> None:
    names.check(checked({"mcpServers": {name: {"command": "x"} for name in pair}}, {}))


def test_no_two_tools_are_shown_under_one_name() -> None:
    one, other, ours = (cast(Upstream, SimpleNamespace(name=name, own=name == "ours")) for name in ("a", "b", "ours"))
    known = Names([one, other, ours], {})
    assert [known.show(one, name) for name in ("x", "b__x", "query_ledger")] == ["x", "b__x", "query_ledger"]
    assert known.show(other, "x") == "b__x_2"
    assert known.show(other, "x") == "b__x_2"  # asked for again
    assert known.show(ours, "query_ledger") == "query_ledger"
    assert known.show(one, "query_ledger") == "a__query_ledger"
    assert known.find("b__x") == (one, "b__x")
    assert known.find("b__x_2") == (other, "x")


def test_truncated_names_stay_distinct() -> None:
    one, other = journal_name("s", "t" * 300 + "1"), journal_name("s", "t" * 300 + "2")
    assert one != other
    assert len(one) == len(other) == MAX_NAME
    assert journal_name("s", "t") == "mcp__s__t"


def test_a_gateway_does_not_start_with_ambiguous_servers(tmp_path: Path) -> None:
    path = tmp_path / "mcp.json"
    path.write_text(json.dumps({"mcpServers": {"a": {"command": "x"}, "a__b": {"command": "x"}}}))
    for more in ((), ("--check",)):
        command = [*COMMAND, "gateway", "--config", str(path), "--url", f"sqlite:///{tmp_path / 'j.db'}", *more]
        ended = subprocess.run(command, capture_output=True, text=True, env=environment(), stdin=subprocess.DEVNULL)
        assert ended.returncode == 2
        assert "parts names of tools" in ended.stderr
