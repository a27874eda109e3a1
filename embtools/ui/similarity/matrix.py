"""Panel for the heatmap and tree of a word list, next to the pair of the selected cell."""

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from embtools.charts import matrix as charts
from embtools.charts import matrix_cells as cells
from embtools.similarity import matrix, verdict
from embtools.similarity.in_spaces import group_means
from embtools.similarity.random_words import ComparedList, compare_with_random_words
from embtools.spaces.space import AS_IS, WHITENED, Space
from embtools.statistics.decimals import decimal
from embtools.ui import captions, figures, glossary, page, running, shown, state
from embtools.ui.call import Call
from embtools.ui.corpora import text_vectors
from embtools.ui.fields import Choice
from embtools.ui.lesson_answers import Reading
from embtools.ui.running import Answer
from embtools.ui.shown import Model, Models
from embtools.ui.similarity import inputs, named_texts, pair, second_space
from embtools.words.vectors import token_differences

TAB = "Heatmap and tree"
USES_EDIT = True
METRIC = Choice("similarity_metric", "cosine", ("cosine", "euclidean"))
LINKAGE = Choice("similarity_linkage", "average", tuple(matrix.LINKAGES))
FIELDS = (*inputs.FIELDS, *second_space.FIELDS, METRIC, LINKAGE, *pair.FIELDS)
GROUPS = (
    "countries: france, germany, italy, spain, japan, egypt; cities: paris, berlin, rome, madrid, tokyo, cairo;"
    " colours: red, blue, green, yellow, white, black; animals: dog, cat, horse, lion, cow, bird;"
    " family: mother, father, sister, brother, daughter, son; seasons: winter, summer, spring, autumn"
)
PRESETS: dict[str, dict[str, Any]] = {
    **inputs.LISTS,
    "Four groups": {inputs.WORDS.key: "red, blue, green, dog, cat, horse, nurse, doctor, lawyer, joy, anger, fear"},
    "Sports and professions": {inputs.WORDS.key: "football, baseball, hockey, tennis, doctor, nurse, surgeon, lawyer"},
    "Colours, static and last layer": {second_space.OTHER.key: second_space.SAME},
    "Occurrences of “bank”": {inputs.OF.source.key: text_vectors.OCCURRENCES},
    "Sentences on four topics": {inputs.OF.source.key: text_vectors.SENTENCES},
    "Groups, raw and whitened": {
        inputs.WORDS.key: GROUPS,
        second_space.OTHER.key: second_space.SAME,
        second_space.VECTORS.key: inputs.STATIC,
        second_space.PROCESSED.kind.key: WHITENED,
    },
}
FIRST = Call(compare_with_random_words, words=matrix.preset("Colours"))
NAME = "similarity"  # of the chart


def caption() -> tuple[captions.Part, ...]:
    """Return what the caption of a saved chart names."""
    if not text_vectors.are_chosen(inputs.OF) and (second := second_space.caption()):
        return (*inputs.caption(), *second)
    return (*inputs.caption(), captions.Setting("metric", METRIC), captions.Setting("linkage", LINKAGE))


def show(models: Models) -> None:
    """Draw the fields; for each model the heatmap and the selected pair."""
    if text_vectors.are_chosen(inputs.OF):
        if read := named_texts.fields(models, reading=_settings):
            if (every := len(named_texts.names(read[0]))) > matrix.MAX_WORDS:
                st.text(f"The first {matrix.MAX_WORDS} of these {every:,} are compared.")
            _one_space(inputs.in_space(read), st.container())
            if inputs.PROCESSED.value == inputs.fitted_here():  # others have no raw vectors to compare with
                _groups(named_texts.labelled(read[0]), read, inputs.fitted_here())
        return
    _, container = inputs.bar(models[0].name)
    left, middle, right = st.columns(3, gap="small")
    with left:
        vectors = inputs.chosen_vectors(models[0].name)
    with middle:
        second_space.fields(models[0])
    with right:
        _settings()
    own = models[0]
    models = inputs.within(models, vectors)
    inputs.left_out(own.name)
    if second_space.OTHER.value == second_space.NOTHING:
        _one_space(models, container)
    else:
        second_space.show(models, vectors, container)
    if inputs.is_static() and (text := inputs.groups(own.name)):
        second = second_space.PROCESSED.value if second_space.OTHER.value == second_space.SAME else AS_IS
        _groups(text, models, inputs.PROCESSED.value if inputs.PROCESSED.value != AS_IS else second)


def _one_space(models: Models, container: Any) -> None:
    """Draw for each model the heatmap and the selected pair."""

    def query(model: Model) -> Call:
        return _query(model, models[0])

    answers = running.ask(
        "result",
        query,
        models,
        FIRST,
        label=inputs.READING,
        container=container,
        prints=("headline", "pairs", "similarity.cophenetic", "level"),
    )
    inputs.suggest(answers, query, models, container)
    if not answers:
        return
    answers = inputs.same_list(answers)
    edited = answers[-1].model.change.edits
    running.say(verdict.largest_change if edited else verdict.two_lists, answers, parts="similarity")
    if len(answers) == 2:
        one, other = answers
        titles = (one.model.title, other.model.title)
        for line in token_differences(one.value.similarity.tokens, other.value.similarity.tokens, titles):
            st.text(line)
    waiting = not answers[0].stale and len(models) == 2 and not running.refused(query, models[1])
    _heatmaps(answers, models if waiting else models[: len(answers)])


def _query(model: Model, first: Model) -> Call:
    return Call(
        compare_with_random_words,
        words=named_texts.compared(model, first),
        metric=METRIC.value,
        linkage=LINKAGE.value,
        **inputs.at_depth(inputs.arguments(), model, first),
    )


def _groups(text: str, models: Models, space: Space) -> None:
    """Draw how similar words within and between the groups of the list are, in the processed space and its controls."""
    if len(text.splitlines()) < 2:
        return
    models = tuple(model.within(AS_IS) for model in models)
    answers = running.ask("groups", Call(group_means, text=text, space=space), models, prints=("headline", "table"))
    for container in running.containers(answers):
        with container as answer:
            st.text(answer.value.headline)
            if answer.value.left_out:
                st.text(f"Left out because the vectors do not have them: {', '.join(answer.value.left_out)}.")
            label = "Mean cosines within and between groups, with the controls"
            figures.as_table(answer.value.table, f"similarity-groups{shown.suffix()}", label)


def _settings() -> None:
    with figures.expander(
        "tree", f"Settings: {METRIC.value}, {LINKAGE.value} linkage", ":material/account_tree:"
    ) as opened:
        if opened:
            st.segmented_control(
                "Measure",
                required=True,
                help="Cosine similarity or Euclidean distance between vectors.",
                **METRIC.widget,
            )
            st.selectbox(
                "Linkage",
                help=" ".join(f"**{name}**: {how}." for name, how in matrix.LINKAGES.items()),
                **LINKAGE.widget,
            )
            st.caption(glossary.definition("linkage"))


@state.fragment
def _heatmaps(answers: Sequence[Answer[ComparedList]], models: Models) -> None:
    """Draw the heatmaps and the pair; `models` are those that are asked about the pair."""
    first = answers[0].value.similarity
    ordered = [first.words[i] for i in first.order]
    names, sides = [], []
    for container in running.containers(answers):
        with container as answer:
            inputs.tokens_badge(answer.value.similarity, answer.query["pieces"])
            shown.headline(answer.value.headline)
            if answer.value.note:
                st.text(answer.value.note)
            left, right = shown.split([3, 2], gap="medium")
            with left:
                _heatmap(answers, answer.value, ordered)
            names.append(f"{NAME}{shown.suffix()}")
            sides.append(right)
    with (
        sides[0] if len(answers) == 1 else st.container(),
        st.container(key="beside-heatmap", height="stretch"),
        st.container(),
    ):
        chosen = pair.show(answers, models)
    i, j = (ordered.index(word) for word in chosen)
    if i != j:
        for name in names:
            chart = f".st-key-chart-{name}"
            css = f"{cells.framing(chart, len(ordered))}\n{cells.marking(chart, ordered, [(i, j), (j, i)])}"
            st.html(f"<style>{css}</style>")


def _heatmap(answers: Sequence[Answer[ComparedList]], result: ComparedList, ordered: list[str]) -> None:
    first, *others = (answer.value for answer in answers)
    own = not shown.suffix()  # not by the result, which is the same object for two models with equal weights
    figures.show(
        charts.word_list,
        result,
        (others[0] if own else first) if others else None,
        order=None if own else first.similarity.order,
        name=NAME,
        options={"pick": _pick(ordered), "above": 22.2},
    )
    if not own:
        test = (
            " [[ρ]] measures whether both rank the pairs in the same way; the [[p-value]] comes from a [[Mantel test]]."
        )
        page.caption(
            f"{result.level} The {result.kind}s are in the order of the first heatmap's tree, and both heatmaps use the"
            f" same colour scale.{'' if answers[-1].model.change.edits else test}"
        )
        return
    kind = result.kind
    what = (
        f"the [[cosine]] of two {kind}s; a stronger blue means more similar, and orange means below zero"
        if result.similarity.metric == "cosine"
        else f"the [[Euclidean distance]] of two {kind}s; a stronger blue means nearer"
    )
    faithful = result.similarity.cophenetic
    kept = f" Its [[cophenetic correlation]] with the table is {decimal(faithful)}." if len(ordered) > 2 else ""
    if faithful != faithful:  # NaN
        kept = f" In the tree, all pairs of {kind}s have the same distance."
    few = len(ordered) <= cells.CLICKABLE
    see = "Click a cell to see its pair." if few else f"To see a pair, choose its {kind}s or its row in the table."
    page.caption(
        f"Each cell shows {what}. {see} {result.level} The tree ([[dendrogram]]) joins the most similar {kind}s"
        f" first.{kept}"
    )


def _pick(ordered: list[str]) -> figures.Pick:
    """Return how a cell or a row of the table chooses its pair."""

    def of_point(point: Mapping[str, Any]) -> tuple[str, str] | None:
        if "customdata" not in point:
            return None
        i, j = cells.cell_of(point["point_index"], len(ordered))
        return (ordered[i], ordered[j]) if max(i, j) < len(ordered) else None

    def choose(words: tuple[str, str]) -> None:
        state.put(dict(zip((pair.FIRST.key, pair.SECOND.key), words, strict=True)))

    return figures.Pick(choose, lambda row: (row.iloc[0], row.iloc[1]), of_point)


def _of_one(model: Model) -> Call:
    text_vectors.refuse(inputs.OF)
    return _query(model, model)


def _closest(compared: ComparedList) -> str:
    """Return the word of the list that is most similar to the first word of the list."""
    pairs, own = compared.pairs, compared.similarity.words[0]
    row = pairs[(pairs["first"] == own) | (pairs["second"] == own)].iloc[0]
    return str(row["second"] if row["first"] == own else row["first"])


READINGS = {
    "closest": Reading(_of_one, "Word most similar to the first word of the list", "word", _closest),
    "cosine": Reading(pair.selected, "Cosine of the selected pair", "number", "cosine"),
    "above-random": Reading(
        pair.selected, "Random pairs that are less similar than the selected pair", "number", "below", "%"
    ),
}
