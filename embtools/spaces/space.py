"""Definition of a processed space: its kind and parameters, with their limits. Nothing is computed here."""

from dataclasses import dataclass

from embtools.chance import checked_seed
from embtools.messages import quoted

RAW, CENTRED, ZSCORED, TOP, WHITENED, CONCEPTOR, BY_CLUSTER = KINDS = (
    "raw", "centred", "z-scored", "all-but-the-top", "whitened", "conceptor negation", "all-but-the-top by cluster",
)  # fmt: skip
MAX_COMPONENTS, MAX_CLUSTERS = 1_000, 50
LOWEST_APERTURE, HIGHEST_APERTURE = 0.01, 100.0
_USES = {
    TOP: ("components",),
    WHITENED: ("shrinkage",),
    CONCEPTOR: ("aperture",),
    BY_CLUSTER: ("components", "clusters"),
}


@dataclass(frozen=True)
class Space:
    """How vectors are processed; hashable. Parameters that its kind does not use keep their default values.

    kind        one of KINDS; "raw" leaves the vectors unchanged
    components  all-but-the-top: number of top directions to remove (from each cluster)
    shrinkage   whitening: 0 whitens fully, 1 leaves every direction its share of the variance (Ledoit & Wolf 2004)
    aperture    conceptor negation: larger values damp more directions; the unit is chosen so that the mean direction
                has strength 1, unlike in Liu et al. 2019
    clusters    number of clusters that are processed separately
    shuffled    a seed turns the space into its control: the same processing along random directions

    Raises ValueError for an unknown kind and for numbers out of range.
    """

    kind: str = RAW
    components: int = 3
    shrinkage: float = 0.0
    aperture: float = 0.5
    clusters: int = 10
    shuffled: int | None = None

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise ValueError(f"There is no space {quoted(self.kind)}. Choose one of: {', '.join(KINDS)}.")
        if not 1 <= self.components <= MAX_COMPONENTS:
            raise ValueError(f"{self.components} directions cannot be removed. Choose 1 to {MAX_COMPONENTS:,}.")
        if not 0 <= self.shrinkage <= 1:
            raise ValueError(f"A shrinkage of {self.shrinkage:g} is out of range. Choose 0 to 1.")
        if not LOWEST_APERTURE <= self.aperture <= HIGHEST_APERTURE:
            raise ValueError(
                f"An aperture of {self.aperture:g} is out of range. Choose {LOWEST_APERTURE:g} to {HIGHEST_APERTURE:g}."
            )
        if self.shuffled is not None:
            checked_seed(self.shuffled)
        if not 2 <= self.clusters <= MAX_CLUSTERS:
            raise ValueError(f"{self.clusters} clusters are out of range. Choose 2 to {MAX_CLUSTERS}.")
        for name in ("components", "shrinkage", "aperture", "clusters"):
            if name not in _USES.get(self.kind, ()):
                object.__setattr__(self, name, getattr(Space, name))
        if self.kind == RAW:
            object.__setattr__(self, "shuffled", None)

    @property
    def says(self) -> str:
        """Short description of the space.

        >>> Space(BY_CLUSTER, 2).says
        'all-but-the-top by cluster (k = 2, 10 clusters)'
        """
        parts = {
            "components": f"k = {self.components}",
            "shrinkage": f"shrinkage {self.shrinkage:.2f}",
            "aperture": f"aperture {self.aperture:g}",
            "clusters": f"{self.clusters} clusters",
        }
        numbers = ", ".join(parts[name] for name in _USES.get(self.kind, ()))
        control = "" if self.shuffled is None else ", along random directions"
        return f"{self.kind} ({numbers}){control}" if numbers else f"{self.kind}{control}"

    @property
    def code(self) -> str:
        """The space as Python.

        >>> Space(TOP, 2).code
        "Space('all-but-the-top', components=2)"
        """
        names = [*_USES.get(self.kind, ()), *([] if self.shuffled is None else ["shuffled"])]
        return f"Space({', '.join([repr(self.kind), *(f'{name}={getattr(self, name)!r}' for name in names)])})"


AS_IS = Space()
"""The raw space, which leaves vectors unchanged."""
