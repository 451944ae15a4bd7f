"""What people and other systems are told of: alerts and webhooks."""
