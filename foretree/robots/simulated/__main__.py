"""``python -m foretree.robots.simulated``."""

import sys

from foretree.robots.simulated.main import main

if __name__ == "__main__":
    sys.exit(main())
