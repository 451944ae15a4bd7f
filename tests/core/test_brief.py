"""The brief stays within its limit for any content, and drops the least important parts first."""

from hypothesis import given
from hypothesis import strategies as st

from tallystick.core.formats.tokens import cost
from tallystick.core.formats.visible import escape_line
from tallystick.operations.views.brief_text import Section, clip, render

lines = st.text(max_size=400)
sections = st.lists(
    st.builds(
        Section,
        heading=lines,
        lines=st.lists(lines, max_size=30).map(tuple),
        total=st.integers(0, 10**9),
    ),
    max_size=12,
)


@given(sections, st.integers(0, 2000))
def test_a_brief_is_never_longer_than_its_tokens(given_sections: list[Section], tokens: int) -> None:
    shown = render(given_sections, tokens)
    assert cost(shown) <= tokens
    assert len(shown) <= 4 * tokens


@given(sections)
def test_a_section_that_fits_is_shown_whole(given_sections: list[Section]) -> None:
    shown = render(given_sections, 100_000)
    for section in given_sections:
        assert '"' in section.heading or clip(escape_line(section.heading), 300) in shown
        for line in section.lines:
            assert '"' in line or f"- {clip(escape_line(line), 140)}" in shown
        more = section.total - len(section.lines)
        assert more <= 0 or f"- and {more} more" in shown


@given(sections, sections, st.integers(20, 400))
def test_a_later_section_never_removes_the_first_line_of_an_earlier_one(
    first: list[Section], later: list[Section], tokens: int
) -> None:
    head = Section(heading="ex_a1 is running")
    assert render([head, *first, *later], tokens).startswith("ex_a1 is running")


@given(lines, st.integers(1, 300))
def test_a_clipped_line_is_one_line_and_no_longer_than_asked(text: str, length: int) -> None:
    clipped = clip(text, length)
    assert len(clipped) <= length
    assert len(clipped.splitlines()) <= 1


def test_a_recorded_text_gives_way_to_the_call_behind_it() -> None:
    call = "the plan leaves it to you: decide retry, skip, replan, unwind, ask_human or stop"
    line = f'restart with "Exit code 2: {"no such file " * 9}": {call}'
    for tokens in (400, 60):
        shown = render([Section("ex_a1 is running"), Section("Failed:", (line,))], tokens)
        assert shown.endswith(call)
        assert '- restart with "Exit code 2: no such' in shown


def test_a_command_at_the_end_of_a_line_is_never_cut() -> None:
    command = "tallystick run --resume ex_a2v7"
    heading = Section(f"No runner is at work on it. To go on: {command}")
    others = [Section(f"Section {number} has a lot to say, which takes a lot of room.") for number in range(4)]
    for tokens in range(60, 140, 5):
        shown = render([Section("The execution."), heading, *others], tokens)
        assert command in shown
        assert cost(shown) <= tokens
