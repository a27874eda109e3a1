"""Questions for a class about evidence: for how many words, at which strength, for how many analogies or pairs?"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

from embtools.evidence.analogy_runs import COS_ADD, EXCLUDED
from embtools.evidence.batteries import battery
from embtools.evidence.bulk_analogies import Relations, analogies
from embtools.evidence.dose_runs import INPUT, layer_of
from embtools.evidence.doses import dose
from embtools.evidence.pair_batteries import AS_PUBLISHED, Scoring, pair_battery
from embtools.evidence.pair_files import PairList
from embtools.evidence.studies import study
from embtools.mask_filling.cases import A, filled_edit, read_edit
from embtools.mask_filling.edits import Scope
from embtools.mask_filling.experiments import Cases
from embtools.mask_filling.relations import relation
from embtools.messages import counted, quoted, shortened
from embtools.progress import Progress, silent
from embtools.rooms.question import MOST_CHOICES, MOST_CONTEXT, Question
from embtools.statistics.decimals import decimal
from embtools.statistics.percentages import percent

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

_PARTS = 4  # ranges that the choices divide the number of words into


def battery_question(
    cases: Cases,
    model: "EmbeddingModel",
    *,
    scope: Scope = "input",
    strength: float = 1.0,
    choices: Sequence[str] = (),
    progress: Progress = silent,
) -> Question:
    """For how many of these words does an edit make one new word BERT's answer? A question for a class."""
    one = replace(cases, sentences=cases.sentences[:1], must_stay=(), others=1)
    result = battery(one, model, scope=scope, strength=strength, controls=False, progress=progress)
    words = result.by_word.query("cases > 0")  # without words whose answer already is c
    count, worked = len(words), int(words["changed"].sum())
    case = result.cases.iloc[0]
    example = filled_edit(read_edit(cases.edit), case["a"], case["b"], case["c"])
    text = f"We do the same with {count} words. For how many of them does BERT then answer with the new word?"
    about = one.sentences[0].replace(A, str(case["a"])), f"Edit: {example}"
    return _how_many(about, text, choices, worked, count)


def dose_question(
    cases: Cases,
    model: "EmbeddingModel",
    *,
    place: str = INPUT,
    choices: Sequence[str] = (),
    progress: Progress = silent,
) -> Question:
    """At which strength does an edit change half of the answers? A question for a class."""
    layer, one = layer_of(place), replace(cases, sentences=cases.sentences[:1], must_stay=())
    result = dose(one, model, layers=(layer,) if layer else (), progress=progress).only(place)
    row = result.at(place)
    half, most = float(row["half"]), max(result.strengths)
    ends = [most * part / _PARTS for part in range(1, _PARTS + 1)]
    labels = [f"up to {ends[0]:g}", *(f"above {low:g}, up to {high:g}" for low, high in pairwise(ends))]
    never = f"at no strength up to {most:g}"
    picked = next((label for label, end in zip(labels, ends, strict=True) if half <= end), never)
    answer = f"at strength {half:.2f}" if picked != never else f"{never} (at most {percent(row['best_rate'])})"
    pair = one.plan(model).pairs[0]
    example = filled_edit(read_edit(cases.edit), pair.a, pair.b, pair.others[0][0])
    where = f", added after {place}" if layer else ""
    text = (
        "The edit is multiplied by a strength (1 is the whole edit). At which strength has the answer changed in half"
        f" of {counted(int((~result.outcomes.already[:, 0]).sum()), 'case')}?"
    )
    about = one.sentences[0].replace(A, pair.a), f"Edit: {example}{where}"
    return _asked(about, text, tuple(choices) or (*labels, never)).with_answer(answer, picked)


def analogy_question(
    relations: Relations,
    model: "EmbeddingModel",
    *,
    of: str,
    method: str = COS_ADD,
    inputs: str = EXCLUDED,
    choices: Sequence[str] = (),
    progress: Progress = silent,
) -> Question:
    """In how many analogies of a relation is the expected word the first answer, in the last of the layers?

    A question for a class.
    """
    keys = relations.relations
    for key in keys:
        relation(key)  # refuses what is not built in
    if of not in keys:
        raise ValueError(f"{quoted(of)} is not among the relations. Choose one of: {', '.join(keys)}.")
    ordered = replace(relations, relations=(of, *keys), first=1)
    result = analogies(ordered, model, progress=progress)
    count = result.count
    solved = count - len(result.failures(of, layer=result.layers[-1], inputs=inputs, method=method))
    a, b, c, _ = (result.words[i] for i in result.items[0].ids[0])
    text = (
        f"Number of such analogies ({relation(of).title}): {count:,}. In how many is the first answer by {method} the"
        " expected word?"
    )
    return _how_many((f"{a} is to {b} as {c} is to ____",), text, choices, solved, count)


def study_question(
    name: str,
    model: "EmbeddingModel",
    *,
    seed: int = 0,
    choices: Sequence[str] = (),
    progress: Progress = silent,
) -> Question:
    """Which of the values that a study compares is the largest? A question for a class."""
    result = study(name, model, seed=seed, progress=progress)
    rows = result.rows[~result.rows["quantity"].isin(result.differences)].head(MOST_CHOICES)
    best = rows.loc[rows["value"].idxmax()]
    text = f"We measure this over full lists. Which of these has the largest value ({result.unit})?"
    asked = _asked((result.sentence,), text, tuple(choices) or tuple(rows["quantity"]))
    return asked.with_answer(f"{best['quantity']} ({decimal(best['value'])})", str(best["quantity"]))


def pair_question(
    pairs: PairList,
    model: "EmbeddingModel",
    *,
    how: Scoring = AS_PUBLISHED,
    choices: Sequence[str] = (),
    progress: Progress = silent,
) -> Question:
    """In how many minimal pairs does BERT prefer the first sentence? A question for a class."""
    result = pair_battery(pairs, model, how=how, progress=progress)
    count, preferred = len(result.items), int(result.items["prefers_first"].sum())
    row = result.items.iloc[0]
    text = f"BERT reads {counted(count, 'such pair')}. In how many is {result.first_sentence} more probable?"
    return _how_many((f"“{row['first']}”", f"“{row['second']}”"), text, choices, preferred, count)


def _asked(about: Sequence[str], text: str, choices: tuple[str, ...]) -> Question:
    """Return a question about these lines, such as a sentence with a gap and its edit."""
    lines = (shortened(line.replace("[MASK]", "____"), MOST_CONTEXT // len(about) - 1) for line in about)
    return Question(text, choices, context="\n".join(lines))


def _how_many(about: Sequence[str], text: str, choices: Sequence[str], number: int, count: int) -> Question:
    """Return a question whose answer is a number out of a count; its choices are ranges, unless there are others."""
    ranges = _ranges(count)
    picked = next(label for label, (low, high) in ranges.items() if low <= number <= high)
    return _asked(about, text, tuple(choices) or tuple(ranges)).with_answer(f"{number} of {count}", picked)


def _ranges(count: int) -> dict[str, tuple[int, int]]:
    """Return ranges of the numbers from 0 to `count` by their labels.

    >>> list(_ranges(68)), list(_ranges(2))
    (['0 to 17', '18 to 34', '35 to 51', '52 to 68'], ['0', '1', '2'])
    """
    ends = sorted({round(count * part / _PARTS) for part in range(1, _PARTS + 1)} | ({0} if count < _PARTS else set()))
    starts = [0, *(end + 1 for end in ends[:-1])]
    ranges = zip(starts, ends, strict=True)
    return {(f"{low} to {high}" if low < high else str(low)): (low, high) for low, high in ranges}
