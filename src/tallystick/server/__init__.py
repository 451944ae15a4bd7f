"""One web server for many agents and people: it puts the doors that speak HTTP into one application."""
