"""Statistics on arrays alone: intervals, permutation tests, the geometry of layers. Nothing here knows about words."""
