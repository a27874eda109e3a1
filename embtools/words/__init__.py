"""Lists and groups of words, sentence templates, and the occurrences of words in sentences."""

from embtools.doors import door

__all__, __getattr__, __dir__ = door(
    __name__,
    {
        "words.groups": ["preset"],
    },
)
