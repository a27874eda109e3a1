"""Details of an edit in tabs, of which only the open one is computed."""

from collections.abc import Callable

import streamlit as st

from embtools.arithmetic import later_edits
from embtools.arithmetic.edit_result import EditedAnswers
from embtools.arithmetic.logit_lens import both_lenses
from embtools.arithmetic.strength import strength_curve
from embtools.charts import arithmetic as charts
from embtools.mask_filling.controls import DESCRIPTIONS
from embtools.ui import entry, fields, figures, page, running, shown, state
from embtools.ui.arithmetic import edit_query, more
from embtools.ui.arithmetic.edit_query import Answers, ask, at_mask, left_out
from embtools.ui.call import Call
from embtools.ui.fields import Choice, Text
from embtools.ui.lenses import note
from embtools.ui.running import Answer

_NUMBERS, _CURVE, _LENS, _LAYERS, _CONTROLS, _MORE = TABS = (
    "As numbers",
    "Strength curve",
    "Logit lens",
    "Edit in later layers",
    "Each control",
    "More",
)
_WITHOUT_EDIT = _LENS, _MORE
MORE = Choice(
    "arithmetic_more",
    _NUMBERS,
    dict(zip(("numbers", "strength", "lens", "layers", "controls", "more"), TABS, strict=True)),
)
CURVE = Text("arithmetic_curve")
CURVE_AS = Choice("arithmetic_curve_as", "probability", ("probability", "log-odds"))
LENS = Text("arithmetic_lens")
TEMPLATES = Text("arithmetic_templates", "\n".join(later_edits.TEMPLATES))
FIELDS = (MORE, CURVE, CURVE_AS, LENS, TEMPLATES, *more.FIELDS)


def printed(edited: bool) -> tuple[str, ...]:
    """Return the parts of the answers that the open tab shows, for the copied Python."""
    if not edited:
        return ()
    return {_NUMBERS: ("verdict",), _CONTROLS: ("runs",)}.get(MORE.value, ())


def show(answers: Answers) -> None:
    """Draw the tabs that apply, and in the open one the details of each model."""
    panels: dict[str, Callable[[Answers], None]] = {
        _NUMBERS: _numbers,
        _CURVE: _curve,
        _LENS: _logit_lens,
        _LAYERS: _edits_by_layer,
        _CONTROLS: _runs,
        _MORE: more.show,
    }
    names = TABS if answers[0].value.edited else _WITHOUT_EDIT
    for name, tab in state.tabs(MORE, names).items():
        if tab.open:
            with tab:
                panels[name](answers)


def _numbers(answers: Answers) -> None:
    """Show the comparison of the edit with all controls in sentences."""
    for container in running.containers(answers, part="detail"):
        with container as answer:
            for sentence in answer.value.verdict:
                st.text(sentence)


def _curve(answers: Answers) -> None:
    """Draw how the probability or log odds of words depend on the strength of the edit."""
    with st.container(horizontal=True):
        entry.text_input(
            "Words in the chart (comma-separated)",
            placeholder=", ".join(answers[0].value.leading),
            help="If this is empty, the top answers before and after the edit are shown.",
            **CURVE.widget,
        )
        st.segmented_control("Scale", required=True, **CURVE_AS.widget)
    typed = fields.words(CURVE.value)

    def query(answer: Answer[EditedAnswers]) -> Call:
        words = typed or answer.value.leading
        return at_mask(strength_curve, answer, words=words, leave_out=left_out(answer))

    curves = ask("curve", answers, query, label="Running BERT at each strength")
    column = CURVE_AS.value.replace("-", "_")
    found = [each.value for each in curves]
    strength = answers[0].value.change.strength
    for container in running.containers(curves):
        with container as answer:
            figures.show(charts.strength_curve, answer.value, column, strength, name="strength", beside=found)
            page.caption(
                "Each line is a word. The strength goes from the original vector (0) to the result of the formula (1)"
                " and beyond it, to twice the change (2)."
            )


def _logit_lens(answers: Answers) -> None:
    """Draw the probability of words (by default the top answers) after each layer with both lenses, with and without
    the edit."""
    entry.text_input(
        "Words to show (comma-separated)",
        placeholder=", ".join(answers[0].value.leading),
        help="Each word must be a single token. If this is empty, the top answers are shown.",
        **LENS.widget,
    )
    typed = fields.words(LENS.value)

    def query(answer: Answer[EditedAnswers]) -> Call:
        words = typed or answer.value.leading
        return at_mask(both_lenses, answer, words=words)

    result = ask("layers", answers, query)
    found = [each.value for each in result]
    for container in running.containers(result):
        with container as answer:
            figures.show(
                charts.lenses,
                answer.value,
                name="layers",
                beside=found,
                options={"about": edit_query.CAPTION},
            )
            page.caption(
                "Each line is a word, without the edit (thin) or with it (thick). Its probability is read off after"
                f" each [[layer]] with the output head of the last layer. {note(answer.model)}"
            )


def _edits_by_layer(answers: Answers) -> None:
    """Draw the probability of the edit's top answer when the difference is added after each layer."""

    def query(answer: Answer[EditedAnswers]) -> Call:
        templates = fields.lines(TEMPLATES.value)
        return at_mask(
            later_edits.edits_by_layer,
            answer,
            word=answer.value.word,
            templates=templates,
            draws=answer.query["draws"],
        )

    result = ask("after", answers, query, label="Adding the difference after each layer", prints=("sentence", "lines"))
    found = [each.value for each in result]
    for container in running.containers(result):
        with container as answer:
            st.subheader(answer.value.sentence, anchor=False)
            figures.show(
                charts.layer_edits,
                answer.value,
                name="layer-edits",
                beside=found,
                options={"about": (*edit_query.CAPTION, TEMPLATES)},
            )
            page.caption(
                "Each line is the edit or a control. It shows the probability of the edit's top answer for each"
                " [[layer]] after which the difference is added. A filled mark means that the top answer changes."
                " At layer 0, the difference is computed from the static [[embedding|embeddings]]; in later layers, it"
                " is computed from the words' vectors in the sentences below. After the last layer it is too late,"
                " because the [[mask]] no longer attends to the word. The random words of the controls"
                " differ from those of *Comparison with the controls*, because here each must be a single token."
            )
    entry.text_area(
        "Sentences for the words' vectors (one per line)",
        height=140,
        help="Each sentence must contain {word} exactly once. In each layer, the vector of a word is its mean over"
        " these sentences.",
        **TEMPLATES.widget,
    )


def _runs(answers: Answers) -> None:
    for container in running.containers(answers, part="detail"):
        with container as answer:
            runs = answer.value.runs
            text = "Each row is one run of a control: the change it makes and its top answer. The columns token and"
            text += " probability show the edit's top answer and the probability that this run gives to it."
            if "left_out" in runs:
                text += (
                    " The column left_out names the word that would be the top answer of the run if you had not left"
                    " it out."
                )
            st.caption(text)
            figures.table(runs, "All runs with their answers", name=f"runs{shown.suffix()}", column_config=more.PERCENT)
            for name in runs["control"].unique():
                st.text(f"{name.capitalize()}: {DESCRIPTIONS[name]}")
