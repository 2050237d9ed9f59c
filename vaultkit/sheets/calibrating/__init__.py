"""Calibration of printers for duplex printing."""
