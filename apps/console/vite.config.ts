import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defaultClientConditions, defineConfig } from "vite";
import { compiledWords } from "./build/compiled-words.ts";
import { compressAssets } from "./build/compress-assets.ts";
import { iconsLicense } from "./build/icons-license.ts";
import { inputsFile } from "./build/inputs-file.ts";

/** The Admin API serves the files under this path. */
const base = "/admin/";

const first = /[\\/]src[\\/]ui[\\/](?:theme|density)\.ts$/;

/** The entries stay apart: the Admin API reads the styles of `main` from the list. */
const inBase = (id: string) =>
  !first.test(id) && !/\.css|[\\/]src[\\/](?:main|theme-first)\.tsx?$/.test(id);

/** The frame, and what most pages behind the sign-in share; not the menus and editors, which bring large libraries. */
const inFrame =
  /[\\/]src[\\/](?:routed-pages\.|(?:ui|shell|records[\\/]values)[\\/](?!menu\.|(?:code|sql)-editor|.*\.css))/;

/**
 * Modules that a browser loads together, in the order in which a person meets them. Without these groups each module that
 * several pages share is a file of its own, most of less than 1 KB, and a page loads 150 of them.
 */
const groups = [
  { name: "first", test: first, priority: 9 },
  { name: "base", tags: ["$initial" as const], test: inBase, priority: 8 },
  { name: "frame", test: inFrame, priority: 7 },
  { name: "grid", test: /[\\/]src[\\/]data[\\/]page[\\/]data-page\./, priority: 6 },
  // The rest by the pages that need it; what is small goes with its neighbor.
  {
    name: "pages",
    minShareCount: 2,
    entriesAware: true,
    entriesAwareMergeThreshold: 4_000,
    priority: 1,
  },
];

const words = new Set<string>();

/** `vite build --mode artefact` compresses the files as far as possible, which takes four times as long as the rest. */
export default defineConfig(({ mode }) => ({
  // The sources of the packages, so that the pages need no build of theirs.
  resolve: { conditions: ["rowhouse-source", ...defaultClientConditions] },
  base,
  plugins: [
    react(),
    tailwindcss(),
    compiledWords(words),
    inputsFile(words),
    iconsLicense(),
    compressAssets(mode === "artefact" ? 11 : 7),
  ],
  build: {
    // The Admin API serves them from its own folder, so that its artefact has them.
    outDir: "../admin-api/dist/built-pages",
    emptyOutDir: true,
    // The server composes the HTML from this list.
    manifest: true,
    license: true,
    assetsInlineLimit: 0,
    // Every browser that loads the pages has it.
    modulePreload: { polyfill: false },
    target: ["chrome120", "firefox121", "safari17.2"],
    rolldownOptions: {
      input: ["src/main.tsx", "src/theme-first.ts"],
      output: { codeSplitting: { groups } },
    },
  },
}));
