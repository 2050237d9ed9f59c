"""Geometry of printed pages: paper, cards on sheets, duplex and booklets."""
