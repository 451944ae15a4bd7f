"""A client that sends plain JSON lines to a real gateway with scripted servers."""

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tallystick import Journal
from tallystick.protocol.meta import ERROR_KEY
from tests.interfaces.mcp.line_client import COMMAND, JOURNAL, Era, Lines, request

SCRIPTED = str(Path(__file__).with_name("scripted_server.py"))


class ScriptedServer:
    """A scripted server: its configuration, and the log of the requests that it got."""

    def __init__(self, folder: Path, name: str, era: str = "both") -> None:
        self.name = name
        self.log = folder / f"{name}.log"
        self.server = {"command": sys.executable, "args": ["-I", SCRIPTED, str(self.log), era, name]}

    @property
    def received(self) -> list[dict[str, Any]]:
        """All messages that have reached it, in order."""
        return [json.loads(line) for line in self.log.read_text().splitlines()] if self.log.exists() else []

    @property
    def pid(self) -> int:
        """The process id of its newest life."""
        return int(Path(f"{self.log}.pid").read_text())

    def calls(self, tool: str = "") -> list[dict[str, Any]]:
        found = [each["params"] for each in self.received if each.get("method") == "tools/call"]
        return [each for each in found if tool in ("", each["name"])]


class GatewayClient(Lines):
    """A client of the gateway."""

    def __init__(
        self,
        folder: Path,
        config: Mapping[str, Any],
        era: Era = "modern",
        *,
        program: Sequence[str] = COMMAND,
        env: Mapping[str, str] | None = None,
        capabilities: Mapping[str, Any] | None = None,
        stderr: int | None = None,
        url: str = "",
    ) -> None:
        path = folder / "mcp.json"
        path.write_text(json.dumps(config))
        self.folder = folder
        self.url = url or f"sqlite:///{folder / 'journal.db'}"
        command = ("gateway", "--config", str(path))
        super().__init__(
            self.url, era=era, env=env, program=program, command=command, capabilities=capabilities, stderr=stderr
        )

    def result(self, tool: str, /, *, meta: Mapping[str, Any] | None = None, **arguments: Any) -> dict[str, Any]:
        """The whole result of a call, which may be a refusal."""
        params = {"name": tool, "arguments": arguments, **({"_meta": dict(meta)} if meta else {})}
        answer = self.ask("tools/call", params)
        assert "result" in answer, answer
        result: dict[str, Any] = answer["result"]
        return result

    def start(self, id: Any, method: str, params: Mapping[str, Any]) -> None:
        """Send a request, and do not wait."""
        self.send(json.dumps(request(id, method, params, self.era)).encode())

    def cancel(self, id: Any, reason: str) -> None:
        self.send(cancellation(id, reason))

    def refusal(self, tool: str, /, **arguments: Any) -> dict[str, Any]:
        """The structure of a refusal."""
        return refusal_of(self.result(tool, **arguments))

    def last_words(self) -> str:
        """The standard error of the gateway, after its end."""
        self.close()
        return self.complaints()

    @contextmanager
    def journal(self) -> Iterator[Journal]:
        with Journal.open(self.url, journal=JOURNAL) as journal:
            yield journal

    def approvals(self) -> list[Any]:
        """All questions to a person, the newest first."""
        with self.journal() as journal:
            return list(journal.list_approvals().approvals)

    def decide(self, approval: str, verdict: str, **more: Any) -> None:
        """Answer an approval as a person. The credential is made with the first answer."""
        credential = self.folder / "credential"
        if not credential.exists():
            with self.journal() as journal:
                credential.write_text(journal.add_credential(name="boss", scopes=("approve", "admin")).secret)
        with Journal.open(self.url, journal=JOURNAL, credential=credential.read_text()) as journal:
            journal.decide_approval(approval_id=approval, verdict=verdict, **more)  # type: ignore[arg-type]

    def actions(self) -> list[Any]:
        """All actions, the oldest first."""
        with self.journal() as journal:
            begun = journal.read_entries(kind="action_begun", limit=100).entries
            return [journal.get_action(action_id=entry.id) for entry in begun]


def refusal_of(result: dict[str, Any]) -> dict[str, Any]:
    """The error of a refusal. It is not structured content: clients check that against the schema of the tool."""
    assert result["isError"], result
    assert "structuredContent" not in result
    error: dict[str, Any] = result["_meta"][ERROR_KEY]
    return error


def cancellation(id: Any, reason: str) -> bytes:
    params = {"requestId": id, "reason": reason}
    return json.dumps({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params}).encode()


def config_for(*servers: ScriptedServer, **settings: Any) -> dict[str, Any]:
    """The configuration of a gateway with these servers and settings. The scripted servers' own methods may pass."""
    settings["servers"] = {"*": {"methods": ["custom/tell", "custom/thing"]}, **settings.get("servers", {})}
    return {
        "mcpServers": {each.name: each.server for each in servers},
        "tallystick": settings,
    }


def text_of(result: Mapping[str, Any]) -> str:
    return "\n".join(block.get("text", "") for block in result["content"])
