"""Moment routes: what happened at a table, and `?at=` for questions about an earlier moment."""

from collections.abc import Callable
from typing import Annotated, Any

from anyio import CapacityLimiter, to_thread
from fastapi import APIRouter, Depends, Path, Query, Response

from api.answers.one_word import OneWord
from api.answers.word_finder import WordFinder
from api.errors import NoPicture, NoSuchMoment, NoTableYet
from api.http.openapi import media_response, problem_responses, raises
from api.http.sized_picture import WEBP, Accept, Width, picture_response
from api.live.moments import MOST_AT_ONCE, Moment, Moments
from api.live.picture_sizes import PictureSizes, Wanted
from models.state import TableState

After = Annotated[int, Query(ge=0, description="only what stands on later lines")]
AtMost = Annotated[int, Query(ge=1, le=MOST_AT_ONCE)]
At = Annotated[int | None, Query(ge=1, description="an earlier moment to ask about: a line of the journal")]


MOST_PAST = 2  # threads that read the journal for earlier moments: the table as it is now never waits for them


def asked_table(moments: Moments) -> Any:
    """What a route takes as `Annotated[TableState, asked_table(...)]`: the table now, or `?at=` an earlier moment."""

    past = CapacityLimiter(MOST_PAST)

    @raises(NoTableYet, NoSuchMoment)
    async def table(at: At = None) -> TableState:
        if at is None:
            return moments.table()
        return await to_thread.run_sync(moments.asked_table, at, limiter=past)

    return Depends(table)


def asked_word(words: WordFinder) -> Any:
    """What a route takes as `Annotated[OneWord | None, asked_word(...)]`: what one player's word alone says, then."""

    past = CapacityLimiter(MOST_PAST)

    async def word(at: At = None) -> OneWord | None:
        if at is None:
            return words.word()
        return await to_thread.run_sync(words.asked_word, at, limiter=past)

    return Depends(word)


def moment_router(moments: Moments, picture_of: Callable[[int], bytes | None]) -> APIRouter:
    """The routes about earlier moments."""
    router, sizes = APIRouter(prefix="/api/v1", tags=["table"]), PictureSizes()

    @router.get("/moments")
    def all_moments(after: After = 0, most: AtMost = 200) -> tuple[Moment, ...]:
        """What happened at this table, the oldest first. Each may be asked about: `?at=` its number."""
        return tuple(moments.all(after=after, most=most))

    @router.get(
        "/moments/{at}/picture.jpg",
        response_class=Response,
        responses=media_response("image/jpeg") | problem_responses(NoPicture),
    )
    async def picture(at: Annotated[int, Path(ge=1)], w: Width = None, accept: Accept = "") -> Response:
        """The table from above as it was at this moment, where its picture is kept; as WebP for who accepts it."""
        jpeg = await to_thread.run_sync(picture_of, at)
        if jpeg is None:
            raise NoPicture(f"No picture of moment {at} is kept.")
        sized = await sizes.fit(jpeg, Wanted(w, WEBP in accept))
        return picture_response(sized, kept="private, max-age=86400")

    return router
