"""The numbers of the Evidence page: one edit over hundreds of cases, with its controls, rates and intervals."""
