"""Linear probes on frozen vectors, their controls, learning curves and mistakes."""
