"""Engines that read a rule set, and the questions asked of them. Knows no game; may import only `model`."""
