"""What an agent is told once, at the start: only what the tools cannot say of themselves."""

_ALWAYS = """\
This server is the journal of what you do. It records; it never runs, retries or undoes anything for you.
- On start, resume or after compaction call query_ledger: it tells the open execution, the next step,
  what is in doubt and answers to approvals.
- Before work with more than two side effects, record_plan; say for each step whether it can be undone and how."""
_ACTIONS = """\
- Then record_execution_start, and pass its handle on later calls. Around each side effect call
  record_action: begin before it, end after it with the true outcome."""
_CAPTURED = """\
- A plan is begun as it is recorded. Your tool calls are journaled for you; add what only you know.
- To go on with what another session left, record_decision continue with its execution_id first."""
_FORKS = """\
- record_decision with why at every fork, retry, skip or stop."""
_RECORDED = """\
- What has no result is in doubt: look at the real system before you act again, then record the end with evidence.
- On failure decide unwind, then carry out what is owed in the order given, each as kind=undo."""
_SEEN = """\
- What has no result is in doubt: look at the real system before you act again, and say in `why` what you found.
- On failure decide unwind, then carry out what is owed in the order given."""
_CONTEXT = """\
- Put facts that later sessions need into record_context."""
_LAST = """\
- Irreversible, costly or unclear: decide ask_human and do other work. No answer is not a yes.
- Never record secrets.
- Finish with record_decision done or stop, and say what is left open."""


def instructions(profile: str) -> str:
    """The text for a profile: with few tools there is less to say."""
    if profile == "minimal":
        return "\n".join((_ALWAYS, _CAPTURED, _FORKS, _SEEN, _LAST))
    return "\n".join((_ALWAYS, _ACTIONS, _FORKS, _RECORDED, _CONTEXT, _LAST))
