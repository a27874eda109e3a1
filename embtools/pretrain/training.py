"""One training run: sources, steps, checkpoints, the log, and the export at its end."""

import json
import os
import time
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import torch

from embtools.pretrain import checkpoints
from embtools.pretrain.batches import Source, Vocabulary, make_batch, source, vocabulary
from embtools.pretrain.network import (
    device_and_precision,
    export,
    load_start,
    losses,
    optimizer_arrays,
    restore,
    tensors,
)
from embtools.pretrain.settings import Settings, check, check_continued, learning_rate, recipe
from embtools.pretrain.text import load_text

# Threads that spin while they wait make every other program on the machine crawl.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")


BETAS, EPSILON, WEIGHT_DECAY, CLIP = (0.9, 0.98), 1e-6, 0.01, 1.0


def load_sources(settings: Settings, tokenizer: Any) -> tuple[list[Source], Vocabulary]:
    """The training part of every text, tokenised once under the run's folder."""

    def encode(sentences: list[str]) -> list[list[int]]:
        encodings = tokenizer.backend_tokenizer.encode_batch(sentences, add_special_tokens=False)
        return [encoding.ids for encoding in encodings]

    cache = settings.run / "tokens"
    mark = f"{zlib.crc32(tokenizer.backend_tokenizer.to_str().encode()):08x}"
    sources = [source(load_text(path, encode, mark, cache, held_out=False), share) for path, share in settings.texts]
    tokens = tokenizer.convert_ids_to_tokens(list(range(len(tokenizer))))
    return sources, vocabulary(tokens, [s.text for s in sources])


def train(settings: Settings) -> Path:
    """Train, or continue, to `settings.steps`, then export to `settings.out`; returns that folder.

    Raises ValueError for settings, texts or a start model that cannot be used, for a run that was begun with another
    recipe, and for too little disk.
    """
    check(settings)
    torch.set_num_threads(settings.threads)
    torch.manual_seed(settings.seed)  # heads that the start model lacks begin at random
    tokenizer, model = load_start(settings.start)
    if settings.blend:  # what cannot be mixed in after hours of training is said before them
        checkpoints.mix({n: p.detach().numpy() for n, p in model.named_parameters()}, *settings.blend)
    saved = checkpoints.found(settings.run)
    size = sum(p.numel() for p in model.parameters())
    checkpoints.need_space(settings.run, 12 * size * max(1, settings.keep + 1 - len(saved)))
    for folder in (settings.run, settings.out):
        folder.mkdir(parents=True, exist_ok=True)
    same = recipe(settings)
    device, bf16 = device_and_precision()
    model.to(device).train()
    optimizer = torch.optim.AdamW(model.parameters(), settings.learning_rate, BETAS, EPSILON, WEIGHT_DECAY, fused=True)
    done = 0
    if saved:
        weights, moments, state = checkpoints.read(saved[-1])
        check_continued(settings, same, state)
        restore(model, optimizer, weights, moments)
        done = int(state["step"])
    if done < settings.steps:
        sources, vocab = load_sources(settings, tokenizer)
        compute = torch.compile(losses) if settings.compile else losses
        print(f"{done} of {settings.steps} steps done; training on {device}, bf16 {bf16}.")
        loop(settings, model, optimizer, compute, sources, vocab, same, done, bf16)
    folders = checkpoints.found(settings.run)[-settings.average :]
    weights = checkpoints.average(folders)
    if settings.blend:
        weights = checkpoints.mix(weights, *settings.blend)
    export(weights, model, tokenizer, settings.out)
    print(f"Wrote {settings.out} (mean of {', '.join(f.name for f in folders)}).")
    return settings.out


def loop(
    settings: Settings,
    model: Any,
    optimizer: torch.optim.Optimizer,
    compute: Any,
    sources: list[Source],
    vocab: Vocabulary,
    same: dict[str, Any],
    done: int,
    bf16: bool,
) -> None:
    """The steps themselves, with the log (JSON lines), progress and checkpoints."""
    device = next(model.parameters()).device
    began, pieces, recent = time.perf_counter(), 0, []
    for step in range(done, settings.steps):
        batch = make_batch(sources, vocab, step, settings.seed, mask_rate=settings.mask_rate)
        for group in optimizer.param_groups:
            group["lr"] = learning_rate(step, settings)
        with torch.autocast(device.type, torch.bfloat16, enabled=bf16):
            words, right, next_loss, copy_loss = compute(model, *tensors(batch, device))
        (words + settings.next_weight * next_loss + settings.copy_weight * copy_loss).backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), CLIP)
        optimizer.step()
        optimizer.zero_grad()
        recent.append((batch.shape.name, words.item(), right.item(), next_loss.item(), copy_loss.item()))
        pieces += batch.ids.size
        if len(recent) == 50 or step + 1 == settings.steps:
            seconds = time.perf_counter() - began
            left = seconds / (step + 1 - done) * (settings.steps - step - 1)
            entry = {"step": step + 1, "rate": learning_rate(step, settings)}
            entry |= summary(recent) | {"pieces_per_second": round(pieces / seconds)}
            with (settings.run / "log.jsonl").open("a") as log:
                log.write(json.dumps(entry) + "\n")
            print(json.dumps(entry), f"{left / 60:.0f} min left", flush=True)
            recent = []
        if (step + 1) % settings.save_every == 0 or step + 1 == settings.steps:
            weights = {n: p.detach().cpu().numpy() for n, p in model.named_parameters()}
            moments = optimizer_arrays(model, optimizer)
            state = same | {"torch": torch.__version__}
            checkpoints.write(settings.run, step + 1, weights, moments, state, settings.keep)


def summary(recent: list[tuple[str, float, float, float, float]]) -> dict[str, float]:
    """Mean losses and accuracies of the last steps, per shape (they are not comparable)."""
    values: dict[str, float] = {}
    for name in sorted({r[0] for r in recent}):
        rows = np.array([r[1:] for r in recent if r[0] == name])
        loss, accuracy, following, copying = rows.mean(axis=0)
        values |= {f"{name}_loss": round(loss, 3), f"{name}_accuracy": round(accuracy, 3)}
        if following:
            values[f"{name}_next"] = round(following, 3)
        if copying:
            values[f"{name}_copy"] = round(copying, 3)
    return values
