"""Words in context: nearest occurrences, senses, arithmetic with occurrences, and sentences by meaning."""
