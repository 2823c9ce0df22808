"""Planning on maps: navigation in a domain's words, compression of a map and its price."""
