"""What goes wrong inside is said on standard error, never to the model: a stack would cost it tokens and tell it
nothing that it could do."""

import logging
import traceback

from tallystick.core.errors import TallystickError

logger = logging.getLogger("tallystick.mcp")


def unforeseen(tool: str, error: Exception) -> TallystickError:
    """An error that nobody foresaw, logged in full and told in a sentence."""
    logger.error("%s failed: %s", tool, "".join(traceback.format_exception(error)))
    return TallystickError(
        f"{tool} failed unexpectedly ({type(error).__name__}).",
        hint="query_ledger(view=journal) tells whether it was recorded.",
    )
