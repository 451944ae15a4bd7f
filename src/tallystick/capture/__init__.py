"""Capture: the record fills itself. Facts come from the harness, with no help from the model."""
