"""Activation patching: at which layer and position the difference between two runs acts on an answer."""

from embtools.doors import door

__all__, __getattr__, __dir__ = door(
    __name__,
    {
        "tracing.attribution": ["attribute", "over_sentences"],
        "tracing.switching": ["switch_off"],
        "tracing.averages": ["average"],
        "tracing.cases": ["DrawnCases"],
        "tracing.components": ["trace_components", "trace_heads"],
        "tracing.positions": ["trace", "trace_positions"],
        "tracing.runs": ["two_runs"],
    },
)
