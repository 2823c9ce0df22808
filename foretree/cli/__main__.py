"""``python -m foretree.cli``."""

from foretree.cli import main

if __name__ == "__main__":
    main()
