"""One tool for plans, and one notifier for alerts."""

import json
from pathlib import Path
from urllib.parse import urlsplit

from tallystick import tool
from tallystick.outbound.alerts.messages import AlertMessage


@tool(effect="read")
def count_lines(path: str) -> int:
    """How many lines a file has."""
    return len(Path(path).read_text().splitlines())


class LogFile:
    """Appends each message to a file, as a line of JSON. An error makes the sender try again later."""

    def __init__(self, address: str) -> None:
        self.path = Path(urlsplit(address).path)

    def send(self, message: AlertMessage) -> None:
        with self.path.open("a") as file:
            file.write(json.dumps({"title": message.title, "text": message.text}) + "\n")
