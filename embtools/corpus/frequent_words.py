"""Frequent words of a text, and built-in analogies whose words occur in it, to offer as examples."""

import re
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import islice
from typing import TYPE_CHECKING

from embtools import wordlists
from embtools.limits import within
from embtools.occurrences.corpus import Corpus, labelled_words
from embtools.occurrences.folder.reading import CorpusFolder
from embtools.occurrences.rows import model_spelling, read, spelling

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

LETTERS = 3  # shorter words are mostly function words
LETTERS_OF_FOLDERS = 4  # the same in a folder, whose words are not compared with a list of function words
MOST_TRIED = 100  # candidates: in a script without spaces hardly any is a single word for the model
_LABELLED = 3  # words with senses that are listed before the frequent ones
# fmt: off
_FUNCTION_WORDS = frozenset((
    "all", "and", "any", "are", "but", "can", "did", "for", "get", "got", "had", "has", "her", "him", "his", "how",
    "its", "let", "may", "nor", "not", "now", "off", "one", "our", "out", "own", "per", "she", "the", "too", "two",
    "was", "who", "why", "yet", "you",
    "about", "above", "after", "again", "also", "although", "always", "among", "another", "because", "been",
    "before", "being", "below", "between", "both", "cannot", "could", "does", "doing", "down", "during", "each",
    "either", "else", "even", "ever", "every", "from", "further", "have", "having", "here", "hers", "herself",
    "himself", "into", "itself", "just", "less", "like", "many", "might", "mine", "more", "most", "much", "must",
    "myself", "neither", "never", "none", "nothing", "once", "only", "other", "ours", "ourselves", "over", "quite",
    "rather", "same", "shall", "should", "since", "some", "something", "still", "such", "than", "that", "their",
    "theirs", "them", "themselves", "then", "there", "these", "they", "this", "those", "though", "through", "thus",
    "together", "under", "until", "upon", "very", "were", "what", "when", "where", "whether", "which", "while",
    "whom", "whose", "will", "with", "within", "without", "would", "your", "yours", "yourself", "yourselves",
))
# fmt: on
_WORD_OF_ANY_LENGTH = re.compile(r"[^\W\d_]+")
_WORD = re.compile(rf"(?<!\w)[^\W\d_]{{{LETTERS},}}(?!\w)")


def common_words(
    corpus: Corpus | CorpusFolder, model: "EmbeddingModel", *, least: int = 1, most: int = 6
) -> tuple[str, ...]:
    """Up to `most` words that occur in a corpus at least `least` times, as this model reads them.

    In a text, words with labelled senses come first, then the most frequent ones; function words come last. In a
    folder, these are the most frequent words with LETTERS_OF_FOLDERS letters or more. `corpus.search` finds each of
    them, and `clusters.occurrences.word_occurrences` can map each of them if `least` is 3.

    Parameters
    ----------
    corpus : Corpus or CorpusFolder
    model : EmbeddingModel
        Decides what counts as an occurrence.
    least : int, default 1
        The smallest number of occurrences.
    most : int, default 6
        The largest number of words.

    Returns
    -------
    tuple of str
        The words.
    """
    if isinstance(corpus, CorpusFolder):
        return tuple(word for word in frequent(corpus, k=most) if corpus.count(word) >= least)
    found: dict[str, None] = {}
    for tried, word in enumerate(_candidates(corpus, cased=model.cased)):
        if len(found) == most or tried == MOST_TRIED:
            break
        if occurs(corpus, model, word=word, least=least):
            found[word] = None
    return tuple(found)


def frequent(folder: CorpusFolder, *, k: int = 6) -> list[str]:
    """The k most frequent words of a folder that have LETTERS_OF_FOLDERS letters or more, to offer as examples."""
    words = folder.words()
    words = words[words["word"].str.len().ge(LETTERS_OF_FOLDERS) & words["word"].str.isalpha()]
    return [str(word) for word in words.nlargest(k, "count")["word"]]


def known_formulas(
    corpus: Corpus | CorpusFolder, model: "EmbeddingModel", *, most: int = 4
) -> tuple[tuple[str, str, str, str], ...]:
    """Up to `most` built-in analogies (a, b, c, expected), as in a - b + c, whose four words occur in a corpus.

    Parameters
    ----------
    corpus : Corpus or CorpusFolder
    model : EmbeddingModel
        Decides what counts as an occurrence.
    most : int, default 4
        The largest number of analogies.

    Returns
    -------
    tuple of tuple of str
        The four words of each analogy.
    """
    if isinstance(corpus, CorpusFolder):
        return formulas_of(lambda word: corpus.count(word) > 0, most=most)
    there = {word.lower() for sentence in corpus.sentences for word in _WORD_OF_ANY_LENGTH.findall(sentence)}
    return formulas_of(lambda word: word in there and occurs(corpus, model, word=word), most=most)


def formulas_of(has: Callable[[str], bool], *, most: int = 4) -> tuple[tuple[str, str, str, str], ...]:
    """Up to `most` built-in analogies (a, b, c, expected), as in a - b + c, for whose words `has` is true.

    >>> formulas_of(lambda word: word in ("king", "man", "queen", "woman"))
    (('king', 'man', 'woman', 'queen'),)
    """
    known = wordlists.load("analogies")
    within(most, len(known) + 1, "formulas", least=0)
    every = (
        ("king", "man", "woman", "queen"),
        *zip(known["b"], known["a"], known["c"], known["expected"], strict=True),
    )
    fitting = (words for words in dict.fromkeys(every) if all(map(has, words)))
    return tuple(islice(fitting, most))


def occurs(corpus: Corpus, model: "EmbeddingModel", *, word: str, least: int = 1) -> bool:
    """Whether a word occurs in a corpus at least `least` times; computes no vectors."""
    try:
        name = model_spelling(word, model)
    except ValueError:
        return False
    count = 0
    for sentence in corpus.having(word).sentences:
        for row, _ in read(sentence, model):
            count += sum(spelling(row.ids[at : at + pieces], model) == name for at, pieces, _, _ in row.places)
        if count >= least:
            return True
    return False


def _candidates(corpus: Corpus, *, cased: bool) -> Iterator[str]:
    """Words with senses, then all others with LETTERS letters or more, the most frequent first, each once."""
    labelled = labelled_words(corpus)[:_LABELLED]
    yield from labelled
    counts: dict[str, Counter[str]] = {}
    for sentence in corpus.sentences:
        for word in _WORD.findall(sentence):
            counts.setdefault(word.lower(), Counter())[word if cased else word.lower()] += 1
    for word in sorted(counts, key=lambda word: (word in _FUNCTION_WORDS, -counts[word].total())):
        if word not in labelled:
            yield counts[word].most_common(1)[0][0]
