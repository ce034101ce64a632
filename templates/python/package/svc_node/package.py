"""The package that a container serves, with its message types."""

import base64
import importlib
from collections.abc import Sequence
from typing import Any, NamedTuple

from google.protobuf import descriptor_pool, message_factory
from google.protobuf.descriptor_pb2 import FileDescriptorSet
from google.protobuf.internal import enum_type_wrapper


class Node(NamedTuple):
    """A node: its mode, unary or pipeline, and the full names of its messages.

    The name of an open port of a generic node is empty.
    """

    name: str
    mode: str
    input: str
    output: str


class Package:
    """A package version. `svc node types` writes it."""

    def __init__(
        self,
        *,
        name: str,
        version: str,
        nodes: Sequence[tuple[str, str, str, str]],
        descriptors: str,
    ) -> None:
        """Register the message types in the process.

        `descriptors` is a FileDescriptorSet as base64, without google.protobuf.
        """
        self.name = name
        self.version = version
        self.nodes = {node[0]: Node(*node) for node in nodes}
        self.descriptor_set = base64.b64decode(descriptors)
        add_types(self.descriptor_set)

    def message(self, full_name: str) -> Any:
        """Return the class of a message."""
        return message_class(full_name)

    def enum(self, full_name: str) -> Any:
        """Return the names and numbers of an enum."""
        found = descriptor_pool.Default().FindEnumTypeByName(full_name)
        return enum_type_wrapper.EnumTypeWrapper(found)


def add_types(descriptor_set: bytes) -> None:
    """Register the types of a FileDescriptorSet in the process."""
    for file in FileDescriptorSet.FromString(descriptor_set).file:
        for imported in [*file.dependency, file.name]:
            if imported.startswith("google/protobuf/"):
                module = imported.removesuffix(".proto").replace("/", ".")
                importlib.import_module(f"{module}_pb2")
        if not file.name.startswith("google/protobuf/"):
            descriptor_pool.Default().AddSerializedFile(file.SerializeToString())


def message_class(full_name: str) -> Any:
    """Return the class of a message of the package, or of one that a call binds."""
    if full_name.startswith("google.protobuf."):
        _import_well_known(full_name)
    found = descriptor_pool.Default().FindMessageTypeByName(full_name)
    return message_factory.GetMessageClass(found)


def _import_well_known(full_name: str) -> None:
    for name in "any duration empty field_mask struct timestamp wrappers".split():
        module = importlib.import_module(f"google.protobuf.{name}_pb2")
        if full_name.removeprefix("google.protobuf.") in dir(module):
            return
