"""How results draw themselves in a notebook: the first chart of a result's tab, at the defaults of the page.

The numbers know no charts. This is the only module below `charts/` that leads upwards: it has the names of functions in
`charts/`, which are imported when a result is displayed.
"""

import dataclasses
import importlib
import textwrap
from typing import Any, cast

_LIBRARY = __name__.rpartition(".")[0]
CHARTS: dict[str, str] = {
    "arithmetic.bulk_analogies.Analogies": "arithmetic.analogy_cells",
    "arithmetic.edit_result.EditedAnswers": "arithmetic.answers(bars, edited, answers)",
    "arithmetic.formula.NearestWords": "arithmetic.neighbours(kept, own)",
    "arithmetic.many.ManyResults": "arithmetic.effects",
    "attention.attended.AttendedWords": "attention.word_bars",
    "attention.head_steps.OneHead": "attention.weights",
    "attention.layer_parts.WholeLayer": "attention.layer_strips",
    "attention.strongest_neurons.Neurons": "attention.strongest_neurons",
    "attention.tasks.Scores": "attention.best_heads",
    "bias.answers_by_group.GroupAnswers": "bias.answers",
    "bias.counterfactual.Counterfactual": "bias.swapped_words",
    "bias.methods.Methods": "bias.gains",
    "bias.occupations.Occupations": "bias.ranges",
    "clusters.isotropy.of_file.Isotropy": "clusters.file_cosines",
    "clusters.isotropy.solved.SeparatedSenses": "clusters.senses",
    "clusters.isotropy.spaces.MeasuredSpaces": "clusters.histogram",
    "clusters.isotropy.spaces.ScoredSpaces": "clusters.scores",
    "clusters.map_result.Map": "maps.word_map",
    "clusters.senses.Recovery": "clusters.recovery",
    "clusters.sentences.Clusters": "clusters.silhouettes",
    "concepts.accuracy.Combinations": "concepts.combinations",
    "concepts.accuracy.LearningCurve": "concepts.over_items",
    "concepts.accuracy.Scores": "concepts.confusion(confusion)",
    "concepts.description_length.LayerCodes": "concepts.codelengths",
    "concepts.direction.Direction": "concepts.direction_layers",
    "concepts.erased.Erased": "concepts.left_over",
    "concepts.erased.Sweep": "concepts.choices",
    "concepts.layer_probes.LayerProbes": "concepts.probes",
    "concepts.steering.Steered": "concepts.odds",
    "corpus.analogy_results.Choices": "corpus.choices",
    "corpus.near_occurrences.Nearest": "corpus.cosines",
    "corpus.parts_of_speech.NeighbourParts": "corpus.parts_of_speech",
    "evidence.dose_result.Dose": "evidence.dose_curves",
    "evidence.minimal_pairs.MinimalPair": "evidence.token_strips",
    "evidence.pair_batteries.PairBattery": "evidence.pair_rates",
    "evidence.result.Battery": "evidence.cases",
    "features.clamping.Clamped": "features.clamped",
    "features.examples.ExampleFeatures": "features.examples",
    "features.patched.Patched": "features.patched",
    "features.results.Decomposition": "features.parts(parts.table)",
    "features.sentences.SentenceFeatures": "features.features",
    "features.uses.FeatureOccurrences": "features.feature_words",
    "inputs.comparison.Arrangements": "inputs.arrangements",
    "inputs.input_terms.Terms": "inputs.terms",
    "inputs.lookup.RoundTrip": "inputs.products",
    "inputs.position_vectors.Positions": "inputs.cosines",
    "inputs.vocabulary.Listing": "inputs.lengths",
    "layers.similar_layers.LayerSimilarity": "layers.layer_similarity",
    "layers.survey.FiftyWords": "layers.stability",
    "layers.word.Word": "trajectories.trajectories(moving)",
    "pairs.batch.Batch": "pairs.strips",
    "pairs.next_sentence.NextSentence": "pairs.controls",
    "pairs.questions.Answers": "pairs.answers",
    "pairs.text_similarity.Similarity": "pairs.random_cosines",
    "paper.reports.Report": "paper.verdicts",
    "paper.study_result.Study": "paper.study",
    "similarity.answers.ComparedAnswers": "matrix.answers",
    "similarity.colours.ColourComparison": "similarity.colour_pairs",
    "similarity.nearest.NearestWords": "similarity.nearest",
    "similarity.random_words.ComparedList": "matrix.word_list",
    "similarity.sheep.BlackSheep": "similarity.colour_probabilities",
    "similarity.spaces.TwoSpaces": "matrix.space",
    "statistics.association.Association": "bias.association",
    "tracing.attribution.Agreement": "tracing.agreement",
    "tracing.attribution.Attribution": "tracing.measures",
    "tracing.averages.Average": "tracing.average_lines",
    "tracing.components.Components": "tracing.heads",
    "tracing.positions.Trace": "tracing.effect_map",
    "tracing.switching.SwitchedOff": "tracing.answers",
}
"""The class of a result → the function that draws it; in parentheses, the parts that it takes if not the result itself.

The functions have the defaults of the pages for everything else that they take.
"""
_WIDTH = 100  # characters of a line of a result as plain text


class Displayed:
    """A result with a headline and a chart: notebooks show both, `print` the headline and the fields."""

    def __init_subclass__(cls, **named: Any) -> None:
        super().__init_subclass__(**named)
        cls.__repr__ = Displayed.__repr__  # type: ignore[method-assign]  # in the class, where `dataclass` leaves it

    def __repr__(self) -> str:
        fields = ", ".join(field.name for field in dataclasses.fields(cast(Any, self)))
        lines = (f"{type(self).__name__}: {headline(self)}", f"Fields: {fields}")
        return "\n".join(textwrap.fill(line, _WIDTH, subsequent_indent="  ") for line in lines)

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, Any]:
        """The figure in the type of plotly, and headline, alt text, table and figure as HTML."""
        plain = {"text/plain": repr(self)}
        try:
            drawn = chart(self)
        except (LookupError, ValueError):  # there is nothing to draw, such as for an empty mix
            return plain
        return plain | _chart_function("notebook.bundle")(headline(self), drawn)


def headline(result: Any) -> str:
    """Return the headline of a result; where it depends on a choice, with the default of the page."""
    value = result.headline
    return str(value() if callable(value) else value)


def chart(result: Any) -> Any:
    """Return the first chart of a result's tab: a `Chart` or a `Plot`."""
    own = f"{type(result).__module__}.{type(result).__name__}".removeprefix(f"{_LIBRARY}.")
    name, _, parts = CHARTS[own].removesuffix(")").partition("(")
    given = [_part(result, part) for part in parts.split(", ")] if parts else [result]
    return _chart_function(name)(*given)


def _part(value: Any, path: str) -> Any:
    for name in path.split("."):
        value = getattr(value, name)
    return value


def _chart_function(name: str) -> Any:
    module, _, function = name.rpartition(".")
    return getattr(importlib.import_module(f"{_LIBRARY}.charts.{module}"), function)
