import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { runInThisContext } from "node:vm";
import * as access from "@rowhouse/access";
import * as data from "@rowhouse/data";
import * as db from "@rowhouse/db";
import * as errors from "@rowhouse/errors";
import * as limits from "@rowhouse/limits";
import * as mcp from "@rowhouse/mcp";
import * as service from "@rowhouse/service";
import * as settings from "@rowhouse/settings";
import * as templates from "@rowhouse/templates";
import * as vault from "@rowhouse/vault";
import * as wire from "@rowhouse/wire";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as testing from "../src/index.ts";

const modules: Readonly<Record<string, object>> = {
  "@rowhouse/access": access,
  "@rowhouse/data": data,
  "@rowhouse/db": db,
  "@rowhouse/errors": errors,
  "@rowhouse/mcp": mcp,
  "@rowhouse/limits": limits,
  "@rowhouse/settings": settings,
  "@rowhouse/service": service,
  "@rowhouse/templates": templates,
  "@rowhouse/testing": testing,
  "@rowhouse/vault": vault,
  "@rowhouse/wire": wire,
};

let test: testing.TestDatabase;
let context: Readonly<Record<string, unknown>>;
beforeAll(async () => {
  test = await testing.createTestDatabase();
  const { database } = test;
  await database.query("create table vehicles (plate text primary key, seats int)");
  await database.query("insert into vehicles values ('B-RH 1', 2), ('B-RH 2', 5)");
  await testing.expose(database, "public", "vehicles", "GET");
  const { secret } = await testing.createUser(database, "grace@example.com", "Administrators");
  context = { database, secret, snapshots: db.createSnapshotStore(database) };
});
afterAll(() => test.drop());

describe("the example of the README", () => {
  it.each(Object.keys(modules))("of %s runs and gives the values in its comments", async (name) => {
    const { statements, claims } = readExample(name.replace("@rowhouse/", ""));
    const seen: { claim: string; value: unknown }[] = [];
    const claim = (text: string, value: unknown) => seen.push({ claim: text, value });
    const names = Object.keys(context);
    const run = runInThisContext(
      `(async (modules, claim, { ${names.join()} }) => {{${statements}\n}})`,
    ) as (...given: readonly unknown[]) => Promise<void>;
    await run(modules, claim, context);
    expect(seen).toHaveLength(claims);
    for (const { claim, value } of seen) {
      expect(isDeepStrictEqual(value, JSON.parse(claim)), `${claim} is ${String(value)}`).toBe(
        true,
      );
    }
  });
});

/**
 * Returns the first block of code: its imports from `modules`, and each line `value; // expected` as a call of
 * `claim`.
 */
function readExample(folder: string): { readonly statements: string; readonly claims: number } {
  const readme = readFileSync(new URL(`../../${folder}/README.md`, import.meta.url), "utf8");
  const block = /^```ts\n([\s\S]*?)^```$/m.exec(readme)?.[1];
  if (block === undefined) throw new Error("no example");
  let claims = 0;
  const statements = block
    .replaceAll(/^import (\{[^}]*\}) from "([^"]+)";$/gm, 'const $1 = modules["$2"];')
    .replaceAll(/^([^\s/].*); \/\/ (.+)$/gm, (_line, value: string, is: string) => {
      claims += 1;
      return `claim(${JSON.stringify(is)}, ${value});`;
    });
  return { statements, claims };
}
