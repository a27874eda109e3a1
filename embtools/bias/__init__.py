"""Numbers of the Bias page: answers for groups, association tests, mitigation and residual bias."""
