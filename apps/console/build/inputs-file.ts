import { writeFileSync } from "node:fs";
import { join, relative, resolve, sep } from "node:path";
import type { Plugin } from "vite";

const root = resolve(import.meta.dirname, "../../..");
const settings = ["apps/console/package.json", "apps/console/vite.config.ts"];

/**
 * Writes `inputs.json`, the list of the sources that the pages were made of: they are built again if one changes.
 *
 * @param others sources that another plugin reads itself, by the end of the build
 */
export function inputsFile(others: ReadonlySet<string>): Plugin {
  return {
    name: "inputs-file",
    apply: "build",
    writeBundle({ dir }) {
      const files = [...this.getModuleIds(), ...others].map((id) => id.split("?")[0] ?? "");
      const own = files
        .filter((file) => file.startsWith(root) && !file.includes("node_modules"))
        .map((file) => relative(root, file).split(sep).join("/"));
      writeFileSync(
        join(dir ?? "", "inputs.json"),
        JSON.stringify([...new Set([...settings, ...own])].sort()),
      );
    },
  };
}
