import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const root = join(import.meta.dirname, "../../..");

it("statements name the tables of the system catalog with their schema: a temporary table comes first otherwise", () => {
  const paths = ["apps", "packages"].flatMap((folder) =>
    readdirSync(join(root, folder)).flatMap((name) =>
      // A folder without sources is what another branch has built.
      (existsSync(join(root, folder, name, "src"))
        ? readdirSync(join(root, folder, name, "src"), { recursive: true, encoding: "utf8" })
        : []
      ).flatMap((path) => (path.endsWith(".ts") ? [`${folder}/${name}/src/${path}`] : [])),
    ),
  );
  expect(paths.length).toBeGreaterThan(1000);
  const found = paths.flatMap((path) =>
    Array.from(
      readFileSync(join(root, path), "utf8").matchAll(/\b(?:from|join) (pg_[a-z_]+)(?![a-z_(.])/g),
      ([, name]) => `${path}: ${name}`,
    ),
  );
  expect(found).toEqual([]);
});
