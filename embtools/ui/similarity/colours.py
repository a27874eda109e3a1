"""The second tab of the Similarity page: are colours that look alike also alike to BERT?"""

from dataclasses import replace

import numpy as np
import pandas as pd
import streamlit as st

from embtools.charts.similarity import colours as colour_charts
from embtools.charts.similarity import matrix as charts
from embtools.similarity import colours
from embtools.similarity.colours import Sight
from embtools.similarity.matrix import Similarity
from embtools.statistics import permutations
from embtools.statistics.permutations import Mantel
from embtools.ui import cached, figures, last_good, page
from embtools.ui.similarity.inputs import TWO, Asked, Call, called, compared, preset_state
from embtools.words.vectors import split


def show(model: str, asked: Asked) -> str:
    """Draw the tab; returns code for "copy as Python"."""
    try:
        # Read once, with a bar: the comparisons below take the table, not the sentences.
        result = compared(model, asked)
        table = tuple(map(tuple, result.values.tolist()))
        sight = cached.compute(colours.compare_with_sight, model, asked.words, table=table)
    except ValueError as error:
        page.problem(error)
        st.button("Take the 21 colours", on_click=page.set_state, args=(preset_state("Colours"),))
        return ""
    _scatter(sight)
    answers = _answers(model, asked, result, sight)
    sheep = _sheep(model)
    return (
        "from embtools.similarity import colours\nfrom embtools.similarity.matrix import similarity_matrix\n"
        "from embtools.statistics.permutations import mantel\n\n"
        f"sight = colours.compare_with_sight({asked.code()})\n"
        f"print(sight.test, sight.pairs, colours.named_pairs(sight), sep='\\n')\n{answers}{sheep}"
    )


def _scatter(sight: Sight) -> None:
    test = sight.test
    with st.container(horizontal=True):
        st.metric(
            "Similarity follows sight",
            f"ρ = {test.rho:+.2f}",
            f"p = {test.p:.4f} (Mantel)",
            delta_color="off",
            delta_arrow="off",
            border=True,
            help=f"Spearman's rank correlation between cosine and nearness to the eye over {len(sight.pairs)} pairs;"
            f" +1 would be perfect agreement. The words are shuffled {test.permutations:,} times for p.",
        )
        top = sight.pairs.iloc[0]
        bottom = sight.pairs.iloc[-1]
        for label, row in (("Alike in use, not to the eye", top), ("Alike to the eye, not in use", bottom)):
            st.metric(
                label,
                page.plain(f"{row['first']} – {row['second']}"),
                f"cosine {row['cosine']:.2f}, CIEDE2000 {row['difference']:.0f}",
                delta_color="off",
                delta_arrow="off",
                border=True,
            )
    st.caption(colours.verdict(test))
    named = colours.named_pairs(sight)
    shown = pd.concat(
        [
            sight.pairs.head(4).assign(kind="alike in use, not to the eye"),
            sight.pairs.tail(3).assign(kind="alike to the eye, not in use"),
            named.assign(kind="named in the paper"),
        ]
    ).drop_duplicates(["first", "second"])
    figures.chart(
        cached.figure(colour_charts.sight, sight.pairs, shown),
        sight.pairs,
        name="sight",
        alt=f"{len(sight.pairs)} pairs of colours, CIEDE2000 against cosine, rank correlation {test.rho:+.2f}."
        f" {top['first']} and {top['second']} are alike to BERT ({top['cosine']:.2f}) but not to the eye.",
    )
    if len(named):
        st.markdown("**The pairs that “BERT Embedding Math” names**")
        figures.table(_swatched(named, sight), name="named-pairs")
        st.caption(
            f"rank 1 of {len(sight.pairs)} is the most alike pair. The text: white with black and silver with gold,"
            " although silver looks more like gray, and gold like yellow."
        )


def _swatched(pairs: pd.DataFrame, sight: Sight) -> pd.DataFrame:
    """The pairs with their colours' values, as a table shows them."""
    value = dict(zip(sight.words, sight.hexes, strict=True))
    shown = pairs.assign(first_hex=pairs["first"].map(value), second_hex=pairs["second"].map(value)).drop(columns="gap")
    return shown.rename(columns={"rank_use": "rank by cosine", "rank_sight": "rank by eye", "difference": "CIEDE2000"})


def _answers(model: str, asked: Asked, result: Similarity, sight: Sight) -> str:
    """The second measure; returns Python for it."""
    st.subheader("A second measure: ask BERT", anchor=False)
    template = st.text_input(
        "Question, {word} is each colour",
        colours.MOST_SIMILAR,
        key="similarity_question",
        bind="query-params",
        max_chars=300,
    )
    good = last_good.last_good(
        "similarity-answers",
        model,
        called(colours.ask_most_similar, model),
        Call((sight.words,), {"template": template}),
        Call((sight.words,), {"template": colours.MOST_SIMILAR}),
    )
    if good is None:
        return ""
    (shown, answers) = good
    template = shown.named["template"]
    if shown.arguments[0] != sight.words:  # good for an earlier list
        answers = cached.compute(colours.ask_most_similar, model, sight.words, template=template)
    keep = [result.words.index(word) for word in sight.words]
    cosines = tuple(map(tuple, result.values[np.ix_(keep, keep)].tolist()))
    second, third = cached.compute(_agreement, model, sight.words, template, cosines)
    with st.container(horizontal=True):
        for label, test in (("Answers and cosine", second), ("Answers and the eye", third)):
            st.metric(
                label,
                f"ρ = {test.rho:+.2f}",
                f"p = {test.p:.4f} (Mantel)",
                delta_color="off",
                delta_arrow="off",
                border=True,
            )
    order = [result.words[i] for i in result.order if result.words[i] in sight.words]
    index = [sight.words.index(word) for word in order]
    in_order = replace(answers, words=tuple(order), probabilities=answers.probabilities[index][:, index])
    figures.chart(
        cached.figure(
            charts.heatmap,
            in_order.probabilities,
            order,
            kind="probability",
            rows="asked about",
            columns="answer",
            swatches=dict(zip(sight.words, sight.hexes, strict=True)),
        ),
        colours.answer_table(in_order),
        name="answers",
        alt="Heatmap of answers: "
        + ", ".join(f"{r['word']} → {r['best_of_list']}" for _, r in answers.best.head(6).iterrows())
        + " …",
    )
    st.caption(
        "A row is a question, a column an answer; the list's own order by the tree. Often the model just repeats the"
        " colour asked about. For ρ each answer's own popularity is taken out and both directions are averaged."
    )
    with st.expander("The best answer to each", icon=":material/list:"):
        figures.table(answers.best, name="best-answers")
    return (
        f"answers = colours.ask_most_similar(sight.words, model, template={template!r})\n"
        "print(answers.best, colours.answer_table(answers), sep='\\n')\n"
        "alike = colours.answer_similarity(answers)\n"
        f"print(mantel(alike, similarity_matrix({replace(asked, words=sight.words).code()})))\n"
        "print(mantel(alike, -colours.colour_differences(sight.hexes)))\n"
    )


def _agreement(
    words: tuple[str, ...], template: str, cosines: tuple[tuple[float, ...], ...], *, model: object
) -> tuple[Mantel, Mantel]:
    answers = colours.answer_similarity(colours.ask_most_similar(words, model, template=template))  # type: ignore[arg-type]
    differences = colours.colour_differences(tuple(colours.hexes(words).values()))
    return permutations.mantel(answers, np.array(cosines)), permutations.mantel(answers, -differences)


def _sheep(model: str) -> str:
    """The black sheep and its controls; returns code for "copy as Python"."""
    st.subheader("The black sheep", anchor=False)
    left, right = st.columns([2, 3], gap="large")
    with left:
        template = st.text_input(
            "Sentence, {word} is each subject",
            colours.SHEEP,
            key="similarity_sheep",
            bind="query-params",
            max_chars=300,
        )
        subjects = st.text_area(
            "Subjects",
            ", ".join(colours.SUBJECTS),
            key="similarity_subjects",
            bind="query-params",
            height=90,
            max_chars=1_000,
        )
        pair = st.text_input("Two colours", TWO, key="similarity_two", bind="query-params", max_chars=60)
        two = split(pair)
        if len(two) != 2:
            page.problem("Write exactly two colours, such as black, white.")
            two = ("black", "white")
        asked = Call((split(subjects),), {"template": template, "first": two[0], "second": two[1]})
        standard = {"template": colours.SHEEP, "first": "black", "second": "white"}
        example = Call((colours.SUBJECTS,), standard)
        good = last_good.last_good("similarity-sheep", model, called(colours.black_sheep, model), asked, example)
        if good is None:
            return ""
        shown, table = good
        a, b = shown.named["first"], shown.named["second"]
        first = table.iloc[0]
        st.metric(
            page.plain(f"{a} over {b} for {first['subject']}"),
            f"{first['ratio']:.2f} ×",
            f"{table['ratio'].median():.2f} × is the middle of all subjects",
            delta_color="off",
            delta_arrow="off",
            border=True,
        )
        st.caption(
            "People write “black sheep” because white goes without saying. If a sheep is black only as often as"
            " anything else is, that is the word's popularity, not its subject: compare with the other rows."
        )
    with right:
        figures.chart(
            cached.figure(colour_charts.sheep, table, a, b, colours.hexes((a, b))),
            table.rename(columns={"first": f"probability of {a}", "second": f"probability of {b}"}),
            name="sheep",
            alt=f"Probability of {a} and {b}: "
            + ", ".join(f"{r['subject']} {r['first']:.1%} and {r['second']:.1%}" for _, r in table.head(4).iterrows())
            + " …",
        )
    named = "".join(f", {name}={value!r}" for name, value in shown.named.items() if value != standard[name])
    return f"print(colours.black_sheep({list(shown.arguments[0])}, model{named}))"
