"""Helpers of these tests are found from the folders below, too: a folder with a conftest is on the path."""
