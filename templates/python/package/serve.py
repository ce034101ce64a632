"""Serves the nodes of acme/greeter as a node container of svc."""

import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parent

try:
    from messages import PACKAGE
    from nodes import HANDLERS
    from svc_node import serve
except ImportError as error:
    module = (error.name or "").split(".")[0]
    if module == "messages":
        sys.exit(
            f"{error}: if package.yaml or a .proto file has changed, write the "
            f"messages again: svc node types {FOLDER}"
        )
    if module not in ("google", "grpc") or not isinstance(error, ModuleNotFoundError):
        raise
    sys.exit(
        "this Python does not have the requirements of the container: run serve.py "
        "with .venv/bin/python, or install them: pip install -r requirements.txt"
    )

if __name__ == "__main__":
    serve(PACKAGE, HANDLERS, declaration=FOLDER / "package.yaml")
