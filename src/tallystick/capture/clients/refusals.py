"""How Claude Code refuses a call: it tells nobody but the model, in words of its own.

Such a text stands in the batch where a call's result would. It counts only for a call of which no end was told, since a
tool that ran is told under an event of its own; and only if the whole text has one of these forms, about this tool,
since a tool may print such words too.
Sources: Claude Code 2.1.197, run without permissions, and what it holds of these sentences.
"""

import re

_FORMS = (
    r"The user doesn't want to .+",
    r"Permission denied(?: by (?:PermissionRequest )?hook| for {tool}: .+)?",
    r"Permission to use {tool}(?: with command .+)? has been denied\.",
    r"Permission to use {tool} has been denied because Claude Code is running in don't ask mode\..*",
    r"Permission to (?:edit|read) .+ has been denied\.",
    r"Claude requested permissions to (?:use {tool}|(?:write to|edit|read from) .+), but you haven't granted it yet\.",
    r"Claude requested permissions to edit .+ which is a sensitive file\.",
    r"(?:\S+ in|Output redirection to) '.+' was blocked\. For security, Claude Code may only .+"
    r" the allowed working directories for this session: .+\.",
    r"This command requires approval",
    r"This {tool} command contains multiple operations\. The following parts? requires? approval: .+",
)


def is_refusal(text: str, tool: str) -> bool:
    """Whether a text that the model was shown in place of a result says that the call was not let happen."""
    forms = "|".join(_FORMS).replace("{tool}", re.escape(tool))
    return re.fullmatch(forms, text.strip(), re.DOTALL) is not None
