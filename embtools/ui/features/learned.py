"""Panel for learned features: those of a sentence, their occurrences, the answers if one is clamped, and a search."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from embtools.charts import features as charts
from embtools.features import clamping
from embtools.features.clamping import Clamped, clamp
from embtools.features.learned import fit_sentence, look_sentence, names_of
from embtools.features.sentences import SentenceFeatures, sentence_features
from embtools.ui import captions, entry, figures, long_work, page, running, shown, spelling, state
from embtools.ui.call import Call
from embtools.ui.features import in_text
from embtools.ui.fields import Choice, Number, Text
from embtools.ui.running import Answer
from embtools.ui.shown import Model, Models

TAB = "Learned features"
SENTENCE = Text("features_learned_sentence", "Rome is the capital of [MASK].", 1_000)
DICTIONARY = Choice("features_learned_dictionary", "layer 3")
FEATURE = Number("features_learned_feature", 0, 0, 99_999, 1)  # 0: the strongest one
SEARCH = Text("features_learned_search", "", 100)
MASK = Number("features_learned_mask", 1, 1, 10, 1)
FIELDS = (SENTENCE, DICTIONARY, FEATURE, SEARCH, MASK, in_text.EXAMPLES)
RELATIVES = """mother | Her mother works in a school.
brother | My brother lives in a small town.
uncle | His uncle bought an old house.
daughter | Their daughter was born in winter.
wife | He wrote a letter to his wife."""
RIVER_BANKS = """bank | They sat on the bank of the river.
bank | The boat lay on the muddy bank.
bank | Trees grow along the bank of the stream.
bank | He fished from the bank all day."""
PRESETS: dict[str, dict[str, Any]] = {
    "A capital": {},
    "The bank of a river": {SENTENCE.key: "He sat on the bank of the [MASK]."},
    "A bank that gives a loan": {SENTENCE.key: "The bank gave him a loan of a million [MASK]."},
    "Features of “red”": {SENTENCE.key: "She wore a red [MASK].", SEARCH.key: "red"},
    "Features of relatives": {SENTENCE.key: "Her [MASK] lives in Rome.", in_text.EXAMPLES.key: RELATIVES},
    "Features of river banks": {
        SENTENCE.key: "They sat on the bank of the [MASK].",
        in_text.EXAMPLES.key: RIVER_BANKS,
    },
}
_EXAMPLE = Call(sentence_features, text=SENTENCE.default, dictionary=DICTIONARY.default)
_GRID = "learned-grid"


def caption() -> tuple[captions.Part, ...]:
    """Return what the caption of a saved chart names."""
    return (
        SENTENCE,
        captions.Setting("dictionary", DICTIONARY),
        captions.changed("feature", FEATURE),
        captions.changed("mask", MASK),
    )


def show(models: Models) -> None:
    """Draw the fields; for each model the features of the sentence, those of one feature, and the clamped answers."""
    problems = _fields(models[0])

    def query(model: Model) -> Call:
        own = int(FEATURE.value) if model == models[0] else 0  # features of different models do not correspond
        return Call(sentence_features, text=_text(model), dictionary=_dictionary(model), feature=own)

    answers = running.ask(
        "features",
        query,
        models,
        _EXAMPLE if DICTIONARY.default in names_of(models[0].facts.checksum) else None,
        container=problems,
        prints=("headline", "strongest", "active", "quality"),
    )
    if not answers:
        return
    results = [answer.value for answer in answers]
    for container in running.containers(answers):
        with container as answer:
            _features(answer.value, results)
    _choices(answers[0])
    reads = in_text.reader(answers)
    in_text.search(answers, SEARCH, FEATURE, reads=reads)
    _clamp(answers)
    in_text.occurrences(answers, reads=reads)
    in_text.examples(answers, FEATURE, reads=reads)


def _dictionary(model: Model) -> str:
    """Return the chosen dictionary, or for a model that does not have it the first of its own."""
    names = names_of(model.facts.checksum)
    return DICTIONARY.value if DICTIONARY.value in names else next(iter(names), DICTIONARY.value)


def _text(model: Model) -> str:
    return spelling.text(SENTENCE, model.name).strip()


def _fields(model: Model) -> Any:
    """Draw the fields; return the container for errors."""
    left, right = st.columns([5, 2], gap="small")
    with left:
        entry.text_input("Sentence (BERT fills in any [MASK])", **SENTENCE.widget)
    with right:
        names = names_of(model.facts.checksum)
        help_ = (
            "The dictionary was learned from the hidden states of this layer. Whoever runs the server can offer further"
            " dictionaries."
        )
        first = DICTIONARY.default if DICTIONARY.default in names else next(iter(names), "")
        widget = DICTIONARY.among(names, first) if names else DICTIONARY.widget | {"options": (DICTIONARY.value,)}
        st.selectbox("Dictionary", help=help_, disabled=not names, **widget)
    return st.container()


def _features(result: SentenceFeatures, results: Sequence[SentenceFeatures]) -> None:
    shown.headline(result.headline)
    options: dict[str, Any] = {}
    if not shown.suffix():
        options["pick"] = figures.Pick(_choose, lambda row: row["feature"])
    figures.show(charts.features, result, beside=results, name=_GRID, options=options)
    click = "" if shown.suffix() else " Click a cell to choose its feature."
    page.caption(
        "Each row is a [[learned feature]], the strongest first; each column is a word. Stronger colour: a higher"
        f" activation.{click}"
    )
    figures.as_table(
        result.strongest, f"learned-strongest{shown.suffix()}", "Strongest features and the words they promote"
    )
    with figures.expander("learned-quality", "How good is the dictionary?", ":material/verified:") as opened:
        if opened:
            st.text(fit_sentence(result.quality, result.made))
            st.text(look_sentence(result.quality))
            title = "Quality of the dictionary and its controls"
            figures.table(result.quality, title, name=f"learned-quality{shown.suffix()}")


def _choose(feature: Any) -> None:
    state.put({FEATURE.key: int(feature)})


def _choices(answer: Answer[SentenceFeatures]) -> None:
    """Draw the choice of the feature, the search and the number of the mask."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        with st.container(width=200):
            help_ = "The strongest feature of the sentence, or one by its number. You can type a number."
            widget = FEATURE.widget | {"max_value": answer.value.count}
            entry.number_or_first("Feature", format_func=entry.or_strongest, help=help_, **widget)
        with st.container(width=130):
            entry.number_input("Mask number", **MASK.widget)
        with st.container(width=260):
            help_ = "Lists the features that are active at this word in the built-in text. Write one word."
            entry.text_input("Search features by word", help=help_, **SEARCH.widget)


def _clamp(answers: Sequence[Answer[SentenceFeatures]]) -> None:
    """Draw BERT's answers with the feature at 0, 2 and 4 times its activation."""
    shown.section("Clamp the feature and ask again")
    if "[MASK]" not in answers[0].value.text:
        st.text("Write [MASK] in the sentence to ask BERT again.")
        return
    own = {answer.model: answer for answer in answers}

    def query(model: Model) -> Call:
        call = own[model].query
        feature = own[model].value.feature
        return Call(clamp, text=call["text"], dictionary=call["dictionary"], feature=feature, mask=int(MASK.value))

    def effort(call: Call) -> Call:
        return Call(clamping.effort, text=call["text"])

    models = tuple(own)
    if not long_work.may_begin("clamp", "Clamp and ask again", query, models, effort):
        return
    result = running.ask("clamped", query, models, prints=("headline", "comparison", "summary", "answers"))
    if not result:
        return
    results = [answer.value for answer in result]
    for container in running.containers(result):
        with container as answer:
            _clamped(answer.value, results)


def _clamped(result: Clamped, results: Sequence[Clamped]) -> None:
    shown.finding(result.headline)
    left, right = shown.split([3, 2], gap="medium")
    with left:
        figures.show(charts.clamped, result, beside=results, name="learned-clamp")
        page.caption(
            f"Diamond: feature {result.feature}. Circles: random features, with the same activation at the same words"
            " (× 0: other features there, removed). Further right: a larger change. Filled: the same top answer."
        )
    with right:
        table = result.answers.pivot(index="rank", columns="factor", values="answer").reset_index()
        table.columns = ["rank", "times_0", "unchanged", "times_2", "times_4"]
        figures.table(table, "Top answers by factor", name=f"learned-answers{shown.suffix()}")
    shown.finding(result.comparison)
