"""How things look: colours, themes, glyphs, icons and prepared pictures, for paper and for screens."""
