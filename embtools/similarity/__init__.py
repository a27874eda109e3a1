"""The numbers of the Similarity page: matrices, pairs, colours, the odd one out."""
