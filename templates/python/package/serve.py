"""Serves the nodes of acme/greeter as a node container of svc."""

from messages import PACKAGE
from nodes import HANDLERS
from svc_node import serve

if __name__ == "__main__":
    serve(PACKAGE, HANDLERS)
