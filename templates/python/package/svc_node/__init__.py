"""Hosts handlers in Python as a node container of svc (svc.node.v1)."""

from svc_node.context import (
    Binding,
    Context,
    NodeFailure,
    NodePause,
    Resumed,
    recording_context,
)
from svc_node.package import Package, message_class
from svc_node.serving import Handlers, new_server, serve

__all__ = [
    "Binding",
    "Context",
    "Handlers",
    "NodeFailure",
    "NodePause",
    "Package",
    "Resumed",
    "message_class",
    "new_server",
    "recording_context",
    "serve",
]
