/** Red line: across the top of a page of a game that is not what the table wrote, over all else. */

import type { Alarm } from "./types.gen";

/** The code of the alarm. */
const PROOF = "proof";
const STYLE = "red-line.css";

/** Say it for as long as the page is open; a server that starts anew with the whole game ends it with a new page. */
export function showRedLine(says: string): void {
  const known = document.querySelector(".red-line");
  if (known) return void (known.textContent = says);
  const style = Object.assign(document.createElement("link"), { rel: "stylesheet", href: STYLE });
  const line = Object.assign(document.createElement("p"), { className: "red-line", role: "alert", textContent: says });
  document.body.append(style, line);
}

export function watchProof(alarms: readonly Alarm[]): void {
  const forged = alarms.find((alarm) => alarm.code === PROOF);
  if (forged) showRedLine(forged.says);
}
