"""Which shell commands only read: a reader of shell syntax, and what is known of programs."""
