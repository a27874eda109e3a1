"""Numbers about the running server for Prometheus, on a port of their own; no number contains what visitors typed."""

from collections.abc import Iterator

import psutil
from prometheus_client import CollectorRegistry, start_http_server
from prometheus_client.metrics_core import CounterMetricFamily, GaugeMetricFamily, Metric, SummaryMetricFamily

import embtools
from embtools import memory, settings
from embtools.ui import turns, visitors


class Numbers:
    """A collector: it reads the numbers each time that Prometheus asks."""

    def collect(self) -> Iterator[Metric]:
        """Return all numbers."""
        counts = memory.counts()
        version = GaugeMetricFamily("embtools_info", "The version of the app.", labels=["version"])
        version.add_metric([embtools.__version__], 1)
        yield version
        yield GaugeMetricFamily("embtools_visitors", "Open pages.", visitors.count())
        yield GaugeMetricFamily("embtools_pages_waiting", "Pages that wait for their turn.", turns.waiting())
        yield CounterMetricFamily("embtools_queries", "Results that pages have asked for.", counts.calls)
        yield CounterMetricFamily(
            "embtools_cache_hits", "Results that were not computed again.",
            max(0, counts.calls - counts.asking - counts.computed),
        )  # fmt: skip
        yield GaugeMetricFamily("embtools_queries_waiting", "Requests for results that wait now.", counts.asking)
        yield GaugeMetricFamily("embtools_queries_running", "Results that are being computed now.", counts.running)
        seconds = SummaryMetricFamily("embtools_computation_seconds", "Time of computations.", labels=["function"])
        for name in sorted(counts.times):
            seconds.add_metric([name.removeprefix("embtools.")], counts.times[name], counts.seconds[name])
        yield seconds
        yield GaugeMetricFamily("embtools_cache_bytes", "Memory of the stored results.", memory.used())
        yield GaugeMetricFamily(
            "embtools_resident_memory_bytes", "Memory of the process.", psutil.Process().memory_info().rss
        )


def begin() -> None:
    """Serve the numbers if the host has chosen a port for them, before the server starts; a port that cannot be used
    ends the process with a sentence on the console."""
    chosen = settings.current()
    if not chosen.metrics_port:
        return
    registry = CollectorRegistry()
    registry.register(Numbers())
    try:
        start_http_server(chosen.metrics_port, chosen.metrics_address, registry)
    except OSError as error:
        raise SystemExit(
            f"The app cannot start. EMBTOOLS_METRICS_PORT {chosen.metrics_port} cannot be used: {error.strerror}."
        ) from None
