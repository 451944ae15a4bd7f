"""The server behind every measured gateway: answers at once, with the standard library only."""

import json
import sys
from typing import Any

TOOL = {"name": "pay", "description": "Pay.", "inputSchema": {"type": "object"}}


def main() -> None:
    for line in sys.stdin:
        message = json.loads(line)
        if "id" not in message or "method" not in message:
            continue
        answer: dict[str, Any] = {"jsonrpc": "2.0", "id": message["id"]}
        result = _result(message["method"], message.get("params") or {})
        if result is None:
            answer["error"] = {"code": -32601, "message": "no such method"}
        else:
            answer["result"] = result
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()


def _result(method: str, params: dict[str, Any]) -> dict[str, Any] | None:
    if method == "initialize":
        info = {"capabilities": {"tools": {}}, "serverInfo": {"name": "backend", "version": "1"}}
        return {"protocolVersion": params["protocolVersion"], **info}
    if method == "ping":
        return {}
    if method == "tools/list":
        return {"tools": [TOOL]}
    if method == "tools/call":
        return {"content": [{"type": "text", "text": json.dumps(params.get("arguments"))}]}
    return None


if __name__ == "__main__":
    main()
