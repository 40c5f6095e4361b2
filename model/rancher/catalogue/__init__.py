"""Cards and decks as data: the default pack and two decks, readers that tell every defect, and the YAML they come from.

Anything may read packs and decks here; ``convert`` is for whoever changes the shipped files.
"""
