"""The fourth tab of the Attention page: what a masked answer hangs on, by gradients and by attention."""

from typing import Any

import streamlit as st

from embtools.attention import attribution
from embtools.attention.attribution import Attribution
from embtools.charts.attention import attribution as charts
from embtools.mask_filling.asking import masked, spelt
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
    """The attribution that the fields ask for."""
    return attribution.attribute(text, model, answer=answer, steps=_STEPS, progress=progress)


def show(model: str, code: Code) -> None:
    """The sentence and the answer; the measures token by token, and how far they agree."""
    sentence, word = st.columns([3, 1], gap="small")
    with sentence:
        st.text_input("Sentence with [MASK] or ___", max_chars=TEXT.most, **TEXT.widget)
        problems = st.container()
    with word:
        st.text_input("Answer", max_chars=ANSWER.most, placeholder="the model's first", **ANSWER.widget)
    text, guessed = masked(spelt(TEXT.value))
    answer = jobs.ask(
        "attention-answer",
        attributed,
        model,
        (text, ANSWER.value.strip()),
        (TEXT.default, ""),
        label="Following the gradients",
        place=problems,
        mends=ANSWER,
    )
    if answer is None:
        return
    if guessed and not answer.stale:
        with problems:
            st.text(f"No mask: the last word, “{guessed[:40]}”, was masked.")
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
            "Five measures of the same answer; each row has its own scale, blue speaks for the answer, orange"
            " against it."
            " [[attention|Attention]] from the mask (mean of all heads) and its [[attention rollout|rollout]] know no"
            " against, and would be the same for any other answer. [[gradient × input|Gradient × input]],"
            " [[integrated gradients]] and [[leave one out]] ask about this one, in [[nats]]."
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
        st.subheader("Do they agree with leaving words out?", anchor=False)
        figures.table(found.agreement, name="attention-agreement", column_config={"top": "puts first"})
        page.seen(
            "The token each measure puts first, and its rank correlation [[ρ]] with leave one out: 1 the same order."
            " One"
            " short sentence says little; many are asked below."
        )
    with right:
        st.subheader("Attention is no explanation", anchor=False)
        total = found.tokens[attribution.INTEGRATED].sum()
        page.seen(
            "A weight says where a head takes from, not whether the answer needs it: other weights can give the same"
            " answer"
            " (Jain & Wallace 2019). Others answer that this does not make it useless: it depends on what an"
            " explanation is"
            " asked for (Wiegreffe & Pinter 2019). Gradients are no proof either: they look at one place or one path."
        )
        page.seen(
            f"A check: integrated gradients must sum to what the words add to the log probability. They sum to"
            f" {total:.2f}, the words add {found.difference:.2f}."
        )


def _over(model: str, code: Code) -> None:
    """The agreement over many sentences, when it is asked for."""
    fold = state.fold("over", f"Over {attribution.MOST_SENTENCES} sentences", ":material/functions:")
    if not fold.open:
        return
    with fold:
        seconds = 0.0 if cached.known(attribution.over_sentences, model) else 20.0
        if not jobs.on_request("attention-over", "Ask the built-in sentences", seconds, model):
            return
        try:
            table = jobs.run("attention-over", attribution.over_sentences, model, label="Following the gradients")
        except ValueError as error:
            texts.problem(error)
            return
        best = table.loc[table["rho"].idxmax()]
        st.text(
            f"Over {attribution.MOST_SENTENCES} sentences {best['method']} agrees most with leaving words out: mean ρ"
            f" {best['rho']:.2f} ({best['low']:.2f} to {best['high']:.2f})."
        )
        figures.chart(
            cached.figure(charts.agreement, table),
            table,
            name="attention-over",
            alt="Mean rank correlation with leave one out: "
            + ", ".join(f"{row.method} {row.rho:.2f}" for row in table.itertuples())
            + ".",
        )
        page.seen(
            "The built-in sentences without a person's gender, each asked for the model's own first answer; 95%"
            " intervals by"
            " [[bootstrap]] over the sentences. *first*: the share of sentences in which the same token comes first."
        )
        code.add("over", "agreement = attribution.over_sentences(model)", "print(agreement)")
