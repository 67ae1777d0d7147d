/** Identity questions: who is who where the camera could not see it, a button for each answer. */

import { html, nothing, render, svg, type TemplateResult } from "lit";
import "./identity.css";
import { text } from "../shared/language";
import { say, usePageLanguage } from "../shared/page-language";
import { words } from "./strings";

interface Naming {
  readonly ids: readonly (string | null)[];
  readonly probability: number;
}

interface Question {
  readonly question: string;
  readonly since_s: number;
  readonly ids: readonly string[];
  readonly places_mm: readonly (readonly [number, number])[];
  readonly namings: readonly Naming[];
}

interface Table {
  readonly table: { readonly width_mm: number; readonly depth_mm: number };
  readonly miniatures: readonly { readonly id: string; readonly name?: string }[];
}

const AGAIN_MS = 1500;
const AROUND_MM = 90;
const PLACES = "ABCDEFGHIJKLMNOP";
const root = document.getElementById("page") as HTMLElement;
let questions: readonly Question[] = [];
let table: Table | null = null;
let says = "";

await usePageLanguage();
void pollQuestions();

async function pollQuestions(): Promise<void> {
  for (;;) {
    await refresh();
    draw();
    await new Promise((done) => setTimeout(done, AGAIN_MS));
  }
}

async function refresh(): Promise<void> {
  try {
    questions = await fetchJson<readonly Question[]>("unsure");
    table = questions.length > 0 ? await fetchJson<Table>("state") : null;
    if (says === words.noAnswer) says = "";
  } catch {
    says = words.noAnswer;
  }
}

async function fetchJson<T>(what: string): Promise<T> {
  const answer = await fetch(`api/v1/${what}`, { cache: "no-store" });
  if (!answer.ok) throw new Error(String(answer.status));
  return (await answer.json()) as T;
}

async function settle(question: Question, naming: Naming): Promise<void> {
  const headers = { "Content-Type": "application/json" };
  const body = JSON.stringify({ ids: naming.ids });
  try {
    const answer = await fetch(`api/v1/unsure/${question.question}`, { method: "POST", headers, body });
    says = answer.ok ? "" : ((await answer.json()) as { detail: string }).detail;
    if (answer.ok) questions = questions.filter((one) => one !== question);
  } catch {
    says = words.noAnswer;
  }
  draw();
}

function draw(): void {
  render(html`<main>
    <h1>${text("whoIsWho")}</h1>
    ${says ? html`<p class="says" role="status">${says}</p>` : nothing}
    ${questions.length === 0 ? html`<p>${words.nothing}</p>` : questions.map(card)}
    <p><a href="./">${say("corners.back")}</a></p>
  </main>`, root);
}

function card(question: Question): TemplateResult {
  return html`<section>
    <p>${isAboutPlace(question) ? words.where(bearer(question), Math.round(question.since_s)) : words.alike(Math.round(question.since_s))}</p>
    ${table ? map(question, table) : nothing}
    ${question.namings.map((naming) => html`<button @click=${() => settle(question, naming)}>
      ${naming.ids.map((id, k) => id === null ? "" : words.is(String(PLACES[k] ?? k + 1), nameOf(id))).filter(Boolean).join(", ") || words.nowhere(bearer(question))}
      <small>${Math.round(100 * naming.probability)} %</small>
    </button>`)}
  </section>`;
}

/** Whether it asks where one miniature stands, not who stands at each place. */
function isAboutPlace({ namings }: Question): boolean {
  return namings.some(({ ids }) => ids.includes(null));
}

function bearer({ ids }: Question): string {
  return nameOf(ids[0] ?? "");
}

function nameOf(id: string): string {
  return table?.miniatures.find((one) => one.id === id)?.name ?? id;
}

/** The picture of the table around the places, far edge up. */
function map({ places_mm }: Question, { table: size }: Table): TemplateResult {
  const xs = places_mm.map(([x]) => x);
  const ys = places_mm.map(([, y]) => size.depth_mm - y);
  const [left, top] = [Math.min(...xs) - AROUND_MM, Math.min(...ys) - AROUND_MM];
  const box = [left, top, Math.max(...xs) + AROUND_MM - left, Math.max(...ys) + AROUND_MM - top].join(" ");
  return html`<svg viewBox=${box} role="img" aria-label=${words.places}>
    ${svg`<image href="api/v1/picture.jpg" width=${size.width_mm} height=${size.depth_mm} />`}
    ${xs.map((x, k) => svg`<circle cx=${x} cy=${ys[k] ?? 0} r="20" /><text x=${x} y=${(ys[k] ?? 0) - 26}>${PLACES[k] ?? k + 1}</text>`)}
  </svg>`;
}
