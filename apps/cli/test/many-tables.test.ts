// Tier: all. Compiles programs.
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Document, Schema } from "@rowhouse/client/openapi";
import { afterAll, beforeAll, expect, it } from "vitest";
import { resourcesFile } from "../src/types/resources-file.ts";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../../../", import.meta.url));

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(root, "apps/cli/.tables-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** A document with tables of 20 columns, each with relations to two others and from two others. */
function documentOf(tables: number): Document {
  const schemas: Record<string, Schema> = {};
  const paths: Record<string, Document["paths"][string]> = {};
  for (let number = 0; number < tables; number += 1) {
    const row = (step: number) => ({ $ref: `#/components/schemas/s.t${(number + step) % tables}` });
    const properties: Record<string, Schema> = {};
    for (let column = 0; column < 20; column += 1) properties[`c${column}`] = { type: "string" };
    schemas[`s.t${number}.New`] = { type: "object", properties: { ...properties } };
    const one = (step: number) => ({ $ref: `${row(step).$ref}.Result` });
    properties.next = { anyOf: [one(1), { type: "null" }] };
    properties.far = { anyOf: [one(7), { type: "null" }] };
    const list = (step: number) => ({ $ref: `${row(step).$ref}.List` });
    properties.before = list(tables - 1);
    properties.others = list(tables - 7);
    schemas[`s.t${number}`] = { type: "object", properties };
    const operation = { operationId: `s.t${number}.list`, responses: {} };
    paths[`/api/s/table/t${number}`] = { get: operation };
  }
  return { openapi: "3.1.0", paths, components: { schemas } };
}

const program = `
import { createClient } from "@rowhouse/client";
import type { Resources } from "./resources.ts";
const client = createClient<Resources>({ url: "http://service.invalid", token: "t" });
const { rows } = await client.from("s.t5").list({
  fields: ["c1", "next.c2", "far.next.before.c3", "others"],
  where: { far: { next: { c1: { _eq: "x" } } }, others: { _some: { c2: { _null: true } } } },
});
export const text: string | undefined = rows[0]?.far?.next?.before[0]?.c3;
await client.from("s.t7").create({ c1: "x" });
`;

/** Returns how many types the compiler instantiates for the program. */
async function instantiations(tables: number): Promise<number> {
  await writeFile(join(folder, "resources.ts"), resourcesFile(documentOf(tables)));
  await writeFile(join(folder, "program.ts"), program);
  const compilerOptions = {
    ...{ target: "ES2023", lib: ["ES2023", "ES2024.String"], module: "NodeNext", strict: true },
    ...{ noUncheckedIndexedAccess: true, allowImportingTsExtensions: true, noEmit: true },
    ...{ types: ["node"], skipLibCheck: true, customConditions: ["rowhouse-source"] },
  };
  const config = { compilerOptions, files: ["program.ts"] };
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify(config));
  const compiler = join(root, "node_modules/.bin/tsc");
  const argument = ["--project", folder, "--extendedDiagnostics", "--singleThreaded"];
  const { stdout } = await run(compiler, argument).catch((error: { stdout: string }) => error);
  expect(stdout).not.toContain("error TS");
  const count = Number(/Instantiations:\s+(\d+)/.exec(stdout)?.[1]);
  expect(count).toBeGreaterThan(0);
  return count;
}

it("a program costs the compiler hardly more types with 600 tables than with 60", async () => {
  const few = await instantiations(60);
  const many = await instantiations(600);
  // Growth by the number of paths would be a factor of a thousand.
  expect(many).toBeLessThan(few + 600 * 20);
});
