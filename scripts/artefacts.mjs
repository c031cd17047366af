// `npm run artefacts [app …]`: builds each app into its own folder, `artefacts/<app>`, with everything that the app needs
// except Node: its code, the compressed pages, its production dependencies, the migrations, the sample, and a list of
// all packages, `sbom.cdx.json` (CycloneDX).
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const services = ["gateway", "data-api", "admin-api", "workflow-worker"];
// State of pnpm's installation; it names folders of the build machine.
const leftovers = [
  "pnpm-lock.yaml",
  "pnpm-workspace.yaml",
  "node_modules/.modules.yaml",
  "node_modules/.pnpm-workspace-state-v1.json",
  "node_modules/.pnpm/lock.yaml",
];

const folder = option("--to") ?? "artefacts";
const asked = process.argv.slice(2).filter((argument) => !argument.startsWith("-"));
const known = readdirSync("apps");
const unknown = asked.filter((app) => !known.includes(app));
if (unknown.length > 0) {
  console.error(`Unknown app ${unknown.join(", ")}; the apps are ${known.join(", ")}.`);
  process.exit(1);
}
for (const app of asked.length > 0 ? asked : services) build(app);

function build(app) {
  const target = join(folder, app);
  rmSync(target, { recursive: true, force: true });
  // With a hard link into the store, a change of the artefact would also change other installations.
  pnpm(app, "--prod", "--config.package-import-method=copy", "deploy", target);
  for (const name of leftovers) rmSync(join(target, name), { force: true });
  const manifest = join(target, "package.json");
  const { dependencies: _, devDependencies: __, ...rest } = readJson(manifest);
  writeFileSync(manifest, `${JSON.stringify(rest, null, 2)}\n`);
  const bill = join(target, "sbom.cdx.json");
  pnpm(
    app,
    "sbom",
    "--prod",
    "--sbom-format=cyclonedx",
    "--sbom-type=application",
    `--out=${bill}`,
  );
  const megabytes = (bytesIn(target) / 1_048_576).toFixed(0);
  console.log(`${target}  ${megabytes} MiB  (start: node ${target}/dist/main.js)`);
}

/** Runs pnpm for an app; if it fails, this process exits with its code. */
function pnpm(app, ...rest) {
  const { packageManager } = readJson("package.json");
  const { status } = spawnSync(
    "npx",
    ["--yes", packageManager, `--filter=@rowhouse/${app}`, ...rest],
    {
      stdio: ["ignore", "ignore", "inherit"],
      shell: process.platform === "win32",
    },
  );
  if (status !== 0) process.exit(status ?? 1);
}

function readJson(path) {
  return JSON.parse(readFileSync(path, "utf8"));
}

function bytesIn(path) {
  const entries = readdirSync(path, { withFileTypes: true });
  return entries.reduce((sum, entry) => {
    const each = join(path, entry.name);
    if (entry.isSymbolicLink()) return sum;
    return sum + (entry.isDirectory() ? bytesIn(each) : statSync(each).size);
  }, 0);
}

/** The value of `--name=value`. */
function option(name) {
  const prefix = `${name}=`;
  return process.argv.find((argument) => argument.startsWith(prefix))?.slice(prefix.length);
}
