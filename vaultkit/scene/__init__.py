"""A game as it may be seen now, and what people mean by what they type: for every front-end alike."""
