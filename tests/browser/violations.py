"""Reports what a page must never do: console errors, policy violations, dialogs, requests to other servers."""

import re

from playwright.sync_api import BrowserContext, ConsoleMessage, Dialog, Request, WebError

HARMLESS = ("data:", "blob:", "about:")
"""Addresses without a request to a server."""
ANSWERED = re.compile(r"Failed to load resource: the server responded with a status of (\d{3})")
CUT = "net::ERR_"
REPORTING = """
document.addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI, sourceFile, lineNumber }) =>
  console.error(`policy violated: ${violatedDirective} by ${blockedURI} at ${sourceFile}:${lineNumber}`));
"""
"""Reports violations even if the page catches them."""


class Watch:
    """Watches all pages of a context. `allows` names error responses that a test provokes: a browser writes each to the
    console."""

    def __init__(self, context: BrowserContext, origin: str) -> None:
        self.problems: list[str] = []
        self._origins: tuple[str, ...] = (origin, *HARMLESS)
        self._answers: set[str] = set()
        self._cut = False
        context.add_init_script(REPORTING)
        context.on("console", self._console)
        context.on("weberror", self._error)
        context.on("request", self._request)
        context.on("dialog", self._dialog)

    def allows(self, *answers: int) -> None:
        self._answers |= {str(answer) for answer in answers}

    def allows_a_cut(self) -> None:
        """Allow lost connections: the server stops in this test."""
        self._cut = True

    def allows_files(self) -> None:
        """Allow files: this test opens a page from the disk, beside that of the server."""
        self._origins += ("file:",)

    def _console(self, message: ConsoleMessage) -> None:
        if message.type not in ("error", "assert", "warning"):
            return
        answered = ANSWERED.match(message.text)
        if (answered and answered.group(1) in self._answers) or (self._cut and CUT in message.text):
            return
        self.problems.append(f"console {message.type}: {message.text} ({message.location.get('url', '')})")

    def _error(self, error: WebError) -> None:
        self.problems.append(f"error: {error.error}")

    def _request(self, request: Request) -> None:
        if not request.url.startswith(self._origins):
            self.problems.append(f"request to {request.url}")

    def _dialog(self, dialog: Dialog) -> None:
        self.problems.append(f"dialog: {dialog.message}")
        dialog.dismiss()
