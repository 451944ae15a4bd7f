"""OpenTelemetry out of the journal: entries become spans, log records and metrics, and are sent over OTLP."""
