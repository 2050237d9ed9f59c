"""Front-ends over a session. `line` is the reference: one fact a line, fit for every terminal and screen reader."""
