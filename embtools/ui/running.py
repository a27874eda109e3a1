"""How a panel asks its query: cached, with progress and Stop, errors next to their field, the last good answer kept."""

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import streamlit as st

from embtools.messages import shortened
from embtools.progress import Progress
from embtools.ui import captions, carried, guess_first, models, recorded, shown, state, stoppable, texts
from embtools.ui.call import Call
from embtools.ui.fields import Text
from embtools.ui.shown import Model
from embtools.ui.stoppable import Stopped
from embtools.words.vectors import pieces
from embtools.words.vectors import token_differences as differences

T = TypeVar("T")
Query = Call | Callable[[Model], Call]
"""A query, or a function that returns the query for a model (for example with a layer at the same depth)."""
Watch = Callable[[Call, Model], AbstractContextManager[Callable[[float], None]]]
"""Opens what receives the progress of the work for a query about a model."""

_PENDING, _REFUSED = "running-pending", "running-refused"
HELD = "running-held"
"""Session key: by the names of buttons, the queries of the first model that the second is not asked until a press."""
PREVIOUS, EXAMPLE = "the previous result", "the page's example"  # what an answer is that the fields do not ask for
_MOST_SAID = 80  # characters of each text of a query that a stale answer names


@dataclass(frozen=True)
class Answer(Generic[T]):
    """A result with its query and its model; `stale` says what it is if the fields now hold another query.

    A stale answer is PREVIOUS, or EXAMPLE if the visitor has had no other one yet. `about` names its query if its
    `subjects` would not be what the visitor has typed.
    """

    name: str
    query: Call
    model: Model
    value: T
    stale: str = ""
    about: tuple[str, ...] = ()

    @contextmanager
    def shown(self, part: str = "") -> Iterator[T]:
        """A container for what shows this answer. A stale one is dimmed and says which query it answers."""
        key = "-".join(filter(None, ("stale" if self.stale else "fresh", self.name, part)))
        subjects = self.about or self.query.subjects
        about = captions.earlier(subjects) if self.stale else nullcontext()
        with st.container(key=f"{key}{shown.suffix()}"), about:
            if self.stale and not part:
                named = " | ".join(shortened(text, _MOST_SAID) for text in subjects)
                st.text(f"Showing {self.stale}, for: {named}" if named else f"Showing {self.stale}.")
            yield self.value


def begin() -> None:
    """Begin a run of a page: what a run that was interrupted wanted to ask the second model is not asked any more."""
    st.session_state.pop(_PENDING, None)
    st.session_state[HELD] = {}


def ask(
    name: str,  # unique on the page: the key of the stored answer, and the variable in the copied Python
    query: Query,
    models: Sequence[Model],  # the second one is asked after the page is drawn; then the page is drawn again
    first: Query | None = None,  # its answer is shown after an error if there was no good answer before
    *,
    label: str = "Computing",  # of the progress bar
    container: Any = None,  # where an error is shown; by default here
    suggest: Text | None = None,  # the field in which similar words are offered for a word that the model does not know
    report: Callable[[Exception], None] | None = None,  # shows an error in another way
    within: Mapping[str, Any] | None = None,  # arguments that an earlier or first query must have to be shown
    # What the copied Python prints: attributes, methods or items of the result ("headline", "ranked(3)", "[0]"), or the
    # result itself (""); None for no code at all.
    prints: Sequence[str] | None = ("",),
    watch: Watch | None = None,
) -> tuple[Answer[Any], ...]:
    """Return the answer of each model to a query; () if no query can be answered, not even an earlier one."""
    if prints is not None and guess_first.waiting():  # the visitor must guess first
        guess_first.form()
        return ()
    answer = _last_good(name, query, models[0], first, label, container, suggest, report, within or {}, watch)
    if answer is None:
        return ()
    answers: tuple[Answer[Any], ...] = (answer,)
    for model in models[1:]:
        if (other := _second(answer, query, model, label, first, watch)) is not None:
            answers = (*answers, other)
    if prints is not None:
        recorded.current().record(name, [(each.query, each.model, each.value) for each in answers], prints)
    return answers


def detail(
    name: str,
    query: Query,
    model: Model,
    *,
    label: str = "Computing",
    suggest: Text | None = None,
    prints: Sequence[str] | None = ("",),
) -> Any:
    """Return the result of a query about one model, for content inside a container; None after showing its error
    (parameters as in `ask`)."""
    own = attempt(lambda: query_for(query, model), suggest=suggest)
    value = None if own is None else attempt(lambda: run(own, model, label=label), suggest=suggest)
    if own is not None and value is not None and prints is not None:
        recorded.current().record(name, [(own, model, value)], prints)
    return value


def attempt(work: Callable[[], T], container: Any = None, *, suggest: Text | None = None) -> T | None:
    """Return what reading fields, or other work, returns; None after showing its ValueError in the container, by
    default here."""
    try:
        return work()
    except ValueError as error:
        with container if container is not None else nullcontext():
            texts.problem(error, suggest)
        return None


def containers(
    answers: Sequence[Answer[T]], *, part: str = "", gap: Any = "medium"
) -> list[AbstractContextManager[Answer[T]]]:
    """Return a container per answer, for `with container as answer:`, but none while the visitor must guess; another
    `part` has further containers for the same answers."""
    if not answers:
        return []
    if guess_first.waiting():
        guess_first.form()
        return []
    if not part:
        carried.effect(answers)
    columns = shown.columns([answer.model for answer in answers], gap=gap)
    return [_container(column, answer, part) for column, answer in zip(columns, answers, strict=True)]


def say(function: Callable[..., str], answers: Sequence[Answer[Any]], *arguments: Any, parts: str = "") -> None:
    """With two answers, draw `function(first, second, *arguments, titles)` as the headline, and record it as Python; it
    gets the attribute `parts` of both results, by default themselves."""
    if len(answers) != 2:
        return
    values = [getattr(answer.value, parts) if parts else answer.value for answer in answers]
    titles = tuple(answer.model.title for answer in answers)
    sentence = function(*values, *arguments, titles)
    shown.headline(sentence)
    recorded.current().say(function, answers[0].name, arguments, titles, parts)


def token_differences(
    answers: Sequence[Answer[Any]], words: Sequence[str] | Callable[[Answer[Any]], Sequence[str]]
) -> None:
    """With two answers, say which of the words are one token in one model only; a cased model can have other words, so
    they may be a function of an answer."""
    if len(answers) == 2:
        one, other = (
            run(Call(pieces, words=tuple(words(answer) if callable(words) else words)), answer.model)
            for answer in answers
        )
        for line in differences(one, other, (answers[0].model.title, answers[1].model.title)):
            st.text(line)


def run(query: Call, model: Model, *, label: str = "Computing", watch: Callable[[float], None] | None = None) -> Any:
    """Return the result of a query from the cache or compute it, with a progress bar (then `watch`) and Stop if it
    takes time; stopped work raises ValueError (see `stoppable`)."""
    if "progress" not in inspect.signature(query.function).parameters:
        return model.compute(query)
    work = _identity(query, model)

    def compute(progress: Progress) -> Any:
        def watched(done: float) -> None:
            progress(done)
            if watch is not None:
                watch(done)

        return model.compute(query, watched)

    return stoppable.run(_stopped(query), work, label, compute)


def was_stopped(query: Call, model: Model) -> bool:
    """Return whether the visitor has stopped the work for a query."""
    return _identity(query, model) in st.session_state.get(_stopped(query), ())


def resume(query: Call, model: Model) -> None:
    """Let stopped work for a query run again: the callback of a button."""
    stoppable.forget(_stopped(query), _identity(query, model))


def known(query: Call, model: Model) -> bool:
    """Return whether a query would be answered from the cache."""
    return model.has_computed(query)


def refused(query: Query, model: Model) -> bool:
    """Return whether the second model could not answer a query."""
    return model.was_opened and (model, query_for(query, model)) in st.session_state.get(_REFUSED, {})


def settled(query: Query, model: Model) -> bool:
    """Return whether it is known without any work what the second model answers, or that it cannot."""
    return model.was_opened and (known(query_for(query, model), model) or refused(query, model))


def finish() -> None:
    """After everything is drawn, ask the second model what it was not asked yet; then draw the page again."""
    pending, again = st.session_state.pop(_PENDING, []), False
    for query, model, label, slot, watch in pending:
        with slot.container():
            if not model.was_opened:
                models.load(model.name)
                model.open()
            again |= _ask_second(query, model, label, watch)
    if again:
        st.rerun()


def _ask_second(query: Query, model: Model, label: str, watch: Watch | None) -> bool:
    """Ask the second model; returns whether the page must be drawn again, with its answer or the reason for none."""
    try:
        own = query_for(query, model)
    except ValueError:  # the panel shows it
        return True
    try:
        with _watched(watch, own, model) as watched:
            run(own, model, label=f"{label} ({model.title})", watch=watched)
    except Stopped as stopped:
        texts.problem(stopped)
        return False
    except ValueError as error:
        st.session_state.setdefault(_REFUSED, {})[model, own] = str(error)
    return True


def query_for(query: Query, model: Model) -> Call:
    """Return the query for a model."""
    return query if isinstance(query, Call) else query(model)


def _last_good(
    name: str,
    query: Query,
    model: Model,
    first: Query | None,
    label: str,
    container: Any,
    suggest: Text | None,
    report: Callable[[Exception], None] | None,
    within: Mapping[str, Any],
    watch: Watch | None,
) -> Answer[Any] | None:
    key, own = f"good-{name}-{model}", None
    try:
        own = query_for(query, model)
        with _watched(watch, own, model) as watched:
            value = run(own, model, label=label, watch=watched)
    except ValueError as error:
        if report is not None and not isinstance(error, Stopped):
            report(error)
        else:
            with container if container is not None else st.container():
                texts.problem(error, suggest)
        example = None if first is None else query_for(first, model)
        for last, stale in ((st.session_state.get(key), PREVIOUS), (example, EXAMPLE)):
            if last is not None and last != own and all(last[name] == value for name, value in within.items()):
                try:
                    return Answer(name, last, model, run(last, model, label=label), stale)
                except ValueError:
                    continue
        return None
    st.session_state[key] = own
    return Answer(name, own, model, value)


def _second(
    answer: Answer[Any], query: Query, model: Model, label: str, first: Query | None, watch: Watch | None
) -> Answer[Any] | None:
    """Return the second model's answer if it is cached; otherwise it is asked at the end, unless it would be stale."""
    wanted, paired = query, f"second-{answer.name}-{model}"
    if answer.stale:  # the query that the first model answers
        is_first = first is not None and answer.query == query_for(first, answer.model)
        asked, own = st.session_state.get(paired, (None, answer.query))  # what it was asked then
        wanted = first if first is not None and is_first else own if asked == answer.query else answer.query
    slot, held = st.empty(), bool(answer.stale) or answer.query in st.session_state.get(HELD, {}).values()
    pending = [] if held else st.session_state.setdefault(_PENDING, [])
    if not model.was_opened:
        pending.append((wanted, model, label, slot, watch))
    else:
        try:
            own = query_for(wanted, model)
        except ValueError as error:
            with slot.container():
                texts.problem(f"{model.title}: {error}")
            return None
        if not answer.stale:
            st.session_state[paired] = answer.query, own
        refused = st.session_state.get(_REFUSED, {}).get((model, own))
        if known(own, model):
            return Answer(answer.name, own, model, run(own, model, label=label), answer.stale)
        if refused is None:
            pending.append((own, model, label, slot, watch))
        else:
            with slot.container():
                texts.problem(f"{model.title}: {refused}")
            return None
    if state.alone() and not held:
        st.rerun()  # only a full run asks the second model
    return None


def _watched(watch: Watch | None, query: Call, model: Model) -> AbstractContextManager[Callable[[float], None] | None]:
    return nullcontext() if watch is None else watch(query, model)


@contextmanager
def _container(column: AbstractContextManager[None], answer: Answer[T], part: str) -> Iterator[Answer[T]]:
    with column, answer.shown(part):
        yield answer


def _stopped(query: Call) -> str:
    return f"stopped-{query.name}{shown.suffix()}"


def _identity(query: Call, model: Model) -> str:
    return repr((model, query.arguments))
