"""Serves the nodes of acme/greeter as a node container of svc."""

import sys

try:
    from messages import PACKAGE
    from nodes import HANDLERS
    from svc_node import serve
except ModuleNotFoundError as error:
    if (error.name or "").split(".")[0] not in ("google", "grpc"):
        raise
    sys.exit(
        "this Python does not have the requirements of the container: run serve.py "
        "with .venv/bin/python, or install them: pip install -r requirements.txt"
    )

if __name__ == "__main__":
    serve(PACKAGE, HANDLERS)
