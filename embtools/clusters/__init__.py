"""Maps of words, occurrences and sentences, groups given and found, and how evenly vectors fill their space."""

from embtools.doors import door

__all__, __getattr__, __dir__ = door(
    __name__,
    {
        "clusters.density": ["map_density"],
        "clusters.isotropy.of_file": ["measure_isotropy"],
        "clusters.isotropy.spaces": ["measure_spaces", "score_spaces", "shrinkage"],
        "clusters.isotropy.your_words": ["own_analogy"],
        "clusters.kmeans": ["find_clusters"],
        "clusters.lookup": ["matches", "nearest", "nearest_in_vocabulary"],
        "clusters.maps": ["dimensions", "groups", "stability", "word_map"],
        "clusters.occurrences": ["occurrence", "word_occurrences"],
        "clusters.points": ["Words"],
        "clusters.senses": ["recovery", "recovery_of_all"],
        "clusters.sentences": ["cluster_sentences", "mapped_sentences"],
        "clusters.two_models": ["two_maps"],
        "clusters.view": ["View"],
    },
)
