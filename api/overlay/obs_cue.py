"""OBS cue: each cue as a custom event of obs-websocket 5, and a scene for as long as something is on air."""

import asyncio
from typing import Any

from api.overlay.cues import Cue, NotDelivered

PATIENCE_S = 5
REALM = "tableside"


class ObsCue:
    """Speaks to OBS at `url`, anew for each cue: a studio is restarted, and its password changed, as it likes.

    `scene`: switched to with what goes on air; None: the scene stays, and OBS is told only.
    """

    name = "obs"

    def __init__(self, url: str, password: str, *, scene: str | None = None) -> None:
        self._url = url
        self._password = password
        self._scene = scene

    async def deliver(self, cue: Cue) -> None:
        import simpleobsws  # with the extra `streams` alone

        client = simpleobsws.WebSocketClient(url=self._url, password=self._password)
        try:
            await asyncio.wait_for(client.connect(), PATIENCE_S)
            if not await client.wait_until_identified(timeout=PATIENCE_S):
                raise NotDelivered("OBS does not take the password, or does not answer")
            for kind, told in self._requests(cue):
                answer = await client.call(simpleobsws.Request(kind, told), timeout=PATIENCE_S)
                if not answer.ok():
                    raise ValueError(f"{kind}: {answer.requestStatus.comment or answer.requestStatus.code}")
        except (OSError, TimeoutError, simpleobsws.MessageTimeout) as wrong:
            raise NotDelivered(str(wrong) or type(wrong).__name__) from wrong
        finally:
            await client.disconnect()

    def _requests(self, cue: Cue) -> list[tuple[str, dict[str, Any]]]:
        told = {"realm": REALM, **cue.model_dump(mode="json")}
        asked: list[tuple[str, dict[str, Any]]] = [("BroadcastCustomEvent", {"eventData": told})]
        if self._scene is not None and cue.event != "off-air":
            asked.append(("SetCurrentProgramScene", {"sceneName": self._scene}))
        return asked
