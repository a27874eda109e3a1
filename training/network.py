"""The network in pre-training: loading, losses, the state of the optimiser as arrays, export."""

import json
import shutil
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import torch
import torch.nn.functional as F
from transformers import AutoTokenizer, BertForPreTraining

from training.checkpoints import Arrays
from training.shapes import IGNORE, PAD, SHAPES

MOST_PIECES = 2**16  # ids are stored as uint16


def device_and_precision() -> tuple[torch.device, bool]:
    """Return the device (a GPU if there is one), and whether bf16 autocast is faster on it."""
    if torch.cuda.is_available():
        torch.set_float32_matmul_precision("high")
        return torch.device("cuda"), torch.cuda.is_bf16_supported()
    able = torch.cpu.get_capabilities()
    return torch.device("cpu"), bool(able.get("avx512_bf16") or able.get("amx_bf16"))


def load_start(name: str, device: torch.device) -> tuple[Any, Any]:
    """Return tokenizer and float32 model of the starting checkpoint, without dropout, missing heads at random, on the
    device; ValueError if it cannot be trained.
    """
    try:
        tokenizer = AutoTokenizer.from_pretrained(name)
        # Measured on a processor: plain attention trains 1.2 to 1.5 times faster than fused attention.
        attention = "sdpa" if device.type == "cuda" else "eager"
        loaded: Any = BertForPreTraining.from_pretrained(
            name,
            output_loading_info=True,
            dtype=torch.float32,
            attn_implementation=attention,
            use_safetensors=True,
            hidden_dropout_prob=0.0,
            attention_probs_dropout_prob=0.0,
        )
    except (OSError, ValueError) as error:
        raise ValueError(
            f"The start model {name} cannot be loaded ({error}). Give a hub name or a folder with "
            "config.json, model.safetensors and a tokenizer."
        ) from error
    model, report = loaded
    missing = sorted(report["missing_keys"])
    if any(key.startswith(("bert.embeddings.", "bert.encoder.")) for key in missing):
        raise ValueError(f"The start model {name} is not a BERT: it lacks {missing[0]}. Give a BERT of any size.")
    if missing:
        print(f"{name} lacks {', '.join(missing)}, which are initialised at random.")
    # Truncation or padding settings in the tokenizer's file would change every sentence.
    tokenizer.backend_tokenizer.no_truncation()
    tokenizer.backend_tokenizer.no_padding()
    pieces, rows = len(tokenizer), model.config.vocab_size
    if pieces != rows or rows > MOST_PIECES or tokenizer.pad_token_id != PAD:
        raise ValueError(
            f"The tokenizer of {name} has {pieces} tokens, the model has {rows} rows, and padding is token "
            f"{tokenizer.pad_token_id}. Both numbers must be the same, at most {MOST_PIECES}, and "
            f"padding must be token {PAD}. Use the tokenizer that the model was trained with."
        )
    return tokenizer, model.to(device).train()


def word_losses(
    model: Any, states: torch.Tensor, labels: torch.Tensor, context: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return masked-word loss, its accuracy and copy loss of the states at masked positions, (masked, d); `context`
    (masked, width) are the words that each can see, PAD elsewhere.
    """
    scores = model.cls.predictions(states).float()
    used = labels != IGNORE
    count = used.sum().clamp(min=1)
    logarithms = scores.log_softmax(-1)  # computed once for both losses, because it is as large as the scores
    words = F.nll_loss(logarithms, labels, ignore_index=IGNORE, reduction="sum") / count
    right = (scores.argmax(-1) == labels).sum() / count
    chances = logarithms.gather(1, context).exp() * (context != PAD)
    copied = chances.sum(-1).clamp(max=0.999) * used
    return words, right, -torch.log1p(-copied).sum() / count


def losses(
    model: Any,
    ids: torch.Tensor,
    segments: torch.Tensor,
    attention: torch.Tensor,
    where: torch.Tensor,
    labels: torch.Tensor,
    follows: torch.Tensor,
    visible: torch.Tensor,
    *,
    read: Callable[..., tuple[torch.Tensor, ...]] = word_losses,
) -> tuple[torch.Tensor, ...]:
    """Return masked-word loss, its accuracy, next-sentence loss and copy loss of a batch (means); the copy loss is an
    unlikelihood term (Welleck et al. 2019) against answering with a word of the sentence, 0 for pairs.
    """
    out = model.bert(ids, token_type_ids=segments, attention_mask=attention)
    # Only masked positions go through the decoder: 30,522 scores for every token would take most of a step.
    states = out.last_hidden_state.flatten(0, 1)[where]
    context = visible[torch.div(where, ids.shape[1], rounding_mode="floor")]
    words, right, copy_loss = read(model, states, labels, context)
    relation = model.cls.seq_relationship(out.pooler_output).float()
    pairs = (follows != IGNORE).sum().clamp(min=1)
    next_loss = F.cross_entropy(relation, follows, ignore_index=IGNORE, reduction="sum") / pairs
    return words, right, next_loss, copy_loss


def compiled(model: Any, device: torch.device) -> Callable[..., tuple[torch.Tensor, ...]]:
    """Return `losses` compiled for a processor, or for a GPU, where only the layers and the scores are compiled."""
    # Dynamic sizes would be compiled once for all shapes, which is 1.3 times slower on a processor (measured). A step
    # has each shape in at most two sizes.
    torch._dynamo.config.recompile_limit = 4 * len(SHAPES)
    if device.type != "cuda":
        return torch.compile(losses, dynamic=False)
    # The layers share what is compiled for the first one: the first step, with all shapes, took 49 seconds on an H200.
    for layer in model.bert.encoder.layer:
        layer.compile(dynamic=False)
    return partial(losses, read=torch.compile(word_losses, dynamic=False))


def optimizer_arrays(model: Any, optimizer: torch.optim.Optimizer) -> Arrays:
    """Return the moments and step counts of AdamW by the names of their parameters."""
    return {
        f"{name}/{key}": value.detach().cpu().reshape(value.shape or (1,)).numpy()
        for name, parameter in model.named_parameters()
        for key, value in optimizer.state[parameter].items()
    }


def restore(model: Any, optimizer: torch.optim.Optimizer, weights: Arrays, moments: Arrays) -> None:
    """Restore weights and the arrays of `optimizer_arrays`; raises ValueError if they belong to another model."""
    shapes = {name: tuple(parameter.shape) for name, parameter in model.named_parameters()}
    if shapes != {name: array.shape for name, array in weights.items()}:
        raise ValueError(
            "The checkpoint belongs to another model than --start. Give the same model, or another --run folder."
        )
    for name, parameter in model.named_parameters():
        with torch.no_grad():
            parameter.copy_(torch.from_numpy(weights[name]))
        optimizer.state[parameter] = {
            key: torch.from_numpy(moments[f"{name}/{key}"]).to(parameter.device) for key in ("exp_avg", "exp_avg_sq")
        } | {"step": torch.from_numpy(moments[f"{name}/step"]).reshape(()).to(parameter.device)}


def export(weights: Arrays, model: Any, tokenizer: Any, out: Path) -> None:
    """Write weights as a float16 model folder: first all files to a temporary folder, then each is moved."""
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            parameter.copy_(torch.from_numpy(weights[name]))
    partial = out.with_name(out.name + ".partial")
    shutil.rmtree(partial, ignore_errors=True)
    model.config.hidden_dropout_prob = model.config.attention_probs_dropout_prob = 0.1
    model.half().save_pretrained(partial)
    tokenizer.save_pretrained(partial)
    settings = partial / "tokenizer_config.json"
    kept = {k: v for k, v in json.loads(settings.read_text()).items() if k not in ("is_local", "local_files_only")}
    settings.write_text(json.dumps(kept, indent=1) + "\n")  # without the path that it was loaded from
    out.mkdir(parents=True, exist_ok=True)
    for file in partial.iterdir():
        file.chmod(0o644)
        file.replace(out / file.name)
    partial.rmdir()
