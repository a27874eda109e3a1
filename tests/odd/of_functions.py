"""Arguments of single functions, where those for every function of a type do not fit."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from embtools import chance
from embtools.clusters.view import View
from embtools.decomposition.features_of_text import sentence_features
from embtools.dictionary.quality import Occurrences as WordOccurrences
from embtools.directions.lists import lists
from embtools.evidence.pair_files import PairList
from embtools.inputs.input_terms import pieces, terms
from embtools.isotropy.tasks import Triplet
from embtools.mask_filling.edits import Patch
from embtools.mask_filling.forward import Run
from embtools.mask_filling.likelihood import Masked
from embtools.models.patching import Blocked, Copied
from embtools.occurrences.corpus import Corpus
from embtools.occurrences.opened import opened
from embtools.paper.measured import Measured
from embtools.statistics.agreement import Ranks
from tests.odd.arguments import (
    COLOURS,
    GROUP_TEMPLATE,
    MASKED,
    SENSES,
    SENTENCES,
    WORDS,
    distances,
    labelled_words,
    made,
    vector,
    vectors,
)

if TYPE_CHECKING:
    from tests.odd.world import World


LEARNED = (
    "clamp.clamp", "feature_examples.effort", "feature_examples.features_of_examples",
    "feature_occurrences.feature_occurrences", "feature_table.effort", "feature_table.read_features", "feature_words.features_of_word",
    "sentence_features.sentence_features",
)  # fmt: skip
"""Functions that use the dictionary of the tiny model."""


def by_space(name: str) -> "Callable[[World], Any]":
    """What a function gives, as if it were that of two spaces."""
    return lambda w: {"raw": w.result(name), "processed": w.result(name)}


def tokens(w: "World") -> pd.DataFrame:
    return w.model.tokenize(MASKED)


def ids(w: "World") -> Any:
    return tokens(w)["id"].to_numpy()


def one_text(w: "World") -> pd.DataFrame:
    return pieces(("the bank is [MASK]",), w.model)


def analogy_items(w: "World") -> Any:
    """The analogies of two pairs."""
    return w.functions["evidence.analogy_runs.items_of"]((("rome", "italy"), ("paris", "france")), w.model, others=1)


def traced_cases(w: "World") -> Any:
    """Cases of an average trace."""
    return w.functions["tracing.cases.edited_cases"](
        PAIRS, w.model, sentence="{a} is the capital of [MASK] .", edit="{a} = {a} - {b} + {c}", count=4, others=1
    )


TRACED = (
    "runs.two_runs", "positions.trace", "positions.trace_positions", "components.trace_components",
    "components.trace_heads", "guess.layer_question", "guess.head_question",
)  # fmt: skip
BATTERIES = ("evidence.batteries.battery", "evidence.batteries.finished_pairs", "evidence.batteries.effort",
             "evidence.doses.dose", "evidence.doses.finished_pairs", "evidence.doses.effort")  # fmt: skip
LABELLED = "\n".join(
    f"{label} | {word} | the {word} is {colour}"
    for label, words in (("a", "king queen man woman rome"), ("b", "italy france paris bank river"))
    for word in words.split()
    for colour in ("red", "green")
)
"""Twenty items of ten words and two labels."""
ROWS = ((MASKED, ("rome = rome - italy + france",)), ("he is a ___", ()))
AVERAGED = "average.average", "average.finished_cases", "cases.edited_cases", "guess.average_question"
PAIRS = (("rome", "italy"), ("paris", "france"), ("king", "man"), ("queen", "woman"), ("red", "blue"), ("he", "she"))
TEN = tuple("rome italy france paris king queen man woman he she".split())
TEN_OTHERS = tuple("red green blue the is a of capital bank river".split())
TWENTY = lists()["flowers and insects"]
MINIMAL_PAIRS = PairList(
    "stereoset",
    (
        ("the king is red", "the queen is red", "royal", "the river is red", "king"),
        ("he is a man", "he works a man", "people", "he red a man", "man"),
    ),
)
OF_FUNCTION: dict[str, Any] = {
    **{
        f"directions.{f}.{which}": words
        for f in (
            "groups.group_states",
            "find.find_direction",
            "find.effort",
            "erase.erase",
            "erase.effort",
            "sweep.effort",
            "steer.steer",
        )
        for which, words in (("first", TEN), ("second", TEN_OTHERS))
    },
    **{
        f"directions.{f}.second": np.arange(20) % 2 > 0
        for f in ("groups.folds", "groups.shuffled", "new_classifier.halves", "new_classifier.right_in_folds")
    },
    "decomposition.dictionary_quality.table.rows": [{"dictionary": "learned", "explained": 0.8}],
    "directions.new_classifier.right_in_folds.vectors": vectors(20),
    "directions.new_classifier.left_over.vectors": vectors(40),
    "directions.new_classifier.left_over.groups": np.arange(40) % 2 > 0,
    "directions.new_classifier.left_over.eraser": "LEACE",
    "directions.new_classifier.left_over.rounds": 2,
    "directions.sweeping.effort.first": TWENTY[0],
    "directions.sweeping.effort.second": TWENTY[1],
    "directions.sweeping.sweep.first": TWENTY[0],
    "directions.sweeping.sweep.second": TWENTY[1],
    "directions.held_out_text.held_out_text.items": TEN,
    "directions.other_property.labelled_states.name": "tense",
    "directions.other_property.check_property.name": "tense",
    "directions.other_property.probes_after.read": lambda w: w.result("directions.other_property.labelled_states"),
    "directions.other_property.probes_after.changes": (np.asarray,),
    "directions.other_property.probes_after.layer": 1,
    "directions.near_copies.near_copies.texts": TEN,
    "directions.near_copies.near_copies.groups": TEN_OTHERS,
    "directions.steering.steer.first_answers": ("rome", "paris"),
    "directions.steering.steer.second_answers": ("king",),
    "directions.steering.shuffled_axes.vectors": vectors(20),
    "directions.steering.shuffled_axes.second": np.arange(20) % 2 > 0,
    "directions.fluency.fluency.axes": vectors(2),
    "directions.fluency.fluency.strengths": (-1.0, 0.0, 1.0),
    "directions.steering.answer_lists.first_answers": ("rome", "paris"),
    "directions.steering.answer_lists.second_answers": ("king",),
    "layers.survey.survey.words": 4,
    "layers.survey.fifty_words.words": 4,
    "arithmetic.drafts.built.less": ("italy",),
    "arithmetic.edit.read_edit.edits": ("rome = rome - italy + france",),
    "arithmetic.edit.edited_answers.edits": ("rome = rome - italy + france",),
    "arithmetic.later_edits.edits_by_layer.word": "france",
    "arithmetic.drafts.built.more": ("france",),
    "arithmetic.drafts.to_add.less": "italy",
    "arithmetic.effects.summary.effects": lambda w: w.result("arithmetic.many.answer_rows").effects,
    "arithmetic.many.answer_rows.rows": ROWS,
    "arithmetic.many.effort.rows": ROWS,
    "arithmetic.rows.checked.rows": ROWS,
    "arithmetic.rows.read_table.source": b"sentence,edits\nhe is red,he = she\n",
    "arithmetic.drafts.merged.line": "rome = rome - italy + france",
    "isotropy.resampling.resamples.sizes": (3, 4),
    "paper.operations_on_spaces.even.seed": 0,
    "own_vectors.reading.read_vectors.data": b"word,a,b,kind\nred,1,2,x\nblue,2,1,x\ndog,0,1,y\n",
    "own_vectors.reading.read_vectors.name": "vectors.csv",
    "own_vectors.nearest.nearest_words.word": "red",
    "own_vectors.nearest.mean_cosine.vectors": vectors(10),
    "own_vectors.isotropy.participation.variances": lambda w: np.array([3.0, 2.0, 1.0]),
    "own_vectors.association.associate.x": ("red", "blue"),
    "own_vectors.association.associate.y": ("dog", "cat"),
    "own_vectors.association.associate.a": ("doctor", "lawyer"),
    "own_vectors.association.associate.b": ("joy", "fear"),
    "own_vectors.association.associate.permutations": 99,
    "statistics.tsne.positions.dimensions": 2,
    "statistics.tsne.positions.vectors": vectors(12),
    **{
        f"probing.accuracy.{f}.right": lambda w: {"a": np.ones(20), "b": np.eye(20)[0]}
        for f in ("not_distinguished", "chosen_again")
    },
    **{f"similarity.answers.{f}.words": COLOURS for f in ("one_piece_colours", "compare_answers")},
    "clusters.group_dimensions.differences.labelings": lambda w: [np.repeat([0, 1], 3), np.tile([0, 1], 3)],
    "corpus.frequent_words.formulas_of.has": lambda w: lambda word: word in ("king", "man", "woman", "queen"),
    "corpus.occurrence_map.least.groups": 2,
    "corpus.static_neighbours.static_neighbours.words": lambda w: pd.Series(["bank", "king", "river"]),
    "paper.operations_on_spaces.even.n": 20,
    "paper.operations_on_spaces.even.d": 4,
    "scoring.calibration.calibration.confidence": (0.9, 0.9, 0.2, 0.2),
    "scoring.calibration.calibration.right": (0, 1, 0, 1),
    "scoring.calibration.calibration.key": (0, 1, 2, 3),
    "statistics.exact.jackknife.estimate": lambda w: lambda rows: float(len(rows)),
    **{
        f"{f}.pairs": (("rome", "italy"), ("paris", "france"))
        for f in (
            *BATTERIES,
            "evidence.batteries.runs",
            "evidence.guess.battery_question",
            "evidence.guess.dose_question",
            "mask_filling.relations.pairs_of",
        )
    },
    **{
        f"{f}.sentences": ("{a} is the capital of [MASK] .",)
        for f in (
            *BATTERIES,
            "mask_filling.cases.read_sentences",
        )
    },
    "evidence.batteries.runs.sentences": 2,
    **{f"evidence.analogies.{f}.relations": ("pronoun",) for f in ("analogies", "finished_relations", "effort")},
    "evidence.analogy_runs.items_of.others": 2,
    "evidence.analogy_runs.ranks_of.items": lambda w: analogy_items(w),
    "evidence.analogy_runs.ranks_of.words": lambda w: np.arange(len(w.model.vocabulary)),
    "evidence.analogy_runs.ranks_of.vectors": lambda w: w.model.matrix,
    "evidence.analogy_tables.tables.relations": ("pronoun",),
    "evidence.analogy_tables.tables.layers": ("static",),
    "evidence.analogy_tables.tables.items": lambda w: (analogy_items(w),),
    "evidence.analogy_tables.tables.ranks": lambda w: (
        (
            w.functions["evidence.analogy_runs.ranks_of"](
                analogy_items(w), np.arange(len(w.model.vocabulary)), vectors=w.model.matrix
            ),
        ),
    ),
    **{
        f"evidence.{f}.{which}": f"the {word} is red"
        for f in ("minimal_pairs.minimal_pair", "minimal_pairs.pair_effort", "pair_tokens.prepare")
        for which, word in (("first", "king"), ("second", "queen"))
    },
    "evidence.pair_tokens.check_method.method": "word",
    "evidence.pair_tokens.seconds.rows": lambda w: w.result("evidence.pair_tokens.prepare").rows,
    **{f"evidence.pair_battery.{f}.pairs": MINIMAL_PAIRS for f in ("pair_battery", "sample", "effort")},
    "evidence.pair_batteries.pair_battery.first": 2,
    "evidence.pair_batteries.sample.first": 2,
    "evidence.pair_batteries.effort.first": 2,
    "evidence.pair_batteries.rates_of.items": lambda w: w.result("evidence.pair_batteries.pair_battery").items,
    "evidence.stereoset.scores_of.items": lambda w: w.result("evidence.pair_batteries.pair_battery").items,
    "evidence.pair_files.read.source": b"good,bad\nhe is red,he works red\n",
    "evidence.pair_files.read_pairs.data": b"good,bad\nhe is red,he works red\n",
    "evidence.pair_files.read_csv.text": "good,bad\nhe is red,he works red\n",
    "evidence.pair_files.write_csv.pairs": MINIMAL_PAIRS,
    "mask_filling.likelihood.token_masks.read": lambda w: w.functions["mask_filling.likelihood.sentence"](
        "the king is red", w.model
    ),
    "mask_filling.likelihood.token_masks.positions": (1, 2),
    "statistics.crossed.crossed_spread.successes": np.ones((2, 2)),
    "statistics.crossed.crossed_spread.trials": np.ones((2, 2), int),
    "statistics.crossed.crossed_p.differences": np.ones((2, 2)),
    "statistics.intervals.method_for.units": 10,
    "statistics.crossed.crossed_p.counts": np.ones((2, 2), int),
    **{f"evidence.dose.{f}.strengths": (0.0, 1.0) for f in ("dose", "finished_pairs")},
    "evidence.doses.checked_strengths.strengths": (0.0, 1.0),
    "evidence.dose_runs.dose_block.templates": ("{a} is the capital of [MASK] .",),
    "evidence.dose_runs.dose_block.strengths": (0.0, 1.0),
    "evidence.dose_runs.dose_block.places": ("input",),
    "evidence.dose_runs.dose_block.seed": 0,
    "evidence.dose_result.reaches.strengths": np.array([0.0, 1.0]),
    "evidence.dose_result.reaches.curve": np.array([0.0, 1.0]),
    "evidence.studies.study.name": "ties",
    "words.contexts.uses.lines": ("a red car", "a green tree", "the red tree"),
    "words.contexts.uses.words": ("red", "green"),
    "words.contexts.similarities.lines": ("a red car", "a green tree", "the red tree"),
    "words.contexts.similarities.words": ("red", "green"),
    "evidence.rates.advantage_of.cases": lambda w: w.result("evidence.batteries.battery").cases,
    "evidence.rates.advantage_of.form": "rate",
    "evidence.rates.rates_of.cases": lambda w: w.result("evidence.batteries.battery").cases,
    "evidence.blocks.block_cases.asked": ("{a} is the capital of [MASK] .",),
    "evidence.blocks.block_cases.stay": (),
    "evidence.blocks.block_cases.strength": 1.0,
    "evidence.blocks.block_cases.seed": 0,
    "evidence.blocks.block_cases.scope": "input",
    **{
        f"{f}.pairs": lambda w: (
            w.functions["mask_filling.cases.plan"]((("rome", "italy"), ("paris", "france")), w.model).pairs
        )
        for f in ("evidence.blocks.block_cases", "evidence.dose_runs.dose_block")
    },
    "mask_filling.pairs.read_pairs.text": "rome, italy",
    "mask_filling.pairs.read.source": b"a,b\nrome,italy\n",
    "mask_filling.cases.filled_edit.b": "italy",
    "mask_filling.cases.filled_edit.c": "france",
    "mask_filling.cases.filled.template": "{a} is red",
    "mask_filling.relations.relation.key": "capital",
    "mask_filling.training_overlap.similar_wordings.sentences": ("{a} is the capital of [MASK].",),
    "statistics.crossed.crossed_resamples.totals": np.ones((2, 2, 3)),
    "statistics.crossed.crossed_resamples.counts": np.ones((2, 2), int),
    "statistics.exact.sign_test.wins": 6,
    "statistics.exact.sign_test.losses": 1,
    "statistics.partitions.k_means_of_each.sets": lambda w: chance.generator(0).normal(size=(3, 12, 4)),
    "statistics.reporting.control_p.reached": 1,
    "statistics.reporting.control_p.controls": 19,
    "scoring.passages.held_out.files": (),
    "scoring.passages.pairs.sources": [],
    "scoring.running_text.masked_words.texts": (),
    "occurrences.folder.packing.mixed.occ": lambda w: np.arange(5),
    "occurrences.folder.packing.chosen.occ": lambda w: np.arange(5),
    "bias.association.weat.permutations": 99,
    "bias.association.seat.permutations": 99,
    "statistics.association.association.permutations": 99,
    "bias.counterfactual.swap.text": "the king is a man",
    "bias.counterfactual.compare.sentence": "the king is a man",
    **{f"bias.groups.{f}.template": GROUP_TEMPLATE for f in ("group_answers", "lean_curve")},
    **{
        f"bias.{f}.templates": ("{group} is the {occupation}",)
        for f in ("likelihood.template_scores", "likelihood.effort", "occupations.score_occupations")
    },
    "bias.likelihood.swapped_answers.first": "he works as a [MASK]",
    "bias.likelihood.swapped_answers.second": "she works as a [MASK]",
    "bias.likelihood.swapped_words.first": "he works as a king",
    "bias.likelihood.swapped_words.second": "she works as a king",
    "bias.mitigation.cost.answers": ("italy|france",) * 2,
    "bias.mitigation.gain.templates": (GROUP_TEMPLATE,),
    "bias.mitigation.effort.templates": (GROUP_TEMPLATE,),
    "clusters.group_dimensions.group_dimensions.vectors": vectors(30),
    "clusters.group_dimensions.group_dimensions.labels": lambda w: np.repeat(np.arange(3), 10),
    "clusters.group_dimensions.group_dimensions.names": ("a", "b", "c"),
    "clusters.group_tests.numbers.vectors": vectors(12),
    "clusters.maps.stability.view": View(perplexity=2),
    "corpus.senses.recovery.corpus": lambda w: Corpus(
        (*SENTENCES, "the bank of paris is red", "a river and a bank is green"),
        tuple(("bank" if s else "", s) for s in (*SENSES, "money", "river")),
    ),
    "corpus.senses.recovery_of_all.corpus": lambda w: w.arguments("corpus.senses.recovery")["corpus"],
    "decomposition.lasso.path.shares": (0.9, 0.5),
    "decomposition.lasso.mixes.shares": (0.9, 0.5),
    "decomposition.patching.patch_site.text": "the bank is [MASK] .",
    "decomposition.targets.formula.text": "king - man + woman",
    **{
        f"decomposition.formula.{f}.text": "king - man + woman"
        for f in ("decompose_formula", "formula_controls", "formula_path")
    },
    "decomposition.patched.patch_word.text": "the bank is [MASK] .",
    **{f"decomposition.{f}.dictionary": "layer 1, small" for f in LEARNED},
    "decomposition.offered_dictionaries.open_dictionary.name": "layer 1, small",
    "decomposition.clamping.clamp.text": MASKED,
    "decomposition.clamping.clamp.feature": lambda w: (
        sentence_features(MASKED, w.model, dictionary="layer 1, small").feature
    ),
    "decomposition.feature_words.features_of_word.word": "king",
    **{
        f"decomposition.{f}.examples": ("king | the king is red", "queen | the queen is red")
        for f in (
            "examples.read_examples",
            "examples.example_vectors",
            "feature_examples.effort",
            "feature_examples.features_of_examples",
        )
    },
    "decomposition.learned.random_dictionary.vectors": vectors(30),
    "arithmetic.logit_lens.lens.tuned": False,
    "attention.layer_parts.whole_layer.tuned": False,
    "models.lens_training.minimise_kl.states": lambda w: w.model.hidden_states("the king is red"),
    "models.lens_training.minimise_kl.weights": lambda w: np.stack([np.eye(w.model.dimensions)] * w.model.layers),
    "models.lens_training.minimise_kl.biases": lambda w: np.zeros((w.model.layers, w.model.dimensions)),
    "models.lens_training.minimise_kl.steps": 1,
    "models.lens_training.minimise_kl.batch": 2,
    "lens.fit.masked_states.texts": ("the king is red",),
    "lens.fit.masked_states.most": 1,
    "dictionary.random_model.write_random_model.source": lambda w: w.root / "model",
    "dictionary.random_model.write_random_model.out": lambda w: w.root / "random-model",
    "dictionary.quality.by_chance.occurrences": lambda w: WordOccurrences(
        vectors(30)(w), np.array(["king"] * 30, object)
    ),
    "dictionary.quality.by_chance.meanings": lambda w: {"king": w.model.matrix[0]},
    "decomposition.sentence_words.compared_answers.states": lambda w: w.model.hidden_states(MASKED)[1][None],
    "decomposition.sentence_words.compared_answers.position": 1,
    "formula.parser.parse.text": "king - man + woman",
    "formula.parser.parse_equation.text": "rome = rome - italy + france",
    "isotropy.words_in_spaces.rotated.points": vectors(12, 2),
    "isotropy.words_in_spaces.analogy_ranks.words": ("man", "king", "woman", "queen"),
    "isotropy.your_words.own_analogy.words": ("man", "king", "woman", "queen"),
    "isotropy.your_words.odd_word.words": ("red", "green", "blue", "king"),
    "isotropy.your_words.grouped_words.text": "cities: rome, paris\ncolours: red, blue",
    "isotropy.verdict.analogy_finding.words": ("man", "king", "woman", "queen"),
    "isotropy.tasks.analogies.rows": lambda w: w.result("isotropy.population.population").means(
        w.result("isotropy.population.population").vectors, w.result("isotropy.population.population").owner
    ),
    "isotropy.tasks.senses.rows": lambda w: w.result("isotropy.population.population").vectors,
    "isotropy.tasks.scores.rows": lambda w: w.result("isotropy.population.population").vectors,
    **{
        f"{f}.lines": (
            "river | the bank is blue",
            "money | the bank works in paris",
            "river | a green bank is blue",
            "money | she is a bank",
        )
        for f in (
            "layers.comparisons.compare_word",
            "layers.sentences.read",
            "layers.sentences.in_common",
            "layers.word.one_word",
            "layers.word.combinations",
            "layers.word.segment_ids",
        )
    },
    "layers.senses.grid_auc.cosines": lambda w: chance.generator(0).uniform(size=(3, 5, 5, 5)),
    "layers.senses.with_senses.first": (1, 3),
    "layers.trajectories.plane.vectors": lambda w: vectors(12)(w).reshape(3, 4, 16),
    "mask_filling.edits.moved.original": vector(),
    **{
        f"models.{f}.name": "bundled"
        for f in ("catalogue.entry", "loading.load_model", "loading.is_here", "loading.fetch")
    },
    "models.catalogue.is_here.chosen": lambda w: w.functions["models.catalogue.entry"]("bundled"),
    "models.memory.check.name": "bundled",
    "pairs.batch.read_pairs.text": "he works | she works | yes\nhe is a king | it is red | no",
    "pairs.batch.read.source": b"first,second,label\nhe works,she works,yes\n",
    "words.groups.read_table.source": b"word,group\nparis,france\n",
    "words.groups.is_pasted_table.text": "word,group\nparis,france\n",
    "words.groups.read_groups.text": "france: paris, lyon",
    "probing.items.read.source": lambda w: (
        "sentence,word,label\n" + "".join(f"{i.sentence},{i.word},{i.label}\n" for i in labelled_words(w))
    ).encode(),
    "probing.items.read_items.text": lambda w: "\n".join(
        f"{i.label} | {i.word} | {i.sentence}" for i in labelled_words(w)
    ),
    "pairs.clusters.find.count": 2,
    **{
        f"probing.layers.{f}.labels": LABELLED
        for f in (
            "effort",
            "item_vectors",
            "items_of",
            "items_table",
            "layer_accuracy",
            "probe_combinations",
            "probe_fewer",
            "probe_layers",
            "probe_mistakes",
            "try_probe",
        )
    },
    **{
        f"probing.layers.{f}.pooling": "first token"
        for f in (
            "item_vectors",
            "layer_accuracy",
            "probe_combinations",
            "probe_fewer",
            "probe_layers",
            "probe_mistakes",
            "try_probe",
        )
    },
    "probing.layers.try_probe.sentence": "the king is red",
    **{f"probing.description_length.{f}.labels": LABELLED for f in ("describe_layers", "layer_codelength")},
    **{f"probing.description_length.{f}.pooling": "first token" for f in ("describe_layers", "layer_codelength")},
    "paper.claims.measure.name": "A1",
    "paper.claims.effort.names": ("A1", "C5"),
    "probing.features.read_features.pooling": "first token",
    "probing.predict.predict_labels.pooling": "first token",
    "probing.predict.predict_labels.sentence": "the king is red",
    "probing.accuracy.intervals.values": lambda w: chance.generator(0).uniform(size=(20, 3)),
    "statistics.probe.fit.vectors": vectors(20),
    "probing.online_code.online_bits.vectors": vectors(20),
    **{f"probing.online_code.{f}.ends": (5, 20) for f in ("online_bits", "frequency_bits")},
    **{f"probing.online_code.{f}.choices": 2 for f in ("online_bits", "frequency_bits")},
    "probing.online_code.portions.units": 20,
    "probing.online_code.portions.labels": 2,
    "probing.online_code.shuffled.types": ("king", "queen", "king", "rome"),
    "probing.online_code.shuffled.labels": 2,
    "probing.codelength.measure.orders": 2,
    "statistics.probe.held_out.vectors": vectors(20),
    **{
        f"{f}.labels": ("a",) * 10 + ("b",) * 10
        for f in (
            "statistics.probe.split",
            "statistics.probe.held_out",
            "statistics.probe.fit",
            "statistics.probe.random_labels",
            "probing.scores.confusion",
            "probing.scores.per_label",
            "probing.accuracy.is_right",
            "probing.online_code.online_bits",
            "probing.online_code.frequency_bits",
        )
    },
    "probing.curve.learning_curve.vectors": vectors(20),
    "probing.scores.mistakes.probabilities": lambda w: np.full((20, 2), 0.5),
    "scoring.cloze.capitals.templates": ("{capital} is the capital of [MASK] .",),
    "scoring.report.evaluate.templates": (),
    **{
        f"similarity.answers.{f}.template": "the {word} is [MASK] ." for f in ("slot_probabilities", "ask_most_similar")
    },
    "similarity.sheep.black_sheep.template": "the {word} is [MASK] .",
    "similarity.sheep.black_sheep.colours": ("red", "green"),
    "similarity.answers.slot_probabilities.answers": ("red", "green"),
    **{
        f"similarity.colours.{f}.words": ("red", "green", "blue", "white", "black")
        for f in ("known_colours", "compare_colours")
    },
    "similarity.colours.compare_with_perception.words": ("red", "green", "blue", "white", "black"),
    "similarity.colours.compare_with_perception.cosines": lambda w: np.corrcoef(vectors(5)(w)),
    "similarity.matrix.preset.name": "Colours",
    "words.groups.preset.name": "months",
    "wordlists.load.name": "months",
    **{
        f"similarity.{f}.{p}": v
        for f in ("pair.pair", "pair.path")
        for p, v in (("first", "king"), ("second", "queen"))
    },
    "similarity.matrix.difference.first": distances(4),
    "similarity.matrix.difference.second": distances(4, 1),
    "statistics.ranks.share_below.values": lambda w: np.array([0.1, 0.3]),
    "statistics.ranks.share_below.numbers": lambda w: np.array([0.1, 0.2, 0.4]),
    "statistics.permutations.permutation_test.n": 4,
    "statistics.permutations.permutation_test.scores": lambda w: chance.generator(0).normal(size=30),
    "vectors.top_k.scores": lambda w: chance.generator(0).normal(size=30),
    "words.occurrences.read.sentences": SENTENCES[7:],
    "words.occurrences.occurrence_of.word": "king",
    "words.occurrences.occurrence_of.occurrence": 1,
    "words.occurrences.occurrence_of.sentence": "the king is red",
    "words.occurrences.occurrence_of.tokens": ("[CLS]", "the", "king", "is", "red", "[SEP]"),
    "arithmetic.nearest_tokens.near_in_both.first": made("arithmetic.nearest_tokens.nearest"),
    "arithmetic.nearest_tokens.near_in_both.second": made("arithmetic.nearest_tokens.nearest"),
    "arithmetic.nearest_tokens.credit.ranks": made("arithmetic.nearest_tokens.analogy"),
    "arithmetic.controls.leading.answers": made("arithmetic.controls.experiment", "answers"),
    "arithmetic.controls.summary.frame": made("arithmetic.controls.experiment", "controls"),
    "arithmetic.later_answers.summary.frame": made("arithmetic.later_answers.layer_edits"),
    "arithmetic.later_answers.sentence.frame": made("arithmetic.later_answers.layer_edits"),
    "arithmetic.later_answers.layer_edits.word": "france",
    "arithmetic.later_answers.sentence.word": "france",
    "arithmetic.many.answers.rows": ((MASKED, ("rome = rome - italy + france",)), ("he is a ___", ())),
    "arithmetic.scopes.sentence.answers": made("arithmetic.scopes.first_answers"),
    "arithmetic.verdict.of_many.frame": lambda w: w.functions["arithmetic.many.answers"](
        **w.arguments("arithmetic.many.answers") | {"with_controls": True}
    ),
    "attention.layer_arithmetic.written.dimension": 3,
    "attention.strongest_neurons.neuron_strengths.activations": lambda w: vectors(1, 32)(w)[0],
    "attention.neuron_words.layer_norm.norm": lambda w: (np.ones(16), np.zeros(16), 1e-6),
    "attention.layer_parts.checked_position.position": 1,
    "models.layer_steps.steps_of_texts.rows": lambda w: [ids(w)],
    "models.layer_steps.steps_of_texts.layers": (1, 2),
    "attention.tasks.cases.task": "next token",
    "attention.tasks.clear.row": lambda w: w.result("attention.tasks.scores").best.iloc[0],
    "attention.tasks.score.weights": lambda w: np.full((4, 3, 3), 1 / 3),
    "attention.tasks.finding.best": made("attention.tasks.scores", "best"),
    "statistics.association.association.sets": lambda w: [vectors(2, seed=n)(w)[:, None] for n in range(4)],
    "bias.directions.ripa.words": vectors(5),
    "bias.directions.ripa.x": vectors(3, seed=5),
    "bias.directions.ripa.y": vectors(3, seed=6),
    "bias.likelihood.summary.scores": made("bias.likelihood.template_scores"),
    "mask_filling.likelihood.log_probabilities.rows": lambda w: [Masked(ids(w), [6], [10])],
    "bias.likelihood.scored.summary": made("bias.likelihood.summary"),
    "bias.verdict.occupations.summary": made("bias.likelihood.summary"),
    "bias.verdict.occupations.first": "he",
    "bias.verdict.occupations.second": "she",
    "bias.mitigated.mitigate.method": "project away",
    "bias.residual.residual_map.method": "project away",
    "bias.mitigation.cost_summary.costs": made("bias.mitigation.cost"),
    "bias.two_models.batteries.first": made("bias.published_tests.battery", "frame"),
    "bias.two_models.batteries.second": made("bias.published_tests.battery", "frame"),
    "bias.verdict.battery.tests": made("bias.published_tests.battery", "frame"),
    "bias.two_models.swaps.first": made("bias.likelihood.swapped_words"),
    "bias.two_models.swaps.second": made("bias.likelihood.swapped_words"),
    "bias.verdict.swapped.words": made("bias.likelihood.swapped_words"),
    "bias.verdict.two_models.ranks": Ranks(0.5, 0.01, 8),
    "bias.verdict.agreement.fit": (0.5, 0.1, 0.8, 0.01),
    "bias.verdict.mitigation.gains": made("bias.mitigation.gain"),
    "bias.verdict.mitigation.costs": made("bias.mitigation.cost_summary"),
    "bias.verdict.mitigation.residuals": made("bias.residual.residual_bias"),
    "bias.verdict.mitigation.pair": ("he", "she"),
    "bias.verdict.erasers.residuals": made("bias.residual.residual_bias"),
    "statistics.neighbourhoods.shared.first": lambda w: np.array([[1, 2], [0, 2], [0, 1]]),
    "statistics.neighbourhoods.shared.second": lambda w: np.array([[1, 2], [0, 2], [0, 1]]),
    "clusters.trust.reading.measures": made("clusters.maps.compute", "trust"),
    "clusters.trust.stability.maps": lambda w: [vectors(20, 2)(w), vectors(20, 2, 1)(w)],
    "clusters.view.prepared.is_word": lambda w: np.ones(40, bool),
    **{f"corpus.occurrence_analogies.result_of.{p}": vector(9) for p in "abc"},
    "corpus.occurrence_analogies.check_words.words": ("king", "man", "woman"),
    "corpus.occurrence_analogies.check_words.expected": "queen",
    "corpus.occurrence_analogies.occurring.rows": lambda w: opened(Corpus(("The king is here.",)), w.model).of("king"),
    "corpus.senses.measure.labels": lambda w: np.repeat(np.arange(2), 6),
    "corpus.senses.measure.vectors": vectors(12),
    "decomposition.active_set.minimum.gram": lambda w: np.eye(3),
    "decomposition.active_set.minimum.linear": lambda w: np.ones(3),
    "decomposition.active_set.minimum.start": lambda w: np.zeros(3),
    "decomposition.controls.summary.compared": made("decomposition.controls.compare"),
    "decomposition.lasso.mixes.targets": lambda w: list(vectors(2)(w)),
    "decomposition.parts.by_word.table": made("decomposition.parts.decompose", "table"),
    **{
        f"decomposition.{f}.runs": made("decomposition.patching.patch")
        for f in ("patching.summary", "patching.by_number_of_words", "verdict.patching_finding")
    },
    "decomposition.patching.answers.vectors": vectors(3),
    "decomposition.verdict.finding.compared": made("decomposition.controls.compare"),
    "decomposition.verdict.trust.compared": made("decomposition.controls.compare"),
    "formula.expression.value.vector_of": lambda w: w.model.vector,
    "formula.expression.from_coefficients.weights": {"rome": 1.0, "italy": -1.0},
    **{
        f"{f}.frame": made("inputs.input_terms.pieces")
        for f in (
            "inputs.arrangements.answers",
            "inputs.input_terms.first_values",
            "inputs.input_terms.choices",
            "inputs.input_terms.first_choice",
            "inputs.input_terms.terms",
        )
    },
    "inputs.input_terms.pieces.texts": ("the bank is [MASK]", "a bank is red"),
    "inputs.arrangements.answers.frame": lambda w: one_text(w),
    "inputs.arrangements.answers.result": lambda w: terms(one_text(w), w.model, piece="bank"),
    **{
        f"inputs.vocabulary.{f}.frame": made("inputs.vocabulary.entries")
        for f in ("search", "window", "by_kind", "lengths")
    },
    "inputs.vocabulary.lengths.found": made("inputs.vocabulary.entries"),
    "inputs.vocabulary.list_entries.pattern": "king",
    **{
        f"inputs.comparison.{f}.texts": ("the bank is [MASK]", "a bank is red")
        for f in ("compare_positions", "compare_words", "follow_dimension", "rearrange")
    },
    "inputs.comparison.rearrange.texts": ("a bank is red", "the bank is [MASK]"),
    "inputs.lookup.round_trip.sentence": "the king is [MASK] .",
    **{
        f"isotropy.answers.{f}.by_space": by_space("isotropy.tasks.analogies")
        for f in ("by_relation", "ranks_by_space")
    },
    **{
        f"isotropy.answers.{f}.by_space": by_space("isotropy.tasks.senses")
        for f in ("senses_by_space", "senses_finding")
    },
    **{
        f"isotropy.{f}.overviews": by_space("isotropy.overview.overview_of")
        for f in (
            "overview.measures_table",
            "overview.scores_table",
            "overview.directions",
            "verdict.finding",
            "verdict.task_finding",
        )
    },
    "isotropy.tasks.draw_triplets.sizes": (3, 4, 5),
    "isotropy.tasks.solved.triplets": (Triplet(0, 1, 2),),
    "isotropy.tasks.solved.cosines": distances(4),
    "isotropy.tasks.better.first": lambda w: np.array([True, False]),
    "isotropy.tasks.better.second": lambda w: np.array([False, False]),
    "isotropy.verdict.neighbour_finding.table": made("isotropy.words_in_spaces.neighbours"),
    "isotropy.verdict.group_finding.table": made("isotropy.words_in_spaces.compare_groups", "table"),
    "isotropy.verdict.odd_finding.table": made("isotropy.words_in_spaces.odd_one_out"),
    "isotropy.verdict.analogy_finding.table": made("isotropy.words_in_spaces.analogy_ranks"),
    **{
        f"layers.comparisons.{f}.states": lambda w: {
            n: w.model.hidden_states(s) for n, s in enumerate(("the bank is blue", "a bank"))
        }
        for f in ("under_every_combination", "under_every_pooling")
    },
    **{
        f"layers.comparisons.{f}.occurrences": lambda w: pd.DataFrame(
            {"sentence": [1, 2], "position": [2, 2], "pieces": [1, 1]}
        )
        for f in ("under_every_combination", "under_every_pooling")
    },
    "layers.similar_layers.layer_similarity.sentences": ("the king is a man of rome and the queen is a woman of italy",)
    * 3,
    **{
        f"layers.layer_similarity.{f}.{p}": made("layers.similar_layers.layer_similarity")
        for f in ("between", "two_models")
        for p in ("first", "second")
    },
    "layers.published.compare_combinations.scores": made("layers.survey.stability"),
    "layers.survey.best.scores": made("layers.survey.stability"),
    **{
        f"layers.verdict.{f}.{p}": lambda w: pd.DataFrame(
            {"layer": [0, 1, 2], "auc": [0.4, 0.9, 1.0], "cosine": [0.9, 0.6, 0.5]}
        )
        for f in ("finding", "two_models")
        for p in ("layers", "first", "second")
    },
    "layers.verdict.two_combinations.first": made("layers.senses.pairs"),
    "layers.verdict.two_combinations.second": made("layers.senses.pairs"),
    "layers.verdict.held_out_auc.scores": made("layers.survey.survey", "scores"),
    "statistics.selection.held_out_best.scores": vectors(6),
    "layers.verdict.two_surveys.first": made("layers.survey.stability"),
    "layers.verdict.two_surveys.second": made("layers.survey.stability"),
    "mask_filling.answers.without.hidden": (0, 1),
    **{
        f"mask_filling.answers.ranking.{p}": lambda w: np.full(
            (1, len(w.model.vocabulary)), 1 / len(w.model.vocabulary)
        )
        for p in ("before", "after")
    },
    "mask_filling.sampling.tally.draws": made("mask_filling.sampling.random_answers"),
    "mask_filling.edited_models.edited_model.edits": ("rome = rome - italy + france",),
    "words.frequency.random_values.first": np.arange(5),
    "words.frequency.random_values.second": np.arange(5),
    "words.frequency.random_pairs.first": 0,
    "words.frequency.random_pairs.second": 0,
    "words.frequency.random_states.group": 0,
    "mask_filling.answers.top_answers.probabilities": vector(),
    "mask_filling.answers.top_answers.hidden": (1,),
    "mask_filling.edits.check_scope.scope": "input",
    "mask_filling.forward.logits_at.ids": ids,
    "mask_filling.forward.logits_at.segments": lambda w: np.zeros(9, np.int64),
    "mask_filling.forward.logits_at.positions": (6,),
    "mask_filling.forward.logits_at.patches": (Patch(),),
    "mask_filling.forward.logits_of.runs": lambda w: [Run(ids(w), (6,), Patch())],
    "mask_filling.forward.logits_of.segments": lambda w: np.zeros(9, np.int64),
    "mask_filling.forward.probabilities.logits": vectors(2),
    "mask_filling.forward.mask_positions.frame": tokens,
    "mask_filling.forward.mask_position.frame": tokens,
    "models.anatomy.input_parts.ids": ids,
    **{
        f"models.{f}.states": lambda w: np.stack(
            [w.model.hidden_states(s) for s in ("he is red", "she is red")], axis=1
        )
        for f in ("patching.with_copies", "patching.with_blocks", "components.layer_parts")
    },
    "models.patching.with_copies.copies": (Copied(0, 1, (1,)),),
    "models.patching.with_blocks.blocks": (Blocked(0, (2,), (1,), ((1, 1),)),),
    "models.patching.with_rows.states": lambda w: vectors(12)(w).reshape(3, 4, 16),
    "models.components.layer_parts.position": 1,
    "models.components.state_after.inputs": vectors(3),
    "models.components.state_after.attention": vectors(3, seed=1),
    **{f"tracing.{f}.edits": ("rome = rome - 9 * italy + 9 * france",) for f in TRACED},  # an effect far from zero
    **{f"tracing.{f}.text": MASKED for f in TRACED},
    **{f"tracing.{f}.pairs": PAIRS for f in AVERAGED},
    **{f"tracing.{f}.sentence": "{a} is the capital of [MASK] ." for f in AVERAGED},
    **{f"tracing.{f}.count": 4 for f in AVERAGED},
    "tracing.cases.edited_cases.others": 1,
    **{f"evidence.guess.{f}.sentence": "{a} is the capital of [MASK] ." for f in ("battery_question", "dose_question")},
    "evidence.guess.analogy_question.relations": ("pronoun",),
    "evidence.guess.analogy_question.of": "pronoun",
    "evidence.guess.analogy_question.inputs": "excluded",
    "evidence.guess.analogy_question.method": "3CosAdd",
    "evidence.guess.study_question.name": "ties",
    "evidence.guess.pair_question.pairs": MINIMAL_PAIRS,
    "evidence.guess.pair_question.first": 2,
    "tracing.average_tables.tables.moved": lambda w: w.functions["tracing.case_blocks.moved_in"](
        traced_cases(w), w.model
    ),
    "tracing.average_tables.tables.cases": lambda w: traced_cases(w).table,
    "tracing.case_blocks.moved_in.cases": lambda w: traced_cases(w),
    "tracing.cases.states_of.cases": lambda w: traced_cases(w),
    "evidence.analogy_runs.relation_ranks.items": lambda w: analogy_items(w),
    "evidence.analogy_runs.relation_ranks.words": lambda w: tuple(range(len(w.model.vocabulary))),
    "evidence.analogy_runs.relation_ranks.layers": (1,),
    "evidence.analogy_tables.relation_tables.items": lambda w: analogy_items(w),
    "evidence.analogy_tables.relation_tables.ranks": lambda w: (
        w.functions["evidence.analogy_runs.ranks_of"](
            analogy_items(w), np.arange(len(w.model.vocabulary)), vectors=w.model.matrix
        ),
    ),
    "statistics.ratios.ratio_interval.parts": vectors(6, 2),
    "statistics.ratios.ratio_interval.totals": lambda w: np.arange(1.0, 7.0),
    "tracing.runs.measured.states": vectors(3),
    "tracing.runs.log_probabilities.states": vectors(3),
    "tracing.runs.metric_of.logp": lambda w: -np.abs(vectors(6, 2)(w)),
    "tracing.runs.metric_of.metric": "difference",
    "models.gradients.answer_gradients.inputs": lambda w: vectors(5)(w)[None],
    "models.gradients.answer_gradients.segments": lambda w: np.zeros(5, np.int64),
    "models.gradients.integrated_gradients.inputs": vectors(5),
    "models.gradients.integrated_gradients.baseline": vectors(5, seed=1),
    "models.gradients.integrated_gradients.segments": lambda w: np.zeros(5, np.int64),
    "occurrences.rows.word_vectors.tokens": vectors(9),
    "occurrences.rows.word_vectors.firsts": lambda w: np.array([1, 3]),
    "occurrences.rows.word_vectors.pieces": lambda w: np.array([2, 1]),
    "occurrences.rows.spelling.ids": ids,
    "pairs.batch.built_in.false": "random",
    "pairs.questions.right_answer.question": "Why is the sky blue?",
    "pairs.random_pairs.references.lengths": (6, 9),
    "pairs.text_similarity.finding.frame": made("pairs.text_similarity.compare"),
    "pairs.clusters.effort.lines": SENTENCES,
    "paper.reports.line.claim": lambda w: w.result("paper.claims.claims")[0],
    **{f"paper.report.{f}.results": lambda w: {"A1": Measured("yes")} for f in ("table", "comparison", "finding")},
    "probing.verdict.finding.row": lambda w: w.result("probing.accuracy.measure").table.iloc[0].to_dict(),
    "probing.verdict.finding.kind": "words",
    "progress.through.items": (1, 2, 3),
    "layer_combinations.check_combination.names": ("layer 0", "layer 1"),
    "layer_combinations.pool.tokens": vectors(5),
    "layer_combinations.pool.positions": (1, 2),
    "spaces.fitting.nearest.centres": vectors(3),
    "spaces.fitting.nearest.vectors": vectors(5),
    "statistics.geometry.self_similarity.sums": lambda w: vectors(6)(w).reshape(3, 2, 16),
    "statistics.geometry.self_similarity.counts": lambda w: np.array([5, 6, 7]),
    "statistics.geometry.anisotropy.sums": lambda w: vectors(6)(w).reshape(3, 2, 16),
    "statistics.geometry.anisotropy.counts": lambda w: np.array([5, 6, 7]),
    "statistics.geometry.linear_cka.layers": lambda w: vectors(12)(w).reshape(2, 6, 16),
    "statistics.neighbour_test.share_in_group.nearest": lambda w: np.array([1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10]),
    "statistics.geometry.cka.one": lambda w: vectors(12)(w).reshape(2, 6, 16),
    "statistics.geometry.cka.other": lambda w: vectors(18)(w).reshape(3, 6, 16),
    "values.to_json.value": ("red", 1.5),
    "values.from_json.stored": {"kind": "tuple", "parts": ["red", 1.5]},
    "statistics.partitions.silhouette.metric": "cosine",
    "statistics.partitions.silhouette.vectors": vectors(12),
    "statistics.trees.optimal_leaf_ordering.merges": lambda w: w.result("similarity.matrix.compare_words").merges,
    "statistics.trees.optimal_leaf_ordering.distances": distances(5),
    "vectors.project.direction": vector(4),
    "vectors.reject.direction": vector(4),
    "words.occurrences.occurrence_table.found": ([(2,)],),
    "words.occurrences.occurrence_table.senses": ((),),
    "words.occurrences.token_table.occurrences": made("words.occurrences.occurrence_table"),
    "words.occurrences.spans.occurrences": made("words.occurrences.occurrence_table"),
    "words.vectors.check_reading.pieces": "mean",
    "statistics.agreement.ranks.first": {word: float(n) for n, word in enumerate(WORDS)},
    "occurrences.folder.described.sentence_positions.occ": lambda w: np.arange(3),
}
