"""The Monster Rancher Collectible Card Game (2000): two breeders, decks of sixty, and duels on five squares.

One file for each chapter of the document; ``rules.rancher(setting)`` puts them together. What the
document leaves open is a reading (``texts``), what its cards say is a pack (``catalogue``). Imports the
rule language and the notation only; solvers, reports and the command line may read it.
"""
