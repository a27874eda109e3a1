"""The numbers of the Clusters page: points, maps, their trust, groups given and found."""
