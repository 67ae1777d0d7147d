"""Where a phone finds this server."""

import socket

_ANYWHERE = {"0.0.0.0", "::", ""}
_PRIVATE = "10.254.254.254"  # never reached: connecting a datagram socket only picks a route, it sends nothing


def lan_address() -> str | None:
    """The address other machines on this network know us by; None when there is no network."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect((_PRIVATE, 9))
            found = str(probe.getsockname()[0])
        except OSError:
            return None
    return None if found.startswith("127.") or found in _ANYWHERE else found


def urls(host: str, port: int) -> tuple[str, ...]:
    """Addresses to open, the one for a phone first."""
    if host not in _ANYWHERE:
        return (_url(host, port),)
    lan = lan_address()
    return (*((_url(lan, port),) if lan else ()), _url("localhost", port))


def _url(host: str, port: int) -> str:
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"
