"""Questions for a class about evidence: how many analogies are solved, and in how many pairs is BERT right?"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from embtools.evidence.analogy_runs import COS_ADD, EXCLUDED, STATIC
from embtools.evidence.bulk_analogies import analogies
from embtools.evidence.pair_batteries import pair_battery
from embtools.evidence.pair_files import MAX_ITEMS, PairList
from embtools.evidence.pair_tokens import TOKEN
from embtools.mask_filling.relations import relation
from embtools.messages import counted, quoted
from embtools.progress import Progress, silent
from embtools.rooms.question import Question, about, how_many

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel


def analogy_question(
    relations: Sequence[str],
    model: "EmbeddingModel",
    *,
    of: str,
    method: str = COS_ADD,
    others: int = 5,
    layer: int | None = None,
    inputs: str = EXCLUDED,
    seed: int = 0,
    choices: Sequence[str] = (),
    progress: Progress = silent,
) -> Question:
    """In how many analogies of a relation is the expected word the first answer? A question for a class."""
    for key in relations:
        relation(key)  # refuses what is not built in
    if of not in relations:
        raise ValueError(f"{quoted(of)} is not among the relations. Choose one of: {', '.join(relations)}.")
    ordered = (of, *(key for key in relations if key != of))
    result = analogies(
        ordered, model, others=others, layers=() if layer is None else (layer,), first=1, seed=seed,
        progress=progress,
    )  # fmt: skip
    name = STATIC if layer is None else str(layer)
    count = result.count
    solved = count - len(result.failures(of, layer=name, inputs=inputs, method=method))
    a, b, c, _ = (result.words[i] for i in result.items[0].ids[0])
    text = (
        f"Number of such analogies ({relation(of).title}): {count:,}. In how many is the first answer by {method} the"
        " expected word?"
    )
    return how_many(solved, count, choices, text=text, context=about(f"{a} is to {b} as {c} is to ____"))


def pair_question(
    pairs: PairList,
    model: "EmbeddingModel",
    *,
    method: str = TOKEN,
    first: int = MAX_ITEMS,
    seed: int = 0,
    choices: Sequence[str] = (),
    progress: Progress = silent,
) -> Question:
    """In how many minimal pairs does BERT prefer the first sentence? A question for a class."""
    result = pair_battery(pairs, model, method=method, first=first, seed=seed, progress=progress)
    count, preferred = len(result.items), int(result.items["prefers_first"].sum())
    row = result.items.iloc[0]
    text = f"BERT reads {counted(count, 'such pair')}. In how many is {result.first_sentence} more probable?"
    context = about(f"“{row['first']}”", f"“{row['second']}”")
    return how_many(preferred, count, choices, text=text, context=context)
