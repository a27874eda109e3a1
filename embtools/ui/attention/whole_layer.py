"""Panel for one layer at one token: its steps, or its neurons with the sentences that activate one of them most."""

from collections.abc import Sequence
from html import escape
from typing import Any

import streamlit as st

from embtools.attention import strongest_neurons as numbers
from embtools.attention.layer_parts import WholeLayer, whole_layer
from embtools.attention.neuron_uses import NeuronSentences, effort, neuron_sentences, read_neurons
from embtools.attention.strongest_neurons import Neurons, neurons
from embtools.charts import attention as charts
from embtools.messages import counted
from embtools.models.neurons import ACTIVATION, DIFFERENCE
from embtools.occurrences.corpus import Corpus, built_in_corpus, read_corpus
from embtools.statistics.decimals import decimal
from embtools.statistics.percentages import rounded
from embtools.ui import captions, entry, figures, glossary, long_work, page, running, shown, state
from embtools.ui.attention.reading import HIDE
from embtools.ui.call import Call
from embtools.ui.corpora import lists
from embtools.ui.fields import Choice, Flag, Number, Text
from embtools.ui.lenses import LOGIT_LENS, TUNED_LENS, is_tuned
from embtools.ui.one_token import OneToken, hide_special, layer_field, token_field
from embtools.ui.running import Answer
from embtools.ui.shown import Model, Models

TAB = "The whole layer"
USES_EDIT = True
CHOSEN = OneToken(
    Text("attention_masked", "The capital of France is [MASK].", 1_000),
    layer_field("attention_layer", 6),
    token_field("attention_token"),
)
STEPS, NEURONS = "Steps", "Neurons"
VIEW = Choice("attention_layer_view", STEPS, {"steps": STEPS, "neurons": NEURONS})
NEURON = Number("attention_neuron", 0, 0, 99_999, 1)  # 0: the strongest one
BY = Choice("attention_neuron_by", "Above its mean", {"difference": "Above its mean", "activation": "Above zero"})
_BY = dict(zip(BY.options, (DIFFERENCE, ACTIVATION), strict=True))
BUILT_IN, OWN = "Built-in text", "Your text"
SOURCE = Choice("attention_neuron_source", BUILT_IN, {"built-in": BUILT_IN, "own": OWN})
OWN_TEXT = Text("attention_neuron_text", "", 200_000)
AS_WRITTEN = Flag("attention_neuron_as_written")
DIMENSION = Number("attention_dimension", 0, 0, 8_192, 1)  # 0: the one with the largest number
_LARGEST = ", the one with the largest value"
TUNED = Choice("attention_lens", LOGIT_LENS, {"logit": LOGIT_LENS, "tuned": TUNED_LENS})
FIELDS = (*CHOSEN.fields, VIEW, HIDE, DIMENSION, TUNED, NEURON, BY, SOURCE, OWN_TEXT, AS_WRITTEN)
PRESETS: dict[str, dict[str, Any]] = {
    "The capital of France": {},
    "Hot and cold": {CHOSEN.text.key: "The opposite of hot is [MASK].", CHOSEN.layer.key: "layer 5"},
    "The strongest neurons": {VIEW.key: NEURONS, CHOSEN.layer.key: "layer 5"},
    "A word in context": {
        CHOSEN.text.key: "She sat on the bank of the [MASK].",
        CHOSEN.layer.key: "layer 2",
        CHOSEN.position.key: 5,
    },
}
FIRST = CHOSEN.first(whole_layer)


def _table(model: Model) -> Call:
    return Call(read_neurons, corpus=built_in_corpus(), layer=CHOSEN.default_layer(model))


DETAILS = CHOSEN.first(neurons), _table
_ABOVE = 27  # rem taken by what is above the strips and by the caption below them
_NAME = "layer-neurons"
_ABOVE_NEURONS = 31  # rem taken by what is above the chart and by the caption below it


def caption() -> tuple[captions.Part, ...]:
    """Return what the caption of a saved chart names."""
    if VIEW.value == STEPS:
        return *CHOSEN.caption(), captions.changed("lens", TUNED)
    own = (OWN_TEXT,) if SOURCE.value == OWN else ()
    return *CHOSEN.caption(), *own, captions.changed("neuron", NEURON), captions.Setting("order", BY)


@state.fragment
def show(models: Models) -> None:
    """Draw the fields, and one of the two views."""
    problems = CHOSEN.bar(models, lambda: st.segmented_control("View", required=True, **VIEW.widget))
    (_steps if VIEW.value == STEPS else _neurons)(models, problems)


def _steps(models: Models, problems: Any) -> None:
    def query(model: Model) -> Call:
        dimension = min(int(DIMENSION.value), model.facts.dimensions)
        return CHOSEN.query(whole_layer, model, models, dimension=dimension, tuned=is_tuned(TUNED, model))

    prints = ("headline", "movement", "steps", "answers", "arithmetic")
    answers = running.ask("layer", query, models, FIRST, container=problems, prints=prints)
    if not answers:
        return
    results = [answer.value for answer in answers]
    for container in running.containers(answers):
        with container as answer:
            _layer(answer.value, results)


def _layer(result: WholeLayer, results: Sequence[WholeLayer]) -> None:
    with st.container(key=f"hero{shown.suffix()}"):
        shown.headline(result.headline)
    left, right = shown.split([5, 4], gap="medium")

    def below() -> None:
        neurons, inputs = len(result.vectors.neurons[0]), len(result.vectors.inputs[0])
        page.caption(
            "Each strip is a vector: blue numbers are above zero, orange below, each strip on its own scale. The bold"
            " steps are states of the token; the results of attention and of the feed-forward network are added to"
            f" them ([[residual connection]]). The strips of the {neurons:,} [[neuron|neurons]] of the [[feed-forward"
            f" network]] are drawn as wide as those of the {inputs:,} dimensions."
        )

    with left:
        both = tuple(results) if len(results) > 1 else ()
        figures.show(charts.layer_strips, result, both, name="layer-strips", options={"above": _ABOVE, "below": below})
    with right:
        figures.show(charts.layer_states, result, name="layer-states", beside=results)
        page.caption(_read_off(result))
        if not shown.suffix():
            st.segmented_control("Lens", required=True, help=glossary.definition("tuned lens"), **TUNED.widget)
        st.html(f'<p class="seen">{escape(result.movement)}</p>')
        st.code(result.arithmetic, language=None, wrap_lines=True)
        if not shown.suffix():
            with st.container(width=160):
                widget = DIMENSION.widget | {"max_value": len(result.vectors.inputs[0])}
                entry.number_or_first(
                    "Dimension",
                    format_func=entry.or_largest,
                    help="The dimension with the largest value, or one by its number. You can type a number.",
                    **widget,
                )
        page.caption(
            f"These lines compute dimension {result.dimension:,} of the token{'' if DIMENSION.value else _LARGEST}."
            " For each sum, the largest product is named. All neurons read all dimensions, so the neuron in the middle"
            " is only an example: the one with the largest activation."
        )


def _read_off(result: WholeLayer) -> str:
    """Return the caption of the distances and answers, with what the lens can show."""
    d, f = len(result.vectors.inputs[0]), len(result.vectors.neurons[0])
    parts = (
        f" Lighter bars show parts, which are added to a state. The {f:,} neurons have no bar, because the head"
        f" can read only vectors of {d:,} numbers. All other vectors here have this length."
    )
    text = (
        "Left: the distance from the state before this step, with the [[cosine]]. Right: what the masked-word head"
        " would answer if it read this vector"
    )
    if result.tuned:
        return (
            f"{text}.{parts} The [[tuned lens]] translates the states before and after the layer. The vectors inside"
            " the layer have no translator, so their answers mean little."
        )
    none = "This model has no tuned lens. " if TUNED.value == TUNED_LENS else ""
    return (
        f"{text} (the [[logit lens]]).{parts} {none}The head was trained on the states after the last layer"
        " norm, so its answers mean little for parts and for states before a norm."
    )


def _neurons(models: Models, problems: Any) -> None:
    """Draw the strongest neurons next to the words of one of them; below, its tokens and its sentences."""

    def query(model: Model) -> Call:
        own = int(NEURON.value) if model == models[0] else 0  # neurons of different models do not correspond
        return CHOSEN.query(neurons, model, models, neuron=own, by=_BY[BY.value])

    def cost(call: Call) -> Call:
        return Call(numbers.effort, text=call["text"])

    if not long_work.may_begin("layer-neurons", "Compare the neurons with their means", query, models, cost):
        return
    prints = ("headline", "limits", "strongest", "words", "by_token")
    answers = running.ask(
        "active_neurons",
        query,
        models,
        CHOSEN.first(neurons),
        label="Comparing with the mean over built-in sentences",
        container=problems,
        prints=prints,
    )
    if not answers:
        return
    results = [answer.value for answer in answers]
    for container in running.containers(answers):
        with container as answer:
            _active(answer.value, results)
    _choices(answers[0].value)
    if len(models) == 1:
        _link(answers[0])
    sentences = _sentences(answers)
    for number, container in enumerate(running.containers(answers, part="neuron")):
        with container as answer:
            left, right = shown.split([2, 3], gap="medium")
            with left:
                _tokens(answer.value, results)
            with right:
                if number < len(sentences):
                    _listed(sentences[number].value, answer.value)


def _active(result: Neurons, results: Sequence[Neurons]) -> None:
    shown.headline(result.headline)
    with st.container(key=f"limits{shown.suffix()}"):
        st.html(f'<p class="seen">{escape(result.limits)}</p>')
    left, right = shown.split([1, 1], gap="medium")

    def below() -> None:
        click = "" if shown.suffix() else " Click a bar to choose a neuron."
        what = "the difference between activation and mean" if BY.value == BY.default else "the activation"
        page.caption(
            "Each bar is a [[neuron]] with its activation at this token, and the words that it promotes most; diamonds"
            f" show its mean over built-in sentences. They are ordered by strength: {what}, multiplied by the length of"
            f" the neuron's output vector.{click}"
        )

    options: dict[str, Any] = {"above": _ABOVE_NEURONS, "below": below}
    if not shown.suffix():
        options["pick"] = figures.Pick(_choose, lambda row: row["neuron"])
    with left:
        figures.show(charts.strongest_neurons, result, name=_NAME, beside=results, options=options)
    with right:
        figures.show(charts.neuron_words, result, name="neuron-words", beside=results)
        page.caption(
            "Each bar is a word: how far its score lies from the mean of all words along the neuron's output, read with"
            " BERT's output matrix. Dashed lines: the highest score of a word along a random direction, on average."
        )


def _choose(neuron: Any) -> None:
    state.put({NEURON.key: int(neuron)})


def _choices(result: Neurons) -> None:
    """Draw the fields that are needed less often: the neuron by its number, the ranking, and the text."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        with st.container(width=150):
            widget = NEURON.widget | {"max_value": result.count}
            help_ = "The strongest neuron of the token, or one by its number. You can type a number."
            entry.number_or_first("Neuron", format_func=entry.or_strongest, help=help_, **widget)
        st.segmented_control(
            "Strength",
            required=True,
            help="Some neurons are strong at every token. Ranked by the difference from its mean, a neuron shows what"
            " is special about this token.",
            **BY.widget,
        )
        st.segmented_control("Text", required=True, **SOURCE.widget)
        hide_special(HIDE)
    if SOURCE.value == OWN:
        entry.text_area(
            "Your text",
            height=110,
            placeholder="Paste a text. Its sentences are searched for those that activate the neuron most.",
            **OWN_TEXT.widget,
        )
        notes = running.attempt(lambda: _corpus().notes) if OWN_TEXT.value.strip() else ()
        if notes or AS_WRITTEN.value:
            st.text(" ".join(notes or ()) or "Every line is read as it is.")
            st.toggle("Keep the lines as they are", **AS_WRITTEN.widget)


def _link(answer: Answer[Neurons]) -> None:
    """Draw the link that switches this neuron off."""
    result, query = answer.value, answer.query
    given = {
        "tracing_tab": ["off"],
        "tracing_masked": [query["text"]],
        "tracing_off": ["neuron"],
        "tracing_off_layer": [str(result.layer)],
        "tracing_off_token": [str(result.position)],
        "tracing_off_neuron": [str(result.neuron)],
    }
    label = f"Switch off neuron {result.neuron:,} on Tracing"
    st.page_link("pages/tracing.py", label=label, icon=":material/toggle_off:", query_params=page.common() | given)


def _corpus() -> Corpus:
    """Return the text whose sentences are searched. Raises ValueError if the visitor's text cannot be read."""
    if SOURCE.value == BUILT_IN:
        return built_in_corpus()
    return read_corpus(OWN_TEXT.value, as_written=bool(AS_WRITTEN.value))


def _sentences(answers: Sequence[Answer[Neurons]]) -> list[Answer[NeuronSentences]]:
    """Return for each model the sentences of its neuron, as soon as they may be computed."""
    if SOURCE.value == OWN and not OWN_TEXT.value.strip():
        st.text("Paste a text to see which of its sentences activate the neuron most.")
        return []
    text = running.attempt(_corpus)
    if text is None:
        return []
    own = {answer.model: answer for answer in answers}

    def query(model: Model) -> Call:
        answer = own[model]
        return Call(neuron_sentences, corpus=text, layer=answer.query["layer"], neuron=answer.value.neuron)

    models = tuple(own)
    first = query(models[0])
    what = f"Read {len(text.sentences):,} sentences"
    if not long_work.may_begin(
        "neuron-sentences", what, query, models, lambda call: Call(effort, corpus=text, layer=call["layer"])
    ):
        return []
    result = running.ask(
        "neuron_examples", query, models, label="Reading the sentences", prints=("headline", "best", "spread")
    )
    return [] if not result or result[0].query != first else list(result)


def _tokens(result: Neurons, results: Sequence[Neurons]) -> None:
    st.subheader("In this sentence", anchor=False)
    hidden = HIDE.value
    about = (*caption(), captions.changed("without [CLS] and [SEP]", HIDE))
    figures.show(charts.neuron_tokens, result, hidden, name="neuron-tokens", beside=results, options={"about": about})
    rows = charts.shown_tokens(result, hidden)
    without = result.by_token.drop(rows.index)["special"]
    special = int(without.sum()) if hidden else 0
    left_out = f" {special} tokens have no bar: [CLS] and [SEP] are hidden." if special else ""
    if weaker := len(without) - special:
        left_out += f" {counted(weaker, 'weaker activation')} {'has' if weaker == 1 else 'have'} no bar."
    page.caption(
        "Each bar is a token with the activation of the neuron; the chosen token is hatched. The dashed line is the"
        f" neuron's mean over built-in sentences.{left_out}"
    )


def _listed(result: NeuronSentences, own: Neurons) -> None:
    st.subheader("Sentences that activate it most", anchor=False)
    shown.finding(result.headline)
    lists.by_activation(result.best)
    figures.as_table(result.best, f"neuron-best{shown.suffix()}")
    below = rounded(result.share_below(own.activation), 1)
    page.caption(
        f"The activation at the token in your sentence, {decimal(own.activation)}, is higher than at {below} of"
        f" {len(result.sample)} random words of the text. At [CLS] and [SEP], which are not searched, the mean is"
        f" {decimal(result.special)}."
    )
    st.subheader("A sample over the whole range of activations", anchor=False)
    lists.by_activation(result.spread)
    page.caption(
        "The strongest sentences can suggest one meaning although most activations have another (Bolukbasi et al."
        " 2021). This list therefore samples words over the whole range, from the strongest to the weakest 10%."
    )
    figures.as_table(result.spread, f"neuron-spread{shown.suffix()}")
