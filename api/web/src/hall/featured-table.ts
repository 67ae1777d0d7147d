/** Entry of the overlay that follows the featured table: it holds that table's own overlay, with the same looks. */

import "./featured.css";
import { WholeStream } from "../shared/event-stream";
import type { PublicHall } from "../shared/types.gen";

const root = document.getElementById("featured") as HTMLElement;
const given = new URLSearchParams(location.search);
given.delete("table");
let shown = "";

new WholeStream<PublicHall>("/api/v1/hall/public/stream", { onWhole: follow }).open();

/** Show the overlay of the table that is featured now; what is shown already stays as it is. */
function follow({ featured, featured_address }: PublicHall): void {
  const address = featured === null || featured_address === null ? "" : overlayAt(featured, featured_address);
  if (address === shown) return;
  shown = address;
  if (address === "") return root.replaceChildren();
  const frame = document.createElement("iframe");
  frame.title = `Overlay of table ${featured}`;
  frame.src = address;
  root.replaceChildren(frame);
}

function overlayAt(featured: number, address: string): string {
  const params = new URLSearchParams(given);
  params.set("table", `Table ${featured}`);
  return `${address}overlay?${params.toString()}`;
}
