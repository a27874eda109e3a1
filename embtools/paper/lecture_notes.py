"""The claims D1 to D7, of the lecture notes "BERT"."""

from typing import TYPE_CHECKING

import numpy as np

from embtools import wordlists
from embtools.attention import jobs, looks
from embtools.inputs import lookup, masking, terms
from embtools.layers.published import BANK_LINE
from embtools.mask_filling.answers import fill_mask
from embtools.pairs import batch, following, groups, verdict
from embtools.paper.measured import Check, Measure, Measured, number, of_all, percent, published
from embtools.probing import accuracy, features, items
from embtools.progress import Progress, part
from embtools.recipes import SECOND_TO_LAST

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

_SUN, _MAT = "The [MASK] is bright today.", "The cat sat on the [MASK]."
_DOG = ("my dog is cute", "he likes playing")
_STORE = ("I went to the store.", "They were closed.")
_TIRED = "The animal didn't cross the street because it was too tired."
_WIDE = "The animal didn't cross the street because it was too wide."
_TOPICS, _A_TOPIC = ("food", "music", "sea", "weather"), 10
_CLOSE = 1e-4  # of float32 numbers that should be the same


def one_matrix(model: "EmbeddingModel", progress: Progress) -> Measured:
    """D1: a row looked up by a product, and a probability by the same row."""
    into, back = lookup.look_up("sun", model), lookup.way_back(_SUN, "sun", model)
    best = fill_mask(_SUN, model, k=1).iloc[0]
    top = back.answers.iloc[0]
    return Measured(
        f"sun is row {into.id:,} of {len(model.vocabulary):,}; the product differs from it by {into.largest:g}. On"
        f" the way back {back.dot:.2f} + bias {number(back.bias, 2)} gives sun {percent(back.probability)} (number"
        f" {back.rank:,}).",
        (
            Check("One-hot times matrix is the row, to the last digit.", into.largest == 0),
            Check("State times row plus bias, softmax, is the model's own answer.",
                  top["token"] == best["token"] and abs(top["probability"] - best["probability"]) < _CLOSE),
        ),
    )  # fmt: skip


def sum_of_three(model: "EmbeddingModel", progress: Progress) -> Measured:
    """D2: the terms of "he", the first word of a second sentence."""
    if not model.has_segments:
        raise ValueError("This model has no segment embeddings: it adds up two terms, token and position.")
    found = terms.terms(terms.pieces(_DOG, model, pair=True), "he", model)
    names, vectors = found.names, found.vectors[0].astype(np.float64)
    at = {name: vectors[names.index(name)] for name in names}
    place = found.places.iloc[0]
    apart = float(np.abs(at[terms.TOKEN] + at[terms.SEGMENT] + at[terms.POSITION] - at[terms.SUM]).max())
    entered = model.hidden_states(*_DOG)[0, int(place["position"])]
    said = " + ".join(number(at[name][0]) for name in (terms.TOKEN, terms.SEGMENT, terms.POSITION))
    return Measured(
        f"he, position {place['position']}, segment {place['segment']}: its first number is {said} ="
        f" {number(at[terms.SUM][0])}, and {number(at[terms.NORMED][0])} after the layer norm.",
        (
            Check("The three terms add up to the sum, number by number.", apart < _CLOSE),
            Check("With its layer norm it is what the first layer reads.",
                  bool(np.abs(at[terms.NORMED] - entered).max() < _CLOSE)),
        ),
    )  # fmt: skip


def masked_words(model: "EmbeddingModel", progress: Progress) -> Measured:
    """D3: two sentences of the notes, and the masking rule in a thousand draws."""
    said, checks = [], []
    for text, word in ((_SUN, "sun"), (_MAT, "mat")):
        back, best = lookup.way_back(text, word, model), fill_mask(text, model, k=1).iloc[0]
        said.append(
            f"{text} {best['token']} {percent(best['probability'])}"
            + ("" if best["token"] == word else f", {word} {percent(back.probability)} (number {back.rank:,})")
        )
        checks.append(Check(f"In “{text}” {word} is the first answer.", best["token"] == word))
    draws = masking.check(BANK_LINE.partition("|")[2].strip(), model).treatments.set_index("treatment")
    chance = draws.loc[[masking.MASKED, masking.RANDOM, masking.KEPT]]
    shares = (chance["count"] / chance["count"].sum()).map(percent)
    within = bool(((chance["share"] >= chance["low"]) & (chance["share"] <= chance["high"])).all())
    return Measured(
        f"{'; '.join(said)}. Of what must be guessed {shares.iloc[0]} are masked, {shares.iloc[1]} exchanged,"
        f" {shares.iloc[2]} left (1,000 draws).",
        (*checks, Check("A thousand draws of the rule show 80-10-10, within chance.", within)),
    )


def next_sentence(model: "EmbeddingModel", progress: Progress) -> Measured:
    """D4: the pair of the notes beside its controls, and forty labelled pairs."""
    found = following.following(*_STORE, model, progress=part(progress, 0, 0.5))
    many = batch.follow(batch.built_in("random"), model, progress=part(progress, 0.5, 0.5))
    drawn = found.of(following.RANDOM)
    beaten = drawn is not None and bool(drawn["as_likely"] <= verdict.LUCK * drawn["pairs"])
    return Measured(
        f"{verdict.finding(found)} Of labelled pairs {of_all(many.right, many.labelled)} are right.",
        (
            Check("The second sentence is more likely to follow than not.", found.probability >= 0.5),
            Check("At most one in twenty sentences drawn at random gets as much.", beaten),
            Check("Of forty labelled pairs surely more than half are right.", many.low > many.always),
        ),
    )


def features_for_others(model: "EmbeddingModel", progress: Progress) -> Measured:
    """D5: linear probes on two tasks, and groups of sentences on four topics."""
    said, checks = [], []
    for i, (task, what) in enumerate((("part of speech", "words"), ("topic", "sentences"))):
        tell = part(progress, 0.3 * i, 0.3)
        asked = items.built_in(task)
        read = features.read_features(asked, features.poolings(asked)[0], model, progress=tell)
        found = accuracy.measure(asked, read, [SECOND_TO_LAST])
        row = found.table.iloc[0]
        said.append(
            f"{task} of {percent(row['accuracy'])}"
            f" ({100 * row['accuracy_low']:.0f} to {100 * row['accuracy_high']:.0f}%) of {len(asked)} {what}, with"
            f" random labels {percent(row['control'])}"
        )
        sure = bool(row["accuracy_low"] > found.baseline and row["selectivity_low"] > 0)
        checks.append(Check(f"A linear probe surely tells the {task} better than guessing and than memory.", sure))
    corpus = wordlists.load("corpus")
    rows = corpus[corpus["topic"].isin(_TOPICS)].groupby("topic").head(_A_TOPIC)
    lines = [f"{topic} | {text}" for topic, text in zip(rows["topic"], rows["sentence"], strict=True)]
    made = groups.find(
        lines, model, SECOND_TO_LAST, "sentence: mean", count=len(_TOPICS), progress=part(progress, 0.6, 0.4)
    )
    clear = made.exceeds(max(made.dealt, made.cloud)) and made.agreement > made.words_alone
    checks.append(
        Check("Groups of sentences are clearer than where there are none, and surer than by shared words.", clear)
    )
    return Measured(
        f"A probe tells the {'; the '.join(said)}. Groups of {len(lines)} sentences agree with {len(_TOPICS)} topics to"
        f" {made.agreement:.2f} (adjusted Rand index), by shared words {number(made.words_alone, 2)}; silhouette"
        f" {made.silhouette:.2f}, without groups up to {max(made.dealt, made.cloud):.2f}.",
        tuple(checks),
    )


def looks_at(model: "EmbeddingModel", progress: Progress) -> Measured:
    """D6: what it looks at in the two sentences, and a head that is chosen on some sentences, tried on others."""
    said, checks = [], []
    for text, other, noun in ((_TIRED, _WIDE, "animal"), (_WIDE, _TIRED, "street")):
        found = looks.look(looks.read_all(text, model, control=other), ["it"], [noun], looks.STRONGEST, model)
        row = found.words.set_index("word").loc[noun]
        here, there = float(row[looks.NOW]), float(row[looks.CONTROL])
        ends = [sentence.rstrip(".").split()[-1] for sentence in (text, other)]
        said.append(f"head {found.heads}: {noun} {percent(here)} ({ends[0]}), {percent(there)} ({ends[1]})")
        checks.append(Check(f"it looks at {noun} more with “{ends[0]}” than with “{ends[1]}”.", here > there))
    best = jobs.scores(model, progress=progress).best.set_index("job").loc[jobs.REFERENT]
    beaten = max(float(best["random"]), float(best["by_offset"]))
    return Measured(
        f"{'; '.join(said)}. {jobs.finding(best.to_frame().T.rename_axis('job').reset_index(), jobs.REFERENT)}",
        (
            *checks,
            Check("Held out, the best head surely finds what it stands for more often than a random head, or a fixed"
                  " distance.", bool(best["low"] > beaten)),
        ),
    )  # fmt: skip


def sizes(model: "EmbeddingModel", progress: Progress) -> Measured:
    """D7: the sizes of the loaded model; neither of the two published ones: nothing can be told."""
    numbers = published("D7")
    own = {"layers": model.layers, "dimensions": model.dimensions, "heads": model.heads}
    answer = (
        f"{model.layers} layers × {model.dimensions:,}, {model.heads} heads, {model.parameters / 1e6:.1f} million"
        " parameters"
    )
    for name in ("base", "large"):
        if all(numbers[name, key] == value for key, value in own.items()):
            millions = numbers[name, "million parameters"]
            near = abs(model.parameters / 1e6 - millions) <= 0.03 * millions
            return Measured(
                f"{answer}.",
                (
                    Check(f"Layers, dimensions and heads are those of BERT {name}.", True),
                    Check(f"There are about {millions:.0f} million parameters (within 3%).", near),
                ),
            )
    return Measured(f"{answer}: neither of the two, so there is nothing to compare.")


MEASURES: dict[str, Measure] = {
    "D1": one_matrix, "D2": sum_of_three, "D3": masked_words, "D4": next_sentence, "D5": features_for_others,
    "D6": looks_at, "D7": sizes,
}  # fmt: skip
