"""How people and programs write positions, moves, logs, decks and packs of the Monster Rancher game."""
