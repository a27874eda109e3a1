"""Processed spaces: centred, z-scored, all-but-the-top, whitened, conceptor negation; most need only moments."""
