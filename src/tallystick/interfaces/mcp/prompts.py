"""MCP prompts: texts that a person starts by name, with the state of the journal filled in."""

from typing import Any

from msgspec import Struct

from tallystick.core.errors import InvalidArgument, not_one_of
from tallystick.core.formats.visible import escape_block
from tallystick.interfaces.mcp.query import query
from tallystick.interfaces.mcp.sessions import RequestCaller


class PromptArgument(Struct, frozen=True):
    name: str
    description: str
    required: bool = False


class Prompt(Struct, frozen=True):
    """`views` are read and put below the text. `text_if_observed` is for an agent whose calls are journaled for it."""

    description: str
    arguments: tuple[PromptArgument, ...]
    text: str
    views: tuple[str, ...] = ()
    text_if_observed: str = ""


_EXECUTION = PromptArgument("execution_id", "Default: the newest open execution")
PROMPTS: dict[str, Prompt] = {
    "plan": Prompt(
        "Plan work so that it can be undone",
        (PromptArgument("goal", "What the plan is to achieve", required=True),),
        """\
Plan this and record the plan with record_plan before you act: {goal}

For each step say:
- `cancellable`: reversible, partially-reversible or irreversible. Be honest: money, mail
  and deleted data are not reversible.
- `undo`: in words, or as {{"tool": ..., "arguments": {{...}}}}. Arguments may refer to
  what will be recorded: "${{result.id}}".
- `undo_until` if it can be undone only for some time, such as "24h".
- `after`: the ids of steps that it depends on. With none anywhere, steps run in the order written.
- `failure_policy`: cancel_all, cancel_dependent, continue_others or manual_decision.
- `effect`: read, idempotent, probeable or unsafe (the default); with probeable, a `probe`: how to check whether it
  happened.
- `needs_approval`: true for what a person has to allow.
- `temporary`: true for a lock or the like, which is put back in the end; `undoes`: the id of the step that a step puts
  back.
- `estimate` in seconds, `tool` and `arguments` as you expect to call them.
The plan takes `type`, `reasoning`, `task_id` and `key` too. Put irreversible steps last,
and heed the warnings that come back.""",
    ),
    "resume": Prompt(
        "Take over work that another session left",
        (_EXECUTION,),
        """\
Take over this work. Below is how things stand.
1. Settle what is in doubt: look at the real system, then record_decision decision=settle with action_id, the true
   outcome and `evidence`.
2. Read the answers to approvals (query_ledger view=approvals). No answer is not a yes.
3. Go on with the next step; record begin before and end after it.
4. If it cannot go on, record_decision with why: retry, skip, replan, unwind, ask_human or stop.""",
        ("brief",),
        """\
Take over this work. Below is how things stand. Your calls are journaled.
1. Settle what is in doubt: look at the real system, then record_decision decision=settle with action_id, the true
   outcome and `evidence`.
2. Read the answers to approvals (query_ledger view=approvals). No answer is not a yes.
3. Go on with the next step.
4. If it cannot go on, record_decision with why: retry, skip, replan, unwind, ask_human or stop.""",
    ),
    "unwind": Prompt(
        "Undo what was done, in the right order",
        (_EXECUTION,),
        """\
Undo this execution. Record record_decision decision=unwind with why, if it is not unwinding yet. Then work off
the undo list below from top to bottom. For each: look whether it is really there, record_action phase=begin kind=undo
undoes=<action_id>, carry out its undo, record_action phase=end with the true outcome. If no undo is recorded or the
undo is not possible, record_decision decision=keep with action_id and why, and go on. When nothing is left that can be
undone, decide done.""",
        ("undo_list",),
        """\
Undo this execution. Record record_decision decision=unwind with why, if it is not unwinding yet. Then work off
the undo list below from top to bottom. For each: look whether it is really there, and carry out its undo; your calls
are journaled. If no undo is recorded or the undo is not possible, record_decision decision=keep with action_id and why,
and go on. When nothing is left that can be undone, decide done.""",
    ),
    "report": Prompt(
        "Tell a person what really happened",
        (_EXECUTION,),
        """\
Report on this execution to a person who was not there, in plain words and under 200 of them: what was planned, what
was really done (claimed or observed), what failed, what is in doubt, what was decided and why, what is still owed.
Say only what the journal says; where it is silent, say that it is.""",
        ("status", "journal"),
    ),
}


def list_prompts() -> list[dict[str, Any]]:
    """The prompts as prompts/list returns them."""
    return [
        {
            "name": name,
            "description": prompt.description,
            "arguments": [
                {"name": each.name, "description": each.description, "required": each.required}
                for each in prompt.arguments
            ],
        }
        for name, prompt in PROMPTS.items()
    ]


def get_prompt(caller: RequestCaller, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
    """A prompt with its arguments filled in, and the state of the journal below it, marked as data."""
    prompt = PROMPTS.get(name)
    if prompt is None:
        raise not_one_of(name[:80], "name", PROMPTS, what="a prompt")
    values = {each.name: str(arguments.get(each.name) or "") for each in prompt.arguments}
    for each in prompt.arguments:
        if each.required and not values[each.name]:
            raise InvalidArgument(f"{each.name} is missing.", hint=f"Give {each.name}.", field=each.name)
    records_actions = not caller.listed_tools or "record_action" in caller.listed_tools
    text = (prompt.text if records_actions else prompt.text_if_observed or prompt.text).format(**values)
    if name == "plan" and records_actions:
        text += "\nThen record_execution_start with the plan's id."
    if prompt.views:
        text += f"\n\n<journal-data>\n{_read_views(caller, prompt.views, values['execution_id'])}\n</journal-data>"
    return {
        "description": prompt.description,
        "messages": [{"role": "user", "content": {"type": "text", "text": escape_block(text)}}],
    }


def _read_views(caller: RequestCaller, views: tuple[str, ...], execution: str) -> str:
    """The texts of the views for one execution: the named one, else the one that the first view shows."""
    texts: list[str] = []
    for view in views:
        response = query(caller, {"view": view, "execution_id": execution or None})
        execution = execution or str(response.content.get("execution", {}).get("id", ""))
        texts.append(response.text)
    return "\n\n".join(texts)
