"""What people import: the journal, its scopes, and how a call reaches its operation."""
