"""Which words a masked answer depends on, by gradients, by leaving words out, and by attention."""

from typing import Any

import streamlit as st

from embtools.attention import attribution
from embtools.attention.attribution import Attribution
from embtools.charts.attention import attribution as charts
from embtools.mask_filling.typed_input import mask_last_word, normalise_masks
from embtools.progress import Progress, silent
from embtools.ui import cached, figures, jobs, page, state, texts
from embtools.ui.fields import Text
from embtools.ui.share import Code

TAB = "Attribution"
TEXT = Text("attention_masked", "The capital of France is [MASK].", 1_000)
ANSWER = Text("attention_answer", "", 60)
FIELDS = (TEXT, ANSWER)
PRESETS: dict[str, dict[str, Any]] = {
    "The capital of France": {},
    "Hot and cold": {TEXT.key: "The opposite of hot is [MASK]."},
    "Milk into a glass": {TEXT.key: "She poured the milk into a [MASK]."},
    "Too tired": {TEXT.key: "The animal didn't cross the street because [MASK] was too tired.", ANSWER.key: "it"},
}
_STEPS = 64


def attributed(text: str, answer: str, *, model: Any, progress: Progress = silent) -> Attribution:
    """Return the attribution that the fields ask for."""
    return attribution.attribute(text, model, answer=answer, steps=_STEPS, progress=progress)


def show(model: str, code: Code) -> None:
    """Show the fields, the measures for each token, and how well they agree."""
    sentence, word = st.columns([3, 1], gap="small")
    with sentence:
        st.text_input("Sentence with [MASK] or ___", max_chars=TEXT.most, **TEXT.widget)
        problems = st.container()
    with word:
        st.text_input("Answer", max_chars=ANSWER.most, placeholder="The top answer", **ANSWER.widget)
    text, guessed = mask_last_word(normalise_masks(TEXT.value))
    answer = jobs.ask(
        "attention-answer",
        attributed,
        model,
        (text, ANSWER.value.strip()),
        (TEXT.default, ""),
        label="Computing the attributions",
        place=problems,
        mends=ANSWER,
    )
    if answer is None:
        return
    if guessed and not answer.stale:
        with problems:
            st.text(f"The sentence has no mask, so its last word, “{guessed[:40]}”, was masked.")
    asked, wanted = answer.asked
    code.add(
        "attribution",
        f"found = attribution.attribute({asked!r}, model, answer={wanted!r}, steps={_STEPS})",
        "print(attribution.finding(found), found.probability, found.difference, found.tokens, found.agreement,"
        " sep='\\n')",
    )
    with jobs.results(answer, "attention-answer", asked[:120]):
        _shown(answer.value)
    _over(model, code)


def _shown(found: Attribution) -> None:
    st.header(texts.plain(attribution.finding(found)), anchor=False)

    def below() -> None:
        page.seen(
            "Each row is a measure with its own scale. Blue supports the answer, orange counts against it."
            " [[attention|Attention]] from the mask (mean of all heads) and [[attention rollout|rollout]] cannot count"
            " against an answer, and would be the same for any other answer. [[gradient × input|Gradient × input]],"
            " [[integrated gradients]] and [[leave one out]] are computed for this answer, in [[nats]]."
        )

    figures.chart(
        cached.figure(charts.measures, found),
        found.tokens,
        name="attention-answer",
        alt=attribution.alt(found),
        below=below,
    )
    left, right = st.columns([1, 1], gap="medium")
    with left:
        st.subheader("Agreement with leaving words out", anchor=False)
        figures.table(found.agreement, name="attention-agreement", column_config={"top_token": "top token"})
        page.seen(
            "The table shows the token that each measure ranks 1st, and the rank correlation [[ρ]] of the measure with"
            " leave one out (1 means the same order). One short sentence shows little; you can test many below."
        )
    with right:
        st.subheader("Attention as an explanation", anchor=False)
        total, added = (
            f"{value:.2f}".replace("-", "−") for value in (found.tokens[attribution.INTEGRATED].sum(), found.difference)
        )
        page.seen(
            "A weight shows where a head takes information from, not whether the answer needs this information:"
            " different weights can lead to the same answer (Jain & Wallace 2019). Others reply that attention can"
            " still be useful, depending on the purpose of the explanation (Wiegreffe & Pinter 2019). Gradients are no"
            " proof either, because they describe only one point or one path."
        )
        page.seen(
            "As a check, the sum of the integrated gradients must equal what the words add to the log probability: the"
            f" sum is {total}, and the words add {added}."
        )


def _over(model: str, code: Code) -> None:
    """Show the agreement over many sentences after a click on its button."""
    fold = state.fold("over", f"Agreement over {attribution.MOST_SENTENCES} sentences", ":material/functions:")
    if not fold.open:
        return
    with fold:
        seconds = 0.0 if cached.known(attribution.over_sentences, model) else 20.0
        if not jobs.on_request("attention-over", "Run on the built-in sentences", seconds, model):
            return
        try:
            table = jobs.run("attention-over", attribution.over_sentences, model, label="Computing the attributions")
        except ValueError as error:
            texts.problem(error)
            return
        st.text(attribution.best_agreement(table, attribution.MOST_SENTENCES))
        figures.chart(
            cached.figure(charts.agreement, table),
            table,
            name="attention-over",
            alt="Mean rank correlation with leave one out: "
            + ", ".join(f"{row.method} {row.rho:.2f}" for row in table.itertuples())
            + ".",
        )
        page.seen(
            "These are the built-in sentences without a person's gender, each with the model's own top answer. Whiskers"
            " are 95% intervals ([[bootstrap]] over the sentences). In the table, *same_top* is the share of sentences"
            " in which the method and leave one out rank the same token 1st. *p_value* compares the method with the"
            " best one on the same sentences ([[sign test]])."
        )
        code.add(
            "over",
            "agreement = attribution.over_sentences(model)",
            "print(attribution.best_agreement(agreement, attribution.MOST_SENTENCES), agreement, sep='\n')",
        )
