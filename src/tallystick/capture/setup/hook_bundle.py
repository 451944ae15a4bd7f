"""The slice of this package that the hook runs from, in the user's data folder.

The command that clients are configured with never changes: it names a file there, which each upgrade replaces.
Nothing of the installed package is loaded by it, so that it starts quickly, and also while the package is replaced.
"""

import importlib.util
import io
import json
import os
import py_compile
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

from tallystick import naming
from tallystick.capture import ahead, home
from tallystick.core import (
    anchors,
    carriers,
    command_lines,
    encoded,
    inner,
    secret_names,
    secret_values,
    secrets,
    set_values,
    shapes,
    sites,
)
from tallystick.core.version import __version__

MODULES = (
    "naming",
    "core.anchors",
    "core.carriers",
    "core.command_lines",
    "core.cuts",
    "core.encoded",
    "core.gates",
    "core.inner",
    "core.patterns",
    "core.quickjson",
    "core.secret_names",
    "core.secret_values",
    "core.secrets",
    "core.set_values",
    "core.shapes",
    "core.sites",
    "capture.ahead",
    "capture.answers",
    "capture.begun",
    "capture.briefing",
    "capture.called",
    "capture.digests",
    "capture.exits",
    "capture.glimpsed",
    "capture.home",
    "capture.hook",
    "capture.keeping",
    "capture.speaker",
    "capture.spool",
    "capture.tools",
)
"""What the hook needs of this package. Each imports nothing but these and the standard library."""
RUN = """\
import sys

sys.path.insert(0, __file__.rpartition("/")[0] + "/{slice}")
try:
    from tallystick.capture.hook import main
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
from tallystick.capture import ahead
sys.stdout.buffer.write(ahead.NAME.encode() + b"\\n" + ahead.table(json.load(sys.stdin)))
"""
"""What another interpreter runs, in a slice, to compile patterns as it needs them."""
SYSTEM = "/usr/bin/python3"
OLDEST = (3, 11)
OLD_SECONDS = 3600
"""After this time no hook runs any more that an older slice was made for."""


def folder(env: Mapping[str, str]) -> Path:
    """Where the slice is written."""
    return Path(naming.data_folder(env)) / "hook"


def command(client: str, strict: bool = False, event: str = "", env: Mapping[str, str] | None = None) -> list[str]:
    """What a client is told to run. It is the same for every version of Tallystick."""
    run = folder(os.environ if env is None else env) / "run.py"
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
    the settings that what the hook starts is to have, `former` the folders that it once spooled in, see `home`.

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
    _put(folder / home.NAME, json.dumps(told).encode())
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
    told = home.read(str(folder))
    known = home.command(told)
    starts = bool(known) and shutil.which(known[0]) is not None
    if not (folder / "run.py").exists() or (is_current(folder) and starts):
        return False
    write(folder, known if starts else command, home.kept(told), home.former(told))
    return True


def sources() -> Iterator[str]:
    """Every pattern that the masker uses by itself: those in its tables, and those that it names where it uses them."""
    yield from (*anchors.ANCHORS, anchors.BASE64, anchors.ESCAPE, anchors.LETTERS)
    yield from (*command_lines.SOURCES, *set_values.SOURCES, *encoded.SOURCES)
    yield from (shapes.RUN, shapes.DASHES, *(source for _, _, source in shapes.SHAPES))
    yield from (source for _, _, source, _ in carriers.CARRIERS)
    yield from (source for _, source in sites.SITES)
    yield from (sites._HEADS, *secret_values.SHOWN.values())
    for module in (inner, secret_names, secret_values, secrets, sites):
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
    package = Path(naming.__file__).parent
    files = dict.fromkeys(("__init__.py", "core/__init__.py", "capture/__init__.py"), b"")
    names = [f"{module.replace('.', '/')}.py" for module in MODULES]
    return {**files, **{name: (package / name).read_bytes() for name in names}}


def _name() -> str:
    content = repr((sorted(_files().items()), ahead.stamp()))
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
    _put(place / ahead.NAME, ahead.table(patterns))
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
