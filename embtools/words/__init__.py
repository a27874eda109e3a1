"""Words before a model reads them: groups, lists, templates with a place for a word, words found in sentences."""
