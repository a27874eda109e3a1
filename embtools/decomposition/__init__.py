"""The numbers of the Decomposition page: a vector as a sparse positive mix of others, and the mix put back to work."""
