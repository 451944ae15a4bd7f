"""What a harness sees beside the calls of tools: prompts, compactions, sub-agents, denials."""

from typing import Annotated

from msgspec import Meta

from tallystick.core.entries import Entry, SessionNoted
from tallystick.core.errors import InvalidArgument
from tallystick.core.model import JSON, Handle, Key, Sighting
from tallystick.core.state import Execution
from tallystick.operations.attaching import execution_seen
from tallystick.operations.desk import Desk, Sheet, plain
from tallystick.operations.handles import known
from tallystick.operations.operation import operation
from tallystick.operations.receipts import Receipt


@operation("record", "POST /v1/notes", example={"event": "compacted", "summary": "the conversation was shortened"})
def record_note(
    desk: Desk,
    *,
    event: Sighting,
    summary: str = "",
    details: JSON = None,
    agent: Annotated[str, Meta(max_length=200, description="The sub-agent that it is about")] = "",
    call_id: Annotated[Key | None, Meta(description="The client's own id of the call that it is about")] = None,
    execution_id: Annotated[Handle | None, Meta(description="The execution that was taken up")] = None,
    seen_at: Annotated[str, Meta(max_length=40, description="When it was seen, if before now")] = "",
    key: Key | None = None,
) -> Receipt:
    """Record what was seen in a session and is no action: a prompt, a compaction, a sub-agent, a denial."""
    body = desk.body(summary=summary, details=details, seen_at=seen_at)
    if (event == "took_up") is not bool(execution_id):
        raise InvalidArgument(
            "An execution is named where it was taken up, and only there.",
            hint="Give execution_id with the event took_up; leave it out with any other.",
            field="execution_id",
        )
    facts = SessionNoted(event=event, agent=desk.name(agent), call=desk.name(call_id))

    def work(sheet: Sheet) -> Entry:
        view = sheet.ledger
        if execution_id:
            execution: Execution | None = known(view, Execution, execution_id, "execution_id")
        else:
            execution = execution_seen(view, sheet.session, sheet.desk.asker.actor)
        return sheet.write(facts, id=sheet.session, execution=execution.id if execution else "", body=body)

    content = ["note", event, summary, details, agent, call_id, seen_at]
    return desk.record(key, [*content, execution_id] if execution_id else content, work, plain)
