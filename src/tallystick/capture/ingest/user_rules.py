"""What the user says of calls: `tallystick/capture.toml` in the user's configuration folder.

    [calls]
    ignore = ["mcp__weather__*"]          # not recorded at all
    read = ["mcp__*__get_*"]              # recorded, and never owed
    effects = { "deploy*" = "unsafe" }    # read, idempotent, probeable or unsafe

Never a file of the project: an agent could write that, and hide its work.
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
    """Where the file is, by the convention of the desktop standards."""
    folder = env.get("XDG_CONFIG_HOME", "") or os.path.expanduser("~/.config")
    return os.path.join(folder, "tallystick", FILE_NAME)


def load_rules(env: Mapping[str, str]) -> tuple[CallRules, str]:
    """What the user says, and what is wrong with it. A file that cannot be read is a warning, and nothing is lost."""
    place, unsaid = rules_file(env), CallRules(commands=_commands(env))
    try:
        with open(place, "rb") as file:
            content = file.read(1 << 20)
    except FileNotFoundError:
        return unsaid, ""
    except OSError as error:
        return unsaid, _warning(place, error.strerror or str(error))
    import tomllib  # most users have no such file

    try:
        said: dict[str, Any] = tomllib.loads(content.decode())
        wishes = msgspec.convert(said.get("calls", {}), ToolPatterns)
        return CallRules(**msgspec.structs.asdict(wishes), commands=unsaid.commands), _unknown(place, said)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, msgspec.ValidationError) as error:
        return unsaid, _warning(place, str(error))


def _unknown(place: str, said: dict[str, Any]) -> str:
    """What nobody reads: a name that was mistyped would else be a rule that does not hold."""
    names = [f"[{name}]" for name in said if name != "calls"]
    names += [name for name in said.get("calls", {}) if name not in ToolPatterns.__struct_fields__]
    known = ", ".join(ToolPatterns.__struct_fields__)
    return f"{place} says {', '.join(names)}, which means nothing: [calls] knows {known}." if names else ""


def _commands(env: Mapping[str, str]) -> tuple[str, ...]:
    """Our own command: by its name, beside this Python, and as `setup` has found it."""
    told = environment.start_command(environment.load_settings(os.path.dirname(environment.settings_file(env))))
    beside = os.path.join(os.path.dirname(sys.executable), OUR_COMMAND)
    return (OUR_COMMAND, beside, *(word for word in told[:1] if os.path.basename(word) == OUR_COMMAND))


def _warning(place: str, why: str) -> str:
    return f"{place} is not used ({why}): every call is recorded, by the rules that hold without it."
