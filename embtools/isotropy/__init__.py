"""Isotropy: how unevenly vectors fill their space, and how processing the space changes words."""
