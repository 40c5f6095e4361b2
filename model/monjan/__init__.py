"""Monjan Colosseum as rules and data, one file for each chapter of its rulebook.

The texts of its clauses and of its reading switches are in ``texts``. Everything here
imports the standard library and the rule language only; any part of the project may read it.
"""
