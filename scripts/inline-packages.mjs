// `node ../../scripts/inline-packages.mjs`, before a package is packed: writes the packages that we patch into `dist/inlined`,
// because a registry has them without our patches. Each is a line of `imports` in the package's manifest: sources import the
// installed package, and an archive imports the copy. `.pnpmfile.mjs` removes the copied packages from the archive's dependencies.
import { cpSync, existsSync, readFileSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { rolldown } from "rolldown";
import { root } from "./places.mjs";

const { imports } = JSON.parse(readFileSync("package.json", "utf8"));
rmSync("dist/inlined", { recursive: true, force: true });
for (const { "rowhouse-source": name, types, default: file } of Object.values(imports)) {
  await inline(name, file, types);
}

/** Writes a package as one module, with its declarations and the text of its license beside it. */
async function inline(name, file, types) {
  const source = join("node_modules", name);
  const manifest = JSON.parse(readFileSync(join(source, "package.json"), "utf8"));
  const bundle = await rolldown({ input: name, platform: "node" });
  const banner = `// ${name} ${manifest.version} (${manifest.license}), changed by patches/ of Rowhouse.`;
  await bundle.write({ file, format: "esm", keepNames: true, banner });
  await bundle.close();

  cpSync(join(source, dirname(manifest.types)), dirname(types), {
    recursive: true,
    dereference: true,
    // Those of postgres are of CommonJS, as the manifest beside them states.
    filter: (path) =>
      path.endsWith(".d.ts") || basename(path) === "package.json" || statSync(path).isDirectory(),
  });
  const own = join(source, "LICENSE");
  // The archive of postgres has no license.
  const license = existsSync(own) ? own : join(root, "patches/licenses", `${name}.txt`);
  // Not `LICENSE`: pnpm would then leave out that of the package itself.
  cpSync(license, join(dirname(file), "NOTICE"));
}
