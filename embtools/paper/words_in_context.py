"""The claims C1 to C5, of "Operations on contextual word embeddings", on the built-in corpus."""

from typing import TYPE_CHECKING

import numpy as np

from embtools.corpus import analogy, search, verdict
from embtools.decomposition import controls, targets
from embtools.decomposition.dictionary import Dictionary, of_occurrences
from embtools.decomposition.parts import Parts, take_apart
from embtools.decomposition.targets import Target
from embtools.occurrences.corpus import built_in_corpus
from embtools.occurrences.encoding import Occurrences, encode_corpus
from embtools.paper.measured import Check, Figure, Measure, Measured, of_all, percent, published
from embtools.progress import Progress, part, through
from embtools.recipes import SUM_FOUR

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

_COLD = "cold"
_SHOWN = 5


def corpus(model: "EmbeddingModel", progress: Progress) -> Measured:
    """C1: the built-in corpus as vectors."""
    found = _read(model, progress)
    names = set(found.table["word"])
    marks = sorted(names & {piece.lower() for piece in model.special})
    return Measured(
        f"{len(found.sentences):,} sentences, {len(found.table):,} words, {found.vectors.shape[1]:,} numbers each;"
        f" {found.left_out:,} signs are left out.",
        (
            Check("Every sentence is read whole.", not found.cut),
            Check("The same word has another vector in another sentence.", _differs(found)),
            Check("None of them is [CLS], [SEP] or [PAD].", not marks),
        ),
    )


def nearest(model: "EmbeddingModel", progress: Progress) -> Measured:
    """C2: for every occurrence of cold, what is nearest to it."""
    text, n = built_in_corpus(), len(_read(model, part(progress, 0, 0.5)).of(_COLD))
    same = sum(
        search.nearest(text, search.Query(_COLD, number), SUM_FOUR, model, k=1).near["word"].iloc[0] == _COLD
        for number in through(range(1, n + 1), part(progress, 0.5, 0.5))
    )
    others = search.nearest(text, search.Query(_COLD), SUM_FOUR, model, k=_SHOWN, same_word=False).near["word"]
    return Measured(
        f"cold is nearest for {of_all(same, n)} of its occurrences. Nearest to the first without cold itself:"
        f" {', '.join(others)}.",
        (Check("For most of its occurrences another cold is nearest.", same > n / 2),),
    )


def mixture(model: "EmbeddingModel", progress: Progress) -> Measured:
    """C3: the first three occurrences of cold, each a mix of other words."""
    numbers = published("C3")
    known = {word for _, word in numbers}
    read = _read(model, part(progress, 0, 0.6))
    atoms = of_occurrences(read)
    mixes = [take_apart(targets.occurrence(read, _COLD, model, i), atoms) for i in (1, 2, 3)]
    said = [
        " + ".join(
            f"{share:.2f} {word}" for word, share in mix.words[["word", "share"]].head(4).itertuples(index=False)
        )
        for mix in mixes
    ]
    heaviest = [str(mix.words["word"].iloc[0]) if len(mix.words) else "" for mix in mixes]
    sets = {tuple(sorted(mix.words["word"].head(3))) for mix in mixes}
    target = targets.occurrence(read, _COLD, model)
    better = _beats(target, atoms, mixes[0], part(progress, 0.7, 0.3))
    own = mixes[0].words.set_index("word")["share"]
    return Measured(
        f"{'; '.join(said)} (the heaviest four of each). The first mix explains {percent(mixes[0].explained)}.",
        (
            Check(f"The heaviest word of each is one of the published: {', '.join(sorted(known))}.",
                  set(heaviest) <= known),
            Check("The three sentences have different mixes.", len(sets) == len(mixes)),
            Check("A mix explains more than random parts do, and more than is explained of random vectors.", better),
        ),
        tuple(
            Figure(f"first cold, of {word}", figure, float(own.get(word, 0.0)), "share")
            for (item, word), figure in numbers.items()
            if item == "cold 1"
        ),
    )  # fmt: skip


def king(model: "EmbeddingModel", progress: Progress) -> Measured:
    """C4: the first king − man + woman of the text, and every choice of occurrences."""
    text, words, queen = built_in_corpus(), ("king", "man", "woman"), "queen"
    found = analogy.analogy(
        text, words, queen, SUM_FOUR, model, numbers=(1, 1, 1), k=_SHOWN, inputs=True, progress=part(progress, 0, 0.6)
    )
    every = analogy.all_choices(text, words, queen, SUM_FOUR, model, progress=part(progress, 0.6, 0.4))
    near = found.near["word"].tolist()
    formula, alone = (every.shares.iloc[n]["with_inputs"] for n in (0, 1))
    return Measured(
        f"{', '.join(near)}. {verdict.of_choices(every, words, queen)}",
        (
            Check("queen is first, with the three words among the answers.", near[0] == queen),
            Check("Over all choices queen is first more often than among the nearest to king alone.",
                  bool(formula > alone)),
        ),
    )  # fmt: skip


def isotropy(model: "EmbeddingModel", progress: Progress) -> Measured:
    """C5: not in the app yet. Its figure belongs here, its link into `LINKS` of `embtools/ui/paper/links.py`."""
    return Measured("", later=True)


def _read(model: "EmbeddingModel", progress: Progress) -> Occurrences:
    return encode_corpus(built_in_corpus(), SUM_FOUR, model, progress=progress)


def _differs(found: Occurrences) -> bool:
    first, second = found.vectors[found.of(_COLD)[:2]]
    return not np.array_equal(first, second)


def _beats(target: Target, atoms: Dictionary, mix: Parts, progress: Progress) -> bool:
    """Whether the mix explains more than every control that should do worse."""
    rows = controls.summary(controls.compare(target, atoms, mix, progress=progress)).set_index("kind")
    worse = [controls.RANDOM_PARTS, controls.CLOUD, controls.SHUFFLED]
    return bool(len(rows)) and bool(rows.loc[controls.OWN, "mean"] > rows.loc[worse, "highest"].max())


MEASURES: dict[str, Measure] = {"C1": corpus, "C2": nearest, "C3": mixture, "C4": king, "C5": isotropy}
