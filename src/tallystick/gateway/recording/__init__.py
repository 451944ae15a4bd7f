"""What the gateway writes down."""
