"""The slice of this package that the hook runs from, in the user's data folder.

The command that clients are configured with never changes: it names a file there, whose content follows each upgrade.
Nothing of the installed package is loaded by it, so that it starts quickly, and also while the package is replaced.
"""

import ast
import importlib.util
import json
import os
import py_compile
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import tallystick
from tallystick import naming
from tallystick.capture import ahead
from tallystick.core import secrets
from tallystick.core.version import __version__

MODULES = (
    "naming",
    "core.patterns",
    "core.secrets",
    "capture.ahead",
    "capture.answers",
    "capture.briefing",
    "capture.called",
    "capture.hook",
    "capture.keeping",
    "capture.quickjson",
    "capture.spool",
    "capture.tools",
)
"""What the hook needs of this package. Each imports nothing but these and the standard library."""
RUN = """\
import sys

sys.path.insert(0, __file__.rpartition("/")[0])
try:
    from tallystick.capture.hook import main
except BaseException as error:  # half of an upgrade, or a file that somebody deleted
    sys.stderr.write(f"tallystick: this was not recorded: {error}\\n")
    sys.exit(2 if "--strict" in sys.argv else 0)
main(sys.argv[1:])
"""


def folder(env: Mapping[str, str]) -> Path:
    """Where the slice is written."""
    return Path(naming.data_folder(env)) / "hook"


def command(client: str, strict: bool = False, event: str = "", env: Mapping[str, str] | None = None) -> list[str]:
    """What a client is told to run. It is the same for every version of Tallystick."""
    run = folder(os.environ if env is None else env) / "run.py"
    extra = [*(["--strict"] if strict else []), *(["--event", event] if event else [])]
    return [base_python(), "-I", "-S", str(run), client, *extra]


def base_python() -> str:
    """The interpreter that the environment was made from: it stays when an environment is made anew."""
    return os.path.realpath(getattr(sys, "_base_executable", "") or sys.executable)


def write(folder: Path, command: Sequence[str]) -> Path:
    """Write the slice, or what of it differs, and return the path of what is to be run. `command` is the absolute
    command `tallystick`. Each file is replaced whole: a hook that runs meanwhile finds the old one or the new one."""
    package = Path(str(tallystick.__file__)).parent
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    for name in ("__init__", "core.__init__", "capture.__init__"):
        _put(folder / "tallystick" / _file(name), b"")
    for name in MODULES:
        _put(folder / "tallystick" / _file(name), (package / _file(name)).read_bytes())
    _put(folder / ahead.NAME, ahead.table(sorted(set(sources()))))
    home = {"command": list(command), "version": __version__}
    _put(folder / "home.json", json.dumps(home).encode())
    _put(folder / "run.py", RUN.encode())
    for path in sorted((folder / "tallystick").rglob("*.py")):
        _compile(path)
    return folder / "run.py"


def is_current(folder: Path) -> bool:
    """Whether the slice there is of this version."""
    try:
        found = json.loads((folder / "home.json").read_bytes())
    except (OSError, ValueError):
        return False
    return isinstance(found, dict) and found.get("version") == __version__


def sources() -> Iterator[str]:
    """Every pattern that the masker uses by itself: those in its tables, and those that it names where it uses them."""
    yield from secrets._ANCHORS
    yield from (source for _, _, source in secrets._SHAPES)
    yield from (source for _, _, source, _ in secrets._CARRIERS)
    yield from (source for _, source in secrets._SITES)
    yield secrets._HEADS
    for node in ast.walk(ast.parse(Path(secrets.__file__).read_text())):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "_rx":
            given = node.args[0]
            for found in (given.body, given.orelse) if isinstance(given, ast.IfExp) else (given,):
                if isinstance(found, ast.Constant) and isinstance(found.value, str):
                    yield found.value
                elif isinstance(found, ast.Name) and isinstance(vars(secrets).get(found.id), str):
                    yield vars(secrets)[found.id]


def _file(module: str) -> str:
    return module.replace(".", "/") + ".py"


def _put(path: Path, content: bytes) -> None:
    if path.exists() and path.read_bytes() == content:
        return
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    new = path.with_name(f".{path.name}.{os.getpid()}.{os.urandom(4).hex()}")
    new.write_bytes(content)
    new.chmod(0o600)
    new.replace(path)


def _compile(path: Path) -> None:
    """Compiled by content: a file's time may be older than that of the one before."""
    target = importlib.util.cache_from_source(str(path))
    py_compile.compile(str(path), target, doraise=True, invalidation_mode=py_compile.PycInvalidationMode.CHECKED_HASH)
