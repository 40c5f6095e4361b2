"""Cards and boards as data: packs of cards, board designs, and how such files are read and checked.

``default_pack.yaml`` and ``boards.yaml`` are written by people; the JSON twin of each is
generated (``convert``) and is all that the rest of the project reads, so that the standard
library is enough. Anything in the project may read this folder.
"""
