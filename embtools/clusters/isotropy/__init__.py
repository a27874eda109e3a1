"""How unevenly vectors fill their space, and whether processing the space makes them more useful."""
