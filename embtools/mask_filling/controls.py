"""Controls of an edit: runs that could disprove its effect; and edits that are the same as writing another word.

A changed answer proves nothing by itself: adding France may copy "france" into the answer whatever is subtracted, and
any large change may change the answer. Each control rules out one such alternative explanation (after the efficacy and
specificity tests of Meng et al. 2022, "Locating and Editing Factual Associations in GPT").
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from embtools.chance import generator
from embtools.formula import expression
from embtools.formula.expression import Equation
from embtools.limits import within
from embtools.mask_filling.edits import Change, Patch, by_target, moved, resolve
from embtools.mask_filling.typed_input import normalise_masks
from embtools.messages import listed, mentioned
from embtools.vectors import Array
from embtools.words.kinds import same_kind

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

ADDED, SUBTRACTED, OTHER_SUBTRACTED = "added only", "subtracted only", "another word subtracted"
OTHER_EDITED, RANDOM = "another word edited", "random difference"
WRITTEN = "other word written"
CONTROLS = {  # the five names, and what each control does and tests
    ADDED: "The new words are added and nothing is subtracted. This tests whether BERT merely copies an added word.",
    SUBTRACTED: "The old words are subtracted and nothing is added. This tests whether that alone changes the answer.",
    OTHER_SUBTRACTED: "A word of the same kind as the old one is subtracted instead, such as another country. This"
    " tests whether it matters which word is subtracted.",
    OTHER_EDITED: "The same change is made to another word of the sentence. This tests whether it matters which word is"
    " edited.",
    RANDOM: "The difference of two random words, scaled to the same length, is added. This tests whether any change of"
    " this size changes the answer.",
}
DESCRIPTIONS = {
    WRITTEN: "The sentence is written with the other word. This tests whether the edit does more than that.",
    **CONTROLS,
}
"""What each control does and tests, with the one that only an edit has which is the same as writing another word."""
MAX_DRAWS = 30
"""As many as there are similar words, so that all of them can be subtracted."""
Similar = Callable[..., list[list[int]]]
"""Returns similar words for token ids, without those that are `used`: see `similar_words`."""
_CLOSE = 1e-4  # of the length of a vector: rounding, as in dog + cat - cat


@dataclass(frozen=True)
class Control:
    """One run of a control: its name in `DESCRIPTIONS`, what is changed in words, and the patch.

    `edits` is the patch as edits of words, if it can be written so. `clause` says what is changed after "if".
    """

    name: str
    detail: str
    patch: Patch
    edits: tuple[Equation, ...] = ()
    clause: str = ""


def controls(text: str, model: "EmbeddingModel", *, change: Change, draws: int = 5, seed: int = 0) -> list[Control]:
    """Return the controls that apply to a change, with several draws of those that choose words at random."""
    within(draws, MAX_DRAWS, "draws")
    random = generator(seed)
    weights = {t: expression.coefficients(e.expression) for t, e in by_target(change.edits, model).items()}
    sums = None
    if all(w is not None for w in weights.values()):
        sums = {t: by_id(((model.token_id(word), x) for word, x in (w or {}).items())) for t, w in weights.items()}
    # The edit before its length is restored: the controls move equally far and then restore theirs.
    edited = resolve(replace(change, keep_length=False), model)
    words = [int(i) for i in model.tokenize(normalise_masks(text))["id"]]
    others = controls_by_id(words, model, edited=edited, sums=sums, change=change, draws=draws, random=random)
    return _written(edited, change, model, present=set(words)) + others


def controls_by_id(
    words: Sequence[int],
    model: "EmbeddingModel",
    *,
    edited: Patch,
    sums: Mapping[int, Mapping[int, float]] | None,
    change: Change,
    draws: int,
    random: np.random.Generator,
    similar: Similar | None = None,
) -> list[Control]:
    """Return the controls of an edit, given the ids of the text's words, the patch before its length is restored, and
    the weights of each formula; `change` says how vectors are moved, not which.
    """
    result: list[Control] = []
    if sums is not None:  # a formula with a function has no words that could be added or subtracted alone
        result += _without(sums, change, model)
        result += _another_subtracted(
            sums, change, model, draws, random, similar or partial(similar_words, model=model)
        )
    result += _another_edited(words, edited, change, model)
    result += _random_difference(edited, change, model, draws, random)
    return result


def by_id(weights: Iterable[tuple[int, float]]) -> dict[int, float]:
    """Return the total weight of each token id, so that Rome and rome count as one word; without weights of zero.

    >>> by_id([(5, 1.0), (7, -1.0), (5, 1.0), (9, 0.0)])
    {5: 2.0, 7: -1.0}
    """
    total: dict[int, float] = {}
    for i, weight in weights:
        total[i] = total.get(i, 0.0) + weight
    return {i: w for i, w in total.items() if w != 0}


def _written(edited: Patch, change: Change, model: "EmbeddingModel", *, present: set[int]) -> list[Control]:
    """Return the sentence with the words that the edits put in the place of others; [] if an edit does more."""
    found = {target: word for target, word in replaced(change, model).items() if word != target}
    written = {target: word for target, word in found.items() if target in present}  # a tied edit needs no occurrence
    if not written or len(found) < len(edited.vectors):
        return []
    named = [(model.vocabulary[target], model.vocabulary[word]) for target, word in written.items()]
    edits = tuple(Equation(target, expression.Word(word)) for target, word in named)
    detail = ", ".join(f"{word} written instead of {target}" for target, word in named)
    clause = listed(f"{mentioned(word)} is written instead of {mentioned(target)}" for target, word in named)
    patch = Patch({target: model.matrix[word] for target, word in written.items()}, change.positions)
    return [Control(WRITTEN, detail, patch, edits, clause)]


def _control(
    name: str, sums: Mapping[int, Mapping[int, float]], change: Change, model: "EmbeddingModel", clause: str
) -> Control:
    vectors = {}
    edits = []
    for target, weights in sums.items():
        value = np.sum([w * model.matrix[i] for i, w in weights.items()], axis=0)
        vectors[target] = moved(model.matrix[target], value - model.matrix[target], change)
        terms: expression.Expression = expression.Number(0)
        if weights:
            terms = expression.from_coefficients({model.vocabulary[i]: w for i, w in weights.items()})
        edits.append(Equation(model.vocabulary[target], terms))
    patch = Patch(vectors, change.positions, change.scope == "tied")
    return Control(name, ", ".join(map(str, edits)), patch, tuple(edits), clause)


def _without(sums: Mapping[int, Mapping[int, float]], change: Change, model: "EmbeddingModel") -> list[Control]:
    subtracted = any(w < 0 for s in sums.values() for w in s.values())
    added = any(w > 0 and i != t for t, s in sums.items() for i, w in s.items())
    if not (subtracted and added):
        return []
    only_added = {t: {i: w for i, w in s.items() if w > 0} for t, s in sums.items()}
    only_subtracted = {t: {i: w for i, w in s.items() if w < 0 or i == t} for t, s in sums.items()}
    plus = _verb((i for t, s in sums.items() for i, w in s.items() if w > 0 and i != t), "alone {} added", model)
    minus = _verb((i for s in sums.values() for i, w in s.items() if w < 0), "alone {} subtracted", model)
    return [
        _control(name, weights, change, model, clause)
        for name, weights, clause in ((ADDED, only_added, plus), (SUBTRACTED, only_subtracted, minus))
        if all(weights.values())
    ]


def _verb(ids: Iterable[int], verb: str, model: "EmbeddingModel") -> str:
    """Return a clause about words: those of ids, and a verb with a gap for "is" or "are"."""
    words = list(dict.fromkeys(mentioned(model.vocabulary[i]) for i in ids))
    return f"{listed(words)} {verb.format('is' if len(words) == 1 else 'are')}"


def _another_subtracted(
    sums: Mapping[int, Mapping[int, float]],
    change: Change,
    model: "EmbeddingModel",
    draws: int,
    random: np.random.Generator,
    similar: Similar,
) -> list[Control]:
    """Replace each subtracted word by another one of its kind: see `similar_words`."""
    minus = sorted({i for s in sums.values() for i, w in s.items() if w < 0})
    if not minus:
        return []
    used = {i for s in sums.values() for i in s} | set(sums)
    others = similar(minus, used=used)
    # Two subtracted words are never replaced by the same word.
    orders = zip(*(random.permutation(o) for o in others), strict=False)
    chosen = [draw for draw in orders if len(set(draw)) == len(draw)][:draws]
    result = []
    for draw in chosen:
        swap = dict(zip(minus, (int(i) for i in draw), strict=True))
        swapped = {t: {swap.get(i, i) if w < 0 else i: w for i, w in s.items()} for t, s in sums.items()}
        clause = (
            f"{_verb(swap.values(), '{} subtracted', model)} instead of"
            f" {listed(mentioned(model.vocabulary[i]) for i in minus)}"
        )
        result.append(_control(OTHER_SUBTRACTED, swapped, change, model, clause))
    return result


def similar_words(ids: Sequence[int], model: "EmbeddingModel", *, used: set[int]) -> list[list[int]]:
    """Return, for each token id, up to 30 ids of words of the same kind that are not in `used`, the nearest first."""
    return [[i for i in same_kind(word, model) if i not in used][:MAX_DRAWS] for word in ids]


def _another_edited(words: Sequence[int], edited: Patch, change: Change, model: "EmbeddingModel") -> list[Control]:
    """Move the rarest other whole word of the sentence by the same difference."""
    present = [i for i in words if model.whole_words[i] and i not in edited.vectors]
    if not present:
        return []
    # The rarest word is most similar to an edited noun. It has the highest id: the vocabulary is ordered by frequency.
    other = max(present)
    shift = np.sum([v - model.matrix[t] for t, v in edited.vectors.items()], axis=0)
    vector = moved(model.matrix[other], shift, replace(change, strength=1.0))
    detail = f"{model.vocabulary[other]} changed by the same difference"
    clause = f"{model.vocabulary[other]} is changed by the same difference"
    return [Control(OTHER_EDITED, detail, Patch({other: vector}, (), change.scope == "tied"), clause=clause)]


def _random_difference(
    edited: Patch, change: Change, model: "EmbeddingModel", draws: int, random: np.random.Generator
) -> list[Control]:
    words = np.flatnonzero(model.whole_words)
    result = []
    for _ in range(draws):
        first, second = random.choice(words, size=2, replace=False)
        vectors = {
            t: _shifted(model.matrix[t], v, model.matrix[first] - model.matrix[second], change)
            for t, v in edited.vectors.items()
        }
        difference = f"{model.vocabulary[first]} - {model.vocabulary[second]}"
        detail, clause = f"+ {difference}, scaled to the same length", f"the random difference {difference} is added"
        result.append(Control(RANDOM, detail, Patch(vectors, edited.positions, edited.tied), clause=clause))
    return result


def _shifted(original: Array, edited: Array, direction: Array, change: Change) -> Array:
    """Move the original (d,) along a direction as far as the edit moved it; keep its length if the edit does."""
    length = np.linalg.norm(edited - original)
    step = direction * (length / max(float(np.linalg.norm(direction)), 1e-12))
    return moved(original, step, replace(change, strength=1.0))


def replaced(change: Change, model: "EmbeddingModel") -> dict[int, int]:
    """Return the word whose static embedding an edit gives to its target, by token id, at strength 1 and with the
    formula's own length; only for edits of this kind.
    """
    edits = by_target(change.edits, model)
    vectors = resolve(replace(change, strength=1.0, keep_length=False), model).vectors
    found = {}
    for target, vector in vectors.items():
        words = dict.fromkeys(model.token_id(word) for word in expression.words(edits[target].expression))
        for word in (*words, target):
            length = float(np.linalg.norm(model.matrix[word]))
            if np.linalg.norm(vector - model.matrix[word]) <= _CLOSE * length:
                found[target] = word
                break
    return found


def sentence_of(replacements: Sequence[tuple[str, str]], change: Change) -> str:
    """State that edits are the same as writing other words; "" without a replacement.

    >>> sentence_of([("money", "books")], Change.of(["money = money - money + books"]))
    'This edit is the same as writing books instead of money.'
    >>> sentence_of([("money", "money")], Change.of(["money = money"]))
    'This edit leaves money as it is.'
    """
    if not replacements:
        return ""
    other = [f"{mentioned(word)} instead of {mentioned(target)}" for target, word in replacements if word != target]
    same = [mentioned(target) for target, word in replacements if word == target]
    stays = f"{listed(same)} as {'it is' if len(same) == 1 else 'they are'}"
    if not other:
        return f"{_subject(len(same), change, 'leaves', 'leave')} {stays}."
    text = f"{_subject(len(other), change)} the same as writing {listed(other)}."
    if change.strength != 1:
        return f"At strength 1, {text[0].lower()}{text[1:]}"
    if change.keep_length:
        return f"Except for the length of the vector, {text[0].lower()}{text[1:]}"
    return f"For what BERT reads, {text[0].lower()}{text[1:]}" if change.scope == "tied" else text


def _subject(count: int, change: Change, one: str = "is", several: str = "are") -> str:
    """Return the subject of a sentence about some edits of a change, with its verb."""
    if count == len(change.edits):
        return f"This edit {one}" if count == 1 else f"These edits {several}"
    return f"One of the edits {one}" if count == 1 else f"{count} of the edits {several}"


def named(found: dict[int, int], model: "EmbeddingModel") -> tuple[tuple[str, str], ...]:
    """Return the result of `replaced` in words."""
    return tuple((model.vocabulary[target], model.vocabulary[word]) for target, word in found.items())
