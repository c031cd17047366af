// npm run icons
import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { iconsFile } from "./icons-file.ts";

// Not `vitest --update`: before its tests it builds the pages, which fails if an icon is missing.
writeFileSync(resolve(import.meta.dirname, "../src/ui/icons.generated.ts"), iconsFile());
