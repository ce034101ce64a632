"""Runs a container until it is stopped by a signal."""

import argparse
import os
import re
import signal
import socket
import sys
import threading
from collections.abc import Callable, Mapping
from concurrent import futures
from pathlib import Path
from typing import Any, NoReturn

import grpc

from svc_node.container import Container
from svc_node.package import Package
from svc_node.token_check import TokenCheck, check_token

Handlers = Mapping[str, Callable[..., Any]]
"""Handlers by node name.

A unary node's handler takes an input and a context and returns an output; a
pipeline node's takes an iterator of inputs and a context and yields outputs.
"""

MAX_MESSAGE_BYTES = 20 * 1024 * 1024
"""Maximum message size. Inputs have up to 16 MiB; the gRPC default is 4 MiB."""

GRACE_SECONDS = 10


def new_server(
    package: Package,
    handlers: Handlers,
    *,
    max_calls: int = 64,
    token: str | None = None,
) -> Any:
    """Return a gRPC server with the container, without a port.

    At most `max_calls` calls and streams run concurrently; further calls wait. Raises
    ValueError for a node without a handler, a handler without a node, or an invalid
    token.
    """
    server = grpc.server(
        futures.ThreadPoolExecutor(max_workers=max_calls),
        interceptors=[] if token is None else [TokenCheck(token)],
        options=[
            ("grpc.max_receive_message_length", MAX_MESSAGE_BYTES),
            ("grpc.max_send_message_length", MAX_MESSAGE_BYTES),
            # Prevents two servers from sharing a port.
            ("grpc.so_reuseport", 0),
        ],
    )
    server.add_generic_rpc_handlers((Container(package, handlers).methods(),))
    return server


def serve(
    package: Package, handlers: Handlers, *, declaration: Path | None = None
) -> None:
    """Serve with the command-line options until SIGTERM or SIGINT.

    Prints the endpoint to stdout. On shutdown, running calls have a grace period to
    complete. Exits if `declaration`, the path of package.yaml, names another version
    than the generated types. The file may be missing.
    """
    options = _parse(package)
    if declaration is not None:
        _require_current(package, declaration)
    try:
        token = _token(options.token_file)
        server = new_server(package, handlers, max_calls=options.max_calls, token=token)
    except ValueError as error:
        sys.exit(str(error))
    stopped = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stopped.set())
    endpoint = _listen(server, options)
    server.start()
    print(f"serving {package.name}@{package.version}", file=sys.stderr)
    print(endpoint, flush=True)
    stopped.wait()
    server.stop(grace=GRACE_SECONDS).wait()


def _parse(package: Package) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=f"Serves the nodes of {package.name}.")
    add = parser.add_argument
    add("--port", type=int, default=0, help="port to listen on; 0 for a free port")
    add("--host", default="127.0.0.1", help="address to listen on")
    add("--tls-cert", help="PEM file with the certificate chain")
    add("--tls-key", help="PEM file with the private key of the certificate")
    add(
        "--token-file",
        help="file with the token of calls (default: SVC_NODE_TOKEN, or none)",
    )
    add("--max-calls", type=int, default=64, help="calls at the same time")
    options = parser.parse_args()
    if (options.tls_cert is None) != (options.tls_key is None):
        parser.error("--tls-cert and --tls-key belong together: give both")
    return options


def _require_current(package: Package, declaration: Path) -> None:
    """Refuse to serve a version that package.yaml does not name."""
    try:
        text = declaration.read_text(encoding="utf-8")
    except FileNotFoundError:
        return
    declared = _value(text, "name") or package.name
    version = _value(text, "version") or package.version
    if (declared, version) != (package.name, package.version):
        sys.exit(
            f"package.yaml declares {declared}@{version}, but messages.py is of "
            f"{package.name}@{package.version}: write the messages again: "
            f"svc node types {declaration.parent}"
        )


def _value(yaml: str, key: str) -> str | None:
    """Return the value of a top-level key, if it is on the same line."""
    form = rf"""^(["']?){key}\1\s*:[ \t]+(["']?)([^\s"'#]+)\2\s*(#.*)?$"""
    found = re.search(form, yaml, re.MULTILINE)
    return found and found[3]


def _token(file: str | None) -> str | None:
    if file is not None:
        return check_token(_read(file), f"the token in {file}")
    variable = os.environ.get("SVC_NODE_TOKEN")
    # An empty variable must not open the container to all callers.
    if variable == "":
        raise ValueError("SVC_NODE_TOKEN is empty: set it to the token, or unset it")
    return None if variable is None else check_token(variable, "SVC_NODE_TOKEN")


def _read(file: str) -> str:
    try:
        return Path(file).read_text(encoding="utf-8").rstrip("\r\n")
    except (OSError, UnicodeDecodeError) as error:
        raise ValueError(
            f"the token file {file} cannot be read ({error}): give the token's file"
        ) from error


def _listen(server: Any, options: argparse.Namespace) -> str:
    """Listen, and return the endpoint."""
    host = f"[{options.host}]" if ":" in options.host else options.host
    address = f"{host}:{options.port}"
    _require_free(options.host, options.port, address)
    if options.tls_cert is None:
        return f"grpc://{host}:{_bound(server.add_insecure_port, address)}"
    key, chain = Path(options.tls_key).read_bytes(), Path(options.tls_cert).read_bytes()
    credentials = grpc.ssl_server_credentials([(key, chain)])
    return f"grpcs://{host}:{_bound(server.add_secure_port, address, credentials)}"


def _require_free(host: str, port: int, address: str) -> None:
    """Exit if the port is unavailable, before gRPC logs its own errors."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        socket.create_server((host, port), family=family).close()
    except OSError:
        _refuse(address)


def _bound(listen: Callable[..., int], address: str, *credentials: Any) -> int:
    """Return the port, or exit if it is unavailable."""
    try:
        return listen(address, *credentials)
    except RuntimeError:
        _refuse(address)


def _refuse(address: str) -> NoReturn:
    sys.exit(
        f"cannot listen on {address}, which may be in use: "
        "give another --port, or 0 for a free one"
    )
