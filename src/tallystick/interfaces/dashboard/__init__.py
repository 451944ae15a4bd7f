"""The web page: ES modules over REST and the event stream, bundled, and served with a strict content policy."""

from tallystick.interfaces.dashboard.routes import login_page, not_found_page, routes

__all__ = ["login_page", "not_found_page", "routes"]
