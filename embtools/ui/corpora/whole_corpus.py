"""Whether all of a text may be read, or a folder searched: at once if this is quick, otherwise after a press."""

from collections.abc import Callable

from embtools.occurrences import encoding
from embtools.occurrences.corpus import Corpus
from embtools.occurrences.folder.opened import seconds as seconds_of_folder
from embtools.occurrences.folder.reading import CorpusFolder
from embtools.spaces.space import RAW, Space
from embtools.ui import long_work, running
from embtools.ui.call import Call
from embtools.ui.shown import Model

PATIENT = 10.0  # seconds; a text that takes longer is only read after a press on a button
_PACE = 2_400  # words that the bundled model reads per second on one processor


def may_search(
    name: str,
    query: Call,
    model: Model,
    *,
    button: str = "Search all",  # for a folder
    seconds: Callable[[CorpusFolder], float] | None = None,  # that the search of a folder takes
) -> bool:
    """Whether all of the corpus of a query (with `corpus`, `combination`, `space`) may be searched now: at once if this
    is quick, otherwise after a press on a button."""
    corpus = query["corpus"]
    if running.known(query, model):
        return True
    if isinstance(corpus, CorpusFolder):
        wait = (seconds or seconds_of_folder)(corpus.in_space(query["space"]))
        return long_work.requested(name, f"{button} {len(corpus):,} occurrences", wait, corpus)
    wait = reading(query, model)
    return wait <= PATIENT or long_work.requested(
        name, "Read the whole text", wait, (model, corpus, query["combination"])
    )


def reads_all(corpus: Corpus | CorpusFolder, space: Space) -> bool:
    """Whether every query about a corpus must read all of it first, because the space is fitted to its vectors."""
    return not corpus.is_encoded and space.kind != RAW


def reading(query: Call, model: Model) -> float:
    """About how many seconds must pass before a query about a whole corpus can begin: 0 if its vectors are known."""
    if is_read(query, model):
        return 0.0
    # Measured with two models: 2,400 words per second, and 1,000 at eight times the cost.
    cost = model.facts.layers * model.facts.dimensions**2 / (6 * 384**2)
    return sum(len(sentence.split()) for sentence in query["corpus"].sentences) / _PACE * float(cost**0.45)


def is_read(query: Call, model: Model) -> bool:
    """Whether the vectors of the query's corpus are known, so that another query about it is quick."""
    corpus = query["corpus"]
    if corpus.is_encoded:
        return True
    return running.known(Call(encoding.encode_corpus, corpus=corpus, combination=query["combination"]), model)
