"""Filled score sheets, read back from their PDFs."""
