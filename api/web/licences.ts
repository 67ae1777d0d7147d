/** Licence notices of every package that is bundled into the pages, gathered from the packages themselves. */

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "vite";

const PACKAGE = /^(.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/;

/** Emits `licences.txt`. A bundled package without a licence of its own ends the build. */
export function licences(): Plugin {
  return {
    name: "licences",
    generateBundle(_, bundle) {
      const folders = new Set<string>();
      for (const part of Object.values(bundle)) {
        for (const id of part.type === "chunk" ? part.moduleIds : []) {
          const folder = PACKAGE.exec(id)?.[1];
          if (folder && !folder.includes("\0")) folders.add(folder);
        }
      }
      this.emitFile({ type: "asset", fileName: "licences.txt", source: [...folders].sort().map(notice).join(`\n${"-".repeat(100)}\n\n`) });
    },
  };
}

function notice(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Record<string, string>;
  const file = existsSync(folder) ? readdirSync(folder).find((one) => /^licen[cs]e/i.test(one)) : undefined;
  if (!file) throw new Error(`${name}: no licence lies in its package`);
  const inner = readdirSync(folder).filter((one) => one === "NOTICE" || one.endsWith("-es-bundle.js.LICENSE.txt")); // of what it bundles itself
  const texts = [file, ...inner].map((one) => readFileSync(join(folder, one), "utf8").trim());
  return `${name} ${version} (${license})\n\n${texts.join("\n\n")}\n`;
}
