"""The floor under `tallystick mcp`: a server that reads a line, commits one row with bare apsw, and answers.

Run as `python -I mcp_floor.py FILE CREATE INSERT`. It imports only what it needs, and validates nothing.
"""

import os
import sys
import time

import apsw
import msgspec

TOOL = {"name": "record", "inputSchema": {"type": "object"}}
HELLO: dict[str, object] = {
    "protocolVersion": "2025-11-25",
    "capabilities": {"tools": {}},
    "serverInfo": {"name": "floor", "version": "0"},
}


def main() -> None:
    path, create, insert = sys.argv[1:]
    connection = apsw.Connection(path)
    connection.pragma("journal_mode", "wal")
    connection.pragma("synchronous", "full")
    connection.execute(create)
    run = f"ex_{os.getpid():010d}"
    decode, encode = msgspec.json.Decoder().decode, msgspec.json.Encoder().encode
    seq = 0
    for line in sys.stdin.buffer:
        request = decode(line)
        if "id" not in request:
            continue
        if request["method"] == "tools/call":
            seq += 1
            payload = encode(request["params"]["arguments"]).decode()
            connection.execute(insert, (run, seq, "action", time.time_ns() // 1000, payload))
            result: dict[str, object] = {
                "content": [{"type": "text", "text": f"recorded as entry {seq}"}],
                "isError": False,
            }
        else:
            result = HELLO if request["method"] == "initialize" else {"tools": [TOOL]}
        os.write(1, encode({"jsonrpc": "2.0", "id": request["id"], "result": result}) + b"\n")


main()
