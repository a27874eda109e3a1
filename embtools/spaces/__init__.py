"""Processed spaces: centred, z-scored, all-but-the-top, whitened, conceptor negation; fitted by moments alone."""
