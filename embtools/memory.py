"""One cache for everything that is worth computing only once, with one limit in bytes.

A result is stored under the function, its arguments and the checksum of the model that it was computed with. Arguments
are compared by content, so words, numbers, tuples, frozen dataclasses and frames all work. Results are shared, never
copied: nobody may change one. Callers that ask for the same thing at the same time wait for a single computation.
Errors are not stored.
"""

import dataclasses
import inspect
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache, wraps
from hashlib import sha256
from typing import Any, TypeVar

from cachetools import LRUCache, cached

from embtools.contents import content, size
from embtools.progress import Progress

DEFAULT_BYTES = 224_000_000
F = TypeVar("F", bound=Callable[..., Any])
T = TypeVar("T")


def remembered(function: F) -> F:
    """Decorator: store the results of a pure function in the cache, by its parameters; of these, `model` is replaced by
    its checksum, and `progress` does not count.
    """

    @wraps(function)
    def recalled(*arguments: Any, **named: Any) -> Any:
        given = by_name(function, arguments, named)
        model, progress = given.pop("model", None), given.pop("progress", None)
        return call(function, given, checksum=model.checksum if model else "", model=lambda: model, progress=progress)

    return recalled  # type: ignore[return-value]


def call(
    function: Callable[..., T],
    arguments: Mapping[str, Any],
    *,
    checksum: str = "",
    model: Callable[[], object] = lambda: None,
    progress: Progress | None = None,
    prepared: Callable[[], Any] = lambda: None,
) -> T:
    """`function(**arguments)` from the cache, or computed now and stored."""
    plain = inspect.unwrap(function)
    complete = _complete(plain, arguments)

    def compute() -> _Entry:
        if (before := prepared()) is not None:
            return _Entry(before, size(before) + size(complete))
        taken = _signature(plain).parameters
        more: dict[str, Any] = {"model": model()} if "model" in taken or _takes_any_name(plain) else {}
        if progress is not None and "progress" in taken:
            more["progress"] = progress
        with _counts.computing(f"{plain.__module__}.{plain.__qualname__}"):
            value = _invoke(plain, complete | more)
        return _Entry(value, size(value) + size(complete))  # a long text takes its room in the key, too

    with _counts.asking_now():
        return _stored(_key(plain, complete, checksum), compute).value


def known(function: Callable[..., Any], arguments: Mapping[str, Any], *, checksum: str = "") -> bool:
    """Whether `call` would answer from the cache."""
    plain = inspect.unwrap(function)
    return _key(plain, _complete(plain, arguments), checksum) in _stored.cache


@dataclasses.dataclass
class Counts:
    """Counts of the calls to the cache since the process began, without any argument of a call.

    `calls` counts calls and `computed` computations; `seconds` and `times` have their time and number by function. Now
    `asking` calls wait for a result, and `running` results are being computed.
    """

    calls: int = 0
    computed: int = 0
    asking: int = 0
    running: int = 0
    seconds: dict[str, float] = dataclasses.field(default_factory=dict)
    times: dict[str, int] = dataclasses.field(default_factory=dict)

    def __post_init__(self) -> None:
        self._lock = threading.Lock()

    @contextmanager
    def asking_now(self) -> Iterator[None]:
        """Count a call."""
        with self._lock:
            self.calls += 1
            self.asking += 1
        try:
            yield
        finally:
            with self._lock:
                self.asking -= 1

    @contextmanager
    def computing(self, name: str) -> Iterator[None]:
        """Count and time a computation of the function of this name, also one that fails or is stopped."""
        began = time.perf_counter()
        with self._lock:
            self.running += 1
        try:
            yield
        finally:
            with self._lock:
                self.running -= 1
                self.computed += 1
                self.seconds[name] = self.seconds.get(name, 0.0) + time.perf_counter() - began
                self.times[name] = self.times.get(name, 0) + 1

    def snapshot(self) -> "Counts":
        """A copy that does not change any more."""
        with self._lock:
            return dataclasses.replace(self, seconds=dict(self.seconds), times=dict(self.times))


def counts() -> Counts:
    """Return the counts of the calls to the cache so far."""
    return _counts.snapshot()


_counts = Counts()


def limit(most: int = DEFAULT_BYTES) -> None:
    """Let the cache hold at most this many bytes, and empty it; 0 turns it off."""
    global _stored
    cache: LRUCache[Any, _Entry] = LRUCache(most, getsizeof=lambda entry: entry.size)
    condition = threading.Condition()  # not a lock: callers that ask for something else do not wait
    _stored = cached(cache, key=lambda key, compute: key, condition=condition)(lambda key, compute: compute())


def entries() -> set[Any]:
    """What the cache holds now, for tests: of each entry the function, the model's checksum and the arguments."""
    return set(_stored.cache)


def forget() -> None:
    """Empty the cache, for tests."""
    _stored.cache_clear()


def used() -> int:
    """About how many bytes the cache holds now."""
    return int(_stored.cache.currsize)


@dataclasses.dataclass(frozen=True)
class _Entry:
    value: Any
    size: int


def _invoke(function: Callable[..., Any], arguments: Mapping[str, Any]) -> Any:
    """Call a function with arguments by name; those of a parameter such as *names are a tuple under that name."""
    parameters = _signature(function).parameters
    several = [name for name, parameter in parameters.items() if parameter.kind is parameter.VAR_POSITIONAL]
    if not several:
        return function(**arguments)
    before = list(parameters)[: list(parameters).index(several[0])]
    named = {name: value for name, value in arguments.items() if name not in (*before, several[0])}
    return function(*(arguments[name] for name in before), *arguments.get(several[0], ()), **named)


def _key(function: Callable[..., Any], arguments: Mapping[str, Any], checksum: str) -> tuple[Any, ...]:
    return f"{function.__module__}.{function.__qualname__}", checksum, content(arguments)


def _complete(function: Callable[..., Any], arguments: Mapping[str, Any]) -> dict[str, Any]:
    """All arguments in the order of the parameters, defaults included: one entry however a call is written."""
    parameters = _signature(function).parameters
    more = sorted(set(arguments) - set(parameters))
    if more and not _takes_any_name(function):
        raise TypeError(f"{function.__name__} takes no {', '.join(more)}.")
    known = {
        name: arguments.get(name, parameter.default)
        for name, parameter in parameters.items()
        if name in arguments or (name not in ("model", "progress") and parameter.default is not parameter.empty)
    }
    return known | {name: arguments[name] for name in more}


def by_name(function: Callable[..., Any], arguments: tuple[Any, ...], named: Mapping[str, Any]) -> dict[str, Any]:
    """Arguments of a function by name: those without a name belong to its parameters in their order, and those of a
    parameter such as *words are a tuple.

    >>> by_name(lambda text, model, *, k: ..., ("Rome", "a model"), {"k": 5})
    {'text': 'Rome', 'model': 'a model', 'k': 5}
    """
    parameters = _signature(function).parameters
    names = [name for name, each in parameters.items() if each.kind is not inspect.Parameter.VAR_KEYWORD]
    several = [name for name in names if parameters[name].kind is inspect.Parameter.VAR_POSITIONAL]
    count = names.index(several[0]) if several else len(names)
    given = dict(zip(names[:count], arguments, strict=False))
    if several and several[0] not in named:
        given[several[0]] = arguments[count:]
    elif len(arguments) > count:
        raise TypeError(f"{function.__name__} takes {count} arguments, not {len(arguments)}.")
    if twice := given.keys() & named.keys():
        raise TypeError(f"{function.__name__} got {', '.join(sorted(twice))} twice.")
    return given | dict(named)


def _takes_any_name(function: Callable[..., Any]) -> bool:
    """Whether a function has a parameter such as **options."""
    return any(each.kind is each.VAR_KEYWORD for each in _signature(function).parameters.values())


@lru_cache(2_048)
def _signature(function: Callable[..., Any]) -> inspect.Signature:
    return inspect.signature(function)


def checksum_of_view(checksum: str, name: str) -> str:
    """The checksum of a model whose static embeddings were replaced by those of this name."""
    return sha256(f"{checksum} {name}".encode()).hexdigest()


_stored: Any
limit()
