"""Games that were played with real cards and written down on paper: from what people wrote to the campaign's notes."""
