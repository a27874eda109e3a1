"""How good a model is: masked words, next sentence, cloze, edits beside their controls, analogies, senses, bias.

Each function takes a loaded model and returns rows of one table: measure, value, low, high, n, unit. `low` and `high`
bound a 95 % bootstrap interval over the words a measure is about (countries, capitals, ambiguous words) or over
documents, never over pairs of words: pairs that share a word are not independent. Words that are not one piece of the
model's vocabulary are left out; `n` counts what was scored, and a suite of which nothing is left has no row.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from embtools import wordlists
from embtools.arithmetic.analogy import analogy
from embtools.bias.published_tests import battery
from embtools.mask_filling.edits import Patch
from embtools.mask_filling.forward import mask_logits, probabilities
from embtools.models.next_sentence import next_sentence as follows
from embtools.statistics.intervals import interval
from embtools.vectors import cosine, unit

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel


COLUMNS = ["measure", "value", "low", "high", "n", "unit"]
MASK_SHARE = 0.15
LENGTHS = (16, 32, 64, 128)
OTHERS = 8  # other countries tried for each capital in the edit suite


@dataclass(frozen=True)
class Passage:
    """One input of running text: its first part, its second or None, whether that really follows, whose it is.

    `document` names the document of the first part: passages of one document are not independent.
    """

    first: str
    second: str | None
    follows: bool
    document: str


def row(measure: str, values: Sequence[float], *keys: Sequence[object], unit_name: str = "share") -> dict[str, object]:
    """One line of the table: the mean of values with its interval over `keys` (as `interval`)."""
    mean, low, high = interval(values, *keys)
    return {"measure": measure, "value": mean, "low": low, "high": high, "n": len(values), "unit": unit_name}


def spellings(word: str, model: "EmbeddingModel") -> list[str]:
    """The word as the model has it in one piece: in lower case, with a capital, both or neither."""
    return [w for w in (word, word.capitalize()) if w in model.ids]


def _written(frame: pd.DataFrame, columns: Sequence[str], model: "EmbeddingModel") -> pd.DataFrame:
    """The rows of which the model has every word, capitals and countries with a capital where it tells them apart."""
    names = set(wordlists.load("capitals")[["capital", "country"]].to_numpy().ravel())

    def write(word: str) -> str | None:
        found = spellings(word, model)
        return found[-1 if word in names else 0] if found else None

    return frame.assign(**{c: [write(w) for w in frame[c]] for c in columns}).dropna(subset=list(columns))


def masked_words(texts: Sequence[Passage], model: "EmbeddingModel", seed: int = 0) -> pd.DataFrame:
    """Accuracy and loss on texts or pairs, 15 % of the pieces masked, by length of input: rows of the table.

    The masks depend on the seed and the text alone, so that two models with one vocabulary fill the same blanks.
    The unit of loss is nats; the interval is over documents.
    """
    rows = []
    for number, text in enumerate(texts):
        frame = model.tokenize(text.first, text.second)
        ids, segments = frame["id"].to_numpy(), frame["segment"].to_numpy()
        open_places = np.flatnonzero(frame["word"].to_numpy() >= 0)
        count = max(1, round(MASK_SHARE * len(open_places)))
        masks = np.sort(np.random.default_rng([seed, number]).choice(open_places, count, replace=False))
        hidden = ids.copy()
        hidden[masks] = model.mask_id
        states = model.encode(model.matrix[hidden][None], segments, last_only=True)[0, 0, masks]
        chances = probabilities(model.logits(model.transform(states)))
        right = chances.argmax(axis=1) == ids[masks]
        loss = -np.log(chances[np.arange(count), ids[masks]])
        rows.append(
            pd.DataFrame(
                {
                    "document": text.document,
                    "length": len(ids),
                    "pair": text.second is not None,
                    "right": right.astype(float),
                    "loss": loss,
                }
            )
        )
    frame = pd.concat(rows)
    pairs = frame[frame["pair"]]
    table = []
    if len(pairs):
        table.append(row("masked words: pairs up to 128 pieces", pairs["right"], pairs["document"]))
        table.append(row("masked words: loss on these pairs", pairs["loss"], pairs["document"], unit_name="nats"))
    lower = 0
    for upper in LENGTHS:
        part = frame[(frame["length"] > lower) & (frame["length"] <= upper)]
        if len(part):
            table.append(row(f"masked words: inputs of {lower + 1}–{upper} pieces", part["right"], part["document"]))
            table.append(
                row(f"masked words: loss, {lower + 1}–{upper} pieces", part["loss"], part["document"], unit_name="nats")
            )
        lower = upper
    return pd.DataFrame(table, columns=COLUMNS)


def next_sentence(pairs: Sequence[Passage], model: "EmbeddingModel", name: str) -> pd.DataFrame:
    """How often the next-sentence head is right about pairs: one row of the table; the interval is over documents."""
    right = [float((follows(p.first, p.second or "", model) > 0.5) == p.follows) for p in pairs]
    return pd.DataFrame([row(f"next sentence: {name}", right, [p.document for p in pairs])], columns=COLUMNS)


def cloze_answers(model: "EmbeddingModel") -> pd.DataFrame:
    """The list `cloze` answered: its columns, the first answer, whether it or one of five is right, how probable."""
    frame = wordlists.load("cloze")
    known = [[w for a in answers.split("|") for w in spellings(a, model)] for answers in frame["answer"]]
    frame = frame.assign(known=known)[[bool(words) for words in known]].reset_index(drop=True)
    found = []
    for sentence, words in zip(frame["sentence"], frame.pop("known"), strict=True):
        scores = mask_logits(sentence, model)[0, 0]
        chances = probabilities(scores)
        scores[~model.rankable] = -np.inf
        right = [model.ids[w] for w in words]
        best = np.argsort(-scores, kind="stable")[:5]
        found.append(
            (
                model.vocabulary[best[0]],
                float(best[0] in right),
                float(bool(set(best) & set(right))),
                float(chances[right].sum()),
            )
        )
    return frame.join(pd.DataFrame(found, columns=["first", "top1", "top5", "probability"]))


def cloze(model: "EmbeddingModel") -> pd.DataFrame:
    """First answer and top five over the cloze suites: rows of the table; intervals over the (first) right answers."""
    frame = cloze_answers(model)
    frame["key"] = frame["answer"].str.split("|").str[0]
    capitals = frame[frame["suite"].isin(["capitals_of", "capitals_is"])]
    parts = [("capital → country, two templates", capitals)]
    parts += [(str(name), part) for name, part in frame.groupby("suite", sort=False)]
    parts += [("all but capitals", frame.drop(capitals.index)), ("all sentences", frame)]
    table = [
        row(f"cloze: {name}, {label}", part[column], part["key"])
        for name, part in parts
        for column, label in (("top1", "first answer"), ("top5", "top five"))
        if len(part)
    ]
    return pd.DataFrame(table, columns=COLUMNS)


def edit_answers(model: "EmbeddingModel", others: int = OTHERS, seed: int = 0) -> pd.DataFrame:
    """`capital = capital − country + other` in "X is the capital of [MASK].", beside its controls.

    Columns: capital, country, other, kind, answer (the first one), turned (it is the other country). The capitals are
    those of the cloze list, which leaves out ambiguous names (Male, Victoria, Georgetown), without countries written
    with "the": the sentence would be wrong English for them. Each capital meets `others` other countries,
    drawn with the seed; so are the wrong country and the two random words of the controls. No rows for a model that
    knows fewer than three of the countries with their capitals.
    """
    frame = wordlists.load("capitals").drop_duplicates("country")
    sentences = wordlists.load("cloze").query("suite == 'capitals_of'")
    plain = sentences[~sentences["sentence"].str.contains("the [MASK]", regex=False)]
    frame = frame[frame["country"].isin(plain["answer"])]
    frame = _written(frame, ["capital", "country"], model)
    countries = list(frame["country"])
    words = np.flatnonzero(model.whole_words)
    rng = np.random.default_rng(seed)
    rows: list[tuple[str, str, str, str, str, bool]] = []
    if len(countries) < 3:
        frame, countries = frame.head(0), []
    for capital, country in zip(frame["capital"], countries, strict=True):
        target, base = model.token_id(capital), model.vector(capital)
        cases: list[tuple[str, str, NDArray[np.float32]]] = []
        for other in rng.choice([c for c in countries if c != country], min(others, len(countries) - 1), replace=False):
            wrong = rng.choice([c for c in countries if c not in (country, other)])
            edit = model.vector(other) - model.vector(country)
            noise = model.matrix[rng.choice(words)] - model.matrix[rng.choice(words)]
            cases += [
                (other, "edit", edit),
                (other, "other country only added", model.vector(other)),
                (other, "wrong country subtracted", model.vector(other) - model.vector(wrong)),
                (other, "random difference", np.linalg.norm(edit) * unit(noise)),
            ]
        patches = [Patch({target: np.asarray(base + shift, np.float32)}) for _, _, shift in cases]
        scores = mask_logits(f"{capital} is the capital of [MASK].", model, patches)[:, 0]
        best = np.where(model.rankable, scores, -np.inf).argmax(axis=1)
        for (other, kind, _), i in zip(cases, best, strict=True):
            rows.append((capital, country, str(other), kind, model.vocabulary[i], model.vocabulary[i] == other))
    return pd.DataFrame(rows, columns=["capital", "country", "other", "kind", "answer", "turned"])


def edits(model: "EmbeddingModel") -> pd.DataFrame:
    """The edit suite and its controls: rows of the table; intervals over capitals and over the other countries."""
    frame = edit_answers(model)
    table = [
        row(f"edit: {kind}", part["turned"].astype(float), part["capital"], part["other"])
        for kind, part in frame.groupby("kind", sort=False)
    ]
    return pd.DataFrame(table, columns=COLUMNS)


def analogies(model: "EmbeddingModel") -> pd.DataFrame:
    """Analogies over static embeddings: how often the expected word is nearest, and without any analogy at all."""
    frame = wordlists.load("analogies")
    hits: dict[str, list[float]] = {"inputs kept": [], "inputs left out": [], "nearest to c alone, inputs left out": []}
    frame = _written(frame, ["a", "b", "c", "expected"], model)
    for item in frame.itertuples():
        ranks = analogy(f"{item.b} - {item.a} + {item.c}", str(item.expected), model).set_index("method")
        hits["inputs kept"].append(float(ranks.loc["3CosAdd", "rank_in"] == 1))
        hits["inputs left out"].append(float(ranks.loc["3CosAdd", "rank_out"] == 1))
        alone = ranks.loc[f"nearest to {item.c} alone", "rank_out"]
        hits["nearest to c alone, inputs left out"].append(float(alone == 1))
    table = [row(f"analogy first: {name}", values, frame["c"]) for name, values in hits.items() if values]
    return pd.DataFrame(table, columns=COLUMNS)


def senses(model: "EmbeddingModel") -> pd.DataFrame:
    """Does the nearest other sentence use the word in the same sense? Rows of the table; intervals over words.

    Cosine between the word's vectors in context, last layer and last but one; the static vector cannot tell.
    """
    frame = wordlists.load("senses")
    places = [
        np.flatnonzero(model.tokenize(sentence)["id"].to_numpy() == model.ids.get(word, -1))
        for word, sentence in zip(frame["word"], frame["sentence"], strict=True)
    ]
    missing = set(frame["word"][[not len(place) for place in places]])
    frame = frame.assign(place=places)[~frame["word"].isin(missing)].reset_index(drop=True)
    last = model.layers
    vectors: dict[int, list[NDArray[np.float32]]] = {last: [], last - 1: []}
    for place, sentence in zip(frame["place"], frame["sentence"], strict=True):
        states = model.hidden_states(sentence)
        for layer, found in vectors.items():
            found.append(states[layer, place[0]])
    table = []
    for layer, found in vectors.items() if len(frame) else ():
        matrix, same = np.stack(found), []
        for _, part in frame.groupby("word", sort=False):
            near = cosine(matrix[part.index], matrix[part.index])
            np.fill_diagonal(near, -np.inf)
            sense = part["sense"].to_numpy()
            same += list((sense[near.argmax(axis=1)] == sense).astype(float))
        words = [w for _, part in frame.groupby("word", sort=False) for w in part["word"]]
        table.append(row(f"senses: nearest sentence has the same, layer {layer}", same, words))
    return pd.DataFrame(table, columns=COLUMNS)


def associations(model: "EmbeddingModel", seed: int = 0) -> pd.DataFrame:
    """WEAT effect sizes on the published lists (Caliskan et al. 2017), over the words of one piece: rows of the table.

    `n` counts the words that were left; the measure names the published effect on GloVe vectors for comparison.
    """
    frame = battery(model, seed=seed).dropna(subset="effect")
    titles = "WEAT " + frame["test"] + frame["published"].map(" (GloVe {:.2f})".format)
    rows = frame.assign(measure=titles, value=frame["effect"], n=frame["words"] - frame["left_out"], unit="effect size")
    return rows[COLUMNS].reset_index(drop=True)
