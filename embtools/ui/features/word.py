"""Panel for a word as a mix: one occurrence of it as a mix of other occurrences or of static embeddings."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from embtools.features.dictionary import MOST_DRAWN
from embtools.features.mixes import OCCURRENCES, STATIC, decompose_word, word_controls, word_path
from embtools.features.patched import patch_word
from embtools.features.results import Decomposition
from embtools.layer_combinations import SUM_FOUR, combination_names
from embtools.occurrences.folder.reading import CorpusFolder
from embtools.ui import captions, combinations, entry, figures, folders, glossary, options, running, spelling, state
from embtools.ui.call import Call
from embtools.ui.features import mix
from embtools.ui.fields import Choice, Flag, Number, Text
from embtools.ui.fields import words as split
from embtools.ui.lesson_answers import Reading
from embtools.ui.running import Answer
from embtools.ui.shown import Model, Models

TAB = "A word as a mix"
WORD, SENTENCE = Text("features_word", "cold", 100), Text("features_sentence", "", 1_000)
NUMBER = Number("features_occurrence", 1, 1, 50_000, 1)
COMBINATION = combinations.combination("features_recipe", SUM_FOUR)
DICTIONARY = Choice(
    "features_dictionary", OCCURRENCES, keys={"occurrences": OCCURRENCES, "static": STATIC}
)  # or the name of a folder offered by this server
CHOSEN = Text("features_words", "", 2_000)  # of a folder; if empty, a random sample of all occurrences
SAME_SENTENCE = Flag("features_same_sentence", True)
FIELDS = (WORD, NUMBER, SENTENCE, COMBINATION, DICTIONARY, CHOSEN, SAME_SENTENCE, *mix.FIELDS)


def _put_back(word: str, sentence: str) -> dict[str, Any]:
    return {WORD.key: word, SENTENCE.key: sentence, COMBINATION.key: "layer 2", **mix.PUT_BACK}


PRESETS: dict[str, dict[str, Any]] = {
    "cold": {},
    "As in the article": {mix.BY.key: mix.BY_ALPHA},
    "bank (money)": {WORD.key: "bank"},
    "bank (river)": {WORD.key: "bank", NUMBER.key: 5},
    "A cold look": {SENTENCE.key: "She gave him a cold look and said nothing."},
    "Static embeddings": {DICTIONARY.key: STATIC},
    "Read by BERT: a capital": _put_back("rome", "Rome is the capital of [MASK]."),
    "Read by BERT: a cold wind": _put_back("cold", "The cold [MASK] blew all night."),
    "Read by BERT: the bank of a river": _put_back("bank", "He sat on the bank of the [MASK]."),
    "Read by BERT: no mask": _put_back("king", "The king lived with his queen in an old castle."),
}
_ONE_LAYER = (
    "Only the vector after a single layer can be replaced. So this mix is that of the word’s vector after one layer,"
    " and its parts are occurrences in the built-in sentences. To test the mix that you see, choose a single layer in"
    " the settings above."
)
FIRST = Call(decompose_word, word=WORD.default)
DETAILS = Call(word_controls, word=WORD.default), Call(word_path, word=WORD.default)


def caption() -> tuple[captions.Part, ...]:
    """Return what the caption of a saved chart names."""
    if DICTIONARY.value == STATIC:
        return (WORD, "static embeddings", *mix.caption())
    combination = captions.Setting("layer combination", COMBINATION)
    return (
        WORD,
        SENTENCE,
        captions.Setting("occurrence", NUMBER),
        captions.Setting("parts", DICTIONARY),
        *((CHOSEN,) if DICTIONARY.value != DICTIONARY.default else (combination,)),
        *mix.caption(),
    )


def show(models: Models) -> None:
    """Draw the word, its sentence and the penalty in a row, the other settings in an expander, then the results."""
    word, choice, slider = st.columns([2, 6, 3], gap="small")
    with word:
        entry.text_input("Word", on_change=_other_word, **WORD.widget)
    with slider:
        mix.amount()
    problems = st.container()
    _settings(models[0])
    folder = running.attempt(lambda: folders.opened(DICTIONARY.value), problems)
    models = folders.models_of(folder, models)
    answers = running.ask(
        "mix",
        lambda model: query(model, models[0], folder),
        models,
        FIRST,
        label="Reading a thousand sentences" if folder is None else "Sampling the folder",
        container=problems,
        suggest=WORD,
        prints=mix.PRINTS if folder is None else ("coverage", *mix.PRINTS),
    )
    with choice:
        _sentence(answers)
    mix.show("parts", answers, word_controls, word_path)
    one_layer = COMBINATION.value.startswith("layer ") and DICTIONARY.value == OCCURRENCES
    mix.put_back(answers, _patch, note="" if one_layer else _ONE_LAYER)


def query(model: Model, first: Model, folder: CorpusFolder | None) -> Call:
    """Return the query of the current fields for a model, at the same depth as for the first one."""
    where: dict[str, Any] = {
        "combination": combinations.at_same_depth(COMBINATION.value, first, model),
        "into": DICTIONARY.value if DICTIONARY.value == STATIC else OCCURRENCES,
    }
    if folder is not None:
        where = {"folder": folder, "chosen": split(CHOSEN.value)}
    return Call(
        decompose_word,
        word=spelling.text(WORD, model.name, SENTENCE.value).strip(),
        number=int(NUMBER.value),
        sentence=SENTENCE.value.strip(),
        **where,
        **mix.penalty(),
        same_sentence=SAME_SENTENCE.value,
    )


def _patch(answer: Answer[Decomposition]) -> Call:
    """Return the query that puts the mix back after its layer, or for a sum after the last layer that a mask reads."""
    target, layers = answer.value.target, answer.model.facts.layers
    name, _, number = answer.query.arguments.get("combination", SUM_FOUR).partition(" ")
    layer = int(number) if name == "layer" else layers - 1
    return Call(patch_word, text=target.sentence, word=target.name, layer=layer, **mix.patching(answer))


def _other_word() -> None:
    """Start a new word at its first sentence instead of one typed for another word."""
    state.put({NUMBER.key: 1, SENTENCE.key: ""})


def _sentence(answers: Sequence[Answer[Decomposition]]) -> None:
    """Draw the field that selects the occurrence: one from the corpus, or the visitor's own sentence."""
    if SENTENCE.value.strip():
        entry.text_input(
            "Your own sentence with the word (leave empty to use the corpus)",
            **SENTENCE.widget,
        )
        return
    if not answers:
        return
    result = answers[0].value
    if result.count:
        most = min(result.count, int(NUMBER.high))
        entry.number_input(f"Occurrence (1 to {result.count:,})", **NUMBER.widget | {"max_value": most})
        return
    sentences = result.sentences
    if not sentences:
        return
    if not 1 <= NUMBER.value <= len(sentences):
        state.put({NUMBER.key: min(max(int(NUMBER.value), 1), len(sentences))})
    options.choose(
        st.selectbox,
        f"Sentence ({len(sentences)} contain the word)" if len(sentences) > 1 else "Sentence",
        NUMBER.key,
        {number: f"{number} · {sentence}" for number, sentence in enumerate(sentences, 1)},
        NUMBER.value,
    )


def _settings(model: Model) -> None:
    widget = COMBINATION.among(combination_names(model.facts.layers), SUM_FOUR)
    stored = DICTIONARY.value in folders.names()
    layers = "the folder’s layers" if stored else COMBINATION.value
    chosen = "chosen words of " if stored and split(CHOSEN.value) else ""
    what = f"{layers}, decomposed into {chosen}{DICTIONARY.value}"
    own = "" if SENTENCE.value.strip() else " · your own sentence"
    with figures.expander("mix", f"Settings: {what}{own}", ":material/tune:") as opened:
        if not opened:
            return
        if own:
            entry.text_input(
                "Your own sentence with the word",
                placeholder="It was a cold look that she gave him.",
                **SENTENCE.widget,
            )
        left, middle, right = st.columns(3, gap="medium")
        with left:
            st.selectbox("Layer combination", help=glossary.definition("layer combination"), disabled=stored, **widget)
        with middle:
            st.segmented_control(
                "Decompose into",
                required=True,
                help="If you choose a folder offered by this server, the parts come from a random sample of at most"
                f" {MOST_DRAWN:,} of its occurrences. If you name words, their occurrences are used instead. You can"
                " search your own text on the Corpus page, but you cannot decompose words with it here.",
                **DICTIONARY.among((OCCURRENCES, STATIC, *folders.names())),
            )
            if stored:
                entry.text_input(
                    "Only these words (leave empty for a random sample)",
                    placeholder="winter, summer, hot, snow",
                    help="Comma-separated. All occurrences of these words are used; if there are more than"
                    f" {MOST_DRAWN:,}, a random sample is used.",
                    **CHOSEN.widget,
                )
        with right:
            mix.kind()
        with st.container(horizontal=True):
            st.toggle("Allow the word itself as a part", **mix.SAME_WORD.widget)
            st.toggle("Allow words from its own sentence as parts", **SAME_SENTENCE.widget)


def _of_one(model: Model) -> Call:
    return query(model, model, folders.opened(DICTIONARY.value))


def _heaviest(result: Decomposition) -> str:
    words = result.parts.words["word"]
    if words.empty:
        raise ValueError("This mix has no parts.")
    return str(words.iloc[0])


READINGS = {
    "heaviest": Reading(_of_one, "Heaviest word of the mix", "word", _heaviest),
    "words": Reading(_of_one, "Number of words in the mix", "number", lambda result: len(result.parts.words), digits=0),
    "explained": Reading(_of_one, "Share explained", "number", "parts.explained", "%"),
}
