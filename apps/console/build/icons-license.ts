import { appendFileSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Plugin } from "vite";

const icons = resolve(import.meta.dirname, "../src/ui/icons.generated.ts");

/** Adds the license of the icons to those of the packages: the icons are a copy in the sources, so the build omits it. */
export function iconsLicense(): Plugin {
  return {
    name: "icons-license",
    apply: "build",
    writeBundle({ dir }) {
      const [, notice = ""] = /\/\*(.*?)\*\//s.exec(readFileSync(icons, "utf8")) ?? [];
      appendFileSync(join(dir ?? "", ".vite/license.md"), notice);
    },
  };
}
