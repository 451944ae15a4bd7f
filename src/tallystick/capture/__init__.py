"""Records tool calls through client hooks, without help from the model."""
