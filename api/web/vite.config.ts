import { parse } from "@formatjs/icu-messageformat-parser";
import { defineConfig, type Plugin } from "vite";
import { licences } from "./licences";

// `npm run dev` serves the page with the questions and the socket of a server on its usual port.
const server = { "/api": { target: "http://localhost:8017", ws: true } };

/** Messages that choose by a number or a word are parsed here, so that no phone brings a parser. */
const icuMessages: Plugin = {
  name: "icu-messages",
  enforce: "pre",
  transform(code, id) {
    if (!/\/messages\/((pages|later)\/)?\w+\.json$/.test(id)) return null;
    const parsed = Object.entries(JSON.parse(code) as Record<string, string>).map(([key, message]) => {
      return [key, /, (plural|select),/.test(message) ? parse(message, { captureLocation: false }) : message];
    });
    return { code: JSON.stringify(Object.fromEntries(parsed)), map: null };
  },
};

export default defineConfig({
  base: "./",
  plugins: [icuMessages, licences()],
  resolve: { alias: { "@formatjs/icu-messageformat-parser": "@formatjs/icu-messageformat-parser/no-parser.js" } },
  build: {
    target: "es2022",
    outDir: "dist",
    emptyOutDir: true,
    chunkSizeWarningLimit: 1700, // kB: Swagger UI, of which only /docs knows
    modulePreload: { polyfill: false }, // the page names all its scripts, so that none waits for another
    rollupOptions: {
      // Small files are compressed the worse the more they are apart.
      // The shared style sheet goes with code that every page imports: one alone is linked after a page's own, and beats it.
      output: {
        advancedChunks: {
          groups: [
            { name: "small", test: /[\\/]src[\\/]shared[\\/](style\.css|(geometry|problem|picture-canvas|format|entities)\.ts)$/ },
            { name: "marks", test: /[\\/]src[\\/]player[\\/]view[\\/](icons|base-marker|svg-path|as-of|unconfirmed|witness|arc-uncertainty|label-layout|base-names|picker|side-proposals)\.ts$/ },
          ],
        },
      },
      input: ["index.html", "corners.html", "measure.html", "overlay.html", "projector.html", "judge.html", "unsure.html", "setup.html", "hall.html", "hall-clock.html", "hall-watch.html", "featured.html", "docs.html"],
    },
  },
  server: { proxy: server },
});
