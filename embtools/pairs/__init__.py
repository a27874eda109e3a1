"""Numbers of the Pairs page: next-sentence prediction, similarity of two texts, and clusters of sentences."""
