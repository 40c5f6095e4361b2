"""Small games whose values are known from the literature, one file each: they check the machinery."""
