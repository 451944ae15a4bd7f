"""`tallystick`: the command line, with the commands of other rooms plugged in."""

import sys

from tallystick.doors import cli


def main() -> int:
    """Run the command of this process."""
    return cli.main(more={"demo": cli.Elsewhere("Watch an agent be killed and another one take over.", _demo)})


def _demo(arguments: list[str]) -> int:
    from tallystick import demo

    return demo.main(arguments)


if __name__ == "__main__":
    sys.exit(main())
