"""Panel for the association test (WEAT) on the vectors."""

from typing import Any

import streamlit as st

from embtools.charts import associations as charts
from embtools.messages import shortened
from embtools.own_vectors.association import associate
from embtools.statistics.association import Association
from embtools.statistics.decimals import decimal
from embtools.ui import captions, entry, fields, figures, glossary, page, running, shown, state
from embtools.ui.call import Call
from embtools.ui.own_vectors import source
from embtools.ui.shown import Models
from embtools.words import word_sets

TAB = "Association (WEAT)"
_DEFAULT = 6
_EXAMPLES = 8  # words of a file that a message names
SETS = source.SETS
FIELDS = SETS


def _values(number: int) -> dict[str, str]:
    return {field.key: ", ".join(words) for field, words in zip(SETS, word_sets.word_sets(number), strict=True)}


PRESETS: dict[str, dict[str, Any]] = {
    "Names with career and family": {},
    "Math and arts": _values(7),
    "Science and arts": _values(8),
}
_FIRST_SETS = dict(zip("xyab", word_sets.word_sets(_DEFAULT), strict=True))
FIRST = Call(associate, **_FIRST_SETS)


def button_texts() -> list[dict[str, str]]:
    """Field values that the choice of a published test can set."""
    return [_values(number) for number in word_sets.GLOVE]


def caption() -> tuple[captions.Part, ...]:
    """Return what the caption of a saved chart names."""
    return source.caption(*SETS)


def show(models: Models) -> None:
    """Draw the fields; the associations of the words, and whether the difference could be chance."""
    _bar()
    source.note(models)
    x, y, a, b = (fields.words(field.value) for field in SETS)
    if _foreign((x, y, a, b)):
        return
    query = Call(associate, x=x, y=y, a=a, b=b, **source.given())
    answers = running.ask(
        "test",
        query,
        source.once(models),
        FIRST,
        within=source.within(),
        prints=("headline", "effect", "low", "high", "p", "partitions", "scores", "left_out"),
    )
    if not answers:
        return
    results = [answer.value for answer in answers]
    for container in running.containers(answers):
        with container as answer:
            _result(answer.value, *(each for each in results if each is not answer.value))
    page.caption(
        "Each point is a [[target]] word, X above and Y below. Right of the dotted line, it is more similar to the"
        " [[attribute|attributes]] A than to B. The [[permutation test]] checks whether the two means (dashed lines)"
        " are further apart than they are after shuffling the words between X and Y. Where there is no room, a word"
        " has no label."
    )


def _bar() -> None:
    test, lists = st.columns([5, 2], gap="small", vertical_alignment="bottom")
    key = "own-vectors-published"

    def choose() -> None:
        if number := st.session_state[key]:
            state.put(_values(number))

    x, y, a, b = (fields.words(field.value) for field in SETS)
    st.session_state[key] = word_sets.number_of(x, y, a, b)
    with test:
        st.selectbox(
            "Published test",
            list(word_sets.GLOVE),
            index=None,
            key=key,
            on_change=choose,
            format_func=word_sets.title,
            placeholder="Your own words",
            help=glossary.definition("WEAT"),
        )
    with lists.popover(
        "Words", icon=":material/edit_note:", key="own-vectors-sets", width="stretch", on_change="rerun"
    ) as words:
        if words.open:
            labels = ("X: targets", "Y: other targets", "A: attributes", "B: other attributes")
            for field, label in zip(SETS, labels, strict=True):
                entry.text_area(label, height=80, **field.widget)


def _foreign(sets: tuple[tuple[str, ...], ...]) -> bool:
    """Ask for words of the file if it does not have those of a published test, which no visitor has typed."""
    own = source.table()
    if own is None or not word_sets.number_of(*sets) or all(len(own.known(words)[0]) >= 2 for words in sets):
        return False
    examples = ", ".join(shortened(word, 30) for word in own.words[:_EXAMPLES])
    st.text(
        "Your file does not have the words of this test. Open “Words” and write at least two words of your file into"
        f" each of the four fields, for example some of these: {examples}."
    )
    return True


def _result(result: Association, *others: Association) -> None:
    shown.headline(result.headline)
    left, right = shown.split([5, 2], gap="large")
    with left:
        figures.show(charts.words, result, *others, name="own-associations")
    with right:
        metrics = (
            (
                "Effect size d",
                decimal(result.effect),
                result.interval,
                "effect size",
            ),
            ("p, two-sided", f"{result.p:.4f}", "permutation test", "p-value"),
            (
                "Shuffles",
                f"{result.partitions:,}",
                "all possible ones" if result.exact else "random, including the observed order",
                "permutation test",
            ),
        )
        with st.container(horizontal=True):
            for label, value, note, term in metrics:
                st.metric(
                    label,
                    value,
                    note,
                    delta_color="off",
                    delta_arrow="off",
                    help=glossary.definition(term),
                    width="content",
                )
        if result.left_out:
            st.text(f"Left out because the vectors do not have them: {', '.join(result.left_out)}.")
            if word_sets.number_of(*(fields.words(field.value) for field in SETS)):
                st.caption("Without these words, this is no longer the published test.")
