// Tier: long. Starts processes.
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";

const folder = fileURLToPath(new URL("../", import.meta.url));
/** The packages that create schemas with their own import of zod. */
const packages = ["accounts", "ddl", "http", "permissions", "settings", "workflows"];

/** Returns the document of the Admin API, created in a process that loads these modules in this order. */
async function documentAfter(...modules: readonly string[]): Promise<string> {
  const program = `
    for (const name of ${JSON.stringify(modules)}) await import(name);
    const { createApiRouter } = await import("@rowhouse/http");
    const { adminDocument } = await import("./src/routes/openapi.ts");
    const { mountResourceColumnRoutes } = await import("./src/routes/resource-columns.ts");
    const { mountTableRoutes } = await import("./src/routes/table.ts");
    const { mountTablesRoutes } = await import("./src/routes/tables.ts");
    const router = createApiRouter({ bodyBytesMax: () => 0 });
    for (const mount of [mountResourceColumnRoutes, mountTableRoutes, mountTablesRoutes]) mount(router, {});
    console.log(JSON.stringify(adminDocument(router, true)));`;
  const options = ["--conditions=rowhouse-source", "--import", "tsx", "--input-type=module"];
  const { stdout } = await promisify(execFile)(process.execPath, [...options, "-e", program], {
    cwd: folder,
    maxBuffer: 2 ** 24,
  });
  return stdout;
}

it("describes the Admin API equally whether its packages are loaded before or after @hono/zod-openapi", async () => {
  const names = packages.map((name) => `@rowhouse/${name}`);
  const before = await documentAfter(...names, "@hono/zod-openapi");
  expect(before).toContain("ColumnFormat");
  expect(await documentAfter("@hono/zod-openapi", ...names)).toBe(before);
});
