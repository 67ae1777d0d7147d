import { defineConfig } from "vite";

// `npm run dev` serves the page with the questions and the socket of a server on its usual port.
const server = { "/api": { target: "http://localhost:8017", ws: true } };

export default defineConfig({
  base: "./",
  build: {
    target: "es2022",
    outDir: "dist",
    emptyOutDir: true,
    modulePreload: { polyfill: false }, // the page names all its scripts, so that none waits for another
    rollupOptions: { input: ["index.html", "corners.html", "overlay.html", "judge.html", "unsure.html"] },
  },
  server: { proxy: server },
});
