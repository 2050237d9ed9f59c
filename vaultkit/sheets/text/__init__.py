"""Conversion of notes to blocks of text, and their layout in columns on pages."""
