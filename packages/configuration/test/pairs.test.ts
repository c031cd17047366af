// Tier: long. Creates many databases.
import { createTestDatabase } from "@rowhouse/testing";
import fc from "fast-check";
import { expect, it } from "vitest";
import { parse, stringify } from "yaml";
import type { Files } from "../src/index.ts";
import { createConfigurator } from "./configuration.ts";

const types = ["smallint", "integer", "bigint", "numeric(8,2)"];
const tableNames = ["a", "b", "c"] as const;
const columnNames = ["x", "y", "z"] as const;
const roleNames = ["One", "Two"] as const;

const column = fc.record({
  type: fc.constantFrom(...types),
  nullable: fc.boolean(),
  default: fc.option(fc.constantFrom("0", "1 + 1", "(7)"), { nil: undefined }),
  comment: fc.option(fc.constantFrom("Says", "so: yes"), { nil: undefined }),
  label: fc.option(fc.constantFrom("Label", "no"), { nil: undefined }),
});

const table = fc.record({
  columns: fc.dictionary(fc.constantFrom(...columnNames), column),
  checked: fc.option(fc.constantFrom(...columnNames), { nil: undefined }),
  bound: fc.constantFrom("0", "10"),
  message: fc.option(fc.constantFrom("Too small", "Not enough"), { nil: undefined }),
  unique: fc.option(fc.constantFrom(...columnNames), { nil: undefined }),
  indexed: fc.option(fc.constantFrom(...columnNames), { nil: undefined }),
  descending: fc.boolean(),
  target: fc.option(fc.constantFrom(...tableNames), { nil: undefined }),
  onDelete: fc.constantFrom("CASCADE", "SET NULL"),
  exposed: fc.subarray(["GET", "POST", "PATCH", "DELETE"]),
  label: fc.option(fc.constantFrom("Table", "Other"), { nil: undefined }),
});

const grant = fc.record({
  fields: fc.option(fc.subarray(["id", ...columnNames]), { nil: undefined }),
  bound: fc.option(fc.integer({ min: 0, max: 3 }), { nil: undefined }),
});

const configuration = fc.record({
  tables: fc.dictionary(fc.constantFrom(...tableNames), table),
  roles: fc.dictionary(
    fc.constantFrom(...roleNames),
    fc.record({
      apiAccess: fc.boolean(),
      description: fc.constantFrom("", "People"),
      grants: fc.dictionary(fc.constantFrom(...tableNames), grant),
    }),
  ),
  limit: fc.option(fc.integer({ min: 1, max: 50 }), { nil: undefined }),
});

type Configuration = typeof configuration extends fc.Arbitrary<infer Value> ? Value : never;

/** Writes a configuration as its author would: what it names and does not have is left out. */
function filesOf({ tables, roles, limit }: Configuration): Files {
  const files: Record<string, unknown> = {
    "rowhouse.yaml": { version: 1, parts: ["settings", "types", "tables", "views", "roles"] },
    "settings.yaml": limit === undefined ? {} : { "data.default_limit": limit },
  };
  for (const [name, one] of Object.entries(tables)) {
    const has = (column: string | undefined): column is string =>
      column !== undefined && one.columns[column as "x"] !== undefined;
    const isReferring = one.target !== undefined && tables[one.target] !== undefined;
    files[`tables/t/${name}.yaml`] = {
      columns: {
        id: { type: "bigint", identity: "ALWAYS" },
        ...(isReferring ? { ref_id: { type: "bigint" } } : {}),
        ...one.columns,
      },
      primaryKey: ["id"],
      ...(has(one.checked)
        ? { checks: { bounded: { check: `${one.checked} >= ${one.bound}`, message: one.message } } }
        : {}),
      ...(has(one.unique) ? { unique: { [`${name}_once`]: { columns: [one.unique] } } } : {}),
      ...(has(one.indexed)
        ? {
            indexes: {
              [`${name}_by`]: { keys: [{ column: one.indexed, descending: one.descending }] },
            },
          }
        : {}),
      ...(isReferring
        ? {
            foreignKeys: {
              [`${name}_ref`]: {
                columns: ["ref_id"],
                references: { schema: "t", table: one.target, columns: ["id"] },
                onDelete: one.onDelete,
              },
            },
          }
        : {}),
      exposed: one.exposed,
      ...(one.label === undefined ? {} : { label: one.label }),
    };
  }
  for (const [name, { grants, ...role }] of Object.entries(roles)) {
    const held = Object.entries(grants).filter(([key]) => tables[key as "a"] !== undefined);
    files[`roles/${name}.yaml`] = {
      ...role,
      grants: Object.fromEntries(
        held.map(([key, { fields, bound }]) => {
          const columns = ["id", ...Object.keys(tables[key as "a"]?.columns ?? {})];
          return [
            `t.${key}`,
            {
              READ: {
                ...(fields && { fields: fields.filter((field) => columns.includes(field)) }),
                ...(bound === undefined ? {} : { filter: { id: { _gt: bound } } }),
              },
            },
          ];
        }),
      ),
    };
  }
  return Object.fromEntries(
    Object.entries(files).map(([path, value]) => [
      path,
      stringify(JSON.parse(JSON.stringify(value)), { aliasDuplicateObjects: false }),
    ]),
  );
}

/** The documents without the order of their keys: a column that is added later is the last one. */
function meaningOf(files: Files) {
  return Object.fromEntries(
    Object.entries(files).map(([path, text]): [string, unknown] => [path, parse(text)]),
  );
}

async function withEmpty<Result>(
  work: (own: Awaited<ReturnType<typeof createConfigurator>>) => Promise<Result>,
): Promise<Result> {
  const test = await createTestDatabase();
  try {
    return await work(await createConfigurator(test));
  } finally {
    await test.drop();
  }
}

/** The paths of tables that both have, and of which B lacks a column that A has. */
function tablesWithDrops(a: Configuration, b: Configuration): Set<string> {
  return new Set(
    tableNames.flatMap((name) => {
      const [before, after] = [a.tables[name], b.tables[name]];
      if (before === undefined || after === undefined) return [];
      const hasReference = ({ tables }: Configuration) => {
        const target = tables[name]?.target;
        return target !== undefined && tables[target] !== undefined;
      };
      const isDropped =
        Object.keys(before.columns).some((column) => after.columns[column as "x"] === undefined) ||
        (hasReference(a) && !hasReference(b));
      return isDropped ? [`tables/t/${name}.yaml`] : [];
    }),
  );
}

it("apply A and then B is B, there is nothing left to do, and the plan back gives the bytes of A", {
  timeout: 1_800_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(configuration, configuration, async (a, b) => {
      const [filesOfA, filesOfB] = [filesOf(a), filesOf(b)];
      const alone = await withEmpty(async (own) => {
        await own.set(filesOfB);
        return meaningOf(await own.pull());
      });
      await withEmpty(async (own) => {
        await own.set(filesOfA);
        expect((await own.plan(filesOfA)).steps).toEqual([]);
        const first = await own.pull();
        await own.set(filesOfB);
        expect((await own.plan(filesOfB)).steps).toEqual([]);
        expect(meaningOf(await own.pull())).toEqual(alone);
        await own.set(first);
        expect((await own.plan(first)).steps).toEqual([]);
        const back = await own.pull();
        expect(meaningOf(back)).toEqual(meaningOf(first));
        // PostgreSQL puts a column that is added again behind the others.
        const reordered = tablesWithDrops(a, b);
        const exact = (files: Files) =>
          Object.entries(files).filter(([path]) => !reordered.has(path));
        expect(exact(back)).toEqual(exact(first));
      });
    }),
    { numRuns: 60, endOnFailure: true },
  );
});
