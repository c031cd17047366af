import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";

// The bundler is the one of the programs.
const scripts = createRequire(new URL("../../../scripts/bundle.mjs", import.meta.url));
const source = fileURLToPath(new URL("../src/index.ts", import.meta.url));

type Bundler = {
  rolldown(options: object): Promise<{
    generate(options: object): Promise<{ readonly output: readonly [{ readonly code: string }] }>;
  }>;
};

/** Returns the compressed bytes of a program that uses these exports of the client. */
async function compressedBytes(...names: readonly string[]): Promise<number> {
  const { rolldown } = (await import(scripts.resolve("rolldown"))) as Bundler;
  const entry = "\0entry";
  const code = `export { ${names.join()} } from ${JSON.stringify(source)};`;
  const bundle = await rolldown({
    input: entry,
    plugins: [
      {
        name: "entry",
        resolveId: (id: string) => (id === entry ? id : null),
        load: (id: string) => (id === entry ? code : null),
      },
    ],
    // As `sideEffects` of the manifest says, which a bundler does not read for a source of its own.
    treeshake: { moduleSideEffects: false },
  });
  const { output } = await bundle.generate({ format: "esm", minify: true });
  return gzipSync(output[0].code, { level: 9 }).length;
}

it("a program of rows and sign-in has at most 7 KB of the client, one with all parts 11.5 KB", async () => {
  expect(await compressedBytes("createClient")).toBeLessThanOrEqual(11_500);
  expect(await compressedBytes("composeClient", "withBasicRows", "withSignIn")).toBeLessThanOrEqual(
    7_000,
  );
});

it("a program does not have the code of the parts that it does not name", async () => {
  const rows = await compressedBytes("composeClient", "withBasicRows");
  const parts = ["withRows", "withSignIn", "withAuth", "withApi", "withWorkflows", "withFiles"];
  const all = await compressedBytes("createClient");
  for (const part of parts) {
    const more = await compressedBytes("composeClient", "withBasicRows", part);
    expect(more).toBeGreaterThan(rows + 200);
    expect(more).toBeLessThan(all - 1000);
  }
});
