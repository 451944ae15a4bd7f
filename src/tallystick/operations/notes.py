"""What a harness sees beside the calls of tools: prompts, compactions, sub-agents, denials."""

from typing import Annotated

from msgspec import Meta

from tallystick.core.entries import Entry, SessionNoted
from tallystick.core.model import JSON, Key, Sighting
from tallystick.operations.attaching import execution_seen
from tallystick.operations.desk import Desk, Sheet, plain
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
    seen_at: Annotated[str, Meta(max_length=40, description="When it was seen, if before now")] = "",
    key: Key | None = None,
) -> Receipt:
    """Record what was seen in a session and is no action: a prompt, a compaction, a sub-agent, a denial."""
    body = desk.body(summary=summary, details=details, seen_at=seen_at)
    facts = SessionNoted(event=event, agent=desk.name(agent), call=desk.name(call_id))

    def work(sheet: Sheet) -> Entry:
        execution = execution_seen(sheet.ledger, sheet.session, sheet.desk.asker.actor)
        return sheet.write(facts, id=sheet.session, execution=execution.id if execution else "", body=body)

    return desk.record(key, ["note", event, summary, details, agent, call_id, seen_at], work, plain)
