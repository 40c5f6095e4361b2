"""monjudge: rules judge, forced-win solver and verification toolkit for tabletop card games."""

__version__ = "0.1.0"
