import { existsSync } from "node:fs";
import { join, relative } from "node:path";
import type { Plugin } from "vitest/config";

/**
 * Loads the packages that a project has installed from archives, where tests and sources import the packages of this checkout.
 * A package that the project lacks is loaded from its sources.
 *
 * @param root - the checkout
 * @param project - the folder of the project
 */
export function importInstalled(root: string, project: string): Plugin {
  return {
    name: "rowhouse-installed-packages",
    enforce: "pre",
    async resolveId(source, importer, options) {
      const found = await this.resolve(source, importer, { ...options, skipSelf: true });
      const path = relative(root, found?.id ?? "");
      const [, name = "", module = ""] = /^packages\/([\w-]+)\/src\/(.+)\.ts$/.exec(path) ?? [];
      const home = join(project, "node_modules/@rowhouse", name);
      if (name === "" || !existsSync(home)) return found;
      const file = join(home, "dist", `${module}.js`);
      if (!existsSync(file)) throw new Error(`The archive of ${name} lacks dist/${module}.js`);
      return { id: file, external: true };
    },
  };
}
