"""The one table from an error's code to what each door answers: the status of REST, the exit code of the CLI.

Exit codes are stable:

    0    it was done
    1    a failure: `verify` or `doctor` found a problem, or something unforeseen happened
    2    the call was wrong: an unknown option, a missing or invalid argument
    3    not permitted: it needs a credential
    4    the store cannot be reached or used
    5    the journal said no: an unknown handle, the wrong state, a conflict
    130  interrupted by Ctrl-C
    141  the reader of a pipe went away
"""

from msgspec import Struct

from tallystick.core.errors import TallystickError

OK = 0
FAILURE = 1
USAGE = 2
INTERRUPTED = 130
PIPE_CLOSED = 141


class Answer(Struct, frozen=True):
    """What a door answers for an error."""

    status: int
    exit_code: int


ANSWERS: dict[str, Answer] = {
    "failure": Answer(500, FAILURE),
    "tampered": Answer(500, FAILURE),
    "invalid_argument": Answer(400, USAGE),
    "too_large": Answer(413, USAGE),
    "not_permitted": Answer(403, 3),
    "storage_unavailable": Answer(503, 4),
    "busy": Answer(429, 4),
    "unsupported_store": Answer(503, 4),
    "unknown_handle": Answer(404, 5),
    "ambiguous_execution": Answer(409, 5),
    "wrong_state": Answer(409, 5),
    "already_done": Answer(409, 5),
    "in_doubt_open": Answer(409, 5),
    "missing_undo": Answer(409, 5),
    "approval_pending": Answer(409, 5),
    "conflict": Answer(409, 5),
}


def answer_to(error: TallystickError) -> Answer:
    """The answer for an error, by its code."""
    return ANSWERS[error.code]
