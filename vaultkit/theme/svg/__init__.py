"""SVG drawings: read under limits, with their styles, shapes and the layout of their text."""
