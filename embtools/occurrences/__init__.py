"""A corpus of sentences, and a vector for every occurrence of a word in it."""
