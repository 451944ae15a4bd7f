"""The operation get_report: one execution as Markdown, HTML, CSV or JSON lines.

Recorded text comes from models and tools, so each form escapes it in one place: `svg.el` for HTML, `markdown.code` and
`markdown.block`, `tables.cell`, and the JSON encoder.
"""

from typing import Annotated, Literal

from msgspec import Meta

from tallystick.core.types import Handle
from tallystick.operations.runtime.lookup import require_row
from tallystick.operations.runtime.operation import Document, operation
from tallystick.operations.runtime.operation_context import OperationContext

Form = Literal["markdown", "html", "csv", "jsonl"]
MEDIA_TYPES: dict[Form, str] = {
    "markdown": "text/markdown; charset=utf-8",
    "html": "text/html; charset=utf-8",
    "csv": "text/csv; charset=utf-8",
    "jsonl": "application/jsonl; charset=utf-8",
}
_SUFFIXES: dict[Form, str] = {"markdown": "md", "html": "html", "csv": "csv", "jsonl": "jsonl"}


class Report(Document, frozen=True, kw_only=True):
    """A file: its name, media type and text. `left_out` counts the entries that did not fit, the oldest ones."""

    MEDIA_TYPES = tuple(MEDIA_TYPES.values())
    left_out: int


@operation("read", "GET /v1/executions/{execution_id}/report", example={"execution_id": "ex_a2v7", "form": "markdown"})
def get_report(
    context: OperationContext,
    *,
    execution_id: Handle,
    form: Annotated[
        Form, Meta(description="html opens anywhere, with no server; markdown is for a model")
    ] = "markdown",
) -> Report:
    """One execution as a document: plan against actual, timeline, in doubt, owed, decisions, approvals, journal.

    The oldest entries are left out of a very long one, and it says how many.
    """
    from tallystick.core.state import Execution
    from tallystick.operations.reports import content, html, markdown, tables  # loaded only when a report is asked for

    problem = getattr(context.store, "problem", "")  # set by the store of an imported file
    account = context.read(
        lambda view: content.gather(
            view, require_row(view, Execution, execution_id, "execution_id"), context.principal, form, problem
        )
    )
    writers = {"markdown": markdown.write, "html": html.write, "csv": tables.write, "jsonl": tables.write_lines}
    return Report(
        name=f"{execution_id}.{_SUFFIXES[form]}",
        media_type=MEDIA_TYPES[form],
        text=writers[form](account),
        left_out=account.left_out,
    )
