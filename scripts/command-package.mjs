// `node scripts/command-package.mjs`, before the command line is packed: writes `dist/package`, the folder that its archive is made
// of. The program is one file, so its manifest names no dependency.
import { execFileSync } from "node:child_process";
import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./places.mjs";

const app = join(root, "apps/cli");
const folder = join(app, "dist/package");

rmSync(folder, { recursive: true, force: true });
const bundle = [join(root, "scripts/bundle.mjs"), "--single", "--to=dist/package/bin", app];
execFileSync(process.execPath, bundle, { stdio: "inherit" });
rmSync(join(folder, "bin/inputs.json"));
// A restore compares the migrations of a backup with these.
cpSync(join(root, "packages/db/migrations"), join(folder, "migrations"), { recursive: true });
cpSync(join(root, "LICENSE"), join(folder, "LICENSE"));
cpSync(join(app, "README.md"), join(folder, "README.md"));
const {
  dependencies: _bundled,
  devDependencies: _development,
  scripts: _scripts,
  rowhouse: _structure,
  ...manifest
} = JSON.parse(readFileSync(join(app, "package.json"), "utf8"));
delete manifest.publishConfig.directory;
const published = { ...manifest, bin: { rowhouse: "bin/main.js" } };
writeFileSync(join(folder, "package.json"), `${JSON.stringify(published, null, 2)}\n`);
