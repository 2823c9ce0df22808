"""``python -m foretree``."""

from foretree.cli import main

if __name__ == "__main__":
    main()
