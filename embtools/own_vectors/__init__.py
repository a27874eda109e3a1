"""Numbers of the Your vectors page: the map, neighbours, similarities, associations and isotropy of a file."""
