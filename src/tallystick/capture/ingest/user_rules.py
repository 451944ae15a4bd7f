"""The user's rules for calls: `tallystick/capture.toml` in the user's configuration folder.

    [calls]
    ignore = ["mcp__weather__*"]          # not recorded at all
    read = ["mcp__*__get_*"]              # recorded, and never owed
    effects = { "deploy*" = "unsafe" }    # read, idempotent, probeable or unsafe

The project's own files are never read for rules: an agent could write them, and hide its work.
"""

import os
import sys
from collections.abc import Mapping
from typing import Any

import msgspec

from tallystick.capture.hook import environment
from tallystick.core.tools import OUR_COMMAND, CallRules, ToolPatterns

FILE_NAME = "capture.toml"


def rules_file(env: Mapping[str, str]) -> str:
    """The path of the file, by the XDG base directory specification."""
    folder = env.get("XDG_CONFIG_HOME", "") or os.path.expanduser("~/.config")
    return os.path.join(folder, "tallystick", FILE_NAME)


def load_rules(env: Mapping[str, str]) -> tuple[CallRules, str]:
    """The rules, and a warning if the file is wrong. A file that cannot be read is not used, and nothing is lost."""
    path, defaults = rules_file(env), CallRules(commands=_own_commands(env))
    try:
        with open(path, "rb") as file:
            content = file.read(1 << 20)
    except FileNotFoundError:
        return defaults, ""
    except OSError as error:
        return defaults, _warning(path, error.strerror or str(error))
    import tomllib  # most users have no such file

    try:
        document: dict[str, Any] = tomllib.loads(content.decode())
        patterns = msgspec.convert(document.get("calls", {}), ToolPatterns)
        rules = CallRules(**msgspec.structs.asdict(patterns), commands=defaults.commands)
        return rules, _unknown_names(path, document)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, msgspec.ValidationError) as error:
        return defaults, _warning(path, str(error))


def _unknown_names(path: str, document: dict[str, Any]) -> str:
    """A warning about names that nothing reads: a mistyped name would be a rule without effect."""
    names = [f"[{name}]" for name in document if name != "calls"]
    names += [name for name in document.get("calls", {}) if name not in ToolPatterns.__struct_fields__]
    known = ", ".join(ToolPatterns.__struct_fields__)
    return f"{path} has unknown names: {', '.join(names)}. Allowed in [calls]: {known}." if names else ""


def _own_commands(env: Mapping[str, str]) -> tuple[str, ...]:
    """Our own command: by its name, beside this Python, and as `setup` has saved it."""
    saved = environment.start_command(environment.load_settings(os.path.dirname(environment.settings_file(env))))
    in_environment = os.path.join(os.path.dirname(sys.executable), OUR_COMMAND)
    return (OUR_COMMAND, in_environment, *(word for word in saved[:1] if os.path.basename(word) == OUR_COMMAND))


def _warning(path: str, why: str) -> str:
    return f"{path} is not used ({why}): every call is recorded, by the default rules."
