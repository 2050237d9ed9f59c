"""The search behind `ask`, for passages of notes, cards and rulings that answer a question.

`section_index` finds sections by their words in SQLite (FTS5), or by an exact name; `vocabulary` has the words of
the vault. `sections` and `game_entries` turn notes, rule notes and decks into passages. `ranking` orders those of games
with BM25, and with `naive_bayes` where questions of players are known; `note_search` and `note_ranking` find those of
other notes, with learned weights, also in words from `related_words`. `stemming` has the endings and the stop words of
seven languages, `query` the parts of a question. `answers` joins all, `answer_lines` prints it.
"""
