"""The text or folder whose occurrences several pages show, its words, and lists of sentences."""
