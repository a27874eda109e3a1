"""The shape of the space: how unevenly vectors fill it, and what happens to words when that is mended."""
