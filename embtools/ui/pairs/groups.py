"""A tab of the Pairs page: groups among a visitor's own sentences."""

from typing import Any

import streamlit as st

from embtools.charts.pairs import groups as charts
from embtools.pairs import groups
from embtools.pairs.groups import Groups
from embtools.progress import Progress, silent
from embtools.recipes import SECOND_TO_LAST, SENTENCE_POOLINGS, recipe_names
from embtools.ui import cached, fields, figures, glossary, jobs, page, texts
from embtools.ui.fields import Choice, Number, Text
from embtools.ui.share import Code

TAB = "Groups of sentences"
FOUR_TOPICS = """weather | It will rain all day tomorrow.
weather | A cold wind is blowing from the north.
weather | The sun was hot and the sky was clear.
weather | Heavy snow fell during the night.
weather | There was thick fog in the morning.
weather | The storm brought thunder and rain.
food | Add the onions and fry them in butter.
food | Bake the bread until the crust is brown.
food | The soup needs more salt and pepper.
food | Boil the potatoes for twenty minutes.
food | She cut the cheese and the tomatoes.
food | Mix the flour with sugar and eggs.
football | The striker scored two goals in the final.
football | Our team lost the match on penalties.
football | The goalkeeper saved the last shot.
football | The referee showed him a red card.
football | They won the league for the third time.
football | The coach changed three players at half time.
money | The bank raised its interest rates again.
money | She paid the bill with a credit card.
money | Prices on the stock market fell sharply.
money | He borrowed money to buy a house.
money | The company reported a loss of two million.
money | Taxes on income will rise next year."""
REVIEWS = """good | The room was clean and quiet.
good | Breakfast was excellent and fresh.
good | The staff were friendly and helpful.
good | We loved the view from the balcony.
good | The bed was very comfortable.
good | The pool was large and warm.
bad | The room was dirty and loud.
bad | Breakfast was cold and stale.
bad | The staff were rude and slow.
bad | We hated the view from the window.
bad | The bed was hard and far too short.
bad | The pool was small and freezing."""
SENTENCES = Text("pairs_sentences", FOUR_TOPICS, 40_000)
RECIPE = Choice("pairs_group_recipe", SECOND_TO_LAST)
POOLING = Choice("pairs_group_pooling", "sentence: mean", SENTENCE_POOLINGS)
COUNT = Number("pairs_groups", 0, 0, groups.MAX_GROUPS, 1)
FIELDS = (SENTENCES, RECIPE, POOLING, COUNT)
PRESETS: dict[str, dict[str, Any]] = {
    "Four topics": {},
    "Praise and complaint": {SENTENCES.key: REVIEWS, COUNT.key: 2},
    "Without groups": {
        SENTENCES.key: "\n".join(
            (
                "The museum opens at ten.", "He never learnt to swim.", "A red car stood in the yard.",
                "Nobody answered the letter.", "The moon is smaller than the earth.", "She speaks four languages.",
                "Our cat sleeps all day.", "The bridge was built in 1902.", "Please close the window.",
                "They moved to Canada.", "The soup was too hot.", "My brother plays the violin.",
            )
        )
    },
}  # fmt: skip


def show(model: str, code: Code) -> None:
    """The sentences beside their map; below, what is typical of each group, and the silhouettes."""
    left, right = st.columns([2, 3], gap="medium")
    recipes = recipe_names(cached.model(model).layers)
    with left:
        st.text_area(
            f"Sentences, {groups.LEAST} to {groups.MOST}, one a line",
            height=210,
            help="The name of its group may stand in front of a sentence: food | Bake the bread. It is used to check"
            " the groups, never to find them.",
            **SENTENCES.widget,
        )
        problems = st.container()
        _settings(recipes)
    recipe = RECIPE.value if RECIPE.value in recipes else RECIPE.default
    lines = fields.lines(SENTENCES.value)
    asked = (lines, recipe, POOLING.value, int(COUNT.value))
    with left:
        if not _may_begin(model, asked):
            return
    answer = jobs.ask(
        "pairs-groups",
        found,
        model,
        asked,
        (fields.lines(SENTENCES.default), RECIPE.default, POOLING.default, COUNT.default),
        label="Reading the sentences",
        place=problems,
    )
    if answer is None:
        return
    with right, st.container(key="hero"), jobs.results(answer, "pairs-groups", answer.asked[0][0][:80] + " …"):
        _map(answer.value)
    with st.container(key=f"{'stale' if answer.stale else 'fresh'}-pairs-more"):
        _more(answer.value)
    lines, recipe, pooling, count = answer.asked
    code.add(
        "groups",
        "lines = [",
        *(f"    {line!r}," for line in lines),
        "]",
        f"grouped = groups.find(lines, model, {recipe!r}, {pooling!r}, count={count})",
        "print(groups.finding(grouped), grouped.agreement, grouped.words_alone)",
        "print(grouped.table, grouped.curve, grouped.sentences, sep='\\n')",
    )


def found(
    lines: tuple[str, ...], recipe: str, pooling: str, count: int, *, model: Any, progress: Progress = silent
) -> Groups:
    """The groups of the sentences."""
    return groups.find(lines, model, recipe, pooling, count=count, progress=progress)


def effort(lines: tuple[str, ...], *, model: Any) -> float:
    """About how many seconds that takes."""
    return groups.effort(lines, model)


def _may_begin(model: str, asked: tuple[Any, ...]) -> bool:
    try:
        seconds = 0.0 if cached.known(found, model, *asked) else cached.compute(effort, model, asked[0])
    except ValueError:  # it is told beside the field
        return True
    return jobs.on_request("pairs-groups", f"Divide {len(asked[0])} sentences", seconds, (model, asked))


def _settings(recipes: tuple[str, ...]) -> None:
    count, more = st.columns([1, 1], gap="small", vertical_alignment="bottom")
    with count:
        st.number_input("Groups (0: by silhouette)", help=glossary.definition("silhouette"), **COUNT.widget)
    with more, st.popover("Layers and pooling", icon=":material/tune:"):
        st.selectbox("Layers", help=glossary.definition("recipe"), **RECIPE.among(recipes))
        st.selectbox("Pooling", help=glossary.definition("pooling"), **POOLING.widget)


def _map(result: Groups) -> None:
    st.header(texts.plain(groups.finding(result)), anchor=False)
    figures.chart(
        cached.figure(charts.places, result.sentences, result.kept),
        result.sentences,
        name="sentences",
        alt=charts.places_alt(result.sentences, result.kept),
    )
    page.seen(
        "Each point is a sentence; near points have similar vectors, as far as a plane can show it ([[PCA]]). Groups"
        " are found in all dimensions by [[k-means]], which finds some everywhere: so the [[silhouette]] stands beside"
        " that of what has none."
    )


def _more(result: Groups) -> None:
    left, right = st.columns([3, 2], gap="large")
    with left:
        st.header("What is typical of each group", anchor=False)
        figures.table(
            result.table,
            name="groups",
            column_config={
                "typical": st.column_config.TextColumn("nearest to the middle", width="medium"),
                "named": st.column_config.TextColumn("mostly named", width="small"),
                "share": st.column_config.NumberColumn("of these", format="percent"),
            },
        )
        if result.agreement == result.agreement:  # not nan: the sentences have names
            page.seen(
                f"With the names in front the groups agree to **{result.agreement:.2f}** ([[adjusted Rand index]]); as"
                f" many groups by [[shared words]], without a model, to {result.words_alone:.2f}."
            )
    with right:
        st.header("What it finds where there are no groups", anchor=False)
        figures.chart(
            cached.figure(charts.silhouettes, result.curve, result.count),
            result.curve,
            name="silhouettes",
            alt=charts.silhouettes_alt(result.curve, result.count),
        )
        page.seen(
            "The mean [[silhouette]] over the number of groups. Orange: the same words dealt to the sentences at random"
            " and read again; grey: clouds of the same spread without groups. Only what lies above both is a finding."
        )
