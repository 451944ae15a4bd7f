"""The hook program as the clients call it: the command line that stands in their files, and how it is known again."""

import os
import re
import shlex
import shutil
import sys
from collections.abc import Mapping, Sequence

_OURS = re.compile(r"[/\\]tallystick[/\\]hook[/\\]run\.py\b")


def line(client: str, env: Mapping[str, str], *, event: str = "", strict: bool = False) -> str:
    """What stands in a client's file. It does not change with upgrades: Codex trusts a command by its hash.

    Python itself ends with 2 when the program is gone, and 2 means "hold the call back" to most clients. Without
    `strict` the line therefore always ends well. With it, whatever is no answer of the program's is a 2: the 127 of a
    shell that finds no Python, and a signal, would hold nothing back in Gemini CLI.
    """
    from tallystick.capture import slice as program

    return shlex.join(program.command(client, strict, event, env)) + (" || exit 2" if strict else " || true")


def is_ours(command: str) -> bool:
    """Whether a command line runs the hook program, with whatever Python and options."""
    return bool(_OURS.search(command))


def starter() -> list[str]:
    """The words that start this very `tallystick`, absolute: clients start with a nearly empty PATH.

    The path as it was called, not where links lead: that one stays through upgrades.
    """
    called = os.path.abspath(sys.argv[0])
    if os.path.basename(called) == "tallystick" and os.access(called, os.X_OK) and os.path.isfile(called):
        return [called]
    return [sys.executable, "-m", "tallystick"]


def install(env: Mapping[str, str], command: Sequence[str]) -> str:
    """Write the program, if it is not there as it should be; the path of what is run. Where hooks are to spool
    elsewhere from now on, what waits goes along."""
    from tallystick.capture import home
    from tallystick.capture import slice as program
    from tallystick.capture.moving import carry_over

    folder, kept = program.folder(env), home.of_now(env)
    before, now = _spools(env, home.kept(home.read(str(folder)))), _spools(env, kept)
    former = {*home.former(home.read(str(folder))), before} - {now}
    there = folder.exists()
    try:
        run = program.write(folder, command, kept, sorted(former))
    except OSError:
        if not there:  # a part of it would stay for good: nobody is told of it
            shutil.rmtree(folder, ignore_errors=True)
        raise
    for place in former:
        carry_over(place, now)
    return str(run)


def _spools(env: Mapping[str, str], kept: Mapping[str, str]) -> str:
    """Where hooks spool that were set up with these settings."""
    from tallystick.capture import home, spool

    return kept.get(home.SPOOL) or spool.root({**env, home.SPOOL: ""})


def uninstall(env: Mapping[str, str]) -> None:
    """Take the program away. What waits in the spool stays, in the folder where it is looked for with no program."""
    from tallystick.capture import home
    from tallystick.capture import slice as program
    from tallystick.capture.moving import carry_over

    told = home.read(str(program.folder(env)))
    shutil.rmtree(program.folder(env), ignore_errors=True)
    for place in {*home.former(told), _spools(env, home.kept(told))} - {_spools(env, {})}:
        carry_over(place, _spools(env, {}))
