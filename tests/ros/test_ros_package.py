"""The ROS packages: found, built and installed by colcon, from a clone in a workspace."""

import re

from workspace import ROOT, Workspace

from foretree._version import __version__


def test_both_packages_are_found_in_a_clone(workspace):
    listed = dict(line.split("\t")[:2] for line in workspace.colcon("list").splitlines() if "\t" in line)
    assert listed == {
        "foretree": "src/foretree/ros/foretree",
        "foretree_interfaces": "src/foretree/ros/foretree_interfaces",
    }


def test_their_version_is_that_of_the_python_package():
    for package in ("foretree", "foretree_interfaces"):
        text = (ROOT / "ros" / package / "package.xml").read_text()
        assert re.findall("<version>(.*)</version>", text) == [__version__]


def test_what_is_installed_is_all_there(workspace):
    installed = workspace.path / "install" / "foretree"
    (package,) = installed.rglob("site-packages/foretree")
    assert (package / "bringup" / "ros" / "node.py").is_file()
    assert (package / "configs" / "scenes" / "kitchen.yaml").is_file()
    assert (package / "debugger" / "static").is_dir()
    assert (package / "py.typed").is_file()
    found = workspace.run("python3", "-c", "import foretree; print(foretree.__file__)").strip()
    assert found == str(package / "__init__.py"), "and it is what a sourced workspace imports"
    says = "from foretree.config import config_roots; print(config_roots()[0])"
    assert workspace.run("python3", "-c", says).strip() == str(package / "configs")


def test_its_programs_are_listed(workspace):
    listed = workspace.run("ros2", "pkg", "executables", "foretree").split()
    assert {"agent", "simulation", "supervisor"} <= set(listed)


def test_with_links_a_change_in_the_checkout_counts_at_once(workspace, tmp_path):
    linked = Workspace(tmp_path)
    (tmp_path / "src").symlink_to(workspace.path / "src")
    linked.environment = workspace.environment
    options = ["--symlink-install", "--packages-select", "foretree"]
    if "--allow-overriding" in linked.colcon("build", "--help"):  # an extension of colcon that not all have
        options += ["--allow-overriding", "foretree"]
    linked.colcon("build", *options)
    linked.source()
    says = "import foretree.config as c; print(c.__file__); print(c.find_config('scenes', 'kitchen'))"
    module, scene = linked.run("python3", "-c", says).split()
    assert "foretree.bringup.ros.main" in linked.run(
        "python3", "-c", "import foretree.bringup.ros.main as m; print(m.__name__)"
    )
    checkout = workspace.path / "src" / "foretree"
    assert scene == str(checkout / "configs" / "scenes" / "kitchen.yaml")
    assert (checkout / "foretree" / "config.py").samefile(module)


def test_every_launch_file_describes_its_arguments(workspace):
    for path in sorted((ROOT / "launch").glob("*.launch.py")):
        shown = workspace.run("ros2", "launch", "foretree", path.name, "--show-args")
        assert "namespace" in shown, shown
        assert "no description given" not in shown, shown
