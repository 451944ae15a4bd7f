"""Events in any order, drained in any pieces, some twice: compared with a model of a client."""

from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given, settings
from hypothesis import strategies as st

from tallystick.capture.spool import file as spool_file
from tallystick.store.memory import MemoryStore
from tests.capture.harness import Client, Watched

ARGUMENTS = ("a", "b")
_EVENTS = st.one_of(
    st.tuples(st.just("begin"), st.sampled_from(ARGUMENTS)),
    st.tuples(st.just("end"), st.sampled_from(ARGUMENTS)),
    st.tuples(st.just("fail"), st.sampled_from(ARGUMENTS)),
    st.tuples(st.sampled_from(["stop", "prompt", "drain", "drain twice"]), st.just("")),
)


class ClientModel:
    """One client, and the expected state of its calls. A call is its argument and its state."""

    def __init__(self, agent: Client) -> None:
        self.agent = agent
        self.ids = agent.name == "claude-code"
        self.calls: list[list[str]] = []

    def do(self, event: str, argument: str) -> None:
        if event == "begin":
            self.calls.append([argument, "open"])
            self._send("PreToolUse" if self.ids else "BeforeTool", argument, len(self.calls) - 1)
        elif event in ("end", "fail"):
            self._end(argument, "ok" if event == "end" else "failed")
        else:
            for call in self.calls:
                call[1] = "in_doubt" if call[1] == "open" else call[1]
            words = {"stop": ("Stop", "AfterAgent"), "prompt": ("UserPromptSubmit", "BeforeAgent")}[event]
            self.agent.send(words[0] if self.ids else words[1])

    def _end(self, argument: str, state: str) -> None:
        """The oldest open call, else the oldest in doubt: without an id it can be no other."""
        found = [index for index, call in enumerate(self.calls) if call == [argument, "open"]]
        found += [index for index, call in enumerate(self.calls) if call == [argument, "in_doubt"]]
        if not found:
            if self.ids:
                return  # an end without a begin: it would need an id
            self.calls.append([argument, "open"])
            found = [len(self.calls) - 1]
        self.calls[found[0]][1] = state
        failed = state == "failed"
        response = {"llmContent": "done", "isError": failed, "error": {"message": "no"} if failed else None}
        self._send("PostToolUse" if self.ids else "AfterTool", argument, found[0], tool_response=response)

    def _send(self, event: str, argument: str, number: int, **more: object) -> None:
        id = {"tool_use_id": f"t{number}"} if self.ids else {}
        self.agent.send(event, tool_name="run", tool_input={"n": argument}, **id, **more)


@settings(deadline=None)
@given(events=st.lists(st.tuples(st.booleans(), _EVENTS), max_size=30))
def test_the_journal_has_the_calls_of_the_clients(events: list[tuple[bool, tuple[str, str]]]) -> None:
    with TemporaryDirectory() as folder:
        watched = Watched(MemoryStore(), Path(folder))
        clients = [ClientModel(watched.client("claude-code", "one")), ClientModel(watched.client("gemini-cli", "two"))]
        for which, (event, argument) in [*events, (True, ("drain twice", ""))]:
            if event.startswith("drain"):
                _drain(watched, twice=event == "drain twice")
            else:
                clients[which].do(event, argument)
        for each in clients:
            actor = each.agent.name
            shown = [done for done, row in zip(watched.calls(), watched.actions(), strict=True) if row.actor == actor]
            assert [[done.arguments["n"], done.state] for done in shown] == each.calls
        assert watched.journal.verify().ok


def _drain(watched: Watched, *, twice: bool) -> None:
    folder = Path(watched.spool)
    before = folder.read_bytes() if folder.exists() else b""
    watched.drain()
    kinds = watched.kinds()
    if twice and before:  # as after a kill between commit and clear
        folder.write_bytes(before)
        assert watched.drain().recorded <= before.count(b"\n")
        assert watched.kinds() == kinds
    assert spool_file.waiting_bytes(watched.spool) == 0
