// What people see wrong with a page: a function that names each fault in a line.
(least) => {
  const faults = [];
  const box = (one) => one.getBoundingClientRect();
  const say = (one) =>
    (one.getAttribute("aria-label") ?? one.textContent ?? "").trim().replace(/\s+/g, " ").slice(0, 40) ||
    one.className?.baseVal || one.className || one.tagName.toLowerCase();
  const isClipped = (one) => one !== null && (getComputedStyle(one).clipPath === "inset(50%)" || isClipped(one.parentElement));
  const isSeen = (one) => one.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  const isHidden = (one) => !isSeen(one) || one.closest(".aloud, [inert], [aria-hidden=true]") !== null || isClipped(one);
  const dialog = document.querySelector("[role=dialog][aria-modal=true]");
  const isBehind = (one) => dialog !== null && !dialog.contains(one);

  // buttons: hit at their middle, and large enough
  const acts = [...document.querySelectorAll("button, a[href], input, select, textarea, summary")];
  for (const one of acts) {
    if (isHidden(one) || isBehind(one) || one.disabled) continue;
    const shown = one.closest("label") !== null && one.matches("[type=file], [type=checkbox], [type=radio]") ? one.closest("label") : one;
    shown.scrollIntoView({ block: "center", inline: "center" });
    const { left, top, width, height } = box(shown);
    const isInText = one.matches("a") && getComputedStyle(one).display === "inline";
    const isStrip = width > innerWidth - 40 && height >= 24; // a handle across the whole page
    if (!isInText && !isStrip && (width < least - 0.5 || height < least - 0.5)) faults.push(`small: ${say(one)}: ${width.toFixed(0)} x ${height.toFixed(0)}`);
    if (height > innerHeight / 2 && height > 2 * textHeight(one) && one.matches("button:not(.half)")) faults.push(`huge: ${say(one)}: ${width.toFixed(0)} x ${height.toFixed(0)}`);
    const hit = document.elementFromPoint(left + width / 2, top + height / 2);
    if (hit === null || !(shown === hit || shown.contains(hit) || hit.contains(shown) && hit.matches("label")))
      faults.push(`covered: ${say(one)}: by ${hit === null ? "nothing, off the screen" : `${hit.tagName.toLowerCase()} ${say(hit)}`}`);
  }

  function textHeight(one) {
    const range = document.createRange();
    range.selectNodeContents(one);
    return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size * parseFloat(getComputedStyle(one).fontSize);
  }

  // pictures that have room for nothing
  for (const one of document.querySelectorAll("svg, img, canvas")) {
    const { width, height } = box(one);
    if (!isHidden(one) && getComputedStyle(one).display !== "none" && (width < 1 || height < 1)) faults.push(`no size: ${say(one)}`);
  }

  // text: each line of it within whatever would cut it off, none through another, none smaller than the page's letters allow
  const SMALLEST = 0.7;
  const written = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const text = texts.currentNode;
    const owner = text.parentElement;
    if (!text.data.trim() || owner.closest("script, style, svg, option, datalist, textarea") || isHidden(owner) || isBehind(owner)) continue;
    const range = document.createRange();
    range.selectNodeContents(text);
    const lines = [...range.getClientRects()].filter(({ width, height }) => width > 0 && height > 0);
    const cut = lines.some((line) => isCut(line, owner));
    if (cut) faults.push(`cut: ${text.data.trim().slice(0, 50)}`);
    const rows = new Set(lines.map(({ top }) => Math.round(top))).size;
    const letters = text.data.trim().length;
    if (rows > 2 && letters / rows < 4) faults.push(`narrow: ${text.data.trim().slice(0, 50)}`);
    if (parseFloat(getComputedStyle(owner).fontSize) < SMALLEST * parseFloat(getComputedStyle(document.documentElement).fontSize)) faults.push(`letters do not grow: ${text.data.trim().slice(0, 50)}`);
    for (const { right, top, height } of lines) {
      const over = document.elementFromPoint(right - 2, top + height / 2)?.closest("button, a");
      if (over && !over.contains(owner) && over.parentElement.contains(owner) && !isScrolled(owner, over.parentElement)) faults.push(`text under button: ${text.data.trim().slice(0, 50)} / ${say(over)}`);
    }
    written.push(...lines.map((at) => ({ owner, at, says: text.data.trim().slice(0, 30) })));
  }
  written.forEach((one, k) => written.slice(k + 1).forEach((other) => {
    if (one.owner !== other.owner && isThrough(one, other)) faults.push(`text over text: ${one.says} / ${other.says}`);
  }));
  function isThrough({ owner, at }, other) {
    const [left, right] = [Math.max(at.left, other.at.left), Math.min(at.right, other.at.right)];
    const [top, bottom] = [Math.max(at.top, other.at.top), Math.min(at.bottom, other.at.bottom)];
    if (right - left < 3 || bottom - top < 0.35 * Math.min(at.height, other.at.height)) return false;
    const there = document.elementsFromPoint((left + right) / 2, (top + bottom) / 2);
    const [above, below] = [there.indexOf(owner), there.indexOf(other.owner)].sort((p, q) => p - q);
    return above >= 0 && !there.slice(above, below).some((layer) => !layer.contains(there[below]) && isOpaque(layer));
  }
  function isScrolled(one, within) {
    return one !== within && (/auto|scroll/.test(getComputedStyle(one).overflowY) || isScrolled(one.parentElement, within));
  }
  function isOpaque(one) {
    const [, , , alpha = 1] = getComputedStyle(one).backgroundColor.match(/[\d.]+/g).map(Number);
    return alpha > 0.5;
  }
  function isCut(line, owner) {
    let [across, down] = [true, true];
    for (let one = owner; one && (across || down); one = one.parentElement) {
      const { overflowX, overflowY, position } = getComputedStyle(one);
      const edge = box(one);
      const slack = 2;
      if (one !== document.body && one !== document.documentElement) {
        if (across && /hidden|clip/.test(overflowX) && (line.left < edge.left - slack || line.right > edge.right + slack)) return true;
        if (down && /hidden|clip/.test(overflowY) && (line.top < edge.top - 4 || line.bottom > edge.bottom + 4)) return true;
      }
      if (/auto|scroll/.test(overflowX) && one.scrollWidth > one.clientWidth + 1 && one.scrollHeight <= one.clientHeight + 1) across = false;
      if (/auto|scroll/.test(overflowY)) down = false;
      if (position === "fixed") break;
    }
    return across && (line.right > innerWidth + slack_x() || line.left < -slack_x());
  }
  function slack_x() { return 1; }

  // words on the table: none over another, none over a base; news over no base either
  const labels = [...document.querySelectorAll(".layer .pill, .layer .tag, .layer .length, .layer .name, .layer .way > g, .layer .candidate-name")].filter((one) => !isBehind(one));
  const boxes = labels.map((one) => ({ one, at: box(one.querySelector("rect") ?? one) }));
  const over = (p, q) => Math.min(p.right, q.right) - Math.max(p.left, q.left) > 2 && Math.min(p.bottom, q.bottom) - Math.max(p.top, q.top) > 2;
  boxes.forEach(({ one, at }, k) => boxes.slice(k + 1).forEach((other) => {
    if (over(at, other.at)) faults.push(`label over label: ${say(one)} / ${say(other.one)}`);
  }));
  const buttons = [...document.querySelectorAll(".stage .round, main > .round, .shutter .take, .banner, .candidate-prompt, .ruling-notice[role=alert]")].filter((one) => isSeen(one) && !isBehind(one));
  for (const { one, at } of boxes)
    for (const button of buttons) if (over(at, box(button))) faults.push(`label under button: ${say(one)} / ${say(button)}`);
  const news = [...document.querySelectorAll(".toast, .unconfirmed, #judge .notice")].filter((one) => one.textContent.trim() !== "" && isSeen(one)).map((one) => ({ one, at: box(one) }));
  const parts = (count) => Array.from({ length: count + 1 }, (_, k) => k / count);
  const rims = [...document.querySelectorAll(".layer .base .rim")].filter((rim) => !rim.closest(".unit"));
  for (const { one, at } of [...boxes, ...news]) {
    for (const rim of rims) {
      if (!over(at, box(rim))) continue;
      const back = rim.getScreenCTM().inverse();
      const [across, down] = one.matches(".toast, .unconfirmed, .notice") ? [parts(40), parts(12)] : [[0.1, 0.5, 0.9], [0.2, 0.5, 0.8]];
      const isIn = across.some((x) => down.some((y) => {
        const point = new DOMPoint(at.left + x * at.width, at.top + y * at.height).matrixTransform(back);
        return rim.isPointInFill(point);
      }));
      if (isIn) faults.push(`label over base: ${say(one)} / ${say(rim.closest(".base"))}`);
    }
  }
  return [...new Set(faults)];
}
