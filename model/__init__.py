"""The rule language and the games written in it. Imports the standard library only; knows no solver."""
