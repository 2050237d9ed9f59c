"""Games played with real cards: their scores, read from what people wrote down, and logged in the campaign's notes."""
