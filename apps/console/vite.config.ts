import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defaultClientConditions, defineConfig } from "vite";
import { compressAssets } from "./build/compress-assets.ts";

/** The Admin API serves the files under this path. */
const base = "/admin/";

export default defineConfig({
  // The sources of the packages, so that the pages need no build of theirs.
  resolve: { conditions: ["rowhouse-source", ...defaultClientConditions] },
  base,
  plugins: [react(), tailwindcss(), compressAssets()],
  build: {
    // The server composes the HTML from this list.
    manifest: true,
    license: true,
    assetsInlineLimit: 0,
    // Every browser that loads the pages has it.
    modulePreload: { polyfill: false },
    target: ["chrome120", "firefox121", "safari17.2"],
    rolldownOptions: { input: ["src/main.tsx", "src/theme-first.ts"] },
  },
});
