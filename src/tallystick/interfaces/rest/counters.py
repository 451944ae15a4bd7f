"""Counters and histograms of this process in the text format of Prometheus. Every label has only a few values."""

from bisect import bisect_left
from collections.abc import Iterable, Mapping
from threading import Lock

Labels = tuple[tuple[str, str], ...]

BUCKET_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)
_ESCAPED = str.maketrans({"\\": "\\\\", '"': '\\"', "\n": "\\n"})


class Counter:
    """How often something happened since this process started."""

    kind = "counter"

    def __init__(self, name: str, help: str) -> None:
        self.name = name
        self.help = help
        self._counts: dict[Labels, int] = {}
        self._lock = Lock()

    def add(self, count: int = 1, **labels: str) -> None:
        key = tuple(labels.items())
        with self._lock:
            self._counts[key] = self._counts.get(key, 0) + count

    def lines(self) -> Iterable[str]:
        with self._lock:
            counts = dict(self._counts)
        return [_line(self.name, labels, count) for labels, count in sorted(counts.items())]


class Histogram:
    """How long something took, in a few buckets."""

    kind = "histogram"

    def __init__(self, name: str, help: str) -> None:
        self.name = name
        self.help = help
        self._series: dict[Labels, list[float]] = {}
        self._lock = Lock()

    def observe(self, seconds: float, **labels: str) -> None:
        key = tuple(labels.items())
        with self._lock:
            series = self._series.setdefault(key, [0.0] * (len(BUCKET_SECONDS) + 2))
            series[bisect_left(BUCKET_SECONDS, seconds)] += 1
            series[-1] += seconds

    def lines(self) -> Iterable[str]:
        with self._lock:
            found = {labels: list(series) for labels, series in self._series.items()}
        for labels, series in sorted(found.items()):
            count = 0.0
            for bound, bucket in zip((*map(str, BUCKET_SECONDS), "+Inf"), series[:-1], strict=True):
                count += bucket
                yield _line(f"{self.name}_bucket", (*labels, ("le", bound)), int(count))
            yield _line(f"{self.name}_sum", labels, series[-1])
            yield _line(f"{self.name}_count", labels, int(count))


def gauge(name: str, help: str, values: Mapping[Labels, float]) -> list[str]:
    """The lines of a gauge: current values by label."""
    return [*_head(name, "gauge", help), *(_line(name, labels, value) for labels, value in values.items())]


def metric_lines(metric: Counter | Histogram) -> list[str]:
    """The lines of a counter or a histogram."""
    return [*_head(metric.name, metric.kind, metric.help), *metric.lines()]


def _head(name: str, kind: str, help: str) -> list[str]:
    return [f"# HELP {name} {help}", f"# TYPE {name} {kind}"]


def _line(name: str, labels: Labels, value: float) -> str:
    pairs = ",".join(f'{label}="{text.translate(_ESCAPED)}"' for label, text in labels)
    return f"{name}{{{pairs}}} {value}" if pairs else f"{name} {value}"
