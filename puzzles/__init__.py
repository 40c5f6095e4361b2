"""Endgame puzzles: check, generate, grade. May import `model` and `solvers`."""
