// How many verdicts the stream has shown, in the upper right corner of 1920 x 1080 pixels; asked whenever the board changes.
export default function draw(element, board) {
  element.textContent = `${board.items.length} on air so far`;
  Object.assign(element.style, { inset: "40px 60px auto auto", width: "auto", height: "auto", font: "600 40px sans-serif", color: "white" });
}
