"""Loading of models: the bundled one, one from the catalogue on the Hugging Face hub, or a local folder."""

import hashlib
import json
import math
from contextlib import suppress
from pathlib import Path
from typing import Any

import huggingface_hub
import torch
from huggingface_hub.utils import tqdm
from tokenizers.models import WordPiece
from transformers import AutoConfig, AutoTokenizer, BertForPreTraining, DistilBertForMaskedLM

from embtools.models import catalogue, memory
from embtools.models.catalogue import BUNDLED, CATALOGUE, MAX_LAYERS, WEIGHTS, entry
from embtools.models.embedding_model import EmbeddingModel
from embtools.progress import Progress, silent

_NETWORKS: dict[str, Any] = {"bert": BertForPreTraining, "distilbert": DistilBertForMaskedLM}
_SPECIAL = ("[MASK]", "[UNK]", "[CLS]", "[SEP]")
_CODE_KEYS = {
    "auto_map",
    "custom_pipelines",
    "trust_remote_code",
}  # keys of a configuration that ask to run program code


class _NotUsable(Exception):
    """Raised for a model that can be read but not explored here; visitors see the message."""


def load_model(name: str = BUNDLED) -> EmbeddingModel:
    """Return the loaded model.

    Only safetensors are read, and program code that comes with a model is never run.

    Parameters
    ----------
    name : str, optional
        "bundled", a hub name from the catalogue, or a local folder.

    Returns
    -------
    EmbeddingModel

    Raises
    ------
    ValueError
        With a message that says what happened and what to do: no network, unknown name, not a masked language model
        with a WordPiece tokenizer, a damaged file, weights that are not finite numbers, program code, no disk space,
        too little memory.

    Examples
    --------
    >>> load_model()
    <EmbeddingModel bundled: 6 layers × 384, 30,522 tokens>
    """
    if name == BUNDLED:
        source: str | Path = Path(__file__).parent.parent / "bundled"
    else:
        chosen = CATALOGUE.get(name)
        if chosen:
            memory.check(chosen.title, chosen.megabytes)
        folder = chosen.folder if chosen else name if _is_folder(name) else ""
        source = Path(folder) if folder else entry(name).source
    try:
        model = _load(source, name)
        model.encode(model.matrix[[[model.mask_id] * 8]])  # a first pass, which reads memory-mapped weights
    except _NotUsable as error:
        raise ValueError(_explain(error, name) if name == BUNDLED else str(error)) from None
    except Exception as error:  # torch, safetensors, the hub and the disk raise different exceptions
        raise ValueError(_explain(error, name)) from error
    return model


def is_here(name: str) -> bool:
    """Return whether a model can be loaded without the hub: bundled, a folder, or downloaded before."""
    return catalogue.is_here(entry(name))


def fetch(name: str, *, progress: Progress = silent) -> None:
    """Download a model of the catalogue into the hub's cache: first its small files, then its weights; a stopped
    download is resumed.
    """
    chosen = entry(name)
    if is_here(name):
        return

    class Bar(tqdm):  # updated by the hub's client
        def __init__(self, *arguments: Any, **named: Any) -> None:
            super().__init__(*arguments, **named | {"disable": True})  # nothing is written to the server's log
            self.done = 0.0

        def update(self, n: float | None = 1) -> bool | None:
            self.done += n or 0
            if self.total:
                progress(min(1.0, self.done / self.total))
            return None

    try:
        huggingface_hub.snapshot_download(chosen.source, allow_patterns=["*.json", "vocab.txt"])
        _check(Path(huggingface_hub.hf_hub_download(chosen.source, WEIGHTS, tqdm_class=Bar)))
    except Exception as error:  # the hub, the network and the disk raise different exceptions
        raise ValueError(_explain(error, name)) from error


def _check(file: Path) -> None:
    """Delete a downloaded file with a wrong SHA-256, which is the name of a large file in the cache, and raise OSError,
    because the hub's client only compares sizes.
    """
    blob = file.resolve()
    if len(blob.name) != 64:
        return
    with blob.open("rb") as opened:
        found = hashlib.file_digest(opened, "sha256").hexdigest()
    if found != blob.name:
        file.unlink()
        blob.unlink()
        raise OSError("checksum mismatch")


def _is_folder(name: str) -> bool:
    try:
        return bool(name) and Path(name).is_dir()
    except OSError:  # too long to be a path
        return False


def _brings_code(folder: Path) -> bool:
    """Return whether a folder contains program code, or a configuration that asks for it."""
    for path in folder.glob("*config.json"):
        with suppress(ValueError):  # damaged files are reported where they are read
            saved = json.loads(path.read_bytes())
            if isinstance(saved, dict) and _CODE_KEYS & saved.keys():
                return True
    return any(folder.rglob("*.py"))


def _load(source: str | Path, name: str) -> EmbeddingModel:
    if isinstance(source, Path) and _brings_code(source):
        raise _NotUsable(f"{name} contains program code, which is never run here. Choose a model from the catalogue.")
    # A model that was downloaded before is read without asking the hub, which would be waited for without a network.
    local = name in CATALOGUE and is_here(name)
    config = AutoConfig.from_pretrained(source, trust_remote_code=False, local_files_only=local)
    if config.model_type not in _NETWORKS:
        raise _NotUsable(
            f"{name} is a {config.model_type!r} model. Only BERT and DistilBERT with a masked-word head can be"
            " explored here. Choose one from the catalogue."
        )
    if config.num_hidden_layers > MAX_LAYERS:
        raise _NotUsable(
            f"{name} has {config.num_hidden_layers} layers, but at most {MAX_LAYERS} are possible here."
            " Choose a model from the catalogue."
        )
    tokenizer = AutoTokenizer.from_pretrained(source, trust_remote_code=False, local_files_only=local)
    backend = getattr(tokenizer, "backend_tokenizer", None)
    if backend is None or not isinstance(backend.model, WordPiece):
        raise _NotUsable(f"{name} has no WordPiece tokenizer. Choose a model from the catalogue.")
    if len(tokenizer) <= len(tokenizer.all_special_tokens):  # the file is missing, so every word would be [UNK]
        raise _NotUsable(f"{name} lacks the vocabulary of its tokenizer. Choose a model from the catalogue.")
    if tokenizer.mask_token_id is None or len(tokenizer) > config.vocab_size:
        raise _NotUsable(
            f"The tokenizer of {name} does not belong to its weights, or has no [MASK]."
            " Choose a model from the catalogue."
        )
    special = tokenizer.mask_token, tokenizer.unk_token, tokenizer.cls_token, tokenizer.sep_token
    if special != _SPECIAL:
        raise _NotUsable(
            f"The tokenizer of {name} has the special tokens {' '.join(map(str, special))}, but those of BERT are"
            f" needed: {' '.join(_SPECIAL)}. Choose a model from the catalogue."
        )
    # Truncation or padding settings in the file would change every visitor's text.
    backend.no_truncation()
    backend.no_padding()
    network, report = _NETWORKS[config.model_type].from_pretrained(
        source, dtype=torch.float32, use_safetensors=True, output_loading_info=True, local_files_only=local
    )
    missing = [key for key in report["missing_keys"] if "seq_relationship" not in key and "pooler" not in key]
    if missing:
        raise _NotUsable(
            f"{name} lacks weights of a masked language model ({missing[0]}). Choose a model from the catalogue."
        )
    # The minimum or maximum is nan or infinite if any value is; this is eight times faster than testing every value.
    extremes = ((key, weight.detach().aminmax()) for key, weight in network.named_parameters())
    if broken := next((key for key, ends in extremes if not all(map(math.isfinite, ends))), None):
        raise _NotUsable(
            f"Some weights of {name} are not finite numbers ({broken}). Choose another model, or save this one again."
        )
    network.eval()
    has_next_sentence = config.model_type == "bert" and not report["missing_keys"]
    return EmbeddingModel(network, tokenizer, name, has_next_sentence=has_next_sentence)


def _explain(error: Exception, name: str) -> str:
    """Return a message that says why loading failed and what to do."""
    if name == BUNDLED:
        return (
            f"The bundled model cannot be loaded ({type(error).__name__}): its files are damaged or incomplete."
            " Whoever runs this server must install the app again."
        )
    chain = [error]
    while (cause := chain[-1].__cause__ or chain[-1].__context__) and cause not in chain:
        chain.append(cause)  # type: ignore[arg-type]
    kinds = " ".join(type(e).__name__ for e in chain)
    text = " ".join(str(e) for e in chain)
    stay = "You can still use the bundled model."
    if any(getattr(e, "errno", None) == 28 for e in chain) or "No space left" in text:
        return f"There is no disk space left for {name}. Free some space and try again. {stay}"
    missing = "EntryNotFound" in kinds.replace("LocalEntryNotFound", "") or "safetensors" in text
    if missing and "OfflineMode" not in kinds:
        return (
            f"{name} has no weights as safetensors, and other formats are not read because they are less safe. Anybody"
            " can request a conversion at https://huggingface.co/spaces/safetensors/convert. Or choose another model."
            f" {stay}"
        )
    if "GatedRepo" in kinds or "401 Client Error" in text:
        return f"{name} can only be downloaded after signing in, which this app cannot do. Choose another model. {stay}"
    if "Consistency check failed" in text or "RemoteProtocolError" in kinds:
        return f"The download of {name} was interrupted. Try again; it continues where it stopped. {stay}"
    if "checksum mismatch" in text:
        return f"The downloaded file of {name} was damaged and has been deleted. Try again. {stay}"
    if "RepositoryNotFound" in kinds or "RevisionNotFound" in kinds:
        return f"The Hugging Face hub has no model {name}. Choose another one from the catalogue. {stay}"
    if "SafetensorError" in kinds or "DecodeError" in kinds or "mismatch" in text:
        return f"A file of {name} is damaged. Delete its folder in the cache and load it again. {stay}"
    if "model_type" in text or "does not recognize this architecture" in text:
        return f"{name} is not a BERT that can be explored here. Choose a model from the catalogue. {stay}"
    if (
        "Connect" in kinds
        or "Timeout" in kinds
        or "OfflineMode" in kinds
        or "LocalEntryNotFound" in kinds
        or "couldn't connect" in text
    ):
        return (
            f"{name} could not be downloaded: the Hugging Face hub does not answer."
            f" Check the network, then try again. {stay}"
        )
    return f"{name} could not be loaded ({type(error).__name__}). Choose another model. {stay}"
