"""The evaluation files of AutoGPT+P: their scenes and scenarios, read and run as a language suite."""
