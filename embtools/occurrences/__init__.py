"""A corpus of sentences, and a vector for every occurrence of a word in it."""

from embtools.doors import door

__all__, __getattr__, __dir__ = door(
    __name__,
    {
        "occurrences.corpus": ["Corpus", "built_in_corpus", "read_corpus"],
        "occurrences.encoding": ["encode_corpus"],
        "occurrences.folder.reading": ["CorpusFolder"],
    },
)
