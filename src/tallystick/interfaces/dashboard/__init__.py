"""The page that people look at: plain ES modules over REST and the event stream, served with a strict policy."""

from tallystick.interfaces.dashboard.routes import login_page, nowhere, routes

__all__ = ["login_page", "nowhere", "routes"]
