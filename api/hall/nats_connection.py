"""NATS connection: opened with an nkey; what its client says of trouble, in our words."""

import asyncio
import logging
from collections.abc import Iterator
from contextlib import contextmanager

from nats.aio.client import Client
from nats.errors import Error, NoRespondersError
from nats.js.errors import APIError, NoStreamResponseError, NotFoundError, ServiceUnavailableError

from api.errors import HubAway, HubDisagrees, HubRefused, NoJetStream

log = logging.getLogger(__name__)

PATIENCE_S = 5
RETRY_S = 0.5
WRONG_LAST_SEQUENCE = 10071


async def connect_nats(url: str, seed: str | None, *, inbox: str = "_INBOX") -> Client:
    """A connection that is opened again by itself. Raises: HubAway, HubRefused."""
    if seed is None:
        detail = "this key has no seed for NATS: make keys where tableside[hub] is installed"
        raise HubRefused(detail, field="key", value=None)

    heard: list[str] = []

    async def note(wrong: Exception) -> None:
        heard.append(str(wrong).lower())
        log.info("nats why=%s", wrong)

    client = Client()
    options = {"nkeys_seed_str": seed, "inbox_prefix": inbox.encode(), "error_cb": note}
    opening = client.connect(url, **options, max_reconnect_attempts=-1, reconnect_time_wait=RETRY_S)  # type: ignore[arg-type]  # options of several types
    try:
        with translate_errors():
            await asyncio.wait_for(opening, PATIENCE_S)
    except HubAway:
        await client.close()
        if any("authorization" in text for text in heard):
            raise HubRefused("the broker does not know this key", field="key", value=None) from None
        raise
    return client


@contextmanager
def translate_errors() -> Iterator[None]:
    """Raises: HubAway, HubRefused, HubDisagrees, NoJetStream instead of the client's errors."""
    try:
        yield
        _end_if_cancelled()
    except (NoStreamResponseError, ServiceUnavailableError) as wrong:
        raise NoJetStream("the broker keeps no stream: is a hub of this event started, JetStream enabled?") from wrong
    except NotFoundError:
        raise
    except APIError as wrong:
        if wrong.err_code == WRONG_LAST_SEQUENCE:
            raise HubDisagrees("the stream holds another newest line of this table") from wrong
        raise HubAway(f"the broker does not take it: {wrong.description}") from wrong
    except NoRespondersError as wrong:
        raise HubAway("no hub answers") from wrong
    except (Error, OSError, TimeoutError) as wrong:
        _end_if_cancelled()
        raise HubAway(f"the broker cannot be reached: {wrong or 'it does not answer'}") from wrong


def _end_if_cancelled() -> None:
    """Raises: CancelledError where the client has lost it.

    It waits by `asyncio.wait_for`, which up to Python 3.11 forgets that it is cancelled when the answer comes in the
    same moment: the link would never end.
    """
    task = asyncio.current_task()
    if task is not None and task.cancelling():
        raise asyncio.CancelledError
