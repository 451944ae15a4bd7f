"""One plan, three hands: a runner builds and publishes, an agent writes the news over MCP, a person approves over REST.

Nobody knows of the others. Each records its part in the same journal, and the runner goes on when it is there.
"""

import asyncio
import json
import subprocess
import sys
import threading
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.request import Request, urlopen

from mcp import Client, StdioServerParameters

from tallystick import Journal, tool

PROGRAM = [sys.executable, "-m", "tallystick"]
PLAN: dict[str, Any] = {
    "title": "Publish the news",
    "steps": [
        {"id": "build", "tool": "build", "after": []},
        {"id": "write", "by": "agent", "title": "Write the news", "after": []},
        {"id": "publish", "tool": "publish", "after": ["build", "write"], "needs_approval": True},
    ],
}


@tool(effect="idempotent")
def build() -> str:
    return "built"


@tool
def publish() -> str:
    return "published"


async def agent(store: list[str], execution: str) -> None:
    """A scripted agent with the journal's MCP server: it begins its step, does it, and ends it."""
    server = StdioServerParameters(command=PROGRAM[0], args=[*PROGRAM[1:], "mcp", *store])
    async with Client(server) as client:
        begin = {"phase": "begin", "execution_id": execution, "step": "write"}
        begun = (await client.call_tool("record_action", begin)).structured_content
        assert begun is not None
        end = {"phase": "end", "action_id": begun["id"], "outcome": "ok", "result": "It is out."}
        await client.call_tool("record_action", end)
        print("the agent wrote the news")


def person(server: str, secret: str) -> None:
    """A person with a credential, over REST. Any tool that sends a request will do."""
    headers = {"Authorization": f"Bearer {secret}", "Content-Type": "application/json"}
    while not (asked := _ask(Request(f"{server}/v1/approvals?status=pending", headers=headers))["approvals"]):
        pause.wait(0.1)
    answer = json.dumps({"verdict": "approve", "reason": "well written"}).encode()
    _ask(Request(f"{server}/v1/approvals/{asked[0]['id']}/decision", data=answer, headers=headers, method="POST"))
    print("the person answered:", asked[0]["question"])


def _ask(request: Request) -> Any:
    with urlopen(request, timeout=30) as response:
        return json.load(response)


pause = threading.Event()


def main(folder: Path) -> None:
    store = ["--url", str(folder / "journal.db"), "--journal", "news"]
    with Journal.open(folder / "journal.db", journal="news", actor="ci") as journal:
        secret = journal.add_credential(name="ann").secret
        serving = subprocess.Popen([*PROGRAM, "serve", "--port", "0", *store], stdout=subprocess.PIPE, text=True)
        try:
            assert serving.stdout is not None
            lines = iter(serving.stdout.readline, "Ready. Stop it with Ctrl-C.\n")
            address = next(line.split()[-1] for line in lines if line.startswith("MCP over HTTP:")).removesuffix("/mcp")
            for _ in lines:
                pass
            first = journal.run(PLAN, tools=[build, publish], key="news")
            print("the runner built it, and waits for:", ", ".join(first.waiting))
            others = [
                threading.Thread(target=lambda: asyncio.run(agent(store, first.id))),
                threading.Thread(target=person, args=(address, secret)),
            ]
            for other in others:
                other.start()
            run = journal.run(PLAN, tools=[build, publish], key="news", wait=True)
            for other in others:
                other.join()
        finally:
            serving.terminate()
            serving.communicate(timeout=30)
        print("the runner went on:", run.results)
        assert run.results == {"build": "built", "write": "It is out.", "publish": "published"}
        hands = {(entry.actor_kind, entry.witness) for entry in run if entry.kind == "action_ended"}
        assert hands == {("runner", "observed"), ("agent", "claimed")}


if __name__ == "__main__":
    with TemporaryDirectory() as folder:
        main(Path(folder))
