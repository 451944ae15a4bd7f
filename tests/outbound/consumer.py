"""A real consumer of webhooks, run as a program: verifies each message with the official package, and prints it.

`python consumer.py PORT SECRET`. A message that does not verify is answered with 401, and printed as such.
"""

import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from standardwebhooks import Webhook, WebhookVerificationError


class Consumer(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        length = int(self.headers["content-length"])
        body = self.rfile.read(length)
        if len(body) < length:  # its sender was killed in the middle
            return
        try:
            message = Webhook(sys.argv[2]).verify(body, dict(self.headers))
            data = message["data"]
            shown = [self.headers["webhook-id"], message["type"], data["seq"], data.get("execution_id", "")]
            status = 204
        except WebhookVerificationError as error:
            shown, status = ["not verified", str(error), 0, ""], 401
        sys.stdout.write(json.dumps(shown) + "\n")  # at once, so that two threads do not write into one line
        sys.stdout.flush()
        self.send_response(status)
        self.end_headers()

    def log_message(self, format: str, *args: Any) -> None:
        """Keep quiet."""


if __name__ == "__main__":
    with ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Consumer) as server:
        print(json.dumps(["listening", "", server.server_address[1], ""]), flush=True)
        server.serve_forever(0.01)
