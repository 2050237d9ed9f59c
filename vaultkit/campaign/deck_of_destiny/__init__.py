"""The Deck of Destiny in the campaign: inventories of characters, and notes of encounters."""
