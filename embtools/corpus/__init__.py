"""Words in their sentences: nearest occurrences, senses on a map, arithmetic with occurrences, sentences by meaning."""
