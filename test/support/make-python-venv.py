"""Makes the virtual environment of python-venv.ts: `make-python-venv.py <folder> <requirements>`.

Many test workers may ask at once: the kernel's file lock lets one of them build while the others wait, and it is released
when its holder dies. The marker is written last, so an environment that was cut short is built anew.
"""

import fcntl
import subprocess
import sys
import venv
from pathlib import Path


def main() -> None:
    folder, requirements = Path(sys.argv[1]), Path(sys.argv[2])
    marker = folder / "complete"
    folder.parent.mkdir(parents=True, exist_ok=True)
    with open(folder.with_name(folder.name + ".lock"), "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if marker.exists():
            return
        venv.create(folder, clear=True, with_pip=True)
        install = [folder / "bin" / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*install, "--requirement", requirements], check=True, stdout=sys.stderr)
        marker.touch()


if __name__ == "__main__":
    try:
        main()
    except subprocess.CalledProcessError as error:
        sys.exit(f"pip could not install the requirements (exit {error.returncode})")
