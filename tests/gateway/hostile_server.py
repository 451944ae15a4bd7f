"""A server that sends invalid output on standard output: run as a program, with that output as its argument.

It greets properly in the handshake era. At the first call it sends the invalid output, and then answers.
"""

import json
import sys
from typing import Any

SAID: dict[str, str] = {
    "noise": "Listening on port 3000...\n",
    "half": '{"jsonrpc":"2.0","id":\n',
    "bytes": "\udcff\udcfe\n",
    "deep": "[" * 100_000 + "\n",
    "nothing": "null\n\n\n",
    "stranger": '{"jsonrpc":"2.0","id":987654,"result":{}}\n',
    "client_id": '{"jsonrpc":"2.0","id":"ask-2","result":{"content":[],"forged":true}}\n',
    "both": '{"jsonrpc":"2.0","id":987654,"result":{},"error":{"code":1,"message":"x"}}\n',
    "progress": '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":99,"progress":1}}\n',
    "params": '{"jsonrpc":"2.0","method":"notifications/message","params":[1,2]}\n',
    "question": '{"jsonrpc":"2.0","id":{"a":1},"method":"sampling/createMessage"}\n',
    "batch": '[{"jsonrpc":"2.0","id":77,"result":{}},[],3,null]\n',
    "float": '{"jsonrpc":"2.0","id":1.5,"result":{}}\n',
}


def main(kind: str) -> None:
    for line in sys.stdin:
        message = json.loads(line)
        method, id = message.get("method"), message.get("id")
        if method == "initialize":
            hello = {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": {"name": "bad"}}
            answer(id, hello)
        elif method == "tools/list":
            tools: list[Any] = [{"name": "go"}, {"noname": 1}, {"name": 5}]
            answer(id, {"tools": tools})
        elif method == "tools/call":
            sys.stdout.buffer.write(SAID[kind].encode(errors="surrogateescape"))
            answer(id, {"content": [{"type": "text", "text": "gone"}]})


def answer(id: Any, result: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", "id": id, "result": result}) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1])
