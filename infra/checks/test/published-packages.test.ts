import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { readPublishedPackages } from "../src/api/published-packages.ts";
import { readWorkspacePackages } from "../src/read/workspace-packages.ts";

// The manifests of the packages that a registry may have; what their archives contain is tested by packed-packages.test.ts.
const root = fileURLToPath(new URL("../../../", import.meta.url));
const packages = readPublishedPackages(root);
const names = packages.map(({ name }) => name);
const { license, engines, version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

describe.each(packages)("$name", ({ name, manifest, entries }) => {
  it("has the license, the version and the versions of Node.js of the repository", () => {
    expect(manifest).toMatchObject({ license, engines, version, type: "module" });
  });

  it("is published for everyone, with a proof of its origin", () => {
    expect(manifest.publishConfig).toMatchObject({ access: "public", provenance: true });
  });

  it("lists its files, and runs nothing when it is installed", () => {
    expect(manifest.files).not.toEqual([]);
    const scripts = Object.keys(manifest.scripts ?? {});
    expect(scripts).toContain("prepack");
    expect(scripts.filter((script) => /^(?:pre|post)?install$|^prepare$/.test(script))).toEqual([]);
  });

  it("depends on published packages only, or contains them", () => {
    const isBundled = name === "rowhouse";
    const own = Object.keys(manifest.dependencies ?? {}).filter((dependency) =>
      dependency.startsWith("@rowhouse/"),
    );
    expect(manifest.peerDependencies).toBeUndefined();
    expect(isBundled ? [] : own.filter((dependency) => !names.includes(dependency))).toEqual([]);
    expect(isBundled || entries.has(".")).toBe(true);
  });
});

it("every package has the version of the repository, and the OpenAPI documents have it too", () => {
  const others = readWorkspacePackages(root).filter(
    ({ folder }) =>
      JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8")).version !== version,
  );
  expect(others.map(({ name }) => name)).toEqual([]);
  const app = readFileSync(join(root, "apps/data-api/src/app.ts"), "utf8");
  expect(app).toContain(`const version = "${version}";`);
});

it("the page of releases lists every published package, each after the packages that it imports", () => {
  const page = readFileSync(join(root, "docs/operations/release.md"), "utf8");
  const listed = [...page.matchAll(/^\| `(@rowhouse\/[\w-]+|rowhouse)` \|/gm)].map(
    ([, name]) => name,
  );
  expect([...listed].sort()).toEqual([...names].sort());
  for (const { name, manifest } of packages) {
    if (name === "rowhouse") continue;
    const before = listed.slice(0, listed.indexOf(name));
    const own = Object.keys(manifest.dependencies ?? {}).filter((each) => names.includes(each));
    expect(before, name).toEqual(expect.arrayContaining(own));
  }
});
