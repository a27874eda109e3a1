"""The shared network has no hooks: everything that changes states inside it works without them, also for a moment."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
import torch
from torch.nn.modules import module as modules

from embtools.concepts.effects import masks_after, same
from embtools.concepts.steering import steer
from embtools.features.clamping import clamp
from embtools.features.sentences import sentence_features
from embtools.models.layer_steps import layer_steps
from embtools.models.switching import Off, with_parts_off
from embtools.tracing.components import trace_components
from embtools.tracing.positions import trace_positions
from tests.concepts.lists import BAD, GOOD
from tests.small_dictionary import SENTENCE, written

TEXT = "The king is [MASK] unable."
KINDS = ("_forward_hooks", "_forward_pre_hooks", "_backward_hooks", "_backward_pre_hooks")
GLOBAL = ("_global_forward_hooks", "_global_forward_pre_hooks", "_global_backward_hooks", "_global_backward_pre_hooks")
REGISTERING = (
    *("register_forward_hook", "register_forward_pre_hook", "register_full_backward_hook"),
    *("register_full_backward_pre_hook", "register_backward_hook"),
)


def ours(hook: Any) -> bool:
    """Whether a hook is not one of transformers, which installs some that collect hidden states and change nothing."""
    return not str(getattr(hook, "__module__", "")).startswith("transformers.")


def hooks(network: Any) -> int:
    """The number of our hooks of all modules of a network, and of those for all networks."""
    own = [hook for each in network.modules() for kind in KINDS for hook in getattr(each, kind).values()]
    return sum(map(ours, own)) + sum(len(getattr(modules, kind)) for kind in GLOBAL)


@pytest.fixture
def registered(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The hooks that are registered during a test, also those that are removed again."""
    recorded: list[str] = []
    for name in REGISTERING:
        register = getattr(torch.nn.Module, name)

        def noted(own: Any, hook: Any, *more: Any, name: str = name, register: Any = register, **named: Any) -> Any:
            if ours(hook):
                recorded.append(name)
            return register(own, hook, *more, **named)

        monkeypatch.setattr(torch.nn.Module, name, noted)
    yield recorded


def _steer(model: Any) -> None:
    answers = {"first_answers": ["red"], "second_answers": ["blue"]}
    steer([TEXT], model, first=BAD, second=GOOD, layer=1, draws=1, **answers)


def _clamp(model: Any) -> None:
    feature = sentence_features(SENTENCE, model, dictionary="layer 1, small").feature
    clamp(SENTENCE, model, dictionary="layer 1, small", feature=feature, draws=2)


def _trace(model: Any) -> None:
    arguments = {"second_text": "the queen is [MASK] .", "answers": ("red", "blue")}
    trace_positions("the king is [MASK] .", model, **arguments)
    trace_components("the king is [MASK] .", model, **arguments)


RUNS = {
    "layer_steps": lambda model: layer_steps(model.hidden_states(TEXT), model, layer=1),
    "with_parts_off": lambda model: with_parts_off(
        model.hidden_states(TEXT), model, rows=[Off(1, neurons=(1,)), Off(2, attention=True)]
    ),
    "masks_after": lambda model: list(masks_after([TEXT], model, changes=[same, lambda x: 2 * x], layer=1)),
    "steer": _steer,
    "clamp": _clamp,
    "trace": _trace,
}


@pytest.mark.slow("steer")
@pytest.mark.parametrize("name", RUNS)
def test_no_hook_is_registered_on_the_shared_network(
    name: str, worded: Any, tiny: Any, tmp_path: Any, monkeypatch: pytest.MonkeyPatch, registered: list[str]
) -> None:
    model = worded if name == "steer" else tiny  # the tiny model knows none of the built-in answers
    monkeypatch.setenv("EMBTOOLS_DICTIONARIES", str(written(tiny, tmp_path)))
    before = model.hidden_states(TEXT)
    RUNS[name](model)
    assert hooks(model.base) == 0 and not registered
    np.testing.assert_array_equal(model.hidden_states(TEXT), before)


@pytest.mark.parametrize("name", REGISTERING)
def test_every_kind_of_hook_would_be_detected(name: str, registered: list[str]) -> None:
    network = torch.nn.Sequential(torch.nn.Linear(2, 2))
    handle = getattr(network[0], name)(lambda *_: None)
    assert hooks(network) == 1 and name in registered
    handle.remove()
    assert hooks(network) == 0 and name in registered


def test_a_hook_for_all_networks_would_be_detected() -> None:
    handle = modules.register_module_forward_hook(lambda *_: None)
    assert hooks(torch.nn.Linear(2, 2)) == 1
    handle.remove()
    assert hooks(torch.nn.Linear(2, 2)) == 0
