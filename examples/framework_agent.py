"""An agent of a framework: one line records all of its calls, and the model does not have to cooperate.

The model is scripted, so that this runs anywhere: it moves a file, tries to move one that is not there, and stops. Put
a real model in its place and nothing else changes.
"""

import asyncio
from pathlib import Path
from tempfile import TemporaryDirectory

from pydantic_ai import Agent, ModelMessage, ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

from tallystick import Journal
from tallystick.integrations.pydantic_ai import JournalCapability

SCRIPT = [
    ToolCallPart("move", {"source": "old.txt", "target": "new.txt"}),
    ToolCallPart("move", {"source": "gone.txt", "target": "new.txt"}),
]


def scripted(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
    turn = sum(isinstance(message, ModelResponse) for message in messages)
    return ModelResponse(parts=[SCRIPT[turn] if turn < len(SCRIPT) else TextPart("That is all.")])


def main(folder: Path) -> None:
    (folder / "old.txt").write_text("a letter")

    def move(source: str, target: str) -> str:
        """Move a file."""
        return (folder / source).rename(folder / target).name

    with Journal.open(f"sqlite:///{folder}/journal.db") as journal:
        agent = Agent(
            FunctionModel(scripted),
            name="archivist",
            tools=[move],
            capabilities=[JournalCapability(journal)],  # this is all
        )
        try:
            asyncio.run(agent.run("Tidy up."))
        except FileNotFoundError as error:
            print("the agent failed:", error.strerror)

        print(journal.get_brief().text)
        ended = journal.read_entries(kind="action_ended").entries
        assert [entry.facts["outcome"] for entry in ended] == ["ok", "failed"]
        assert {entry.witness for entry in ended} == {"observed"}
        assert (folder / "new.txt").read_text() == "a letter"


if __name__ == "__main__":
    with TemporaryDirectory() as folder:
        main(Path(folder))
