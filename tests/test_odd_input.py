"""Odd arguments for every public function of the library: it works, or says in plain words what is wrong."""

import inspect
import re
import signal
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import islice
from typing import Any

import pytest

from embtools import chance
from embtools.clusters import points, view
from embtools.spaces.space import Space
from tests.odd import values
from tests.odd.arguments import GROUPS
from tests.odd.world import World, functions, type_of

SECONDS = 30  # of one call; on a quiet machine the longest takes one
SENTENCE = "A seed must be a whole number from 0 to 4,294,967,295. Choose another one, such as 0."
ODD_SEEDS = (-1, 0.5, 1.0, True, "0", None, float("nan"), chance.LARGEST_SEED + 1, 10**30)
EXEMPT = {
    "occurrences.folder.": "steps of writing and reading a folder: their arguments are its own files",
    "paper.": "measured for a model, without a choice that could be odd",
    "scoring.": "measured for a model, with files that the command line names",
    "stored_scores.": "reads and writes a file of the command line, and puts its scores into sentences",
    "documents.": "reads a file of the command line: tests/test_documents.py tries damaged ones",
    "bias.association.checked_sets": "takes its sets by position: `weat` and `seat` pass theirs on to it",
    "bias.verdict.": "puts results into words",
    "arithmetic.verdict.strongest_run": "puts a result into words",
    "mask_filling.answers.best_answer": "a step of all answers",
    "mask_filling.answers.top_answers": "a step of all answers",
    "models.loading.fetch": "asks the network",
    "chance.seeds": "called with a number in the code",
    "messages.counted": "called with a count in the code",
    "lessons.": "tests/lessons tries any text, file, address and guess",
    "words.frequency.": "steps of `compare_with_random_words`: their groups come from there",
    "own_vectors.frequency.": "steps of `similar_words` and `nearest_words`: their words come from there",
    "similarity.path_search.": "a step of `path`: its rows come from there",
    "contents.": "reads what the cache is asked: tests/test_contents.py tries it",
    "memory.": "the cache itself: tests/test_memory.py tries it",
    "layer_combinations.combination_names": "called with a model's number of layers",
    "arithmetic.controls.patches": "a step of an experiment: its controls come from `experiment`",
    "arithmetic.controls.collected": "a step of an experiment: its probabilities come from the model",
    "mask_filling.controls.similar_words": "a step of an experiment: its ids come from the vocabulary",
    "mask_filling.controls.controls_by_id": "a step of `controls`: its ids come from the vocabulary",
    "mask_filling.controls.by_id": "a step of `controls`: its ids come from the vocabulary",
    "arithmetic.one_row.": "a step of `answer_rows`: its change comes from there",
    "arithmetic.effects.": "a step of `answer_rows`: its tables come from there",
    "mask_filling.replaced.named": "reads the result of `replaced`",
    "words.kinds.same_kind": "a step of `controls`: its ids come from the vocabulary",
    "mask_filling.likelihood.target_logs": "a step of `log_probabilities`: its states and ids come from there",
    "mask_filling.case_runs.": "steps of `battery`: their pairs come from there",
    "evidence.blocks.": "a step of `battery`: its pairs come from there",
    "evidence.dose_runs.": "a step of `dose`: its pairs come from there",
    "evidence.dose_result.": "reads the result of `dose`",
    "evidence.analogy_runs.": "steps of `analogies`: their items come from there",
    "evidence.analogy_result.": "reads the result of `analogies`",
    "evidence.new_words.": "reads the cases of `battery`",
    "statistics.share_intervals.": "reads the spreads of `crossed_spread`",
    "evidence.analogy_tables.": "steps of `analogies`: their ranks come from there",
    "evidence.pair_battery.rates_of": "reads the items of `pair_battery`",
    "evidence.stereoset.": "reads the items of `pair_battery`",
    "evidence.rates.": "reads the cases of `battery`",
    "evidence.findings.": "reads the result of `battery`",
    "statistics.reporting.few": "puts counts of a result into words",
    "evidence.study.": "reads the result of `study`",
    "evidence.colour_uses.spearman": "a step of `colour_uses`: its tables come from there",
    "files.": "steps of the command line: their arguments are its own files",
    "arithmetic.drafts.rarest": "called with words of the vocabulary, at least one",
    "clusters.projections.": "steps of a map: their vectors are those of its points",
    "clusters.dimensions.differences": "a step of `group_dimensions`: its labels come from there",
    "attention.tasks.clear": "reads a row of the result of another function",
    "bias.leanings.same_side_p": "reads the result of another function",
    "bias.leanings.more_than_chance": "reads the result of another function",
    "decomposition.controls.against_nearest": "reads the result of another function",
    "decomposition.controls.significance": "reads the result of another function",
    "decomposition.learned.about_file": "reads a file: tests/decomposition/test_learned.py tries other files",
    "decomposition.learned.read": "reads a file: tests/decomposition/test_learned.py tries other files",
    "decomposition.learned.write": "writes a file of the command line",
    "decomposition.learned.strongest": "a step of `LearnedDictionary.codes`: its scores come from there",
    "decomposition.offered_dictionaries.names_of": "called with the checksum of a model",
    "decomposition.feature_words.promoted_words": "a step of `feature_occurrences`: its directions come from there",
    "corpus.parts_of_speech.": "the odd model knows none of the labelled words: tests/corpus has a test of it",
    "decomposition.feature_words.strongest_words": "a step of `features_of_word`: its features come from there",
    "dictionary.": "steps of the command line: tests/dictionary tries wrong files and numbers",
    "lens.": "steps of the command line: tests/lens tries wrong folders and numbers",
    "models.batches.": "steps of `encode_many`: their rows come from there",
    "models.lens_training.": "a step of fitting a tuned lens: its states come from there",
    "models.tuned_lens.": "files next to the weights: tests/models/test_tuned_lens.py tries other files",
    "isotropy.resampling.": "a step of the comparison of spaces: its labels and draws belong together",
    "own_vectors.reading.read_file": "reads a file: tests/own_vectors/test_reading.py tries other files",
    "own_vectors.rows.": "steps of `read_vectors`",
    "own_vectors.columns.": "steps of `read_vectors`, which gets odd files",
    "own_vectors.names.": "steps of `read_vectors`, which gets odd files",
    "tables.": "steps of the readers of files and texts: tests/tables and tests/test_attacks.py try them",
    "own_vectors.word2vec.": "steps of `read_vectors`, which gets odd files",
    "own_vectors.arrays.": "steps of `read_vectors`: tests/own_vectors/test_arrays.py tries odd arrays",
    "own_vectors.word_vectors.in_model": "called with the words of a file",
    "own_vectors.word_vectors.table_or_example": "called with what was read",
    "models.language.is_foreign": "a step of `reading_notes`, which gets odd texts",
    "statistics.ranks.equal_to_first": "a step of comparisons: its values are computed",
    "spaces.fitting.along_random_directions": "a step of fitting: its plain space comes from there",
    "corpus.search.out_of_range": "writes a message",
    "rooms.": "questions and votes of a class: tests/rooms and tests/ui/rooms try odd ones",
    "attention.heads.combined": "a step of `attend`: its shares come from there",
    "attention.heads.options": "called with a model's layers and heads",
    "attention.heads.single_head": "called with a model's layers and heads",
    "attention.heads.members": "called with a model's layers and heads",
    "attention.heads.joined": "called with names of heads",
    "attention.neuron_words.words_of": "a step of `neurons`: its layer, token and neuron come from there",
    "models.layer_modules.layer_modules": "returns modules of the network",
    "models.last_states.": "steps of a forward pass: tests/models/test_last_states.py tries wrong positions",
    "models.layer_steps.computed": "a step of `layer_steps`: its states are tensors",
    "directions.groups.": "steps of `find_direction`: their vectors and groups come from there",
    "spaces.erasers.": "steps of `erase` and `mitigate`: their vectors and groups come from there",
    "spaces.two_groups.": "steps of `find_direction` and `mitigate`: their vectors and groups come from there",
    "directions.effects.": "steps of `erase` and `steer`: their changes come from there",
    "directions.fluency.": "steps of `steer`: their vectors come from there",
    "directions.find.turned": "a step of `find_direction`: its vectors come from there",
    "directions.new_classifier.": "steps of `erase` and `sweep`: their vectors and groups come from there",
    "directions.other_property.probes_after": "a step of `erase`: its states come from there",
    "directions.held_out_text.t": "steps of `erase` and `sweep`: their texts and changes come from there",
    "directions.erased.": "put results into words",
    "directions.direction.": "called with a method and the groups of `find_direction`",
    "directions.sweep.choose": "a step of `sweep`: its rows come from there",
    "tracing.guess.average_question": "needs a larger effect than the tiny model's; tests/tracing/test_guess.py asks it",
    "tracing.guess.arrives": "reads the result of another function",
    "tracing.components.head_rows": "a step of `trace_components`: its layer and heads come from there",
    "tracing.case_blocks.": "steps of `average`: their cases come from there",
    "tracing.average_tables.": "a step of `average`: its cases come from there",
    "tracing.cases.states_of": "a step of `average`: its cases come from there",
    "tracing.knockout.": "steps of `trace_components`: their layers and words come from there",
    "tracing.runs.with_shares": "a step of `trace_components`: its frames come from there",
    "tracing.runs.word_groups": "reads the tokens of texts of equal length",
}
"""Functions that get no odd arguments, by the beginning of their names, and why."""
INCLUDED = (
    "occurrences.folder.sampling.s", "occurrences.folder.described.sentence_positions", "paper.claims.", "corpus.common_words.frequent",
    "inputs.terms.", "messages.", "words.vectors.", "directions.groups.group_states",
)  # fmt: skip
FUNCTIONS = functions()


INPUTS = {
    "str",
    "int",
    "float",
    "bool",
    "bytes",
    "EmbeddingModel",
    "Corpus",
    "Corpus | CorpusFolder",
    "Change",
    "Equation",
    "Number | Word | Call",
}
"""What a function that makes sentences of what a visitor wrote takes; others make them of another function's result."""


def in_words(name: str) -> bool:
    """Whether a function only puts the result of another one into words: no visitor's input reaches it."""
    signature = inspect.signature(FUNCTIONS[name])
    kinds = {type_of(each.annotation) for each in signature.parameters.values()}
    plain = {kind for kind in kinds if kind in INPUTS or kind.startswith(("Sequence[str", "tuple[str", "str |"))}
    return type_of(signature.return_annotation) in ("str", "list[str]", "tuple[str, str]") and kinds != plain


def by_package() -> dict[str, list[str]]:
    """The functions that get odd arguments, by package."""
    found: dict[str, list[str]] = {}
    for name in FUNCTIONS:
        if name.startswith(INCLUDED) or not (name.startswith(tuple(EXEMPT)) or in_words(name)):
            found.setdefault(name.partition(".")[0], []).append(name)
    return found


TESTED = by_package()
WITH_SEED = [name for name, function in FUNCTIONS.items() if "seed" in inspect.signature(function).parameters]


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    place = tmp_path_factory.mktemp("odd")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("EMBTOOLS_CACHE", str(place / "cache"))
        patch.setenv("EMBTOOLS_DICTIONARIES", str(place / "small.safetensors"))
        yield World(place)


@contextmanager
def at_most(seconds: int) -> Iterator[None]:
    """Stop what takes longer."""

    def stop(number: int, frame: object) -> None:
        raise TimeoutError(f"more than {seconds} seconds")

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def use(function: Callable[..., Any], arguments: dict[str, Any]) -> None:
    """Call a function, and take the first things from what it returns if that is an iterator."""
    with at_most(SECONDS), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        warnings.simplefilter("error", RuntimeWarning)
        result = function(**arguments)
        if isinstance(result, Iterator):
            list(islice(result, 20))


def test_exempt_names_exist() -> None:
    for beginning in (*EXEMPT, *INCLUDED):
        assert any(name.startswith(beginning) for name in FUNCTIONS), beginning
    assert 350 < sum(map(len, TESTED.values())) < len(FUNCTIONS)


@pytest.mark.parametrize("package", TESTED)
def test_every_function_works_with_its_arguments(package: str, world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", sys.argv[:1])  # commands without arguments would read those of pytest
    for name in TESTED[package]:
        use(FUNCTIONS[name], world.arguments(name))


@pytest.mark.slow
@pytest.mark.parametrize("package", TESTED)
def test_odd_arguments_are_used_or_refused_in_plain_words(package: str, world: World) -> None:
    faults = []
    for name in TESTED[package]:
        for label, arguments in values.odd_arguments(FUNCTIONS[name], world.arguments(name)):
            try:
                use(FUNCTIONS[name], arguments())
            except Exception as error:
                if found := values.fault(error, label):
                    faults.append(f"{name} ({label}): {found}")
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize("name", WITH_SEED)
def test_every_function_refuses_an_odd_seed_with_the_same_sentence(name: str, world: World) -> None:
    arguments = world.arguments(name)
    for seed in ODD_SEEDS:
        with pytest.raises(ValueError) as raised:
            use(FUNCTIONS[name], arguments | {"seed": seed})
        assert str(raised.value) == SENTENCE, seed


@pytest.mark.parametrize("seed", ODD_SEEDS[:-4])
def test_settings_refuse_an_odd_seed_with_the_same_sentence(seed: Any, world: World) -> None:
    for settle in (
        lambda: Space("centred", shuffled=seed),
        lambda: view.check(view.View(seed=seed)),
        lambda: points.check(points.Words(GROUPS, shuffled=seed), world.model),
    ):
        with pytest.raises(ValueError, match=f"^{re.escape(SENTENCE)}$"):
            settle()
