"""A separate copy of a model's Hugging Face network, with hooks: what patching and knockout are compared with."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import torch
from transformers import AutoModelForMaskedLM

import embtools


class Hooked:
    """The network of a model, loaded once more with eager attention, and run with changes that hooks make."""

    def __init__(self, model: Any) -> None:
        folder = Path(embtools.__file__).parent / "bundled" if model.name == "bundled" else Path(model.name)
        self.model = model
        self.network = AutoModelForMaskedLM.from_pretrained(
            folder, attn_implementation="eager", dtype=torch.float32
        ).eval()
        base = self.network.base_model
        self.embeddings = base.embeddings
        self.layers = base.encoder.layer if model.has_segments else base.transformer.layer

    def states(
        self,
        text: str,
        replace: dict[int, list[tuple[int, Any]]] | None = None,
        *,
        blocked: tuple[Sequence[int], Sequence[int], Sequence[tuple[int, int]]] | None = None,
        heads: dict[tuple[int, int], tuple[int, Any]] | None = None,
        outputs: dict[tuple[int, str], tuple[int, Any]] | None = None,
        inputs: Any = None,
    ) -> Any:
        """Hidden states (l + 1, t, d) of a text.

        replace: layer → (position, state); blocked: positions, targets, (layer, head); heads: (layer, head) →
        (position, its weighted values); outputs: (layer, "attention" or "feed-forward") → (position, output);
        inputs: word embeddings (t, d) instead of those of the text
        """
        with self._hooks(replace or {}, blocked, heads or {}, outputs or {}):
            return self._run(text, inputs).hidden_states_array

    def logits(self, text: str, *, inputs: Any = None, **changes: Any) -> Any:
        """The logits (t, v) of a text."""
        with self._hooks(
            changes.get("replace") or {},
            changes.get("blocked"),
            changes.get("heads") or {},
            changes.get("outputs") or {},
        ):
            return self._run(text, inputs).logits[0].numpy()

    def head_values(self, text: str, layer: int, *, inputs: Any = None) -> Any:
        """What all heads of a layer pass to its output matrix: (t, h, w)."""
        recorded = []
        hook = self._dense(layer).register_forward_pre_hook(lambda module, arguments: recorded.append(arguments[0][0]))
        try:
            self._run(text, inputs)
        finally:
            hook.remove()
        return recorded[0].view(len(recorded[0]), self.model.heads, -1).numpy()

    def output(self, text: str, layer: int, part: str, *, inputs: Any = None) -> Any:
        """The output (t, d) of the attention or of the feed-forward part of a layer, before it is added."""
        recorded = []
        hook = self._part(layer, part).register_forward_hook(
            lambda module, arguments, result: recorded.append(result[0])
        )
        try:
            self._run(text, inputs)
        finally:
            hook.remove()
        return recorded[0].numpy()

    def steps(self, text: str, layer: int) -> dict[str, Any]:
        """Every vector inside a layer, by its name in `LayerSteps`: what its modules receive and return."""
        seen: dict[str, Any] = {}

        def note(before: str, after: str) -> Callable[..., Any]:
            def hook(module: Any, arguments: Any, result: Any) -> None:
                seen[before], seen[after] = arguments[0][0].numpy(), result[0].numpy()

            return hook

        block = self.layers[layer - 1]
        if self.model.has_segments:
            first, norms = block.intermediate.dense, (block.attention.output.LayerNorm, block.output.LayerNorm)
        else:
            first, norms = block.ffn.lin1, (block.sa_layer_norm, block.output_layer_norm)
        modules = (
            (self._dense(layer), note("heads", "projected")),
            (norms[0], note("attended", "middle")),
            (first, note("middle", "scores")),
            (self._part(layer, "feed-forward"), note("neurons", "feed_forward")),
            (norms[1], note("total", "outputs")),
        )
        hooks = [module.register_forward_hook(hook) for module, hook in modules]
        try:
            self._run(text, None)
        finally:
            for hook in hooks:
                hook.remove()
        return seen

    def states_without(
        self,
        text: str,
        layer: int,
        part: str,
        columns: Any = slice(None),
        *,
        value: Any = 0.0,
        positions: Any = slice(None),
    ) -> Any:
        """Hidden states (l + 1, t, d) of a text with columns of a step of a layer set to a value at some positions.

        part: "heads" or "neurons" (what enters their projection), "attention" or "feed-forward" (what comes out of it)
        """

        def put(values: Any) -> Any:
            values = values.clone()
            rows = values[0][positions]
            rows[:, columns] = torch.as_tensor(value, dtype=torch.float32)
            values[0][positions] = rows
            return values

        if part in ("heads", "neurons"):
            module = self._dense(layer) if part == "heads" else self._part(layer, "feed-forward")
            hook = module.register_forward_pre_hook(lambda module, arguments: (put(arguments[0]),))
        else:
            hook = self._part(layer, part).register_forward_hook(lambda module, arguments, result: put(result))
        try:
            return self._run(text, None).hidden_states_array
        finally:
            hook.remove()

    def _run(self, text: str, inputs: Any) -> Any:
        ids = torch.tensor(self.model.tokenize(text)["id"].to_numpy())[None]
        given = {"input_ids": ids} if inputs is None else {"inputs_embeds": torch.tensor(inputs)[None]}
        with torch.no_grad():
            found = self.network(**given, output_hidden_states=True)
        found.hidden_states_array = np.stack([layer[0].numpy() for layer in found.hidden_states])
        return found

    def _dense(self, layer: int) -> Any:
        attention = self.layers[layer - 1].attention
        return attention.output.dense if self.model.has_segments else attention.out_lin

    def _part(self, layer: int, part: str) -> Any:
        if part == "attention":
            return self._dense(layer)
        block = self.layers[layer - 1]
        return block.output.dense if self.model.has_segments else block.ffn.lin2

    @contextmanager
    def _hooks(self, replace: Any, blocked: Any, heads: Any, outputs: Any) -> Iterator[None]:
        made = []
        for layer, changes in replace.items():
            module = self.embeddings if layer == 0 else self.layers[layer - 1]
            made.append(module.register_forward_hook(_replacing(changes)))
        for (layer, part), change in outputs.items():
            made.append(self._part(layer, part).register_forward_hook(_replacing([change])))
        for (layer, head), (position, values) in heads.items():
            made.append(self._dense(layer).register_forward_pre_hook(_with_head(head, position, values)))
        if blocked is not None:
            positions, targets, which = blocked
            for layer in {layer for layer, _ in which}:
                numbers = [head for other, head in which if other == layer]
                attention = self.layers[layer - 1].attention
                module = attention.self if self.model.has_segments else attention
                made.append(
                    module.register_forward_hook(
                        self._blocking(module, positions, list(targets), numbers), with_kwargs=True
                    )
                )
        try:
            yield
        finally:
            for hook in made:
                hook.remove()

    def _blocking(
        self, module: Any, positions: Sequence[int], targets: list[int], numbers: list[int]
    ) -> Callable[..., Any]:
        """Recompute the rows of some positions by hand, with the blocked weights set to 0 and the others summing to 1."""
        value = module.value if self.model.has_segments else module.v_lin

        def hook(module: Any, arguments: Any, named: Any, result: Any) -> Any:
            x = arguments[0] if arguments else named["hidden_states"]
            h, w = self.model.heads, self.model.dimensions // self.model.heads
            weights = result[1].clone()  # (1, h, t, t)
            for number in numbers:
                for position in positions:
                    row = weights[0, number - 1, position]
                    row[targets] = 0
                    weights[0, number - 1, position] = row / row.sum()
            values = value(x).view(1, -1, h, w).transpose(1, 2)
            mixed = (weights @ values).transpose(1, 2).reshape(1, -1, h * w)
            output = mixed if self.model.has_segments else module.out_lin(mixed)
            return output, weights

        return hook


@cache
def _once(model: Any) -> Hooked:
    return Hooked(model)


def logits_after(model: Any, ids: Any, *, layer: int | None, change: Callable[[Any], Any]) -> Any:
    """The logits (t, v) of tokens if a hook changes their states (1, t, d) after a layer; None: their word embeddings."""
    hooked = _once(model)
    module = (
        hooked.layers[layer - 1] if layer else hooked.embeddings if layer == 0 else hooked.embeddings.word_embeddings
    )

    def hook(module: Any, arguments: Any, result: Any) -> Any:
        states = change((result[0] if isinstance(result, tuple) else result).clone())
        return (states, *result[1:]) if isinstance(result, tuple) else states

    handle = module.register_forward_hook(hook)
    try:
        with torch.no_grad():
            return hooked.network(input_ids=torch.tensor(ids)[None]).logits[0].numpy()
    finally:
        handle.remove()


def _replacing(changes: list[tuple[int, Any]]) -> Callable[..., Any]:
    def hook(module: Any, arguments: Any, result: Any) -> Any:
        states = (result[0] if isinstance(result, tuple) else result).clone()
        for position, state in changes:
            states[0, position] = torch.tensor(state)
        return (states, *result[1:]) if isinstance(result, tuple) else states

    return hook


def _with_head(head: int, position: int, values: Any) -> Callable[..., Any]:
    def hook(module: Any, arguments: Any) -> Any:
        x = arguments[0].clone()
        width = len(values)
        x[0, position, (head - 1) * width : head * width] = torch.tensor(values)
        return (x,)

    return hook
