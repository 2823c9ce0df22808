"""The ROS package of Foretree. Its sources are those of the checkout: the links here lead to them.

For a plain installation use ``pip install`` in the root of the checkout instead. What is used of setuptools
is in version 59 (ROS 2 Humble) as well as in newer ones.
"""

from pathlib import Path
from xml.etree import ElementTree

from setuptools import setup

NAME = "foretree"
HERE = Path(__file__).resolve().parent
VERSION = ElementTree.parse(HERE / "package.xml").findtext("version")
#: With ``--symlink-install``, this runs where there is no link to the configs: the checkout's are used.
CONFIGS = [f"{NAME}.configs"] if Path("configs").is_dir() else []


def packages():
    """The Python packages below ``foretree/``."""
    found = sorted((HERE / NAME).rglob("__init__.py"))
    return [".".join(path.parent.relative_to(HERE).parts) for path in found]


def files(folder, *skipped):
    """All files below a folder, but those with these suffixes; relative to it."""
    paths = sorted(path for path in (HERE / folder).rglob("*") if path.is_file())
    return [
        str(path.relative_to(HERE / folder))
        for path in paths
        if path.suffix not in skipped and "__pycache__" not in path.parts
    ]


setup(
    name=NAME,
    version=VERSION,
    # Configs lie beside the package in a checkout, and inside of it where it is installed.
    packages=[*packages(), *CONFIGS],
    package_dir={f"{NAME}.configs": "configs"},
    package_data={NAME: files(NAME, ".py", ".pyc"), f"{NAME}.configs": files("configs", ".pyc")},
    data_files=[
        ("share/ament_index/resource_index/packages", [f"resource/{NAME}"]),
        (f"share/{NAME}", ["package.xml"]),
        (f"share/{NAME}/launch", [f"launch/{name}" for name in files("launch") if name.endswith(".py")]),
    ],
    entry_points={
        "console_scripts": [
            "agent = foretree.bringup.ros.main:main",
            "simulation = foretree.robots.simulated.main:main",
            "supervisor = foretree.robots.supervisor.__main__:main",
        ]
    },
    zip_safe=False,
    maintainer="Foretree maintainers",
    maintainer_email="maintainers@foretree.invalid",
    description="A behaviour-tree agent runtime for robots that checks the world before every action.",
    license="Apache-2.0",
)
