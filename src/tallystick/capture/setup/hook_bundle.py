"""The slice of this package that the hook runs from, in the user's data folder.

The command that clients are configured with never changes: it names a file there, which each upgrade replaces.
Nothing of the installed package is loaded by it, so that it starts quickly, and also while the package is replaced.
"""

import importlib.util
import io
import json
import os
import py_compile
import re
import shlex
import shutil
import subprocess
import sys
import time
import tokenize
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from hashlib import blake2b
from pathlib import Path

from tallystick import paths
from tallystick.capture.hook import environment, pattern_cache
from tallystick.core.redaction import assignments, classify, commands, encoded, masker, prefilter, token_formats
from tallystick.version import __version__

MODULES = (
    "paths",
    "core.redaction.prefilter",
    "core.redaction.assignments",
    "core.redaction.commands",
    "core.redaction.masker",
    "core.redaction.encoded",
    "core.formats.fast_json",
    "core.redaction.classify",
    "core.redaction.token_formats",
    "capture.hook.pattern_cache",
    "capture.hook.responses",
    "capture.hook.environment",
    "capture.hook.brief",
    "capture.hook.event",
    "capture.spool.file",
    "capture.hook.exit_codes",
    "capture.hook.partial_payload",
    "capture.hook.main",
    "capture.hook.sanitize",
)
"""What the hook needs of this package. Each imports nothing but these and the standard library."""
RUN = """\
import sys

sys.path.insert(0, __file__.rpartition("/")[0] + "/{slice}")
try:
    from tallystick.capture.hook.main import main
except BaseException as error:  # somebody deleted a part of it
    sys.stderr.write(f"tallystick: this was not recorded: {{error}}\\n")
    sys.exit(2 if "--strict" in sys.argv else 0)
main(sys.argv[1:])
"""
PROVEN = (
    "import atexit,os,sys;sys.argv.pop(0);__file__=sys.argv[0];atexit.register(os._exit,2);exec(open(__file__).read())"
)
"""What a strict line runs the program with. The program ends the process itself, with its answer; if it comes to an
end otherwise (it is empty, broken, or gone), that is a refusal. No quotes in it, so that every file can hold it."""
COMPILE = """\
import json, sys
sys.path.insert(0, sys.argv[1])
from tallystick.capture.hook import pattern_cache
sys.stdout.buffer.write(pattern_cache.NAME.encode() + b"\\n" + pattern_cache.table(json.load(sys.stdin)))
"""
"""What another interpreter runs, in a slice, to compile patterns as it needs them."""
SYSTEM = "/usr/bin/python3"
OLDEST = (3, 11)
OLD_SECONDS = 3600
"""After this time no hook runs any more that an older slice was made for."""


def program_folder(env: Mapping[str, str]) -> Path:
    """Where the slice is written."""
    return Path(paths.data_folder(env)) / "hook"


def command(client: str, strict: bool = False, event: str = "", env: Mapping[str, str] | None = None) -> list[str]:
    """What a client is told to run. It is the same for every version of Tallystick."""
    run = program_folder(os.environ if env is None else env) / "run.py"
    extra = [*(["--strict"] if strict else []), *(["--event", event] if event else [])]
    proven = ["-c", PROVEN] if strict else []
    return [base_python(), "-I", "-S", *proven, str(run), client, *extra]


@cache
def base_python() -> str:
    """An interpreter under a name that stays: when an environment is made anew, and when Python is upgraded.

    That is the system's own, if what is compiled here fits it; else a name without a version on the PATH that leads to
    the interpreter which this environment was made from; else the system's own if it is new enough, which then compiles
    for itself; else the interpreter of this environment by the name under which it was called.
    """
    own = os.path.abspath(getattr(sys, "_base_executable", "") or sys.executable)
    system = _version(SYSTEM) if sys.platform == "linux" else None  # elsewhere it may be a stub that asks to install
    if system == sys.version_info[:2]:
        return SYSTEM
    for folder in os.environ.get("PATH", "").split(os.pathsep):
        name = os.path.join(folder, "python3")
        if os.path.isabs(name) and os.path.realpath(name) == os.path.realpath(own) and not _in_environment(name):
            return name
    return SYSTEM if system and system >= OLDEST else own


def _in_environment(name: str) -> bool:
    """Whether a name belongs to a virtual environment, which comes and goes."""
    return os.path.exists(os.path.join(os.path.dirname(name), os.pardir, "pyvenv.cfg"))


def _version(python: str) -> tuple[int, ...] | None:
    """The version of an interpreter that has what the hook needs; None where there is none."""
    code = "import sys, fcntl, marshal, re, subprocess, zlib; print(*sys.version_info[:2])"
    try:
        done = subprocess.run([python, "-I", "-S", "-c", code], capture_output=True, timeout=10, check=True)
        return tuple(map(int, done.stdout.split()))
    except (OSError, ValueError, subprocess.SubprocessError):
        return None


def write(
    folder: Path, command: Sequence[str], kept: Mapping[str, str] | None = None, former: Sequence[str] = ()
) -> Path:
    """Write the slice and return the path of what is to be run. `command` is the absolute command `tallystick`, `kept`
    the settings that what the hook starts is to have, `former` the folders that it once spooled in, see `environment`.

    Each slice has a folder named from its content, and the file that is run names the folder: an upgrade is one file
    that is replaced. A hook that runs meanwhile finds all of the old slice, or all of the new one.
    """
    name = _name()
    place = folder / name
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    for file, content in _files().items():
        _put(place / "tallystick" / file, content)
        _compile(place / "tallystick" / file)
    _compile_patterns(place)
    told = {"command": list(command), "version": __version__, **({"env": dict(kept)} if kept else {})}
    told |= {"former": list(former)} if former else {}
    _put(folder / environment.NAME, json.dumps(told).encode())
    _put(folder / "run.py", RUN.format(slice=name).encode())
    for other in folder.glob("slice-*"):
        if other != place and other.stat().st_mtime < time.time() - OLD_SECONDS:
            shutil.rmtree(other, ignore_errors=True)
    return folder / "run.py"


def is_current(folder: Path) -> bool:
    """Whether the slice that is run there is that of this package and interpreter."""
    try:
        return (folder / "run.py").read_text() == RUN.format(slice=_name())
    except OSError:
        return False


def refresh(folder: Path, command: Sequence[str]) -> bool:
    """Bring a slice that an older version wrote up to date; whether there was need. Where there is none, none is made.

    For `capture brief`, which the hook starts, and for `capture drain` and `doctor`, which people start: so an upgrade
    reaches the hook with nobody running `setup` again. The hook starts what was `tallystick` at setup; where that is
    gone, as with an environment that was made anew elsewhere, `command` takes its place.
    """
    told = environment.read(str(folder))
    known = environment.command(told)
    starts = bool(known) and shutil.which(known[0]) is not None
    if not (folder / "run.py").exists() or (is_current(folder) and starts):
        return False
    write(folder, known if starts else command, environment.kept(told), environment.former(told))
    return True


def sources() -> Iterator[str]:
    """Every pattern that the masker uses by itself: those in its tables, and those that it names where it uses them."""
    yield from (*prefilter.ANCHORS, prefilter.BASE64, prefilter.ESCAPE, prefilter.BASE64_RUN)
    yield from (*commands.COMMAND_SOURCES, *commands.SET_VALUE_SOURCES, *encoded.SOURCES)
    yield from (token_formats.RUN, token_formats.DASHES, *(source for _, _, source in token_formats.SHAPES))
    yield from (source for _, _, source, _ in assignments.CARRIERS)
    yield from (source for _, source in assignments.SITES)
    yield from (assignments._HEADS, *classify.SHOWN.values())
    for module in (encoded, classify, masker, assignments):
        words = _named(Path(str(module.__file__)).read_text())
        yield from filter(None, (_constant(word, vars(module)) for word in words))


def _named(text: str) -> Iterator[str]:
    """What the source of the masker gives to `_rx`, word by word. (Threads that parse at the same time break `ast`.)"""
    depth, before = 0, ""
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if depth and token.type in (tokenize.STRING, tokenize.NAME):
            yield token.string
        if token.string == "(" and (depth or before == "_rx"):
            depth += 1
        elif token.string == ")" and depth:
            depth -= 1
        before = token.string


def _constant(word: str, known: Mapping[str, object]) -> str:
    """The value of a literal, or of a constant of the masker; what is neither is no pattern by itself."""
    if word.startswith(('"', "'", 'r"', "r'")):
        return str(eval(word))
    found = known.get(word)
    return found if isinstance(found, str) and word.isupper() else ""


def _files() -> dict[str, bytes]:
    """The files of a slice. Its packages are empty: nothing of the real ones is to be loaded."""
    package = Path(paths.__file__).parent
    names = [f"{module.replace('.', '/')}.py" for module in MODULES]
    files = {str(folder / "__init__.py"): b"" for name in names for folder in Path(name).parents}
    return {**files, **{name: (package / name).read_bytes() for name in names}}


def _name() -> str:
    content = repr((sorted(_files().items()), pattern_cache.stamp()))
    return f"slice-{blake2b(content.encode(), digest_size=8).hexdigest()}"


def _put(path: Path, content: bytes) -> None:
    if path.exists() and path.read_bytes() == content:
        return
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    new = path.with_name(f".{path.name}.{os.getpid()}.{os.urandom(4).hex()}")
    with open(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600), "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())  # else a loss of power may leave the new name with nothing in it
    new.replace(path)


def _compile_patterns(place: Path) -> None:
    """For this interpreter, and for the one that runs the hook where that is another."""
    patterns = sorted(set(sources()))
    _put(place / pattern_cache.NAME, pattern_cache.table(patterns))
    if _version(base_python()) == sys.version_info[:2]:
        return
    with suppress(OSError, ValueError, subprocess.SubprocessError):  # then it compiles for itself
        given = json.dumps(patterns).encode()
        made = [base_python(), "-I", "-S", "-c", COMPILE, str(place)]
        done = subprocess.run(made, input=given, capture_output=True, timeout=60, check=True).stdout
        name, _, table = done.partition(b"\n")
        _put(place / name.decode(), table)


def _compile(path: Path) -> None:
    """What is compiled is never compared with its source again: a slice's content does not change."""
    target = importlib.util.cache_from_source(str(path))
    py_compile.compile(str(path), target, doraise=True, invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)


# ----------------------------------------------------------------------------------------------------------------------
# The hook program as the clients call it: the command line that stands in their files, and how it is known again.

_OURS = re.compile(r"[/\\]tallystick[/\\]hook[/\\]run\.py\b")


def line(client: str, env: Mapping[str, str], *, event: str = "", strict: bool = False) -> str:
    """What stands in a client's file. It does not change with upgrades: Codex trusts a command by its hash.

    Python itself ends with 2 when the program is gone, and 2 means "hold the call back" to most clients. Without
    `strict` the line therefore always ends well. With it, whatever is no answer of the program's is a 2: the 127 of a
    shell that finds no Python, and a signal, would hold nothing back in Gemini CLI.
    """
    return shlex.join(command(client, strict, event, env)) + (" || exit 2" if strict else " || true")


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
    from tallystick.capture.hook import environment
    from tallystick.capture.ingest.abandoned import carry_over

    folder, kept = program_folder(env), environment.of_now(env)
    before, now = _spools(env, environment.kept(environment.read(str(folder)))), _spools(env, kept)
    former = {*environment.former(environment.read(str(folder))), before} - {now}
    there = folder.exists()
    try:
        run = write(folder, command, kept, sorted(former))
    except OSError:
        if not there:  # a part of it would stay for good: nobody is told of it
            shutil.rmtree(folder, ignore_errors=True)
        raise
    for place in former:
        carry_over(place, now)
    return str(run)


def _spools(env: Mapping[str, str], kept: Mapping[str, str]) -> str:
    """Where hooks spool that were set up with these settings."""
    from tallystick.capture.hook import environment
    from tallystick.capture.spool import file as spool_file

    return kept.get(environment.SPOOL) or spool_file.root({**env, environment.SPOOL: ""})


def uninstall(env: Mapping[str, str]) -> None:
    """Take the program away. What waits in the spool stays, in the folder where it is looked for with no program."""
    from tallystick.capture.hook import environment
    from tallystick.capture.ingest.abandoned import carry_over

    told = environment.read(str(program_folder(env)))
    shutil.rmtree(program_folder(env), ignore_errors=True)
    for place in {*environment.former(told), _spools(env, environment.kept(told))} - {_spools(env, {})}:
        carry_over(place, _spools(env, {}))
