"""A loaded model as numpy arrays and a few forward passes; `models.loading` loads it.

An `EmbeddingModel` is shared by all visitors and never changed: edits are passed as `inputs`, or are rows of another
model that shares its memory (`with_rows`).
"""

from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from functools import cached_property
from hashlib import sha256
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from embtools.memory import checksum_of_view
from embtools.messages import quoted, shortened
from embtools.models.batches import by_length, padded
from embtools.models.catalogue import CATALOGUE
from embtools.models.edited_matrix import EditedMatrix
from embtools.models.text_reader import TextReader, is_foreign
from embtools.models.unknown_words import UnknownWord, similar
from embtools.vectors import Array

if TYPE_CHECKING:  # it takes two seconds, and vectors of a file need none of it
    import torch


class EmbeddingModel:
    """A BERT with its masked-word head, read-only; safe to share between threads. Load one with `load_model`.

    Shapes: v vocabulary, d dimensions, l layers, t tokens, b rows of a batch.

    Attributes
    ----------
    matrix : ndarray
        (v, d) static embeddings of the tokens, float32.
    inverse_norms : ndarray
        (v,) one over the length of each row.
    output_bias : ndarray
        (v,) added to the logits.
    vocabulary : sequence of str
        v tokens by id.
    ids : mapping of str to int
        Token → id.
    rankable : ndarray of bool
        (v,) False for special tokens and [unused…] entries, which are excluded from every ranking.
    whole_words : ndarray of bool
        (v,) True for tokens that start a word and begin with a letter.
    cased : bool
        Whether the model distinguishes Rome from rome.
    edited : mapping of int to ndarray
        Token → vector (d,) of the tokens whose static embedding was replaced (`edited_model`); else empty.
    """

    BATCH_PIECES = 2_048  # tokens per batch, including padding; larger batches are not faster on a processor

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
        self._reader = TextReader(tokenizer, self.max_tokens)
        self._device = "cpu"
        self.edited: Mapping[int, Array] = MappingProxyType({})
        self._original: EmbeddingModel | None = None
        self._scored: Mapping[int, Array] = MappingProxyType({})  # the replaced rows of the output matrix

        normalizer = getattr(getattr(tokenizer, "backend_tokenizer", None), "normalizer", None)
        self.cased: bool = normalizer is None or normalizer.normalize_str("A") == "A"

        output = network.get_output_embeddings()
        self.matrix = _read_only(network.get_input_embeddings().weight.detach().numpy())
        self.output_bias = _read_only(output.bias.detach().numpy())
        self._output = _read_only(output.weight.detach().numpy())  # (v, d); the same matrix if it is tied
        lengths = np.linalg.norm(self.matrix, axis=1)
        self.inverse_norms = _read_only(1 / np.where(lengths == 0, 1, lengths))
        tokens = tokenizer.convert_ids_to_tokens(range(len(self.matrix)))
        self.vocabulary: tuple[str, ...] = tuple(token or "[unused]" for token in tokens)
        self.ids: Mapping[str, int] = MappingProxyType({token: i for i, token in enumerate(self.vocabulary)})
        self.special = frozenset(tokenizer.all_special_tokens)
        self.mask_id: int = tokenizer.mask_token_id
        words = [token not in self.special and not token.startswith("[unused") for token in self.vocabulary]
        self.rankable = _read_only(np.array(words))
        self.whole_words = _read_only(self.rankable & np.array([token[:1].isalpha() for token in self.vocabulary]))

    def __repr__(self) -> str:
        edited = "".join(f", {self.vocabulary[i]} edited" for i in self.edited)
        size = f"{self.layers} layers × {self.dimensions}, {len(self.vocabulary):,} tokens"
        return f"<EmbeddingModel {self.name}: {size}{edited}>"

    @cached_property
    def checksum(self) -> str:
        """The SHA-256 of all weights with their names and of the vocabulary, which identifies the model of a result."""
        digest = sha256("\n".join(self.vocabulary).encode())
        for key, weight in sorted(self._network.state_dict().items()):
            digest.update(f"{key} {tuple(weight.shape)} {weight.dtype}".encode())
            digest.update(np.ascontiguousarray(weight.numpy()).tobytes())
        return digest.hexdigest()

    def with_static_embeddings(self, matrix: Array, name: str) -> "EmbeddingModel":
        """Return a model with the same words and other static embeddings (v, d), which cannot run; `name` becomes part
        of its checksum.
        """
        if matrix.shape != self.matrix.shape:
            raise ValueError(
                f"The matrix has the shape {matrix.shape}. It must have that of this model, {self.matrix.shape}."
            )
        copied = copy(self)
        copied.matrix = _read_only(np.ascontiguousarray(matrix, np.float32))
        lengths = np.linalg.norm(copied.matrix, axis=1)
        copied.inverse_norms = _read_only(1 / np.where(lengths == 0, 1, lengths))
        copied._network = copied._base = None
        del copied._output  # so that it does not keep a dropped model in memory
        copied.__dict__["checksum"] = checksum_of_view(self.checksum, name)
        return copied

    def with_rows(self, rows: Mapping[int, Array], name: str, *, tied: bool = False) -> "EmbeddingModel":
        """Return a model with other static embeddings (d,) of a few tokens, by id, and if `tied` also other rows of the
        output matrix; it shares all other memory, and `name` becomes part of its checksum.
        """
        if tied and not self.tied:
            raise ValueError("This model's output is not tied to its embeddings. Replace only its input rows.")
        for number, vector in rows.items():
            if not (0 <= number < len(self.matrix) and vector.shape == (self.dimensions,)):
                raise ValueError(
                    f"The vectors must belong to tokens 0 to {len(self.matrix) - 1} and have {self.dimensions} numbers."
                )
        new = {
            number: _read_only(vector.astype(np.float32))
            for number, vector in rows.items()
            if any(not np.array_equal(vector, own[number]) for own in (self.matrix, *([self._output] if tied else [])))
        }
        if not new:
            return self
        copied, own = copy(self), self.original
        copied.edited = MappingProxyType({**self.edited, **new})
        copied.matrix = cast(Array, EditedMatrix(own.matrix, copied.edited))
        copied.inverse_norms = own.inverse_norms.copy()
        for number, vector in copied.edited.items():
            copied.inverse_norms[number] = 1 / (np.linalg.norm(vector) or 1)
        copied.inverse_norms.flags.writeable = False
        if tied:
            copied._scored = MappingProxyType({**self._scored, **new})
            copied._output = cast(Array, EditedMatrix(own._output, copied._scored))
        copied._original = own
        copied.__dict__["checksum"] = checksum_of_view(self.checksum, name)
        return copied

    @property
    def original(self) -> "EmbeddingModel":
        """The model whose rows this model shares, without edits; the model itself if none of its rows was replaced."""
        return self._original or self

    @property
    def nbytes(self) -> int:
        """Of its static embeddings: what the same model in another space adds to the memory in use."""
        return int(self.matrix.nbytes)

    @property
    def tokenizer_checksum(self) -> str:
        """The SHA-256 of the tokenizer with all its settings."""
        return self._reader.checksum

    # Parts of the network, for other modules of this package; they must never be changed

    @property
    def base(self) -> Any:
        """The encoder with its embedding layer, without the output heads."""
        return self._base

    @property
    def encoder_layers(self) -> Sequence[Any]:
        """The l layers of the encoder."""
        return self._base.encoder.layer if self.has_segments else self._base.transformer.layer

    @property
    def output_transform(self) -> tuple[Any, Any]:
        """The projection and the layer norm of the masked-word head, between which it has an activation."""
        if self.has_segments:
            transform = self._network.cls.predictions.transform
            return transform.dense, transform.LayerNorm
        return self._network.vocab_transform, self._network.vocab_layer_norm

    def output_logits(self, states: "torch.Tensor") -> "torch.Tensor":
        """Return the logits (n, v) of the masked-word head for last hidden states (n, d), in an autograd graph."""
        import torch

        x = self._transformed(states)
        decoder = self._network.cls.predictions.decoder if self.has_segments else self._network.vocab_projector
        logits = decoder(x)
        if not self._scored:
            return logits
        rows, bias = (torch.from_numpy(part[list(self._scored)]) for part in (self._output, self.output_bias))
        return logits.index_copy(1, torch.tensor(list(self._scored)), x @ rows.T + bias)

    def _transformed(self, states: "torch.Tensor") -> "torch.Tensor":
        if self.has_segments:
            return self._network.cls.predictions.transform(states)
        return self._network.vocab_layer_norm(self._network.activation(self._network.vocab_transform(states)))

    # From text to tokens

    def tokenize(self, text: str, pair: str | None = None) -> pd.DataFrame:
        """Return the tokens of a text, or of a pair.

        Parameters
        ----------
        text : str
            A text.
        pair : str or None, optional
            The second text of a pair.

        Returns
        -------
        DataFrame
            Columns: position, token, id, segment, word (its number; -1 for special tokens).

        Raises
        ------
        ValueError
            For an empty text and for more tokens or characters than the model can read.
        """
        encoding = self._reader.encoding(text, pair)
        ids = encoding.ids
        segments = encoding.type_ids if self.has_segments else [0] * len(ids)
        return pd.DataFrame(
            {
                "position": range(len(ids)),
                "token": [self.vocabulary[i] for i in ids],
                "id": ids,
                "segment": segments,
                "word": [-1 if w is None else w for w in encoding.word_ids],
            }
        )

    def ids_and_segments(self, text: str) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the ids and the segments (t,) of `tokenize`, of a single text, without the time for a frame."""
        ids = np.array(self._reader.encoding(text).ids, np.int64)
        return ids, np.zeros(len(ids), np.int64)

    def reading_notes(self, text: str, *, sentence: bool = True) -> tuple[str, ...]:
        """Say which signs of a text are read as others or unknown, and if a `sentence` is in another language."""
        _, replaced = self._reader.readable(text)
        unknown = self._reader.unreadable(text)
        notes = []
        if replaced:
            signs = dict.fromkeys(f"{text[n]} as {form}" for n, form in replaced)
            notes.append(f"The model does not know these signs, so they are read differently: {', '.join(signs)}.")
        if unknown:
            them = "this" if len(unknown) == 1 else "these"
            notes.append(f"The model cannot read {them}, only as [UNK]: {shortened(', '.join(unknown), 120)}.")
        reads = CATALOGUE[self.name].reads if self.name in CATALOGUE else ""
        if sentence and reads == "English" and is_foreign(text, self._reader.words):
            notes.append(f"This model reads {reads}. The text seems to be in another language.")
        return tuple(notes)

    def words(self, text: str) -> tuple[list[int], list[tuple[int, int, int, int]]]:
        """Return the ids of a text's tokens, which may be more than the model can read at once, and for each word or
        punctuation mark: position, tokens, and the character positions start and end.
        """
        return self._reader.words(text)

    def pieces(self, word: str) -> tuple[str, ...]:
        """Return the tokens of a word, without [CLS] and [SEP]; "##ing" and "[MASK]" stand for themselves.

        Parameters
        ----------
        word : str
            A word.

        Returns
        -------
        tuple of str

        Raises
        ------
        ValueError
            For a word that is empty or too long.
        """
        word = word.strip()
        # Lists of words are checked one by one: a word of letters that is in the vocabulary need not be tokenized.
        whole = word.isascii() and word.isalnum() and (self.cased or word == word.lower())
        if word in self.ids and (whole or word.startswith("##") or word in self.special):
            return (word,)
        return tuple(self.vocabulary[i] for i in self._reader.encoding(word).ids[1:-1])

    def token_id(self, word: str) -> int:
        """Return the id of a word that is a single token.

        Parameters
        ----------
        word : str
            A word of one token.

        Returns
        -------
        int
            0 … v - 1.

        Raises
        ------
        UnknownWord
            A ValueError with suggestions, for any other word.
        """
        tokens = self.pieces(word)
        if len(tokens) == 1 and tokens[0] != "[UNK]":
            return self.ids[tokens[0]]
        reads = CATALOGUE[self.name].reads if self.name in CATALOGUE else ""
        raise UnknownWord.of(word, tokens, self.similar_spelling(word), reads)

    def similar_spelling(self, word: str, k: int = 3) -> list[str]:
        """Return up to k whole words of the vocabulary that differ by one typing error."""
        return similar(word, (token for i, token in enumerate(self.vocabulary) if self.whole_words[i]), k=k)

    @cached_property
    def capitals(self) -> Mapping[str, str]:
        """The whole words with capitals, by their form in small letters (the first one if there are several)."""
        found: dict[str, str] = {}
        for i in np.flatnonzero(self.whole_words):
            word = self.vocabulary[i]
            if word != word.lower():
                found.setdefault(word.lower(), word)
        return MappingProxyType(found)

    def vector(self, word: str) -> Array:
        """Return the static embedding of a word that is a single token.

        Parameters
        ----------
        word : str
            A word of one token.

        Returns
        -------
        ndarray
            (d,) float32.

        Raises
        ------
        ValueError
            For a word that is not a single token, with suggestions.
        """
        return self.matrix[self.token_id(word)]

    # From tokens to hidden states

    def encode_on(self, device: str) -> None:
        """Move the encoder to another device, such as "cuda"; for a worker that has its own model and only encodes."""
        try:
            self._base.to(device)
        except (RuntimeError, AssertionError) as error:
            raise ValueError(f"This machine cannot compute on {quoted(device)}. Leave out --gpus.") from error
        self._device = device

    def encode(
        self,
        inputs: Array,
        segments: NDArray[np.int64] | None = None,
        lengths: Sequence[int] | None = None,
        *,
        positions: NDArray[np.int64] | None = None,
    ) -> Array:
        """Return hidden states (l + 1, b, t, d) for word embeddings (b, t, d), to which `segments` (t,) or (b, t) and
        `positions` are added inside; `lengths` are those of rows shorter than t.
        """
        import torch

        arguments = self._arguments(inputs, segments, positions)
        t = inputs.shape[1]
        if lengths is not None and min(lengths) < t:
            mask = (torch.arange(t)[None] < torch.tensor(list(lengths))[:, None]).long()
            arguments["attention_mask"] = mask.to(self._device)
        with torch.inference_mode():
            return torch.stack(self._base(**arguments, output_hidden_states=True).hidden_states).cpu().numpy()

    def embedding_output(
        self, inputs: Array, segments: NDArray[np.int64] | None = None, positions: NDArray[np.int64] | None = None
    ) -> "torch.Tensor":
        """Return layer 0 (b, t, d) for word embeddings (b, t, d); the arguments are those of `encode`."""
        import torch

        arguments = self._arguments(inputs, segments, positions)
        with torch.inference_mode():
            return self._base.embeddings(input_ids=None, **arguments)

    def _arguments(
        self, inputs: Array, segments: NDArray[np.int64] | None, positions: NDArray[np.int64] | None
    ) -> "dict[str, torch.Tensor]":
        """What the network is called with. Raises ValueError for a model that only has static embeddings."""
        if self._base is None:
            raise ValueError("This model only has static embeddings and cannot run. Load it again to run it.")
        import torch

        b, t, _ = inputs.shape
        arguments = {"inputs_embeds": torch.from_numpy(np.ascontiguousarray(inputs, np.float32))}
        if positions is not None:
            numbers = np.broadcast_to(np.asarray(positions, np.int64), (b, t)).copy()
            arguments["position_ids"] = torch.from_numpy(numbers)
        if self.has_segments:
            rows = np.zeros(t, np.int64) if segments is None else np.asarray(segments, np.int64)
            arguments["token_type_ids"] = torch.from_numpy(np.broadcast_to(rows, (b, t)).copy())
        return {name: tensor.to(self._device) for name, tensor in arguments.items()}

    def hidden_states(self, text: str, pair: str | None = None, *, segment: int | None = None) -> Array:
        """Return the hidden states of a text; layer 0 is the embedding output.

        Parameters
        ----------
        text : str
            A text.
        pair : str or None, optional
            The second text of a pair.
        segment : int or None, optional
            0 or 1; replaces the segment id of every token.

        Returns
        -------
        ndarray
            (l + 1, t, d).

        Raises
        ------
        ValueError
            For another segment id, and as `tokenize` does.
        """
        if segment not in (None, 0, 1):
            raise ValueError(f"There is no segment {shortened(segment)}. Choose 0 (first text) or 1 (second text).")
        frame = self.tokenize(text, pair)
        segments = frame["segment"].to_numpy() if segment is None else np.full(len(frame), segment)
        return self.encode(self.matrix[frame["id"].to_numpy()][None], segments)[:, 0]

    def hidden_states_many(self, texts: Sequence[str]) -> Iterator[tuple[int, Array]]:
        """Yield the hidden states of many texts as (number of the text, (l + 1, t, d)), the longest text first."""
        rows = [self.tokenize(text)["id"].to_numpy() for text in texts]
        for numbers, states in self.encode_many(rows):
            for line, number in enumerate(numbers):
                yield number, states[:, line, : len(rows[number])]

    def encode_many(
        self, rows: Sequence[Array], segments: Sequence[Array] | None = None
    ) -> Iterator[tuple[list[int], Array]]:
        """Yield the hidden states (l + 1, b, t, d) of rows of ids (t,) or of word embeddings (t, d), the longest first,
        in batches with the numbers of their rows; values after the end of a row mean nothing.
        """
        for numbers in by_length([len(row) for row in rows], most=self.BATCH_PIECES):
            batch = [rows[number] for number in numbers]
            inputs = padded([self.matrix[row] if row.ndim == 1 else row for row in batch])
            ids = None if segments is None else padded([segments[number] for number in numbers])
            yield numbers, self.encode(inputs, ids, [len(row) for row in batch])

    # From hidden states to answers

    def transform(self, states: Array) -> Array:
        """Return last hidden states (n, d) after the transform of the masked-word head, for the output matrix."""
        import torch

        with torch.inference_mode():
            return self._transformed(torch.from_numpy(np.ascontiguousarray(states, np.float32))).numpy()

    def logits(self, transformed: Array, ids: Sequence[int] | None = None) -> Array:
        """Return the logits (n, v) of transformed states (n, d), output matrix · state + bias; with `ids`, only those
        (n, k) of these k tokens.
        """
        rows, bias = self._output, self.output_bias
        if ids is not None:
            rows, bias = rows[list(ids)], bias[list(ids)]
        # In numpy, because for two or three rows torch takes as long as for eight.
        found = np.asarray(transformed, np.float32) @ rows.T
        found += bias
        return np.asarray(found)

    def next_sentence_logits(self, states: Array) -> Array:
        """Return the logits (n, 2), next and random, of the next-sentence head for last hidden states (n, d) of [CLS],
        for a model with `has_next_sentence`.
        """
        import torch

        with torch.inference_mode():
            pooled = self._base.pooler(torch.from_numpy(np.ascontiguousarray(states, np.float32))[:, None])
            return self._network.cls.seq_relationship(pooled).numpy()


def _read_only(array: Array) -> Array:
    array.flags.writeable = False
    return array
