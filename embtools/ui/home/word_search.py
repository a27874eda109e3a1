"""Home's search field: what the model knows of a word in four short answers, and a random example of any page."""

import random
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import streamlit as st

from embtools.models.unknown_words import UnknownWord
from embtools.statistics.decimals import decimal
from embtools.ui import entry, examples, menu, page, panels, running, spelling, state, texts
from embtools.ui.call import Call
from embtools.ui.fields import Text
from embtools.ui.shown import Model

if TYPE_CHECKING:
    import pandas as pd

WORD = Text("word", most=60)
FIELDS = (WORD,)
_NEAR = 12  # nearest words
_CLOSEST, _AROUND = 4, 8  # how many of them have a group on the map, and of how many words
_LISTED = 5  # nearest words that are named
_SIMPLE = ("arithmetic", "similarity", "clusters", "bias", "inputs", "attention", "layers", "pairs", "corpus")
"""The pages whose first tab needs no statistics: a random example is for everybody."""
_SEEN = "surprises"  # session key: the examples that were shown


@dataclass(frozen=True)
class Answer:
    """A short answer: its title, what it says, and the page that shows more, with its parameters."""

    title: str
    says: str
    label: str
    leads: str
    query: dict[str, Any]


def field() -> None:
    """Draw the search field next to the button that opens a random example."""
    with st.container(key="word-search", horizontal=True, vertical_alignment="bottom", gap="small"):
        entry.text_input(
            "Look up a word",
            placeholder="For example: bank",
            icon=":material/search:",
            **WORD.widget,
        )
        surprised = st.button(
            "Surprise me",
            icon=":material/casino:",
            key="surprise",
            help="Opens a random example for beginners on one of the pages.",
        )
    if surprised:
        script, query = surprise()
        st.switch_page(script, query_params=page.common() | query)


def answer(model: Model) -> None:
    """Draw the answers for the word of the field, or what can be done about a word that is not one token."""
    word = " ".join(WORD.value.split())
    if not word:
        return
    word = spelling.quietly(word, model.name)
    with st.container(key="word-answer"):
        try:
            result = answers(word, model)
        except UnknownWord as error:
            texts.problem(error, WORD)
            _unknown(word)
            return
        except ValueError as error:
            texts.problem(error)
            return
        with st.container(horizontal=True, gap="small", key="word-answers"):
            for number, each in enumerate(result):
                with st.container(border=True, key=f"word-{number}", width=300, gap="xsmall"):
                    st.subheader(each.title, anchor=False)
                    st.text(each.says)
                    leads = next(one for one in menu.PAGES if one.name == each.leads)
                    query = page.common() | {key: [str(value)] for key, value in each.query.items()}
                    st.page_link(leads.script, label=each.label, icon=leads.icon, query_params=query)


def answers(word: str, model: Model) -> tuple[Answer, ...]:
    """Return the answers for a word; raises UnknownWord if it is not one token."""
    # Imported when somebody searches, because Home is painted before anything is computed.
    from embtools.arithmetic.nearest_tokens import nearest
    from embtools.features.mixes import decompose_formula
    from embtools.formula.expression import Word
    from embtools.words.groups import write_groups

    def near(of: str, k: int) -> "pd.DataFrame":
        # The word is left out in any spelling, so that the map does not have Bank and bank.
        query = Call(nearest, expression=Word(of), k=k, inputs=False, whole_words=True, leave_out=(word,))
        result: pd.DataFrame = running.run(query, model)
        return result

    own, formula = near(word, _NEAR), str(Word(word))
    listed = ", ".join(f"{row.token} ({decimal(row.cosine)})" for row in own.head(_LISTED).itertuples())
    placed = {word, *own["token"]}
    groups = [(f"near {word}", (word, *own["token"]))]
    for other in own["token"].head(_CLOSEST):
        around = [token for token in near(other, _AROUND)["token"] if token not in placed]
        placed |= set(around)
        if around:
            groups.append((f"near {other}", tuple(around)))
    mixed = running.run(Call(decompose_formula, text=formula), model)
    return (
        Answer(
            "Neighbours",
            f"Nearest words, with their cosine: {listed}.",
            "More nearest words",
            "arithmetic",
            {"arithmetic_tab": "analogies", "arithmetic_formula": formula},
        ),
        Answer(
            "Map",
            f"{len(placed)} words: those nearest to {word}, and words near its {_CLOSEST} nearest ones.",
            "Draw the map",
            "clusters",
            {"clusters_list": "own", "clusters_words_own": write_groups(tuple(groups))},
        ),
        _senses(word),
        Answer(
            "Parts",
            mixed.headline,
            "Change the mix",
            "features",
            {"features_tab": "formula", "features_formula": formula},
        ),
    )


def _senses(word: str) -> Answer:
    """Return how often the built-in sentences contain a word, and with how many labelled senses."""
    from embtools.occurrences.corpus import LEAST_MAPPED, built_in_corpus

    occurrences = built_in_corpus().having(word)
    count = len(occurrences.sentences)
    senses = {sense for of, sense in occurrences.senses if of == word.lower() and sense}
    counted = f"The built-in corpus has {count} {'sentence' if count == 1 else 'sentences'} with {word}"
    if count >= LEAST_MAPPED and len(senses) > 1:
        query = {"clusters_of": "occurrences", "corpus_word": word, "corpus_occurrence": 1}
        return Answer("Senses", f"{counted}, of {len(senses)} senses.", "Do its senses separate?", "clusters", query)
    if count >= LEAST_MAPPED:
        query = {"corpus_tab": "nearest", "corpus_word": word, "corpus_occurrence": 1}
        return Answer("Senses", f"{counted}. Its senses are not labelled.", "Compare its occurrences", "corpus", query)
    query = _sentences(word) | {"inputs_piece": word}
    return Answer("Senses", f"{counted}. Write your own.", "Compare it in two sentences", "inputs", query)


def _sentences(word: str) -> dict[str, Any]:
    """Return two sentences with a word, for the page about inputs."""
    from embtools.words.templates import fill

    return {"inputs_first": fill("I found a {word}.", word, "{word}"), "inputs_second": f"I only listen to {word}."}


def _unknown(word: str) -> None:
    """Offer to look at the tokens of a word that is not one."""
    page_of_inputs = next(one for one in menu.PAGES if one.name == "inputs")
    st.text(
        "BERT reads a word that is not in its vocabulary as several tokens. Similarity and Clusters can use the mean of"
        " their vectors."
    )
    query = page.common() | _sentences(word)
    st.page_link(page_of_inputs.script, label="See how BERT reads it", icon=page_of_inputs.icon, query_params=query)


def surprise() -> tuple[str, dict[str, list[str]]]:
    """Return a random example that this visit has not shown yet: the script of its page, and its parameters."""
    offered = [
        (found, tab, name)
        for found in menu.IDEAS
        if found.name in _SIMPLE
        for tab, panel in [next(iter(panels.of(found.name).items()))]
        for name in panel.PRESETS
    ]
    seen = st.session_state.get(_SEEN, ())
    left = [each for each in offered if (each[0].name, *each[1:]) not in seen] or offered
    found, tab, name = random.choice(left)
    st.session_state[_SEEN] = (*(seen if len(left) < len(offered) else ()), (found.name, tab, name))
    panel = panels.of(found.name)[tab]
    values = examples.values_of(panel, panel.PRESETS[name])
    query = {each.key: each.write(values[each.key]) for each in panel.FIELDS if not each.is_default(values[each.key])}
    several = len(panels.of(found.name)) > 1
    return found.script, state.shortened(({f"{found.name}_tab": [tab]} if several else {}) | query)
