"""Does the second sentence follow the first, and would others as well? A pair beside its controls."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pandas as pd

from embtools import wordlists
from embtools.chance import generator
from embtools.messages import quoted
from embtools.models.next_sentence import next_sentences
from embtools.progress import Progress, silent
from embtools.vectors import cosine, unit

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

COUNT = 30  # sentences that are drawn for each of the two drawn controls
WRITTEN, SWAPPED, AGAIN = "as written", "the two swapped", "the first again"
TOPIC, RANDOM = "same topic", "at random"


@dataclass(frozen=True)
class Following:
    """A pair and its controls.

    first, second   the two sentences
    probability     that the second follows the first, 0 … 1
    topic           the subject of the built-in corpus from which `same topic` is drawn; "" where there is none
    runs            frame: control, first, second, probability; one row for each pair that was asked
    summary         frame: control, pairs, probability (the mean), low, high, as_likely (how many reach the pair's own)
    """

    first: str
    second: str
    probability: float
    topic: str
    runs: pd.DataFrame
    summary: pd.DataFrame

    def of(self, control: str) -> pd.Series | None:
        """The row of a control in the summary, or None where it could not be asked."""
        rows = self.summary[self.summary["control"] == control]
        return None if rows.empty else rows.iloc[0]


def topics() -> tuple[str, ...]:
    """The subjects of the built-in corpus.

    >>> "weather" in topics()
    True
    """
    return tuple(wordlists.load("corpus")["topic"].unique())


def topic_of(first: str, second: str, model: "EmbeddingModel") -> str:
    """The subject of the corpus whose words are most like those of the pair; "" where the model knows none of these.

    By the static embeddings of words that are one piece, without English stop words: the mean of a subject's, weighted
    by tf-idf, against the plain mean of the pair's, both less the mean of all. Nothing of it reads a sentence.
    """
    from sklearn.feature_extraction.text import TfidfVectorizer

    texts = wordlists.load("corpus").groupby("topic", sort=False)["sentence"].agg(" ".join)
    vectoriser = TfidfVectorizer(stop_words="english", sublinear_tf=True)
    weights = vectoriser.fit_transform(texts)
    known = [(column, word) for column, word in enumerate(vectoriser.get_feature_names_out()) if word in model.ids]
    own = [word for word in vectoriser.build_analyzer()(f"{first} {second}") if word in model.ids]
    if not known or not own:
        return ""
    vectors = unit(model.matrix[[model.ids[word] for _, word in known]])
    middle = vectors.mean(axis=0)
    subjects = weights[:, [column for column, _ in known]] @ (vectors - middle)
    pair = unit(model.matrix[[model.ids[word] for word in own]]).mean(axis=0) - middle
    return str(texts.index[cosine(pair, subjects)[0].argmax()])


def following(
    first: str,
    second: str,
    model: "EmbeddingModel",
    *,
    topic: str = "",
    seed: int = 0,
    progress: Progress = silent,
) -> Following:
    """The probability that the second sentence follows the first, and that of pairs which are no continuation.

    The controls: the two swapped; the first sentence again; `COUNT` sentences of the same topic of the built-in corpus
    (`topic`, else that of `topic_of`) and as many of other topics, drawn by `seed`, in place of the second. Pairs that
    are too long for the model are not asked. `progress` is told 0 … 1 and may raise to stop. Raises ValueError for an
    unknown topic, and as `next_sentence` does.
    """
    if topic and topic not in topics():
        raise ValueError(f"There is no topic {quoted(topic)}. Choose one of: {', '.join(topics())}.")
    model.tokenize(first, second)  # what cannot be read is told before anything is drawn
    first, second = first.strip(), second.strip()
    topic = topic or topic_of(first, second, model)
    rng = generator(seed)
    corpus = wordlists.load("corpus")
    own = corpus["topic"] == topic
    asked = [(WRITTEN, first, second), (SWAPPED, second, first)]
    asked += [(AGAIN, *pair) for pair in _fitting(first, [first], model, 1)]
    for control, rows in ((TOPIC, corpus[own]), (RANDOM, corpus[~own])):
        drawn = [s for s in rng.permutation(rows["sentence"].to_numpy()).tolist() if s not in (first, second)]
        asked += [(control, *pair) for pair in _fitting(first, drawn, model, COUNT)]
    runs = pd.DataFrame(asked, columns=["control", "first", "second"])
    pairs = list(runs[["first", "second"]].itertuples(index=False, name=None))
    runs["probability"] = next_sentences(pairs, model, progress=progress)
    own_probability = float(runs["probability"].iloc[0])
    return Following(first, second, own_probability, topic, runs, _summary(runs, own_probability))


def _fitting(first: str, seconds: Sequence[str], model: "EmbeddingModel", count: int) -> Iterator[tuple[str, str]]:
    """Up to `count` pairs of the first sentence and one of the seconds that the model can read."""
    room = model.max_tokens - 3 - len(model.pieces(first))
    found = 0
    for second in seconds:
        if found < count and len(model.pieces(second)) <= room:
            found += 1
            yield first, second


def _summary(runs: pd.DataFrame, own: float) -> pd.DataFrame:
    grouped = runs.groupby("control", sort=False)["probability"]
    frame = grouped.agg(pairs="size", probability="mean", low="min", high="max")
    frame["as_likely"] = grouped.agg(lambda found: int((found >= own).sum()))
    frame.loc[WRITTEN, "as_likely"] = 0  # itself does not count
    return frame.reset_index().astype({"as_likely": int})
