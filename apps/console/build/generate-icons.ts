// npm run icons
import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { iconFiles, iconsFile } from "./icons-file.ts";

// Not `vitest --update`: before its tests it builds the pages, which fails if an icon is missing.
for (const name of iconFiles) {
  writeFileSync(resolve(import.meta.dirname, "../src/ui", name), iconsFile(name));
}
