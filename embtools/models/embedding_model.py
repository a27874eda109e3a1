"""A loaded model as numpy arrays and a few forward passes (`models.loading` opens it).

An `EmbeddingModel` is shared by everybody who looks at the app and is never changed: edits travel as `inputs`.
"""

import threading
from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from functools import cached_property
from hashlib import sha256
from types import MappingProxyType
from typing import Any

import numpy as np
import pandas as pd
import torch
from numpy.typing import NDArray

from embtools.memory import checksum_of_view
from embtools.messages import quoted, shortened
from embtools.models.catalogue import CATALOGUE
from embtools.models.spelling import UnknownWord, similar
from embtools.vectors import Array

MAX_CHARACTERS = 5_000


class EmbeddingModel:
    """A BERT with its masked-word head, read-only; safe to share between threads.

    Shapes: v vocabulary, d dimensions, l layers, t tokens, b rows of a batch.

    matrix          (v, d) static word-piece embeddings, float32
    inverse_norms   (v,) one over the length of each row
    output_bias     (v,) added to the logits
    vocabulary      v word pieces by id;  ids: piece → id
    rankable        (v,) False for special tokens and [unused…] entries: they stay out of every ranking
    whole_words     (v,) True for pieces that start a word and begin with a letter
    cased           whether it tells Rome from rome

    None of these can be written to.
    """

    BATCH_PIECES = 2_048  # in one batch, padding included: larger ones are no faster on a processor

    def __init__(self, network: Any, tokenizer: Any, name: str, *, has_next_sentence: bool) -> None:
        self.name = name
        config = network.config
        self.revision: str | None = getattr(config, "_commit_hash", None)
        self.layers: int = config.num_hidden_layers
        self.dimensions: int = config.hidden_size
        self.heads: int = config.num_attention_heads
        self.max_tokens: int = config.max_position_embeddings
        self.parameters = sum(p.numel() for p in network.parameters())
        self.has_segments: bool = config.model_type == "bert"
        self.has_next_sentence = has_next_sentence
        self.tied: bool = bool(config.tie_word_embeddings)
        self._network = network
        self._base = network.base_model
        self._tokenizer = tokenizer
        self._device = "cpu"
        self._lock = threading.Lock()  # the tokenizer is not thread-safe, the forward pass is

        normalizer = getattr(getattr(tokenizer, "backend_tokenizer", None), "normalizer", None)
        self.cased: bool = normalizer is None or normalizer.normalize_str("A") == "A"

        output = network.get_output_embeddings()
        self.matrix = _read_only(network.get_input_embeddings().weight.detach().numpy())
        self.output_bias = _read_only(output.bias.detach().numpy())
        self._output = _read_only(output.weight.detach().numpy())  # (v, d); the matrix itself where it is tied
        lengths = np.linalg.norm(self.matrix, axis=1)
        self.inverse_norms = _read_only(1 / np.where(lengths == 0, 1, lengths))
        pieces = tokenizer.convert_ids_to_tokens(range(len(self.matrix)))
        self.vocabulary: tuple[str, ...] = tuple(p or "[unused]" for p in pieces)
        self.ids: Mapping[str, int] = MappingProxyType({piece: i for i, piece in enumerate(self.vocabulary)})
        self.special = frozenset(tokenizer.all_special_tokens)
        self.mask_id: int = tokenizer.mask_token_id
        words = [p not in self.special and not p.startswith("[unused") for p in self.vocabulary]
        self.rankable = _read_only(np.array(words))
        self.whole_words = _read_only(self.rankable & np.array([p[:1].isalpha() for p in self.vocabulary]))

    def __repr__(self) -> str:
        return (
            f"<EmbeddingModel {self.name}: {self.layers} layers × {self.dimensions}, {len(self.vocabulary):,} pieces>"
        )

    @cached_property
    def checksum(self) -> str:
        """SHA-256 of all weights with their names, and of the vocabulary: what a result was computed with."""
        digest = sha256("\n".join(self.vocabulary).encode())
        for key, weight in sorted(self._network.state_dict().items()):
            digest.update(f"{key} {tuple(weight.shape)} {weight.dtype}".encode())
            digest.update(np.ascontiguousarray(weight.numpy()).tobytes())
        return digest.hexdigest()

    def looked_at(self, matrix: Array, name: str) -> "EmbeddingModel":
        """The same words with other static embeddings (v, d), for looking at alone: what comes back does not run.

        `name` tells its checksum from those of other matrices. Raises ValueError for another shape.
        """
        if matrix.shape != self.matrix.shape:
            raise ValueError(f"The matrix has the shape {matrix.shape}; this model's has {self.matrix.shape}.")
        seen = copy(self)
        seen.matrix = _read_only(np.ascontiguousarray(matrix, np.float32))
        lengths = np.linalg.norm(seen.matrix, axis=1)
        seen.inverse_norms = _read_only(1 / np.where(lengths == 0, 1, lengths))
        seen._network = seen._base = None
        del seen._output  # what is looked at keeps no dropped model in memory
        seen.__dict__["checksum"] = checksum_of_view(self.checksum, name)
        return seen

    @property
    def nbytes(self) -> int:
        """Of its static embeddings: what the same model in another space adds to the memory in use."""
        return int(self.matrix.nbytes)

    @cached_property
    def tokenizer_checksum(self) -> str:
        """SHA-256 of the tokenizer with all its settings: two that read a text alike may still differ in another."""
        return sha256(self._tokenizer.backend_tokenizer.to_str().encode()).hexdigest()

    # For the other modules of this package: the network's own parts, to be read and never changed

    @property
    def base(self) -> Any:
        """The encoder with its embedding layer, without the heads."""
        return self._base

    @property
    def encoder_layers(self) -> Sequence[Any]:
        """The l layers of the encoder."""
        return self._base.encoder.layer if self.has_segments else self._base.transformer.layer

    def output_logits(self, states: torch.Tensor) -> torch.Tensor:
        """The masked-word head as a part of a graph: last hidden states (n, d) → logits (n, v)."""
        if self.has_segments:
            return self._network.cls.predictions(states)
        x = self._network.activation(self._network.vocab_transform(states))
        return self._network.vocab_projector(self._network.vocab_layer_norm(x))

    # Text to pieces

    def tokenize(self, text: str, pair: str | None = None) -> pd.DataFrame:
        """The word pieces of a text (or of a pair): position, token, id, segment, word (its number; -1 for special).

        Raises ValueError for an empty text and for more pieces or characters than the model can read.
        """
        encoding = self._encoding(text, pair)
        ids = encoding["input_ids"]
        segments = encoding.get("token_type_ids") or [0] * len(ids)
        return pd.DataFrame(
            {
                "position": range(len(ids)),
                "token": [self.vocabulary[i] for i in ids],
                "id": ids,
                "segment": segments,
                "word": [-1 if w is None else w for w in encoding.word_ids()],
            }
        )

    def words(self, text: str) -> tuple[list[int], list[tuple[int, int, int, int]]]:
        """The ids of a text's pieces, and its words and signs: first position, pieces, start and end in the text.

        A text may have more pieces here than the model reads at once. Raises ValueError for an empty one and for more
        characters than are read.
        """
        encoding = self._read(text)
        places: list[tuple[int, int, int, int]] = []
        begun = -1
        for position, (word, (start, end)) in enumerate(zip(encoding.word_ids(), encoding[0].offsets, strict=True)):
            if word is None:
                continue
            if word == begun:
                first, pieces, begin, _ = places[-1]
                places[-1] = first, pieces + 1, begin, end
            else:
                places.append((position, 1, start, end))
            begun = word
        return encoding["input_ids"], places

    def _encoding(self, text: str, pair: str | None = None) -> Any:
        """What the tokenizer makes of a text or pair, within the limits that `tokenize` names."""
        encoding = self._read(text, pair)
        count = len(encoding["input_ids"])
        if count > self.max_tokens:
            raise ValueError(
                f"The text has {count} pieces with [CLS] and [SEP]; this model reads {self.max_tokens}. Shorten it."
            )
        return encoding

    def _read(self, text: str, pair: str | None = None) -> Any:
        for part in (text,) if pair is None else (text, pair):
            if not part.strip():
                raise ValueError("The text is empty. Write a sentence.")
            if len(part) > MAX_CHARACTERS:
                raise ValueError(
                    f"The text has {len(part):,} characters; at most {MAX_CHARACTERS:,} are read. Shorten it."
                )
        with self._lock:
            return self._tokenizer(text, pair)

    def pieces(self, word: str) -> tuple[str, ...]:
        """The word pieces of a word, without [CLS] and [SEP]; the name of a piece ("##ing", "[MASK]") is itself."""
        word = word.strip()
        if word in self.ids and (word.startswith("##") or word in self.special):
            return (word,)
        # Lists of words are checked one by one: a data frame for each would take most of the time.
        return tuple(self.vocabulary[i] for i in self._encoding(word)["input_ids"][1:-1])

    def token_id(self, word: str) -> int:
        """The id of a word that is one piece; UnknownWord (a ValueError) with its pieces and near words otherwise."""
        pieces = self.pieces(word)
        if len(pieces) == 1 and pieces[0] != "[UNK]":
            return self.ids[pieces[0]]
        shown = quoted(word)
        near = self.similar_spelling(word)
        if near:
            advice = f"Did you mean {near[0]}?"
        elif self.name in CATALOGUE:
            advice = f"This model reads {CATALOGUE[self.name].reads}: use a word that it knows whole."
        else:
            advice = "Use a word that the model knows whole."
        if len(pieces) < 2:
            raise UnknownWord(f"{shown} is not in the vocabulary. {advice}", word, near)
        parts = f"{' '.join(pieces[:8])}{' …' if len(pieces) > 8 else ''}"
        raise UnknownWord(f"{shown} is not one word piece: {parts}. {advice}", word, near)

    def similar_spelling(self, word: str, k: int = 3) -> list[str]:
        """Up to k whole words of the vocabulary that are one slip of the hand away, as the vocabulary orders them."""
        return similar(word, (p for i, p in enumerate(self.vocabulary) if self.whole_words[i]), k)

    @cached_property
    def capitals(self) -> Mapping[str, str]:
        """The whole words with a capital by their small letters, the first of each in the vocabulary."""
        found: dict[str, str] = {}
        for i in np.flatnonzero(self.whole_words):
            piece = self.vocabulary[i]
            if piece != piece.lower():
                found.setdefault(piece.lower(), piece)
        return MappingProxyType(found)

    def vector(self, word: str) -> Array:
        """The (d,) static embedding of a word that is one piece; ValueError otherwise."""
        return self.matrix[self.token_id(word)]

    # Pieces to hidden states

    def encode_on(self, device: str) -> None:
        """Run the encoder on another device, "cuda" say: for a worker that has the model to itself and only encodes.

        Raises ValueError where this machine has no such device.
        """
        try:
            self._base.to(device)
        except (RuntimeError, AssertionError) as error:
            raise ValueError(f"This machine cannot compute on {quoted(device)}. Leave out --gpus.") from error
        self._device = device

    @torch.inference_mode()
    def encode(
        self,
        inputs: Array,
        segments: NDArray[np.int64] | None = None,
        lengths: Sequence[int] | None = None,
        *,
        positions: NDArray[np.int64] | None = None,
        last_only: bool = False,
    ) -> Array:
        """Run the encoder on word embeddings (b, t, d): hidden states (l + 1, b, t, d); (1, b, t, d) if last_only.

        Position and segment embeddings are added inside. `segments` (t,) or (b, t) default to 0, `positions` likewise
        to 0 … t - 1; rows shorter than t give their `lengths`.
        """
        if self._base is None:
            raise ValueError("This model is for looking at its static embeddings; load it again to run it.")
        b, t, _ = inputs.shape
        arguments: dict[str, torch.Tensor] = {
            "inputs_embeds": torch.from_numpy(np.ascontiguousarray(inputs, np.float32))
        }
        if lengths is not None and min(lengths) < t:
            arguments["attention_mask"] = (torch.arange(t)[None] < torch.tensor(list(lengths))[:, None]).long()
        if positions is not None:
            places = np.broadcast_to(np.asarray(positions, np.int64), (b, t)).copy()
            arguments["position_ids"] = torch.from_numpy(places)
        if self.has_segments:
            rows = np.zeros(t, np.int64) if segments is None else np.asarray(segments, np.int64)
            arguments["token_type_ids"] = torch.from_numpy(np.broadcast_to(rows, (b, t)).copy())
        placed = {name: tensor.to(self._device) for name, tensor in arguments.items()}
        output = self._base(**placed, output_hidden_states=not last_only)
        if last_only:
            return output.last_hidden_state[None].cpu().numpy()
        return torch.stack(output.hidden_states).cpu().numpy()

    def hidden_states(self, text: str, pair: str | None = None, *, segment: int | None = None) -> Array:
        """Hidden states (l + 1, t, d) of a text; layer 0 is the embedding output.

        `segment` (0 or 1) overrides the segment id of every token. Raises ValueError for another one, and as
        `tokenize` does.
        """
        if segment not in (None, 0, 1):
            raise ValueError(f"There is no segment {shortened(segment)}. Choose 0 (a first text) or 1 (a second one).")
        frame = self.tokenize(text, pair)
        segments = frame["segment"].to_numpy() if segment is None else np.full(len(frame), segment)
        return self.encode(self.matrix[frame["id"].to_numpy()][None], segments)[:, 0]

    def hidden_states_many(self, texts: Sequence[str]) -> Iterator[tuple[int, Array]]:
        """Hidden states of many texts: yields (number of the text, (l + 1, t, d)), the longest text first.

        Raises ValueError as `tokenize` does, before anything is encoded.
        """
        rows = [self.tokenize(text)["id"].to_numpy() for text in texts]
        for numbers, states in self.encode_many(rows):
            for line, number in enumerate(numbers):
                yield number, states[:, line, : len(rows[number])]

    def encode_many(
        self, rows: Sequence[Array], segments: Sequence[Array] | None = None, *, last_only: bool = False
    ) -> Iterator[tuple[list[int], Array]]:
        """Encode rows of ids (t,) or of word embeddings (t, d) in batches of similar length.

        `segments`: the segment ids (t,) of each row; without them each row is a first segment. Yields the numbers of a
        batch's rows and their hidden states (l + 1, b, t, d), or (1, b, t, d) if last_only; t is that of the longest
        row of the batch, what stands behind a shorter one means nothing. The longest rows come first. An iterator, so
        that a long job can tell how far it is and stop between batches.
        """
        order = sorted(range(len(rows)), key=lambda number: -len(rows[number]))
        while order:
            longest = len(rows[order[0]])
            size = max(1, self.BATCH_PIECES // longest)
            numbers, order = order[:size], order[size:]
            inputs = np.zeros((len(numbers), longest, self.dimensions), np.float32)
            ids = np.zeros((len(numbers), longest), np.int64)
            for line, number in enumerate(numbers):
                row = rows[number]
                inputs[line, : len(row)] = self.matrix[row] if row.ndim == 1 else row
                if segments is not None:
                    ids[line, : len(row)] = segments[number]
            lengths = [len(rows[number]) for number in numbers]
            yield numbers, self.encode(inputs, ids, lengths, last_only=last_only)

    # Hidden states to answers

    @torch.inference_mode()
    def transform(self, states: Array) -> Array:
        """The masked-word head's transform of last hidden states: (n, d) → (n, d), ready for the output matrix."""
        x = torch.from_numpy(np.ascontiguousarray(states, np.float32))
        if self.has_segments:
            return self._network.cls.predictions.transform(x).numpy()
        x = self._network.activation(self._network.vocab_transform(x))
        return self._network.vocab_layer_norm(x).numpy()

    def logits(self, transformed: Array) -> Array:
        """Logits (n, v) of transformed states (n, d): output matrix · state + bias."""
        # numpy: for two or three rows torch takes as long as for eight.
        return np.asarray(transformed, np.float32) @ self._output.T + self.output_bias

    @torch.inference_mode()
    def next_sentence_logits(self, states: Array) -> Array:
        """Logits (n, 2) of the next-sentence head on the last hidden states (n, d) of [CLS]: is next, is random.

        Only a model with `has_next_sentence` has this head.
        """
        pooled = self._base.pooler(torch.from_numpy(np.ascontiguousarray(states, np.float32))[:, None])
        return self._network.cls.seq_relationship(pooled).numpy()


def _read_only(array: Array) -> Array:
    array.flags.writeable = False
    return array
