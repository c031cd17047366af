import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defaultClientConditions, defineConfig } from "vite";
import { compressAssets } from "./build/compress-assets.ts";
import { iconsLicense } from "./build/icons-license.ts";
import { inputsFile } from "./build/inputs-file.ts";

/** The Admin API serves the files under this path. */
const base = "/admin/";

const first = /[\\/]src[\\/]ui[\\/](?:theme|density)\.ts$/;

/** The entries stay apart: the Admin API reads the styles of `main` from the list. */
const inBase = (id: string) =>
  !first.test(id) && !/\.css|[\\/]src[\\/](?:main|theme-first)\.tsx?$/.test(id);

/**
 * Modules that a browser loads together. Without these groups each module that several pages share is a file of its own, most
 * of less than 1 KB, and a page loads 150 of them.
 */
const groups = [
  { name: "first", test: first, priority: 5 },
  { name: "base", tags: ["$initial" as const], test: inBase, priority: 4 },
  { name: "icons", test: /[\\/]src[\\/]ui[\\/](?:create-icon|icons\.generated)\.ts$/, priority: 3 },
  // Almost every page; the sign-in is one of them, and its weight has a limit.
  { name: "common", minShareCount: 80, priority: 2 },
  { name: "shared", minShareCount: 30, priority: 1 },
];

/** `vite build --mode artefact` also compresses the files, which takes four times as long as the rest. */
export default defineConfig(({ mode }) => ({
  // The sources of the packages, so that the pages need no build of theirs.
  resolve: { conditions: ["rowhouse-source", ...defaultClientConditions] },
  base,
  plugins: [
    react(),
    tailwindcss(),
    inputsFile(),
    iconsLicense(),
    mode === "artefact" && compressAssets(),
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
