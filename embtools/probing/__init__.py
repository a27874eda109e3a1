"""The numbers of the Probing page: a small classifier on frozen vectors, and the controls that say what it shows."""
