"""Camera routes: commands, photographs, a phone as the camera, and who is who after the camera lost track."""

import asyncio
from typing import Annotated, Literal

from fastapi import APIRouter, FastAPI, Query, Request, Response

from api.camera.phone_camera import PhoneCamera
from api.camera.photographs import Photographs
from api.errors import CameraFailed, CameraTaken, NoCamera, NoSuchQuestion, TooMuch
from api.http.openapi import problem_responses
from api.http.refusals import MOST_PHOTOGRAPH_BYTES
from api.http.security_headers import content_policy
from api.live.camera_control import IdentityAnswer, OpenQuestion
from api.routes.auth import AtTheTable, needs
from api.routes.services import Table
from api.seats.permissions import Right
from models.errors import BadFile, BadInput, CamerasDisagree, TableNotVisible, TooBlurred
from models.frozen import Frozen
from models.self_check import SelfCheck

MOST_AT_ONCE = 2  # photographs in memory: each may be as large as a whole film of the table's pictures
AnotherSide = Annotated[bool, Query(description="nothing was moved since the picture before: join them")]

router = APIRouter(prefix="/api/v1", tags=["camera"])
"""Commands are answered at once and done at the next frame; the live socket tells the outcome."""
identity_router = APIRouter(prefix="/api/v1/unsure", tags=["unsure"])
_photograph_router = APIRouter(tags=["camera"])
_mind = [needs(Right.MIND)]
MOST_PICTURE_BYTES = 8_000_000
Sender = Annotated[str, Query(min_length=8, max_length=64, description="the phone, by a word of its own")]
_router = APIRouter(tags=["camera"])
_PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Tableside: this phone is the camera</title>
<style>
  :root { color-scheme: dark; font: 17px/1.5 system-ui, sans-serif; background: #14171a; color: #f2f4f5; }
  body { margin: 0 auto; max-width: 48rem; padding: 1rem; }
  video { width: 100%; background: #000; border-radius: 8px; }
  button { min-height: 56px; padding: 0 1.5rem; font: inherit; border: 0; border-radius: 8px; background: #ffd24a;
    color: #14171a; font-weight: 600; }
  button:focus-visible, a:focus-visible { outline: 3px solid #7cc7ff; outline-offset: 2px; }
  a { color: #9ad1ff; }
</style>
<main>
<h1>This phone is the camera</h1>
<p>Mount the phone above the table, plugged in, and keep this page open.</p>
<video muted playsinline></video>
<p role="status">Not started.</p>
<p><button id="start">Start the camera</button> <button id="save" hidden>Save a picture</button></p>
<p><a href="/join">Join the table</a> &middot; <a href="/trust">Trust this computer</a></p>
</main>
<script>
const [video, says] = [document.querySelector("video"), document.querySelector("[role=status]")];
const [start, save] = [document.querySelector("#start"), document.querySelector("#save")];
const EVERY_MS = 250, LENS = { facingMode: "environment", width: { ideal: 1920 }, height: { ideal: 1080 } };
const sender = Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16)).join("-");
const canvas = document.createElement("canvas");
const pause = (ms) => new Promise((done) => setTimeout(done, ms));

function shoot() {
  [canvas.width, canvas.height] = [video.videoWidth, video.videoHeight];
  canvas.getContext("2d").drawImage(video, 0, 0);
  return new Promise((done) => canvas.toBlob(done, "image/jpeg", 0.92));
}

async function send() {
  const headers = { "Content-Type": "image/jpeg" };
  const body = await shoot();
  const answer = await fetch(`/api/v1/camera/picture?sender=${sender}`, { method: "PUT", headers, body });
  if (answer.ok) return;
  const problem = await answer.json().catch(() => ({}));
  if (answer.status === 403) throw new Error("Join the table first, with the players' code.");
  throw new Error(problem.detail ?? answer.statusText);
}

async function run() {
  let [sent, began] = [0, performance.now()];
  for (;;) {
    const at = performance.now();
    try {
      await send();
      sent += 1;
      const rate = (1000 * sent / Math.max(performance.now() - began, 1000)).toFixed(1);
      says.textContent = `Sending: ${sent} pictures of ${canvas.width} \\u00d7 ${canvas.height}, ${rate} a second.`;
    } catch (wrong) {
      says.textContent = `Not sending: ${wrong.message}`;
      [sent, began] = [0, performance.now()];
      await pause(2000);
    }
    await pause(Math.max(EVERY_MS - (performance.now() - at), 0));
  }
}

start.addEventListener("click", async () => {
  if (!navigator.mediaDevices) {
    says.textContent = "This page may not use the camera: it did not come by HTTPS. See Trust this computer.";
    return;
  }
  try {
    video.srcObject = await navigator.mediaDevices.getUserMedia({ video: LENS, audio: false });
    await video.play();
  } catch (wrong) {
    says.textContent = `The camera cannot be used: ${wrong.message}`;
    return;
  }
  [start.hidden, save.hidden] = [true, false];
  navigator.wakeLock?.request("screen").catch(() => undefined);
  run();
});

save.addEventListener("click", async () => {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(await shoot());
  link.download = `table-${Date.now()}.jpg`;
  link.click();
});
</script>
</html>
"""


class CameraRequest(Frozen):
    """What the camera was asked for."""

    asked: Literal["register", "check"]


class PhotographResult(Frozen):
    """What a photograph came to."""

    state_id: str
    miniatures: int


@router.post("/register", status_code=202, responses=problem_responses(NoCamera), dependencies=_mind)
async def register(table: Table) -> CameraRequest:
    """Find the table anew, after the camera was moved, and measure all of it."""
    table.hub.camera.reset_pose()
    return CameraRequest(asked="register")


@router.post("/check", status_code=202, responses=problem_responses(NoCamera), dependencies=_mind)
async def check(table: Table) -> CameraRequest:
    """Compare lengths that are known with what the camera measures."""
    table.hub.camera.request_self_check()
    return CameraRequest(asked="check")


@router.get("/check")
async def latest_self_check(table: Table) -> SelfCheck | None:
    """The newest self-check; null while there is none."""
    return table.hub.camera.check


@identity_router.get("")
async def open_questions(table: Table) -> tuple[OpenQuestion, ...]:
    """Every question that nobody has settled, the oldest first."""
    return table.hub.questions.all()


@identity_router.post("/{question}", status_code=202, responses=problem_responses(NoSuchQuestion, BadInput, NoCamera))
async def answer(question: str, right: IdentityAnswer, _: AtTheTable, table: Table) -> None:
    """Say who is who: names in all that was told since the question are corrected by a line of their own."""
    table.hub.camera.resolve_identity(question, right.ids)


def add_photographs(app: FastAPI, photographs: Photographs) -> None:
    """Let this app take photographs."""
    app.state.photographs = photographs, asyncio.Semaphore(MOST_AT_ONCE)
    app.include_router(_photograph_router)


@_photograph_router.post(
    "/api/v1/photographs",
    responses=problem_responses(BadFile, TooMuch, TableNotVisible, TooBlurred, CamerasDisagree, CameraFailed),
    dependencies=_mind,
    max_body_size=MOST_PHOTOGRAPH_BYTES,
)
async def send(request: Request, another_side: AnotherSide = False) -> PhotographResult:
    """The table as this picture (JPEG, PNG or HEIC, the request's whole body) shows it."""
    photographs, room = request.app.state.photographs
    async with room:
        state = await photographs.locate(await request.body(), is_another_side=another_side)
    return PhotographResult(state_id=state.state_id, miniatures=len(state.miniatures))


def add_phone_camera(app: FastAPI, camera: PhoneCamera) -> None:
    """Let this app take the pictures of a phone, and serve the page that sends them."""
    app.state.phone_camera = camera
    app.include_router(_router)


@_router.get("/camera", include_in_schema=False)
def page() -> Response:
    """The page that lends a phone's camera."""
    headers = {"Content-Security-Policy": content_policy(_PAGE), "Cache-Control": "no-cache"}
    return Response(_PAGE, media_type="text/html; charset=utf-8", headers=headers)


@_router.put(
    "/api/v1/camera/picture",
    status_code=204,
    responses=problem_responses(BadFile, TooMuch, CameraTaken),
    dependencies=[needs(Right.MIND)],
    max_body_size=MOST_PICTURE_BYTES,
)
async def take(request: Request, sender: Sender) -> Response:
    """The newest picture (JPEG, the request's whole body) of the phone that is the table's camera."""
    camera: PhoneCamera = request.app.state.phone_camera
    await camera.take(await request.body(), sender=sender)
    return Response(status_code=204)
