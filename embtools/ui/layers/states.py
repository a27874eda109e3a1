"""Segment ids, tokens and hidden states on the Layers page, beside the figures of the text it follows."""

from dataclasses import dataclass

import pandas as pd
import streamlit as st

from embtools.layers import published, recipes, senses
from embtools.layers.published import BANK_LINE as ROBBER
from embtools.layers.recipes import CONCAT_FOUR, Comparison
from embtools.ui import cached, figures, jobs, page

AS_TEXT, AS_BERT, PUBLISHED = "id 1 (the text)", "id 0 (BERT)", "published"


@dataclass(frozen=True)
class Asked:
    """A word, the lines it is looked for in, and the occurrences that were clicked as one sense."""

    word: str
    lines: tuple[str, ...]
    first: tuple[int, ...] = ()

    def code(self, more: str = "") -> str:
        """The comparison as Python, over the names `lines` and `model`."""
        compared = f"recipes.compare_word(lines, {self.word!r}, model{more})"
        return f"senses.with_senses({compared}, {self.first})" if self.first else compared


def compare(model: str, asked: Asked, segment: int | None = None) -> Comparison:
    """The comparison asked for, remembered; ValueError as `recipes.compare_word`, and while it is stopped."""
    found = jobs.stoppable(
        f"layers-word-{segment}",
        recipes.compare_word,
        model,
        asked.lines,
        asked.word,
        segment=segment,
        label="Reading the sentences",
    )
    return senses.with_senses(found, asked.first) if asked.first else found


def segment_ids(model: str, asked: Asked, recipe: str, pooling: str, keep: tuple[int, ...]) -> str:
    """The same pairs with both segment ids, and the published figures where they belong; returns Python for them."""
    st.subheader("Segment ids: as in the text, and BERT's standard", anchor=False)
    if not cached.model(model).has_segments:
        st.caption("This model has no segment embeddings, so there is nothing to compare.")
        return ""
    try:
        found = {name: compare(model, asked, segment) for name, segment in ((AS_TEXT, 1), (AS_BERT, 0))}
    except ValueError as error:
        page.problem(error)
        return ""
    one, zero = (senses.pair_cosines(c, recipe, pooling, keep) for c in found.values())
    table = one.rename(columns={"cosine": AS_TEXT}).merge(
        zero[["first", "second", "cosine"]].rename(columns={"cosine": AS_BERT}), on=["first", "second"]
    )
    same = not asked.first and published.belongs_to_bank(asked.word, asked.lines, recipe, pooling)
    if same:
        cosines = published.bank_cosines()
        table[PUBLISHED] = [cosines.get(pair) for pair in zip(table["first"], table["second"], strict=True)]
    table = table[["pair", AS_TEXT, AS_BERT, *([PUBLISHED] if same else []), "kind"]]
    figures.table(table, name="segments", column_config={"pair": st.column_config.TextColumn(width="medium")})
    st.caption(
        "The text gives a single sentence the segment id 1; in BERT's training a single sentence, and the first of a"
        " pair, has 0." + (" Published: BERT base, id 1." if same else "")
    )
    with st.expander("The first five values of each vector", icon=":material/123:"):
        rows = []
        for name, comparison in found.items():
            values = comparison.first_values[comparison.at(recipe, pooling)]
            rows += [
                (name, context, *map(float, row))
                for context, row in zip(comparison.occurrences["context"], values, strict=True)
            ]
        if same:
            rows += [(PUBLISHED, *row) for row in published.bank_values().itertuples(index=False)]
        figures.table(pd.DataFrame(rows, columns=["segment ids", "occurrence", *"12345"]), name="first-values")
    return (
        "for segment in (1, 0):\n"
        f"    other = {asked.code(', segment=segment')}\n"
        "    print(senses.pair_cosines(other, recipe, pooling, keep).to_string())\n"
        "    print(other.first_values[other.at(recipe, pooling)])"
    )


def hidden_states(comparison: Comparison, asked: Asked) -> None:
    """The tokens with their ids and the shapes as live numbers."""
    first = comparison.shapes.iloc[0]
    concatenated = comparison.sizes[comparison.recipes.index(CONCAT_FOUR)]
    with st.expander("Tokens and hidden states", icon=":material/token:"):
        st.markdown(
            f"Sentence 1: **{shape_of(comparison)} = {first['values']:,}** values: layers (embeddings included) ×"
            f" batch × tokens × dimensions. A token's vector has {first['dimensions']:,} numbers as a sum of layers and"
            f" {concatenated:,} as the concatenation of the last four; a sentence's vector has {first['dimensions']:,}."
        )
        if asked.lines == (ROBBER,):
            st.caption(
                f"Published for this sentence and BERT base: {published.BANK_SHAPE} values; 768, 3,072 and 768 numbers."
            )
        figures.table(comparison.tokens, name="tokens")
        st.caption("Occurrence 0: not the word that is compared.")
        figures.table(comparison.shapes, name="shapes")


def shape_of(comparison: Comparison) -> str:
    """The shape of the first sentence's hidden states: layers × batch × tokens × dimensions."""
    return " × ".join(f"{comparison.shapes[c].iloc[0]:,}" for c in ("layers", "batch", "tokens", "dimensions"))
