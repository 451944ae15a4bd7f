"""What kind of error a text tells of."""

import pytest

from tallystick.operations.views.figures.series import error_kind


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("No answer came: the request timed out after 30 s", "timed_out"),
        ("ReadTimeout: deadline exceeded", "timed_out"),
        ("HTTP 429 Too Many Requests", "rate_limited"),
        ("connect ECONNREFUSED 127.0.0.1:5432", "no_connection"),
        ("dial tcp: lookup db.internal: no such host", "no_connection"),
        ("bash: ./run.sh: Permission denied", "not_permitted"),
        ("Status 403.", "not_permitted"),
        ('relation "users" already exists', "conflict"),
        ("cat: /etc/none: No such file or directory", "not_found"),
        ("404 rows were deleted", "other"),
        ("Status code: 404", "not_found"),
        ("write: No space left on device", "out_of_space"),
        ("status=502 Bad Gateway", "server_error"),
        ("ValueError: invalid literal for int()", "invalid"),
        ("KeyboardInterrupt: interrupted", "cancelled"),
        ("Exit code 1", "exit_code"),
        ("It is Tuesday.", "other"),
        ("  ", "no_text"),
    ],
)
def test_the_kind_is_read_from_the_words(text: str, kind: str) -> None:
    assert error_kind(text) == kind


def test_the_category_of_a_runner_counts_before_the_words() -> None:
    assert error_kind("lost: The server forbids to say more", by_runner=True) == "no_connection"
    assert error_kind("failed: HTTP 403 forbidden", by_runner=True) == "not_permitted"
    assert error_kind("lost: and found", by_runner=False) == "other"
