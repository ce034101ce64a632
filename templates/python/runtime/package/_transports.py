"""HTTP clients shared by all clients of a process with the same configuration."""

from __future__ import annotations

import os
import sys
from enum import Enum
from functools import lru_cache
from http.cookiejar import CookieJar, DefaultCookiePolicy
from threading import RLock, get_ident
from typing import TYPE_CHECKING, Any, Final, Generic, TypeAlias, TypeVar
from urllib.request import getproxies
from weakref import WeakKeyDictionary, WeakSet

import httpx

from .errors import ConfigurationError

if TYPE_CHECKING:
    from asyncio import AbstractEventLoop
    from collections.abc import Callable
    from ssl import SSLContext

    from ._attempt import Send


class Use(Enum):
    """Use of a connection. WebSockets need HTTP/1.1 and occupy their connections."""

    HTTP1 = "http1"
    HTTP2 = "http2"
    SOCKETS = "sockets"


def use_of(send: Send) -> Use | None:
    """Return the required use of a connection, or ``None`` for the default."""
    if send.upgrade is not None:
        return Use.SOCKETS
    # Over HTTP/2, the HTTP library does not read an error response before the input
    # ends, and does not reset a closed stream, which would cancel its run.
    return Use.HTTP1 if send.streams or send.lines is not None else None


Http = TypeVar("Http", httpx.Client, httpx.AsyncClient)

Key: TypeAlias = "tuple[int, Use, int, frozenset[tuple[str, str]], _CertificatePaths]"
_CertificatePaths: TypeAlias = "tuple[str | None, str | None]"


class Pool(Generic[Http]):
    """An HTTP client with its connections, and a weak set of its users.

    Garbage-collected users leave the pool, so a program that forgets to close its
    clients does not leak connections.
    """

    def __init__(self, http: Http) -> None:
        self.http: Http = http
        self._users: WeakSet[object] = WeakSet()

    def join(self, user: object) -> None:
        """Add ``user``."""
        self._users.add(user)

    def has(self, user: object) -> bool:
        """Return whether ``user`` uses the pool."""
        return user in self._users

    def leave(self, user: object) -> bool:
        """Remove ``user``. Return whether the pool has no more users."""
        self._users.discard(user)
        return not self._users


Pools: TypeAlias = "dict[Key, Pool[Http]]"

Loops: TypeAlias = "WeakKeyDictionary[AbstractEventLoop, Pools[httpx.AsyncClient]]"
"""The pools of asyncio event loops."""


class _Shared:
    """The pools of a process."""

    def __init__(self) -> None:
        self.pools: Pools[httpx.Client] = {}
        self.loops: Loops = WeakKeyDictionary()
        # Reentrant: a signal handler or a finalizer may close a client while its thread
        # holds the lock.
        self.lock = RLock()

    def reset(self) -> None:
        """Reset in a forked process, where no thread would ever release a held lock."""
        self.pools = {}
        self.loops = WeakKeyDictionary()
        self.lock = RLock()


_SHARED: Final = _Shared()
if sys.platform != "win32":
    os.register_at_fork(after_in_child=_SHARED.reset)


def join_pool(user: object, use: Use) -> tuple[Key, Pool[httpx.Client]]:
    """Return the pool of the process for a configuration, and its key."""
    return _join(_SHARED.pools, user, httpx.Client, use, thread_for(use))


def thread_for(use: Use) -> int:
    """Return the id of a thread with its own connections, or 0 if threads share them.

    The HTTP library does not isolate the HTTP/2 streams of threads that share a
    connection.
    """
    return get_ident() if use is Use.HTTP2 else 0


def leave_pool(user: object, key: Key, pool: Pool[httpx.Client]) -> None:
    """Close the connections of the pool if no other client uses it."""
    if is_inherited(key):
        return
    with _SHARED.lock:
        if pool.leave(user) and _SHARED.pools.get(key) is pool:
            del _SHARED.pools[key]
        # A signal handler may have joined the pool before it was removed.
        is_last = pool.leave(user)
    if is_last:
        pool.http.close()


def is_inherited(key: Key) -> bool:
    """Whether a forked process inherited the pool from its parent."""
    return key[0] != os.getpid()


def join_async_pool(
    pools: Pools[httpx.AsyncClient], user: object, use: Use
) -> tuple[Key, Pool[httpx.AsyncClient]]:
    """Return the pool of an event loop for a configuration, and its key."""
    return _join(pools, user, httpx.AsyncClient, use)


async def leave_async_pools(pools: Pools[httpx.AsyncClient], user: object) -> None:
    """Close the connections of each pool that no other client uses."""
    for key, pool in list(pools.items()):
        # Another client may have closed this pool during the await.
        if pool.leave(user) and pools.get(key) is pool:
            del pools[key]
            await pool.http.aclose()


def replace_closed_loops(
    loop: AbstractEventLoop, pools: Pools[httpx.AsyncClient]
) -> None:
    """Register the pools of a loop, and drop those of closed loops.

    Open connections reference their loop, so neither would ever be collected.
    """
    with _SHARED.lock:
        for other, left in list(_SHARED.loops.items()):
            if other.is_closed():
                left.clear()
        _SHARED.loops[loop] = pools


def _join(
    pools: Pools[Http],
    user: object,
    create: Callable[..., Http],
    use: Use,
    thread: int = 0,
) -> tuple[Key, Pool[Http]]:
    # A forked process must not share the connections of its parent.
    proxies = frozenset(getproxies().items())
    key = (os.getpid(), use, thread, proxies, _certificate_paths())
    while True:
        # Created without the lock, because it loads certificates and imports modules.
        # If several threads race, the first pool wins; the others have no connections.
        new = None if key in pools else Pool(_create(create, use))
        with _SHARED.lock:
            pool = pools.get(key) if new is None else pools.setdefault(key, new)
            if pool is None:
                continue
            pool.join(user)
            # Its last user may have closed it before it was joined.
            if pools.get(key) is pool:
                return key, pool


_LIMITS: Final = httpx.Limits(max_connections=1_000, max_keepalive_connections=100)
"""Limits of a pool, which all clients of a process may share."""

_OPTIONS: Final[dict[Use, dict[str, Any]]] = {
    Use.HTTP1: {"limits": _LIMITS},
    Use.HTTP2: {"limits": _LIMITS, "http2": True},
    Use.SOCKETS: {"limits": httpx.Limits()},
}


def _certificate_paths() -> _CertificatePaths:
    return os.environ.get("SSL_CERT_FILE"), os.environ.get("SSL_CERT_DIR")


@lru_cache(maxsize=16)
def _load_certificates(
    use: Use, cert_file: str | None, cert_dir: str | None
) -> SSLContext:
    """Load the certificates of the environment, which takes tens of milliseconds.

    Pools of the same use share them, because each use negotiates its own protocols.
    """
    del use, cert_file, cert_dir
    return httpx.create_ssl_context()


def _create(create: Callable[..., Http], use: Use) -> Http:
    # Clients with different API keys share the connections, so cookies are not kept.
    cookies = CookieJar(DefaultCookiePolicy(allowed_domains=()))
    try:
        certificates = _load_certificates(use, *_certificate_paths())
        return create(cookies=cookies, verify=certificates, **_OPTIONS[use])
    except ImportError as error:
        raise ConfigurationError(
            "HTTP/2 needs the package h2: install the extra http2"
        ) from error
    except (ValueError, OSError) as error:
        raise ConfigurationError(
            "the HTTP client cannot be created; check the proxies of the environment, "
            f"SSL_CERT_FILE and SSL_CERT_DIR: {error}"
        ) from error
