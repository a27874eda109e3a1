"""Two panels: the answers that both lenses read off each layer, and the edit made in each layer."""

import streamlit as st

from embtools.arithmetic import later_edits as by_layer
from embtools.arithmetic.edit_result import EditedAnswers
from embtools.arithmetic.later_answers import TEMPLATES as DEFAULT_TEMPLATES
from embtools.arithmetic.logit_lens import both_lenses
from embtools.charts import arithmetic as charts
from embtools.ui import entry, fields, figures, page, running
from embtools.ui.arithmetic import edit_query
from embtools.ui.arithmetic.words import Answers, ask, at_mask
from embtools.ui.call import Call
from embtools.ui.fields import Choice, Text
from embtools.ui.lenses import LOGIT_LENS, TUNED_LENS, note
from embtools.ui.running import Answer

LENS = Text("arithmetic_lens")
# Links made when only one lens was shown have this field. Both are shown now.
TUNED = Choice("arithmetic_lens_kind", LOGIT_LENS, {"logit": LOGIT_LENS, "tuned": TUNED_LENS})
TEMPLATES = Text("arithmetic_templates", "\n".join(DEFAULT_TEMPLATES))


def logit_lens(answers: Answers) -> None:
    """Draw the probability of words after each layer with both lenses, with and without the edit.

    Without words, these are the top answers.
    """
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


def edits_by_layer(answers: Answers) -> None:
    """Draw the probability of the edit's top answer when the difference is added after each layer."""

    def query(answer: Answer[EditedAnswers]) -> Call:
        templates = fields.lines(TEMPLATES.value)
        return at_mask(
            by_layer.edits_by_layer,
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
