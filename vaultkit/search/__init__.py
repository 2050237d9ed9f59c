"""The search behind `ask`, for passages of notes, cards and rulings that answer a question.

`section_index` finds sections by their words in SQLite (FTS5), or by an exact name. `sections` and `game_entries` turn
notes, rule notes and decks into passages. `ranking` orders them with BM25, and with `naive_bayes` where questions of
players are known. `stemming` has the endings and the stop words of seven languages, `query` the parts of a question.
`answers` puts it together, and `answer_lines` prints it.
"""
