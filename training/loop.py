"""A training run: sources, steps, checkpoints, the log, and the export at the end."""

import json
import math
import os
import time
import zlib
from pathlib import Path
from typing import Any

import torch

from training import checkpoints
from training.feeding import Batches, feed
from training.masking import Vocabulary, vocabulary
from training.network import (
    compiled,
    device_and_precision,
    export,
    load_start,
    losses,
    optimizer_arrays,
    restore,
)
from training.progress import Progress
from training.settings import Settings, check, check_continued, learning_rate, recipe
from training.shapes import BLOCK, Group, groups
from training.sources import Source, source
from training.text import load_text

# Threads that wait actively slow down every other program on the machine.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")


BETAS, EPSILON, WEIGHT_DECAY, CLIP = (0.9, 0.98), 1e-6, 0.01, 1.0


def load_sources(settings: Settings, tokenizer: Any) -> tuple[list[Source], Vocabulary]:
    """Return the training part of every text, tokenised once into the run's folder, and the vocabulary."""

    def encode(sentences: list[str]) -> list[list[int]]:
        encodings = tokenizer.backend_tokenizer.encode_batch(sentences, add_special_tokens=False)
        return [encoding.ids for encoding in encodings]

    cache = settings.run / "tokens"
    mark = f"{zlib.crc32(tokenizer.backend_tokenizer.to_str().encode()):08x}"
    sources = [
        source(load_text(path, encode, mark, cache, held_out=False), share, paired=paired)
        for files, paired in ((settings.texts, True), (settings.sentence_texts, False))
        for path, share in files
    ]
    tokens = tokenizer.convert_ids_to_tokens(list(range(len(tokenizer))))
    return sources, vocabulary(tokens, [s.text for s in sources])


def train(settings: Settings) -> Path:
    """Train, or continue, to the end of the steps or minutes, then export to `settings.out`; returns that folder."""
    deadline = time.monotonic() + 60 * settings.minutes
    check(settings)
    torch.set_num_threads(settings.threads)
    torch.manual_seed(settings.seed)  # missing heads of the start model are initialised at random
    device, bf16 = device_and_precision()
    tokenizer, model = load_start(settings.start, device)
    if settings.blend:  # checked before hours of training, not after them
        checkpoints.mix({n: p.detach().cpu().numpy() for n, p in model.named_parameters()}, *settings.blend)
    saved = checkpoints.found(settings.run)
    size = sum(p.numel() for p in model.parameters())
    checkpoints.need_space(settings.run, 12 * size * max(1, settings.keep + 1 - len(saved)))
    for folder in (settings.run, settings.out):
        folder.mkdir(parents=True, exist_ok=True)
    same = recipe(settings)
    optimizer = torch.optim.AdamW(model.parameters(), settings.learning_rate, BETAS, EPSILON, WEIGHT_DECAY, fused=True)
    done = 0
    if saved:
        weights, moments, state = checkpoints.read(saved[-1])
        check_continued(settings, same, state)
        restore(model, optimizer, weights, moments)
        done = int(state["step"])
    if not saved or (done < settings.steps and settings.minutes > 0):
        sources, vocab = load_sources(settings, tokenizer)
        print(f"{done} of {settings.steps} steps done; training on {device}, bf16 {bf16}.")
        batches = Batches(sources, vocab, settings.seed, settings.mask_rate)
        loop(settings, model, optimizer, batches, same, done, deadline)
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
    batches: Batches,
    same: dict[str, Any],
    done: int,
    deadline: float,
) -> None:
    """Run the steps from `done` to the last one or the deadline, with log and checkpoints."""
    device, bf16 = device_and_precision()
    at_once = settings.at_once or (settings.pieces if device.type == "cuda" else BLOCK)
    steps = range(done, settings.steps)

    def planned(step: int) -> list[Group]:
        return list(groups(step, settings.blocks, at_once // BLOCK, settings.seed))

    compute = compiled(model, device) if settings.compile else losses
    fed = feed(batches, (group for step in steps for group in planned(step)), settings.workers, device)
    progress = Progress(settings.run / "log.jsonl")
    measured: list[tuple[str, torch.Tensor]] = []
    saved = began = time.monotonic()
    for step in steps:
        time_left = (deadline - time.monotonic()) / (60 * settings.minutes) if settings.minutes < math.inf else 1.0
        rate = learning_rate(step, settings, time_left)
        for parameters in optimizer.param_groups:
            parameters["lr"] = rate
        for group in planned(step):
            started = time.perf_counter()
            arrays = next(fed)
            progress.waited += time.perf_counter() - started
            with torch.autocast(device.type, torch.bfloat16, enabled=bf16):
                words, right, next_loss, copy_loss = compute(model, *arrays)
            total = words + settings.next_weight * next_loss + settings.copy_weight * copy_loss
            (total * (group.count / settings.blocks)).backward()
            measured.append((group.shape.name, torch.stack([words, right, next_loss, copy_loss]).detach()))
        torch.nn.utils.clip_grad_norm_(model.parameters(), CLIP)
        optimizer.step()
        optimizer.zero_grad()
        progress.pieces += settings.pieces
        ended = step + 1 == settings.steps or time.monotonic() >= deadline
        now = time.monotonic()
        save = ended or (step + 1) % settings.save_every == 0 or now - saved >= 60 * settings.save_minutes
        if save or progress.due():
            left = min((now - began) / (step + 1 - done) * (settings.steps - step - 1), max(0.0, deadline - now))
            # Only here does the program wait for the GPU, which otherwise has the next steps in its queue.
            progress.losses, measured = [(name, values.tolist()) for name, values in measured], []
            entry = progress.write({"step": step + 1, "rate": rate})
            print(json.dumps(entry), f"{left / 60:.0f} min left", flush=True)
        if save:
            weights = {n: p.detach().cpu().numpy() for n, p in model.named_parameters()}
            moments = optimizer_arrays(model, optimizer)
            state = same | {"torch": torch.__version__}
            checkpoints.write(settings.run, step + 1, weights, moments, state, settings.keep)
            saved = time.monotonic()
        if ended:
            break
