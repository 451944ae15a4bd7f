"""The shared part of the SQL stores."""
