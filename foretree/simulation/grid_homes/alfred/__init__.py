"""Homes from the rooms and trials of ALFRED (https://askforalfred.com), which others have drawn."""
