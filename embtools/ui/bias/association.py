"""The fourth tab of the Bias page: association tests on words (WEAT) and on sentences (SEAT)."""

from typing import Any

import pandas as pd
import streamlit as st

from embtools.bias import association, directions, published_tests
from embtools.bias.association import Association
from embtools.charts.bias import scores as bias_scores
from embtools.ui import cached, figures, jobs, last_good, page
from embtools.ui.bias.notes import notes
from embtools.ui.fields import lines, words
from embtools.ui.jobs import asks_first, requested_call
from embtools.ui.share import snippet
from embtools.words.templates import WORD

TAB = "Association tests"
WEAT, SEAT = "words (WEAT)", "sentences (SEAT)"
_BLEACHED = "\n".join((f"This is {WORD}.", f"That is {WORD}.", f"There is {WORD}.", f"Here is {WORD}."))
_KEYS = ("bias_x", "bias_y", "bias_a", "bias_b")
_FIRST = 6


def state(number: int, level: str = WEAT) -> dict[str, Any]:
    """The widgets' values for a published test."""
    sets = dict(zip(_KEYS, (", ".join(s) for s in published_tests.word_sets(number)), strict=True))
    return {
        "bias_tab": TAB,
        "bias_test": number,
        "bias_level": level,
        "bias_pieces": "leave out",
        "bias_bleached": _BLEACHED,
        "bias_pooling": "cls",
        **sets,
    }


PRESETS = {
    "Names, career and family": state(_FIRST),
    "Flowers and insects": state(1),
    "Science and arts": state(8),
    "Names, in sentences": state(6, SEAT),
}


def show(model: str) -> str:
    """The tab; returns code for "copy as Python"."""
    left, right = st.columns([2, 3], gap="large")
    with left:
        waits = _fields(model)
        asked = _asked()
        if waits and asked[4] == SEAT and asks_first(model, "Encode the sentences"):
            notes("SEAT", "WEAT")
            return ""
        first = (*published_tests.word_sets(_FIRST), WEAT, "leave out", lines(_BLEACHED), "cls", -1)
        good = last_good.last_good("bias-association", model, lambda given: _test(model, *given), asked, first)
    if good is None:
        return ""
    asked, found = good
    names = _names(asked)
    with right:
        code = _results(found, names, asked)
        notes(*(("WEAT",) if asked[4] == WEAT else ("SEAT", "WEAT")), "Other measures")
        code += _all_ten(model, asked[5])
        if asked[4] == WEAT:
            code += _others(model, asked)
    return snippet(code)


def _fields(model: str) -> bool:
    """The fields of the left column; whether the test is a long one."""
    st.selectbox(
        "A published test",
        list(published_tests.GLOVE),
        index=None,
        key="bias_test",
        on_change=_choose,
        format_func=published_tests.title,
        placeholder="Choose one, or write your own words below",
    )
    for key, label, words_ in zip(
        _KEYS,
        ("X: targets", "Y: other targets", "A: attributes", "B: other attributes"),
        published_tests.word_sets(_FIRST),
        strict=True,
    ):
        st.text_area(label, ", ".join(words_), key=key, bind="query-params", height=68)
    level = st.segmented_control(
        "Vectors of", [WEAT, SEAT], default=WEAT, required=True, key="bias_level", bind="query-params"
    )
    if level == WEAT:
        st.segmented_control(
            "Words of several pieces",
            ["leave out", "mean"],
            default="leave out",
            required=True,
            key="bias_pieces",
            bind="query-params",
            help="mean: the mean of their pieces stands for them.",
        )
        return False
    st.text_area("Sentences, one a line", _BLEACHED, key="bias_bleached", bind="query-params", height=120)
    st.segmented_control(
        "Sentence vector",
        ["cls", "mean", "word"],
        default="cls",
        required=True,
        key="bias_pooling",
        bind="query-params",
        help="cls: [CLS], as published. mean: all pieces. word: the word's own pieces.",
    )
    last = last_layer(model)
    if st.session_state.get("bias_layer", last) > last:
        del st.session_state["bias_layer"]
    st.slider("Layer", 0, last, last, key="bias_layer", bind="query-params", help="0: the embedding output.")
    return True


def _asked() -> tuple[Any, ...]:
    given = st.session_state
    layer = given.get("bias_layer", -1) if given.bias_level == SEAT else -1
    sets = tuple(words(given[key]) for key in _KEYS)
    return (
        *sets,
        given.bias_level,
        given.get("bias_pieces", "leave out"),
        lines(given.get("bias_bleached", _BLEACHED)),
        given.get("bias_pooling", "cls"),
        layer,
    )


def _test(model: str, *asked: Any) -> Association:
    if asked[4] == WEAT:
        return cached.compute(association.weat, model, *asked[:4], pieces=asked[5])
    return requested_call(
        association.seat,
        model,
        *asked[:4],
        label="Encoding the sentences",
        templates=asked[6],
        pooling=asked[7],
        layer=asked[8],
    )


def _results(found: Association, names: tuple[str, ...], asked: tuple[Any, ...]) -> list[str]:
    number = _number(asked)
    with st.container(horizontal=True):
        st.metric(
            "Effect size d",
            f"{found.effect:.2f}",
            f"95 %: {found.low:.2f} to {found.high:.2f}",
            border=True,
            delta_color="off",
            delta_arrow="off",
            help="Above 0, X lies nearer to A; ±2 is the most for X and Y of equal size. Bootstrap over the words of"
            " all four sets.",
        )
        st.metric(
            "p, one-sided",
            f"{found.p:.4f}",
            f"two-sided {found.p_two:.4f}",
            border=True,
            delta_color="off",
            delta_arrow="off",
            help="Share of divisions of the words into X and Y with at least this difference.",
        )
        st.metric(
            "Divisions",
            f"{found.partitions:,}",
            "all there are" if found.exact else "drawn, observed one included",
            border=True,
            delta_color="off",
            delta_arrow="off",
        )
        if number and asked[4] == WEAT:
            st.metric(
                "Published d",
                f"{published_tests.GLOVE[number]:.2f}",
                "GloVe, other vectors",
                border=True,
                delta_color="off",
                delta_arrow="off",
                help="Caliskan et al. 2017, table 1.",
            )
    if found.left_out:
        st.badge(f"{len(found.left_out)} words of several pieces left out", icon=":material/token:", color="orange")
        st.text(", ".join(found.left_out))
        if number:
            st.caption("Without them this is no longer the published test.")
    scores = found.scores
    strongest = scores.iloc[[0, -1]]["word"].tolist()
    means = scores.groupby("set")["association"].mean()
    figures.chart(
        cached.figure(bias_scores.associations, scores, *names),
        scores,
        name="associations",
        alt=f"Association of {len(scores)} words. Mean of X {means['X']:+.3f}, of Y {means['Y']:+.3f};"
        f" highest {strongest[0]}, lowest {strongest[1]}.",
    )
    call, options = "weat", f"pieces={asked[5]!r}"
    if asked[4] == SEAT:
        call, options = "seat", f"templates={asked[6]!r}, pooling={asked[7]!r}, layer={asked[8]}"
    return [
        *(f"{name} = {words_!r}" for name, words_ in zip("xyab", asked, strict=False)),
        f"found = association.{call}(x, y, a, b, model, {options})",
        "print(found.effect, (found.low, found.high), found.p, found.p_two, found.partitions)",
        "print(found.scores, found.left_out)",
    ]


def _all_ten(model: str, pieces: Any) -> list[str]:
    st.subheader("All ten published tests", anchor=False)
    try:
        table = jobs.stoppable(
            "bias-battery", published_tests.battery, model, label="Running all ten tests", pieces=pieces
        )
    except ValueError as error:  # it was stopped
        page.problem(error)
        return []
    clear, made = int((table["p_holm"] < 0.05).sum()), int(table["p_holm"].notna().sum())
    figures.chart(
        cached.figure(
            bias_scores.intervals,
            table.assign(short=[f"{n} {name}" for n, name in published_tests.SHORT.items()]).dropna(subset="effect"),
            "effect",
            "effect size d",
            label="short",
            marks="published",
            mark_name="published, GloVe",
            value_name="here",
        ),
        table,
        name="ten-tests",
        alt=f"Effect sizes of {made} tests with intervals; {clear} have a p-value below 0.05 after correction.",
    )
    st.caption(
        f"{clear} of {made} have p < 0.05 after Holm's correction for their number. Static embeddings, pieces as above."
        + (f" The other {len(table) - made} have too few words of one piece." if made < len(table) else "")
    )
    return [f"tests = published_tests.battery(model, pieces={pieces!r})", "print(tests)"]


def _others(model: str, asked: tuple[Any, ...]) -> list[str]:
    with st.expander("Other measures on the same words", icon=":material/straighten:"):
        figures.table(_rounded(cached.compute(directions.other_measures, model, *asked[:4])), name="other-measures")
        st.caption(
            "neutral: the value without any lean. Words of several pieces stand as the mean of their pieces here."
        )
    return ["others = directions.other_measures(x, y, a, b, model)", "print(others)"]


def _rounded(table: pd.DataFrame) -> pd.DataFrame:
    return table.assign(value=table["value"].round(4))


def _number(asked: tuple[Any, ...]) -> int | None:
    """Which published test these words are."""
    return next((n for n in published_tests.GLOVE if published_tests.word_sets(n) == asked[:4]), None)


def _names(asked: tuple[Any, ...]) -> tuple[str, ...]:
    number = _number(asked)
    if number:
        return published_tests.set_names(number)
    return tuple(", ".join(s[:2]) + (" …" if len(s) > 2 else "") for s in asked[:4])


def _choose() -> None:
    number = st.session_state.bias_test
    if number:
        for key, words_ in zip(_KEYS, published_tests.word_sets(number), strict=True):
            st.session_state[key] = ", ".join(words_)


def last_layer(model: str) -> int:
    """The number of the model's last layer."""
    return cached.compute(_layers, model)


def _layers(*, model: Any) -> int:
    return model.layers
