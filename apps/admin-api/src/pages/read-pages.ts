import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Logger } from "@rowhouse/service";
import { z } from "zod";
import {
  type ContentEncoding,
  contentEncodings,
  entityTagOf,
  mediaTypes,
  type PageFile,
} from "./page-file.ts";

/** The built pages, in memory. */
export interface Pages {
  /** By the path on the public port. */
  readonly files: ReadonlyMap<string, PageFile>;
  /** Paths of the files that the first page loads. */
  readonly script: string;
  readonly themeScript: string;
  readonly styles: readonly string[];
  /** Paths of the scripts that the first one imports, and of the font of the first texts. */
  readonly imported: readonly string[];
  readonly font: string;
  readonly icon: string;
}

/** The part of the base path before the name of a built file. */
const base = "/admin/";

const chunk = z.object({
  file: z.string(),
  css: z.array(z.string()).default([]),
  /** Keys of the manifest. */
  imports: z.array(z.string()).default([]),
});
const manifestSchema = z
  .object({
    "src/main.tsx": chunk,
    "src/theme-first.ts": chunk,
    "src/ui/icon.svg": chunk,
    "src/ui/fonts/inter-latin.woff2": chunk,
  })
  .catchall(chunk);

/** Folder of the built pages, which `apps/console` writes there. */
const builtPages = fileURLToPath(new URL("../../dist/built-pages/", import.meta.url));

/**
 * Reads the built pages once, at the start. Without a build the service starts and serves its APIs.
 *
 * @returns undefined if the folder contains no build
 */
export function readPages(
  folder: string = builtPages,
  logger: Pick<Logger, "warn">,
): Pages | undefined {
  let text: string;
  try {
    text = readFileSync(join(folder, ".vite/manifest.json"), "utf8");
  } catch {
    logger.warn({ folder }, "The pages are not built, only the APIs are served: npm run bundle");
    return undefined;
  }
  const manifest = manifestSchema.parse(JSON.parse(text));
  const main = manifest["src/main.tsx"];
  return {
    files: readFiles(folder),
    script: base + main.file,
    themeScript: base + manifest["src/theme-first.ts"].file,
    styles: main.css.map((name) => base + name),
    imported: main.imports.flatMap((key) => manifest[key]?.file ?? []).map((name) => base + name),
    font: base + manifest["src/ui/fonts/inter-latin.woff2"].file,
    icon: base + manifest["src/ui/icon.svg"].file,
  };
}

function readFiles(folder: string): Map<string, PageFile> {
  const names = readdirSync(join(folder, "assets"));
  const read = (name: string) => new Uint8Array(readFileSync(join(folder, "assets", name)));
  const files = names.flatMap((name): [string, PageFile][] => {
    const type = mediaTypes[name.slice(name.lastIndexOf(".") + 1)];
    if (type === undefined) return [];
    const bytes = read(name);
    const beside = (Object.keys(contentEncodings) as ContentEncoding[]).filter((encoding) =>
      names.includes(name + contentEncodings[encoding]),
    );
    const encoded = Object.fromEntries(
      beside.map((encoding) => [encoding, read(name + contentEncodings[encoding])]),
    );
    return [[`${base}assets/${name}`, { type, bytes, encoded, tag: entityTagOf(bytes) }]];
  });
  return new Map(files);
}
