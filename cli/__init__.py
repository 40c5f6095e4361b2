"""The command line, thin. May import everything."""
