"""Lists and groups of words, sentence templates, and the occurrences of words in sentences."""
