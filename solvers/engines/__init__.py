"""One engine a file. Engines share no code below the expression tree, so that a fault in one is caught by another."""
