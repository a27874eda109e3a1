"""Next-sentence prediction for one pair, with its controls and with other segment ids."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from embtools import wordlists
from embtools.chance import generator
from embtools.drawing import Displayed
from embtools.messages import quoted, shortened
from embtools.models.sentence_order import next_sentences
from embtools.progress import Progress, silent
from embtools.rooms.question import MOST_CONTEXT, Question, how_large
from embtools.statistics.decimals import half_up
from embtools.statistics.percentages import rounded
from embtools.statistics.reporting import LEVEL, control_p, p_value
from embtools.vectors import cosine, unit

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

COUNT = 200  # random sentences on other topics; of the same topic, all are used
WRITTEN, SWAPPED, AGAIN = "as written", "order swapped", "first sentence repeated"
TOPIC, RANDOM = "same topic", "random"
NAMES = ("A, the first sentence", "B, the second sentence")
SAME = 0.05
"""A swapped pair counts as about as likely if its probability is at most this much lower."""


@dataclass(frozen=True)
class NextSentence(Displayed):
    """Next-sentence probabilities of a pair and its controls.

    first, second   the two sentences
    probability     that the second follows the first, 0 … 1
    topic           the topic of the built-in corpus from which `same topic` is drawn; "" if there is none
    runs            frame: control, first, second, probability; one row for each pair that was scored
    summary         frame: control, pairs, probability (the mean), lowest, highest, at_least_as_likely (number of pairs
                    whose probability reaches that of the pair itself)
    """

    first: str
    second: str
    probability: float
    topic: str
    runs: pd.DataFrame
    summary: pd.DataFrame

    @property
    def headline(self) -> str:
        """The probability of the pair, and the first control that could explain it, or that none does."""
        return _finding(self)

    @property
    def repetition(self) -> str:
        """The probability if the second sentence repeats the first, which is high if repeated words are enough for
        BERT; "" if this could not be scored."""
        row = self.of(AGAIN)
        if row is None:
            return ""
        return f"If the second sentence only repeats the first, it gets {percent(row['probability'])}."

    @property
    def clear(self) -> bool:
        """Whether the second sentence follows better than random ones, and than those on the same topic (p ≤ LEVEL)."""
        if self.of(RANDOM) is None:
            raise ValueError("No random sentence is short enough for a comparison. Use a shorter first sentence.")
        rows = [row for control in (RANDOM, TOPIC) if (row := self.of(control)) is not None]
        return self.probability >= 0.5 and all(_p(row) <= LEVEL for row in rows)

    def of(self, control: str) -> pd.Series | None:
        """The row of a control in the summary, or None if it could not be scored."""
        rows = self.summary[self.summary["control"] == control]
        return None if rows.empty else rows.iloc[0]


def topics() -> tuple[str, ...]:
    """The topics of the built-in corpus.

    >>> "weather" in topics()
    True
    """
    return tuple(wordlists.load("corpus")["topic"].unique())


def topic_of(first: str, second: str, model: "EmbeddingModel") -> str:
    """The topic of the built-in corpus nearest to the pair by centred mean static embeddings, weighted by tf-idf for
    the topics only; "" if the model knows no word."""
    from sklearn.feature_extraction.text import TfidfVectorizer

    texts = wordlists.load("corpus").groupby("topic", sort=False)["sentence"].agg(" ".join)
    vectoriser = TfidfVectorizer(stop_words="english", sublinear_tf=True)
    weights = vectoriser.fit_transform(texts)
    known = [(column, word) for column, word in enumerate(vectoriser.get_feature_names_out()) if word in model.ids]
    own = [word for word in vectoriser.build_analyzer()(f"{first} {second}") if word in model.ids]
    if not known or not own:
        return ""
    vectors = unit(model.matrix[[model.ids[word] for _, word in known]])
    centre = vectors.mean(axis=0)
    topic_vectors = weights[:, [column for column, _ in known]] @ (vectors - centre)
    pair = unit(model.matrix[[model.ids[word] for word in own]]).mean(axis=0) - centre
    return str(texts.index[cosine(pair, topic_vectors)[0].argmax()])


def with_controls(
    first: str,
    second: str,
    model: "EmbeddingModel",
    *,
    topic: str = "",
    seed: int = 0,
    progress: Progress = silent,
) -> NextSentence:
    """The probability that the second sentence follows the first, and the same for controls that do not continue it.

    The controls are: the two sentences swapped; the first sentence repeated; and, instead of the second sentence, all
    sentences on the same topic of the built-in corpus and `COUNT` random ones on other topics. Pairs that are too long
    for the model are left out.

    Parameters
    ----------
    first, second : str
        Two sentences.
    model : EmbeddingModel
    topic : str, default ""
        A topic of the built-in corpus; "" is the one that is most similar to the two sentences.
    seed : int, default 0
    progress : callable, optional

    Returns
    -------
    NextSentence
        The probabilities (0 … 1) of the pair and of its controls.

    Raises
    ------
    ValueError
        For an unknown topic, and as `next_sentence` does.
    """
    if topic and topic not in topics():
        raise ValueError(f"There is no topic {quoted(topic)}. Choose one of: {', '.join(topics())}.")
    model.tokenize(first, second)  # raises before anything is drawn if the pair cannot be read
    first, second = first.strip(), second.strip()
    topic = topic or topic_of(first, second, model)
    rng = generator(seed)
    corpus = wordlists.load("corpus")
    own = corpus["topic"] == topic
    rows = [(WRITTEN, first, second), (SWAPPED, second, first)]
    rows += [(AGAIN, *pair) for pair in _fitting(first, [first], model, 1)]
    for control, part in ((TOPIC, corpus[own]), (RANDOM, corpus[~own])):
        drawn = [s for s in rng.permutation(part["sentence"].to_numpy()).tolist() if s not in (first, second)]
        rows += [(control, *pair) for pair in _fitting(first, drawn, model, COUNT if control == RANDOM else len(drawn))]
    runs = pd.DataFrame(rows, columns=["control", "first", "second"])
    pairs = list(runs[["first", "second"]].itertuples(index=False, name=None))
    runs["probability"] = next_sentences(pairs, model, progress=progress)
    own_probability = float(runs["probability"].iloc[0])
    return NextSentence(first, second, own_probability, topic, runs, _summary(runs, own_probability))


def _fitting(first: str, seconds: Sequence[str], model: "EmbeddingModel", count: int) -> Iterator[tuple[str, str]]:
    """Up to `count` pairs of the first sentence and one of `seconds` that fit into the model."""
    room = model.max_tokens - 3 - len(model.pieces(first))
    fitting = 0
    for second in seconds:
        if fitting < count and len(model.pieces(second)) <= room:
            fitting += 1
            yield first, second


def _summary(runs: pd.DataFrame, own: float) -> pd.DataFrame:
    grouped = runs.groupby("control", sort=False)["probability"]
    frame = grouped.agg(pairs="size", probability="mean", lowest="min", highest="max")
    frame["at_least_as_likely"] = grouped.agg(lambda values: int((values >= own).sum()))
    frame.loc[WRITTEN, "at_least_as_likely"] = 0  # the pair is not compared with itself
    return frame.reset_index().astype({"at_least_as_likely": int})


def pair_question(first: str, second: str, model: "EmbeddingModel", *, choices: Sequence[str] = ()) -> Question:
    """How likely does BERT find it that the second sentence follows the first? A question for a class."""
    probability = float(next_sentences([(first.strip(), second.strip())], model)[0])
    context = "\n".join(f"“{shortened(sentence, MOST_CONTEXT // 2 - 3)}”" for sentence in (first, second))
    text = "How likely does BERT find it that the second sentence follows the first?"
    percentage = half_up(100 * probability)
    return how_large(percentage, percent(probability), choices, text=text, context=context, by_bert=True)


def _finding(result: NextSentence) -> str:
    claim = f"BERT gives a probability of {percent(result.probability)} that the second sentence follows the first"
    if result.probability < 0.5:
        text = f"{claim}, so it is more likely that it does not."
        if (row := result.of(RANDOM)) is not None:
            text += f" Random sentences instead of the second get {percent(row['probability'])} on average."
        return text
    if result.of(RANDOM) is None:
        return f"{claim}. No random sentence is short enough for a comparison, so this may be chance."
    beaten = []
    for control, drawn in ((RANDOM, "random sentences"), (TOPIC, f"sentences on the topic “{result.topic}”")):
        row = result.of(control)
        if row is None:
            continue
        count, pairs = int(row["at_least_as_likely"]), int(row["pairs"])
        p = _p(row)
        if p > LEVEL and count:
            what = "so this may be chance" if control == RANDOM else "so the topic alone may explain it"
            are = "is" if count == 1 else "are"
            return f"{claim}. But {count} of {pairs} {drawn} {are} at least as likely to follow ({p_value(p)}), {what}."
        if p > LEVEL:
            plural, are = ("sentence", "is") if pairs == 1 else ("sentences", "are")
            few = f"{pairs} {drawn.replace('sentences', plural, 1)} {are}"
            return (
                f"{claim}. But only {few} short enough for a comparison, too few to rule out chance"
                f" ({p_value(p, pairs, what=plural)})."
            )
        beaten.append(f"{pairs - count} of {pairs} {drawn}" if count else f"any of {pairs} {drawn}")
    swapped = result.of(SWAPPED)
    if swapped is None:
        return f"{claim}. This is more than for {' and '.join(beaten)}."
    share = percent(swapped["probability"])
    if swapped["probability"] >= result.probability - SAME:
        return f"{claim}. In swapped order the pair gets {share}, so the order makes little difference here."
    return f"{claim}. This is more than for {' and '.join(beaten)}, and more than in swapped order ({share})."


def _p(row: pd.Series) -> float:
    """The p-value of the pair compared with one of the two controls that have many sentences."""
    return control_p(int(row["at_least_as_likely"]), int(row["pairs"]))


def percent(share: float) -> str:
    """A probability as a percentage, written as 0% or 100% only if it is exactly that.

    >>> percent(0.614), percent(0.9996), percent(0.0004)
    ('61%', 'over 99%', 'under 1%')
    """
    if 0 < share < 0.01:
        return "under 1%"
    return "over 99%" if 0.99 < share < 1 else rounded(share)


@dataclass(frozen=True)
class Segments:
    """Segment ids of a pair and of its first sentence.

    pair     frame of `tokens`
    single   frame of `single_sentence`
    other    frame of `other_segments`; None if the segment ids of this model cannot be changed
    reason   why they cannot be changed, or ""
    """

    pair: pd.DataFrame
    single: pd.DataFrame
    other: pd.DataFrame | None
    reason: str = ""


def segments(first: str, second: str, model: "EmbeddingModel") -> Segments:
    """The segment ids of a pair, those of its first sentence alone, and the probability with other segment ids.

    Parameters
    ----------
    first, second : str
        Two sentences.
    model : EmbeddingModel

    Returns
    -------
    Segments

    Raises
    ------
    ValueError
        As `EmbeddingModel.tokenize` does.
    """
    pair, single = tokens(first, second, model), single_sentence(first, model)
    try:
        return Segments(pair, single, other_segments(first, second, model))
    except ValueError as error:
        return Segments(pair, single, None, str(error))


def tokens(first: str, second: str, model: "EmbeddingModel") -> pd.DataFrame:
    """The tokens of a pair."""
    frame = model.tokenize(first, second)[["position", "token", "segment"]]
    return frame.assign(sentence=[NAMES[segment] for segment in frame["segment"]])


def single_sentence(sentence: str, model: "EmbeddingModel") -> pd.DataFrame:
    """The tokens of one sentence with the segment id of BERT's training, 0 (Devlin et al. 2018), and that of the
    article "Understanding BERT — Word Embeddings", 1."""
    frame = model.tokenize(sentence)
    return frame[["position", "token"]].assign(segment=frame["segment"], segment_in_article=1)


def other_segments(first: str, second: str, model: "EmbeddingModel") -> pd.DataFrame:
    """The next-sentence probability of a pair with other segment ids."""
    if not model.has_segments:
        raise ValueError("This model has no segment embeddings, so its segment ids cannot be changed.")
    own = model.tokenize(first, second)["segment"].to_numpy()
    ids = {
        "0 and 1 (as trained)": own,
        "1 and 0 (swapped)": 1 - own,
        "0 for both": np.zeros_like(own),
        "1 for both": np.ones_like(own),
    }
    result = next_sentences([(first, second)] * len(ids), model, segments=list(ids.values()))
    return pd.DataFrame({"segments": list(ids), "probability": result})
