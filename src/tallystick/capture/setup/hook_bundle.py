"""Writes the hook program into the user's data folder, and gives the command line that clients run it with.

The program is a copy of the few modules that it needs. So a hook starts quickly, and also while the installed package
is being replaced. The command line never changes: it names one file in the data folder, which each upgrade replaces.
"""

import importlib.util
import os
import py_compile
import re
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from hashlib import blake2b
from pathlib import Path

from tallystick import paths
from tallystick.capture.hook import environment, pattern_cache
from tallystick.core.formats import fast_json
from tallystick.core.redaction import (
    assignments,
    classify,
    commands,
    encoded,
    masker,
    prefilter,
    prefixed_tokens,
    token_formats,
)
from tallystick.version import __version__

MODULES = (
    "paths",
    "core.redaction.prefilter",
    "core.redaction.prefixed_tokens",
    "core.redaction.assignments",
    "core.redaction.commands",
    "core.redaction.masker",
    "core.redaction.repeats",
    "core.redaction.encoded",
    "core.formats.fast_json",
    "core.formats.visible",
    "core.redaction.classify",
    "core.redaction.token_formats",
    "core.redaction.sanitize",
    "capture.hook.pattern_cache",
    "capture.hook.responses",
    "capture.hook.environment",
    "capture.hook.brief",
    "capture.hook.event",
    "capture.spool.file",
    "capture.hook.exit_codes",
    "capture.hook.partial_payload",
    "capture.hook.main",
)
"""The modules of this package in the bundle. Each imports nothing but these and the standard library."""
RUN = """\
import sys

bundle = __file__.rpartition("/")[0] + "/{bundle}"
sys.path.insert(0, bundle)
for name in {packages}:  # they are empty: reading their files would cost a tenth of a millisecond each
    sys.modules[name] = package = type(sys)(name)
    package.__path__ = [bundle + "/" + name.replace(".", "/")]
try:
    from tallystick.capture.hook.main import main
except BaseException as error:  # a part of the bundle was deleted
    sys.stderr.write(f"tallystick: this was not recorded: {{error}}\\n")
    sys.exit(2 if "--strict" in sys.argv else 0)
main(sys.argv[1:])
"""
STRICT_RUNNER = (
    "import atexit,os,sys;sys.argv.pop(0);__file__=sys.argv[0];atexit.register(os._exit,2);exec(open(__file__).read())"
)
"""Python code that runs the program for a strict command line. The program ends the process itself, with its answer.
Any other end (the file is empty, broken or missing) exits with 2, which refuses the call. The code has no quotes, so
that it fits into every file format."""
COMPILE_PATTERNS = """\
import sys
sys.path.insert(0, sys.argv[1])
from tallystick.capture.hook import pattern_cache
from tallystick.core.formats import fast_json
sources = fast_json.parse(sys.stdin.read())
sys.stdout.buffer.write(pattern_cache.FILE_NAME.encode() + b"\\n" + pattern_cache.build(sources))
"""
"""Python code that another interpreter runs in a bundle, to compile the patterns for itself."""
SYSTEM_PYTHON = "/usr/bin/python3"
OLDEST_PYTHON = (3, 11)
OLD_BUNDLE_SECONDS = 3600
"""After this time no hook runs any more that was started from an older bundle."""
BUNDLE_FOLDERS = ("hook-*", "slice-*")
"""The folders of bundles. Development versions called them `slice-`."""
_RUNS_HOOK = re.compile(r"[/\\]tallystick[/\\]hook[/\\]run\.py\b")


# ----------------------------------------------------------------------------------------------------------------------
# The command line in the clients' files.


def program_folder(env: Mapping[str, str]) -> Path:
    """The folder that holds `run.py` and the bundle."""
    return Path(paths.data_folder(env)) / "hook"


def command(client: str, strict: bool = False, event: str = "", env: Mapping[str, str] | None = None) -> list[str]:
    """The words of the command that a client runs. They are the same for every version of Tallystick."""
    run = program_folder(os.environ if env is None else env) / "run.py"
    options = [*(["--strict"] if strict else []), *(["--event", event] if event else [])]
    runner = ["-c", STRICT_RUNNER] if strict else []
    return [base_python(), "-I", "-S", *runner, str(run), client, *options]


def command_line(client: str, env: Mapping[str, str], *, event: str = "", strict: bool = False) -> str:
    """The line in a client's file. It does not change with upgrades: Codex trusts a command by its hash.

    Python exits with 2 when the program is missing, and 2 means "refuse the call" to most clients. So the line always
    exits with 0, unless it is `strict`. Then everything that is not an answer of the program exits with 2: the 127 of
    a shell that finds no Python, and a signal, would refuse nothing in Gemini CLI.
    """
    return shlex.join(command(client, strict, event, env)) + (" || exit 2" if strict else " || true")


def is_ours(line: str) -> bool:
    """Whether a command line runs the hook program, with whatever Python and options."""
    return bool(_RUNS_HOOK.search(line))


def tallystick_command() -> list[str]:
    """The absolute words that start this `tallystick`: clients start with a nearly empty PATH.

    The path is the one that was called, not the target of its links: that one stays the same through upgrades.
    """
    called = os.path.abspath(sys.argv[0])
    if os.path.basename(called) == "tallystick" and os.access(called, os.X_OK) and os.path.isfile(called):
        return [called]
    return [sys.executable, "-m", "tallystick"]


# ----------------------------------------------------------------------------------------------------------------------
# The interpreter that runs the hook.


@cache
def base_python() -> str:
    """An interpreter path that outlives this environment and upgrades of Python. The first of these that fits:

    1. the system's Python, if it has this version, so that what is compiled here fits it;
    2. a `python3` on the PATH, outside environments, that links to the interpreter of this environment;
    3. the system's Python, if it is new enough: it then compiles for itself;
    4. the interpreter of this environment, by the name under which it was called.
    """
    own = os.path.abspath(getattr(sys, "_base_executable", "") or sys.executable)
    system = _version(SYSTEM_PYTHON) if sys.platform == "linux" else None  # elsewhere it may be a stub
    if system == sys.version_info[:2]:
        return SYSTEM_PYTHON
    for folder in os.environ.get("PATH", "").split(os.pathsep):
        name = os.path.join(folder, "python3")
        if os.path.isabs(name) and os.path.realpath(name) == os.path.realpath(own) and not _in_environment(name):
            return name
    return SYSTEM_PYTHON if system and system >= OLDEST_PYTHON else own


def _in_environment(python: str) -> bool:
    """Whether a path belongs to a virtual environment, which may be deleted at any time."""
    return os.path.exists(os.path.join(os.path.dirname(python), os.pardir, "pyvenv.cfg"))


def _version(python: str) -> tuple[int, ...] | None:
    """The version of an interpreter that has the modules which the hook imports; else None."""
    code = "import sys, fcntl, marshal, re, subprocess, zlib; print(*sys.version_info[:2])"
    try:
        done = subprocess.run([python, "-I", "-S", "-c", code], capture_output=True, timeout=10, check=True)
        return tuple(map(int, done.stdout.split()))
    except (OSError, ValueError, subprocess.SubprocessError):
        return None


# ----------------------------------------------------------------------------------------------------------------------
# The bundle.


def install(env: Mapping[str, str], command: Sequence[str]) -> str:
    """Write the program if it is missing or out of date, and return the path to run.

    If the spool folder changes with this setup, waiting records are moved to the new one.
    """
    from tallystick.capture.ingest.abandoned import move_spools

    folder, saved = program_folder(env), environment.variables_to_save(env)
    before, now = (
        _spool_folder(env, environment.saved_variables(environment.load_settings(str(folder)))),
        _spool_folder(env, saved),
    )
    former = {*environment.former_folders(environment.load_settings(str(folder))), before} - {now}
    existed = folder.exists()
    try:
        run = write(folder, command, saved, sorted(former))
    except OSError:
        if not existed:  # nothing refers to the partial bundle, so nothing would ever delete it
            shutil.rmtree(folder, ignore_errors=True)
        raise
    for spool in former:
        move_spools(spool, now)
    return str(run)


def uninstall(env: Mapping[str, str]) -> None:
    """Delete the program. Waiting records move to the default spool folder, where they are found without it."""
    from tallystick.capture.ingest.abandoned import move_spools

    home = environment.load_settings(str(program_folder(env)))
    shutil.rmtree(program_folder(env), ignore_errors=True)
    default = _spool_folder(env, {})
    for spool in {*environment.former_folders(home), _spool_folder(env, environment.saved_variables(home))} - {default}:
        move_spools(spool, default)


def _spool_folder(env: Mapping[str, str], saved: Mapping[str, str]) -> str:
    """The spool folder of hooks that were set up with these settings."""
    from tallystick.capture.spool import file as spool_file

    return saved.get(environment.SPOOL_VARIABLE) or spool_file.root({**env, environment.SPOOL_VARIABLE: ""})


def write(
    folder: Path, command: Sequence[str], saved: Mapping[str, str] | None = None, former: Sequence[str] = ()
) -> Path:
    """Write the bundle and return the path of `run.py`.

    `command` is the absolute command `tallystick`, `saved` the settings for what the hook starts, `former` the spool
    folders that it used before, see `environment`. A bundle's folder is named from its content, and `run.py` names the
    folder: an upgrade replaces one file. A hook that runs meanwhile sees all of the old bundle, or all of the new one.
    """
    name = _bundle_name()
    bundle = folder / name
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    for file, content in _files().items():
        _replace_file(bundle / "tallystick" / file, content)
        _compile(bundle / "tallystick" / file)
    _compile_patterns(bundle)
    home = {"command": list(command), "version": __version__, **({"env": dict(saved)} if saved else {})}
    home |= {"former": list(former)} if former else {}
    _replace_file(folder / environment.FILE_NAME, fast_json.dump(home).encode())
    _replace_file(folder / "run.py", _run_text(name).encode())
    for other in (each for pattern in BUNDLE_FOLDERS for each in folder.glob(pattern)):
        if other != bundle and other.stat().st_mtime < time.time() - OLD_BUNDLE_SECONDS:
            shutil.rmtree(other, ignore_errors=True)
    return folder / "run.py"


def is_current(folder: Path) -> bool:
    """Whether `run.py` runs the bundle of this package and interpreter."""
    try:
        return (folder / "run.py").read_text() == _run_text(_bundle_name())
    except OSError:
        return False


def refresh(folder: Path, command: Sequence[str]) -> bool:
    """Update a bundle that an older version wrote, and return whether that was needed. A missing bundle is not created.

    Called by `capture brief`, which the hook starts, and by `capture drain` and `doctor`, which people start: so an
    upgrade reaches the hook without another `setup`. The hook starts the `tallystick` of the setup. If that is
    gone, as with an environment that was created again elsewhere, `command` replaces it.
    """
    home = environment.load_settings(str(folder))
    known = environment.start_command(home)
    is_runnable = bool(known) and shutil.which(known[0]) is not None
    if not (folder / "run.py").exists() or (is_current(folder) and is_runnable):
        return False
    write(
        folder, known if is_runnable else command, environment.saved_variables(home), environment.former_folders(home)
    )
    return True


def patterns() -> Iterator[str]:
    """Every pattern that the masker uses by itself: those in its tables, and the `PATTERNS` of its modules."""
    yield from (*prefilter.ANCHORS, prefilter.IN_RUN, prefilter.HEX_IN_RUN, prefilter.TAIL, prefilter.GLUED)
    yield from (prefilter.BASE64, prefilter.ESCAPE)
    yield from (*commands.COMMAND_SOURCES, *commands.SET_VALUE_SOURCES)
    yield from (
        token_formats.UNDERSCORE_RUN,
        token_formats.DASHED_RUN,
        *(source for _, _, source in token_formats.TOKEN_FORMATS),
    )
    yield from (source for _, _, source, _ in assignments.CONTEXT_RULES)
    yield from (source for _, source in assignments.VALUE_SITES)
    yield from classify.VALUE_FORMS.values()
    for module in (encoded, classify, masker, assignments, prefixed_tokens):
        yield from module.PATTERNS


def _files() -> dict[str, bytes]:
    """The files of a bundle. Its packages are empty, so that nothing of the real ones is loaded."""
    package = Path(paths.__file__).parent
    names = [f"{module.replace('.', '/')}.py" for module in MODULES]
    files = {str(folder / "__init__.py"): b"" for name in names for folder in Path(name).parents}
    return {**files, **{name: (package / name).read_bytes() for name in names}}


def _run_text(bundle: str) -> str:
    """The text of `run.py` for a bundle."""
    folders = {str(folder) for module in MODULES for folder in Path(f"tallystick/{module.replace('.', '/')}").parents}
    return RUN.format(bundle=bundle, packages=tuple(sorted(name.replace("/", ".") for name in folders - {"."})))


def _bundle_name() -> str:
    content = repr((sorted(_files().items()), pattern_cache.interpreter_stamp()))
    return f"hook-{blake2b(content.encode(), digest_size=8).hexdigest()}"


def _replace_file(path: Path, content: bytes) -> None:
    if path.exists() and path.read_bytes() == content:
        return
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    new = path.with_name(f".{path.name}.{os.getpid()}.{os.urandom(4).hex()}")
    with open(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600), "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())  # without it, a power loss may leave an empty file under the new name
    new.replace(path)


def _compile(path: Path) -> None:
    """Compile a module without a check against its source: the content of a bundle does not change."""
    target = importlib.util.cache_from_source(str(path))
    py_compile.compile(str(path), target, doraise=True, invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)


def _compile_patterns(bundle: Path) -> None:
    """Compile the patterns for this interpreter, and for the one that runs the hook if that is another."""
    sources = sorted(set(patterns()))
    _replace_file(bundle / pattern_cache.FILE_NAME, pattern_cache.build(sources))
    if _version(base_python()) == sys.version_info[:2]:
        return
    with suppress(OSError, ValueError, subprocess.SubprocessError):  # the hook then compiles them itself
        words = [base_python(), "-I", "-S", "-c", COMPILE_PATTERNS, str(bundle)]
        encoded_sources = fast_json.dump(sources).encode()
        done = subprocess.run(words, input=encoded_sources, capture_output=True, timeout=60, check=True).stdout
        name, _, table = done.partition(b"\n")
        _replace_file(bundle / name.decode(), table)
