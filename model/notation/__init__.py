"""How people and programs write positions, moves, logs and data files, whatever the game.

Text becomes plain data with the place of every value (``source``), data are read by declared
forms that also write them and describe themselves as JSON Schema (``forms``), and everything that is
wrong with a file is told at once (``defects``). ``kit`` says what a game offers. Standard library only,
except that YAML needs the extra ``yaml``. Anything in the project may import it.
"""
