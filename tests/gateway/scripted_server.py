"""A scripted MCP server, run as a process: speaks JSON lines, and logs each message that it gets.

Arguments: the log file, the era (`handshake`, `modern`, `both`, or `unlisted`: both, but it fails to list all its
tools), and the server's name. Each line is logged before it is handled. Tools do what their names say.
"""

import json
import os
import sys
import time
from collections.abc import Callable
from typing import Any

READ = {"readOnlyHint": True}
TOOLS: dict[str, dict[str, Any]] = {
    "echo": {},
    "look": READ,
    "fail": {},
    "break": {},
    "die": {},
    "die_after": {},
    "hang": {},
    "hang_reading": READ,
    "large": {},
    "ask": {},
    "progress": {},
    "secret": {},
    "input": {},
    "late": {},
    "put": {"idempotentHint": True, "destructiveHint": False},
    "change": {},
    "get_status": {},
    "get_and_clear": {},
    "raw": {},
    "wait": {},
    "wait_reading": READ,
    "twice": {},
    "bytes": {},
    "task": {},
}
NEXT_PAGES = {each: f',"nextCursor":{each}' for each in ("null", "1e999")}
"""The cursors of the next page of prompts, for servers of these names."""
asked: dict[Any, Any] = {}
patient: list[Any] = []
"""Calls of `wait`, which are answered by `custom/tell`."""
tasks: dict[str, dict[str, Any]] = {}
held: list[Any] = []
released: list[Any] = []
"""The server `held` does not list its tools before one of them is called."""


def main(log: str, era: str, name: str = "scripted") -> None:
    with open(f"{log}.pid", "w") as file:
        file.write(str(os.getpid()))
    for line in sys.stdin:
        with open(log, "a") as file:
            file.write(line if line.endswith("\n") else line + "\n")
            file.flush()
            os.fsync(file.fileno())
        take(json.loads(line), era, name)


def send(**message: Any) -> None:
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
    sys.stdout.flush()


def take(message: dict[str, Any], era: str, name: str) -> None:
    method, id, params = message.get("method"), message.get("id"), message.get("params") or {}
    if method is None:
        waiting = asked.pop(id, None)
        if waiting is not None:
            answer(waiting, text(json.dumps(message.get("result"))))
    elif id is None:
        on_notification(method, params, name)
    elif method in ("initialize", "server/discover"):
        greet(id, method, params, era, name)
    elif method == "tools/list":
        list_tools(id, params, era, name)
    elif method == "tools/call":
        released.append(id)
        for waiting in held:
            answer(waiting, {"tools": [{"name": "echo", "inputSchema": {"type": "object"}}]})
        held.clear()
        call(id, params["name"], params.get("arguments") or {}, params.get("_meta") or {}, params)
    elif method == "tasks/list" or params.get("taskId") in tasks:
        answer(id, about_tasks(method, params, name))
    elif method == "prompts/list":
        answer_raw(id, f'"result":{{"prompts":[{{"name":"greet"}}]{NEXT_PAGES.get(name, "")}}}')
    elif method == "custom/tell":
        answer_raw(patient.pop(0), params["answer"])
        answer(id, {})
    else:
        answer_other(id, method, params, name)


def on_notification(method: str, params: dict[str, Any], name: str) -> None:
    if method == "notifications/initialized" and name == "eager":
        send(id="r1", method="roots/list")
        send(method="notifications/tools/list_changed")
    if method == "notifications/cancelled" and params.get("requestId") in asked.values():
        print("cancelled", file=sys.stderr)


def greet(id: Any, method: str, params: dict[str, Any], era: str, name: str) -> None:
    capabilities: dict[str, Any] = {"tools": {"listChanged": True}, "resources": {}, "prompts": {}}
    if method == "initialize" and era != "modern":
        tasks: dict[str, Any] = {"list": {}, "cancel": {}, "requests": {"tools": {"call": {}}}}
        capabilities |= {"resources": {"subscribe": True}, "logging": {}, "tasks": tasks}
        hello = {"capabilities": capabilities, "serverInfo": {"name": name, "version": "1"}}
        hello["protocolVersion"] = params["protocolVersion"]
        answer(id, {**hello, "instructions": f"Use {name} well."})
    elif method == "server/discover" and era != "handshake":
        answer(id, {"resultType": "complete", "supportedVersions": ["2026-07-28"], "capabilities": capabilities})
    else:
        send(id=id, error={"code": -32601, "message": "no such method"})


def list_tools(id: Any, params: dict[str, Any], era: str, name: str) -> None:
    if name == "held" and not released:
        held.append(id)
        return
    tools = [{"name": tool, "inputSchema": {"type": "object"}, "annotations": notes} for tool, notes in TOOLS.items()]
    half = len(tools) // 2
    if era == "unlisted" and params.get("cursor"):
        send(id=id, error={"code": -32603, "message": "the rest cannot be listed"})
        return
    answer(id, {"tools": tools[half:]} if params.get("cursor") else {"tools": tools[:half], "nextCursor": "more"})


def answer_other(id: Any, method: str, params: dict[str, Any], name: str) -> None:
    results: dict[str, Callable[[], dict[str, Any]]] = {
        "resources/list": lambda: {"resources": [{"uri": f"test://{name}/one", "name": "one"}]},
        "resources/read": lambda: {"contents": [{"uri": params["uri"], "text": f"read by {name}"}]},
        "resources/templates/list": lambda: {
            "resourceTemplates": [{"uriTemplate": f"test://{name}/{{id}}", "name": "any"}]
        },
        "prompts/get": lambda: {
            "messages": [{"role": "user", "content": {"type": "text", "text": f"{name}: {params['name']}"}}]
        },
        "resources/subscribe": dict,
        "logging/setLevel": dict,
        "ping": dict,
        "custom/thing": lambda: {"custom": params.get("x")},
    }
    if method in results:
        answer(id, results[method]())
    else:
        send(id=id, error={"code": -32601, "message": "no such method"})


def about_tasks(method: str, params: dict[str, Any], name: str) -> dict[str, Any]:
    if method == "tasks/list":
        return {"tasks": [{"taskId": each, "status": tasks[each]["status"]} for each in tasks]}
    task = tasks[params["taskId"]]
    if method == "tasks/result":
        related = {"io.modelcontextprotocol/related-task": {"taskId": params["taskId"]}}
        return text(f"done by {name}", isError=task["status"] == "failed", _meta=related)
    if method == "tasks/cancel":
        task["status"] = "cancelled"
    return {"taskId": params["taskId"], "status": task["status"], "statusMessage": f"of {name}"}


def answer(id: Any, result: dict[str, Any]) -> None:
    send(id=id, result=result)


def answer_raw(id: Any, fields: str) -> None:
    """Send an answer with exactly these fields."""
    sys.stdout.write(f'{{"jsonrpc":"2.0","id":{id},{fields}}}\n')
    sys.stdout.flush()


def text(content: str, **more: Any) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": content}], **more}


def call(id: Any, tool: str, arguments: dict[str, Any], meta: dict[str, Any], params: dict[str, Any]) -> None:
    if tool in ("echo", "look", "put", "get_status", "get_and_clear"):
        answer(
            id,
            text(json.dumps(arguments), structuredContent={"given": arguments, "key": meta.get("tallystick/key", "")}),
        )
    elif tool == "fail":
        answer(id, text("it failed", isError=True))
    elif tool == "break":
        send(id=id, error={"code": -32603, "message": "broken inside", "data": {"more": 1}})
    elif tool == "die":
        os.kill(os.getpid(), 9)
    elif tool == "die_after":
        answer(id, text("done"))
        os.kill(os.getpid(), 9)
    elif tool in ("hang", "hang_reading"):
        asked[f"never-{id}"] = id
    elif tool == "large":
        answer(id, text("x" * arguments["size"]))
    elif tool == "ask":
        asked["q1"] = id
        send(id="q1", method=arguments.get("method", "elicitation/create"), params={"message": "Sure?"})
    elif tool == "progress":
        for done in (1, 2):
            send(method="notifications/progress", params={"progressToken": meta.get("progressToken"), "progress": done})
        send(method="notifications/message", params={"level": "info", "data": "working"})
        answer(id, text("done"))
    elif tool == "secret":
        answer(id, text("AKIAIOSFODNN7EXAMPLE is the key; password=hunter2hunter2"))
    elif tool == "input":
        if "inputResponses" in params:
            answer(id, {"resultType": "complete", **text("thank you")})
        else:
            answer(id, {"resultType": "input_required", "inputRequests": {"a": {"method": "elicitation/create"}}})
    elif tool == "late":
        time.sleep(float(arguments["seconds"]))
        answer(id, text("at last"))
    elif tool == "raw":
        print(arguments.get("complaint", ""), file=sys.stderr, flush=True)
        answer_raw(arguments.get("id", "{}").format(id), arguments["answer"])
    elif tool == "bytes":  # a letter is a byte
        failed = json.dumps(arguments.get("failed", False))
        result = f'{{"content":[{{"type":"text","text":"{arguments["text"]}"}}],"isError":{failed}}}'
        line = f'{arguments.get("before", "")}{{"jsonrpc":"2.0","id":{id},"result":{result}}}\n'
        sys.stdout.buffer.write(line.encode("latin-1"))
        sys.stdout.buffer.flush()
    elif tool == "task":
        tasks[arguments["id"]] = {"status": "working", **arguments}
        answer(id, {"task": {"taskId": arguments["id"], "status": "working"}})
    elif tool in ("wait", "wait_reading"):
        patient.append(id)
    elif tool == "twice":
        answer(id, text("done"))
        answer(id, text("done", isError=arguments["otherwise"]))
    elif tool == "change":
        TOOLS["new_one"] = {}
        send(method="notifications/tools/list_changed")
        answer(id, text("changed"))
    elif tool == "nowhere":
        send(id=id, error={"code": -32602, "message": "there is no such tool"})


if __name__ == "__main__":
    main(*sys.argv[1:])
