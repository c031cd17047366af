// Tier: all. Two databases with one of each kind of object.
import { readFile } from "node:fs/promises";
import { createTestDatabase } from "@rowhouse/testing";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  type CatalogueStatement,
  guardCatalogueFile,
  listEnumTypes,
  readCatalogue,
} from "../../src/index.ts";
import { catalogueLines } from "./catalogue-lines.ts";

const isOfWhole = ({ scope }: CatalogueStatement) => ["WHOLE", "BOTH", "ANY"].includes(scope);

async function open() {
  const test = await createTestDatabase();
  onTestFinished(() => test.drop());
  return test;
}

describe("the statements of a catalogue", () => {
  it("create the same catalogue in an empty database", { timeout: 60_000 }, async () => {
    const [source, target] = [await open(), await open()];
    const text = await readFile(new URL("kinds.sql", import.meta.url), "utf8");
    await source.database.transaction((transaction) => transaction.query(text));
    const read = await source.database.transaction(readCatalogue);
    await target.database.transaction(async (transaction) => {
      await transaction.query(
        "select set_config('check_function_bodies', 'off', true), set_config('search_path', 'pg_catalog', true)",
      );
      for (const schema of new Set(read.map(({ schema }) => schema))) {
        await transaction.query(`create schema if not exists "${schema}"`);
      }
      for (const { schema, name, values } of await listEnumTypes(source.database)) {
        const list = values.map((value) => `'${value}'`).join(", ");
        await transaction.query(`create type "${schema}"."${name}" as enum (${list})`);
      }
      let waiting = read.filter(isOfWhole).filter(({ sql }) => !sql.startsWith("CREATE SCHEMA"));
      for (let before = Number.POSITIVE_INFINITY; waiting.length < before; ) {
        before = waiting.length;
        const failed: CatalogueStatement[] = [];
        for (const statement of waiting) {
          await transaction
            .savepoint(async (inner) => void (await inner.query(statement.sql)))
            .catch((error: unknown) => {
              failed.push({ ...statement, sql: `${statement.sql} -- ${String(error)}` });
            });
        }
        waiting = failed;
      }
      expect(waiting.map(({ sql }) => sql)).toEqual([]);
    });
    expect(await catalogueLines(target.database)).toEqual(await catalogueLines(source.database));
    const files = new Map<string, CatalogueStatement[]>();
    for (const statement of read.filter(isOfWhole)) {
      const key = JSON.stringify([statement.schema, statement.name]);
      files.set(key, [...(files.get(key) ?? []), statement]);
    }
    for (const [key, statements] of files) {
      const [schema, name] = JSON.parse(key) as [string, string | null];
      const text = statements.map(({ sql }) => `${sql};\n`).join("\n");
      const guarded = await guardCatalogueFile(text, { schema, name }, "");
      expect(guarded.map(({ sql }) => sql)).toEqual(statements.map(({ sql }) => sql));
      expect(guarded.map(({ isDefiner }) => isDefiner)).toEqual(
        statements.map(({ definer }) => definer),
      );
    }
    const again = await target.database.transaction(readCatalogue);
    expect(again.map(({ sql }) => sql)).toEqual(read.map(({ sql }) => sql));
  });
});
