"""Announcement: where a table or a hub is, told to its network by DNS-SD, and who else announces itself there."""

import logging
import re
import socket
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Literal

from zeroconf import BadTypeInNameException, InterfaceChoice, ServiceBrowser, ServiceInfo, ServiceStateChange, Zeroconf
from zeroconf import Error as ZeroconfError

Kind = Literal["table", "hub"]
TYPES: dict[Kind, str] = {"table": "_tableside._tcp.local.", "hub": "_tableside-hub._tcp.local."}
_PAGES = "_http._tcp.local."  # what browsers and file managers of phones and laptops list
_ANSWER_MS = 2000
_LONGEST = 63  # bytes of a name, by RFC 6763
log = logging.getLogger(__name__)


@dataclass(frozen=True)
class FoundServer:
    """A table or a hub of this network: what it is called, and the address of its page."""

    kind: Kind
    name: str
    url: str


def host_label(host: str) -> str:
    """A name for phones to type, `tableside-HOST`, of letters, digits and hyphens."""
    plain = re.sub(r"[^a-z0-9-]+", "-", host.partition(".")[0].lower()).strip("-")
    return f"tableside-{plain or 'table'}"[:_LONGEST].rstrip("-")


@contextmanager
def announced(
    kind: Kind, title: str, addresses: Sequence[str], port: int, *, interfaces: Sequence[str] | None = None
) -> Iterator[str | None]:
    """Tell the network of a server for as long as it runs; its address by name, None where nobody can be told.

    `addresses`: of this machine, as numbers. `interfaces`: those to tell it on, all when None.
    """
    server = f"{host_label(socket.gethostname())}.local."
    name = _shortened(f"{title} ({socket.gethostname().partition('.')[0]}:{port})")
    services = [
        ServiceInfo(type_, f"{name}.{type_}", parsed_addresses=list(addresses), port=port, server=server,
                    properties={"path": "/", "kind": kind})
        for type_ in (TYPES[kind], _PAGES)
    ]  # fmt: skip
    try:
        network = _open(interfaces)
    except OSError as wrong:
        log.warning("no announcement why=%s", wrong)
        yield None
        return
    try:
        for info in services:
            network.register_service(info, allow_name_change=True)
    except (OSError, ZeroconfError, BadTypeInNameException) as wrong:
        log.warning("no announcement why=%s", wrong)
        network.close()
        yield None
        return
    try:
        yield f"http://{server.rstrip('.')}:{port}/"
    finally:
        network.close()  # which says goodbye


def find_servers(
    wait_s: float, *, interfaces: Sequence[str] | None = None, enough: int | None = None
) -> tuple[FoundServer, ...]:
    """Tables and hubs that announce themselves within so many seconds, in the order of their names.

    `enough`: how many to wait for at most. Raises: OSError when this machine is in no network.
    """
    kinds = {type_: kind for kind, type_ in TYPES.items()}
    heard: dict[str, str] = {}
    is_enough = threading.Event()

    def hear(zeroconf: Zeroconf, service_type: str, name: str, state_change: ServiceStateChange) -> None:
        if state_change is ServiceStateChange.Added:
            heard[name] = service_type
            if enough is not None and len(heard) >= enough:
                is_enough.set()

    network = _open(interfaces)
    try:
        browser = ServiceBrowser(network, list(kinds), handlers=[hear])
        is_enough.wait(wait_s)
        browser.cancel()
        infos = ((kinds[type_], network.get_service_info(type_, name, _ANSWER_MS)) for name, type_ in heard.items())
        return tuple(
            sorted((_server_of(kind, info) for kind, info in infos if info is not None), key=lambda server: server.name)
        )
    finally:
        network.close()


def _server_of(kind: Kind, info: ServiceInfo) -> FoundServer:
    host = next(iter(info.parsed_addresses()), (info.server or "").rstrip("."))
    where = f"[{host}]" if ":" in host else host
    return FoundServer(kind, info.name.removesuffix(f".{info.type}"), f"http://{where}:{info.port}/")


def _open(interfaces: Sequence[str] | None) -> Zeroconf:
    return Zeroconf(interfaces=InterfaceChoice.All if interfaces is None else list(interfaces))


def _shortened(name: str) -> str:
    """As many letters as fit into the bytes of a name."""
    return name.encode()[:_LONGEST].decode(errors="ignore").replace(".", " ").strip()
