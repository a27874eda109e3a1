"""Every word of a text in its sentence: a corpus, its occurrences at one layer or recipe, the nearest of them."""
