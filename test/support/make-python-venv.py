"""Makes the virtual environment of python-venv.ts: `make-python-venv.py <folder> <requirements>`.

Many test workers may ask at once: the kernel's file lock lets one of them build while the others wait, and it is released
when its holder dies. The marker is written last, so an environment that was cut short is built anew.
"""

import fcntl
import subprocess
import sys
import venv
from importlib import metadata
from pathlib import Path


def main() -> None:
    folder, requirements = Path(sys.argv[1]), Path(sys.argv[2])
    marker = folder / "complete"
    folder.parent.mkdir(parents=True, exist_ok=True)
    with open(folder.with_name(folder.name + ".lock"), "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if marker.exists():
            return
        python = folder / "bin" / "python"
        lends_pip = can_lend_pip()
        venv.create(folder, clear=True, with_pip=not lends_pip)
        pip = [sys.executable, "-m", "pip", "--python", python] if lends_pip else [python, "-m", "pip"]
        install = [*pip, "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*install, "--requirement", requirements], check=True, stdout=sys.stderr)
        marker.touch()


def can_lend_pip() -> bool:
    """Whether this Python has a pip that installs into other environments: giving each its own takes seconds."""
    try:
        major, minor = metadata.version("pip").split(".")[:2]
    except metadata.PackageNotFoundError:
        return False
    return (int(major), int(minor)) >= (22, 3)


if __name__ == "__main__":
    try:
        main()
    except subprocess.CalledProcessError as error:
        sys.exit(f"pip could not install the requirements (exit {error.returncode})")
