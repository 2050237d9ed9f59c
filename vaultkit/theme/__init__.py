"""The look of sheets and screens: colours, themes, glyphs, icons and prepared pictures."""
