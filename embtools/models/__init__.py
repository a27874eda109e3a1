"""Models: the catalogue, loading, and a loaded model as arrays and forward passes."""
