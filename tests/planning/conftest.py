"""The problems that the tests of planning share stand in this folder."""
