// npm run fonts
import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { fontFiles } from "./font-files.ts";

for (const [name, content] of await fontFiles()) {
  await writeFile(resolve(import.meta.dirname, "../src/ui/fonts", name), content);
}
