"""A scripted server over HTTP: a process of its own, with the standard library alone.

It prints its port, logs its requests, and dies when a tool is called that demands it. The tool `status` is answered
as its arguments say.
"""

import json
import os
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

SESSION = f"of-{os.getpid()}"
"""A restarted server knows no session of the one before."""
TOOLS = ("echo", "die_streaming", "die_silent", "status")
SESSIONLESS = "sessionless" in sys.argv


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_: Any) -> None:
        """It is quiet."""

    def do_GET(self) -> None:
        self._answer(405, {})

    def do_DELETE(self) -> None:
        self._answer(200, {})

    def do_POST(self) -> None:
        message = json.loads(self.rfile.read(int(self.headers["content-length"])))
        if self.path == "/moved":
            self._write(307, b"", {"location": "/moved/"})
            return
        with open(sys.argv[2], "a") as log:
            log.write(json.dumps(message) + "\n")
        id, method, params = message.get("id"), message.get("method"), message.get("params") or {}
        if method != "initialize" and not SESSIONLESS and self.headers.get("mcp-session-id") != SESSION:
            error = {"code": -32600, "message": "Session not found"}
            self._answer(404, {"jsonrpc": "2.0", "id": "server-error", "error": error})
        elif id is None:
            self._answer(202, {})
        elif method == "initialize":
            fields = {"capabilities": {"tools": {}}, "serverInfo": {"name": "web", "version": "1"}}
            self._result(id, {"protocolVersion": params["protocolVersion"], **fields})
        elif method == "tools/list":
            self._result(id, {"tools": [{"name": name, "inputSchema": {"type": "object"}} for name in TOOLS]})
        elif method == "tools/call":
            self._call(id, params["name"], params.get("arguments") or {})
        else:
            self._answer(200, {"jsonrpc": "2.0", "id": id, "error": {"code": -32601, "message": "no such method"}})

    def _call(self, id: Any, tool: str, arguments: dict[str, Any]) -> None:
        if tool == "status":
            self._write(arguments["status"], arguments["body"].encode(), arguments["headers"])
            return
        if tool == "die_streaming":
            self.send_response(200)
            self.send_header("content-type", "text/event-stream")
            self.end_headers()
            self.wfile.write(b": it lives\r\n\r\n")
            self.wfile.flush()
        if tool.startswith("die"):
            os.kill(os.getpid(), 9)
        self._result(id, {"content": [{"type": "text", "text": "done"}]})

    def _result(self, id: Any, result: dict[str, Any]) -> None:
        self._answer(200, {"jsonrpc": "2.0", "id": id, "result": result})

    def _answer(self, status: int, body: dict[str, Any]) -> None:
        session = {} if SESSIONLESS else {"mcp-session-id": SESSION}
        self._write(status, json.dumps(body).encode() if body else b"", session)

    def _write(self, status: int, body: bytes, headers: dict[str, str]) -> None:
        self.send_response(status)
        for name, value in ({"content-type": "application/json", "content-length": str(len(body))} | headers).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler)
    print(server.server_address[1], flush=True)
    server.serve_forever()
