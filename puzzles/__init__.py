"""Endgame puzzles: their written form, their solutions replayed and worked out, and a library that is shipped.

May import `model` and `solvers`; knows no game.
"""

from monjudge.puzzles.puzzle import Puzzle, game_of, is_puzzle, read, read_document

__all__ = ["Puzzle", "game_of", "is_puzzle", "read", "read_document"]
