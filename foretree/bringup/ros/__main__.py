"""The agent's node: ``python -m foretree.bringup.ros --ros-args -p scene:=kitchen``."""

import sys

from foretree.bringup.ros.main import main

if __name__ == "__main__":
    sys.exit(main())
