"""`tallystick demo`: an agent is killed in the middle of a step, and another one takes over from the journal alone.

Nothing in it is played: the files, the web server, the SIGKILL and the failing check are real, each agent is a
process of its own, and what is shown was read from the journal or seen in the world.
"""

import argparse
import sys

PACE_ON_A_TERMINAL = 0.7
"""Seconds that an agent thinks before it acts, so that a person can follow."""


def main(argv: list[str]) -> int:
    """Play the demonstration; 0 only if the story went as it should."""
    given = _arguments(argv)
    from tallystick.demo.story import play  # rich and the rest are loaded only now

    pace = given.pace if given.pace is not None else PACE_ON_A_TERMINAL if sys.stdout.isatty() else 0.0
    return play(url=given.url, pace=pace, keep=given.keep)


def _arguments(argv: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="tallystick demo",
        description="Watch an agent be killed and another one take over. It works in a temporary folder of its own.",
    )
    parser.add_argument("--pace", type=_seconds, help="seconds an agent thinks before it acts (0 in a pipe)")
    parser.add_argument("--keep", action="store_true", help="keep the folder and the journal, to look at them later")
    parser.add_argument("--url", type=_url, help="the store to record in (a file in the temporary folder)")
    return parser.parse_args(argv)


def _seconds(text: str) -> float:
    value = float(text)
    if not 0 <= value <= 60:
        raise argparse.ArgumentTypeError("use a number from 0 to 60")
    return value


def _url(text: str) -> str:
    if text.startswith("memory:"):
        raise argparse.ArgumentTypeError("the agents are processes of their own, and cannot share a memory: store")
    return text
