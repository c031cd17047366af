// Tier: long. Generated tables.
import { type AuditActor, createSnapshotStore } from "@rowhouse/db";
import { AppError } from "@rowhouse/errors";
import { createTestDatabase, generatedRuns, type TestDatabase } from "@rowhouse/testing";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  alterTable,
  createTable,
  describeTable,
  parseTableDefinition,
  previewAlterTable,
  previewCreateTable,
  readTableState,
  type TableDescription,
} from "../../src/index.ts";
import {
  changeArbitrary,
  definitionArbitrary,
  type GeneratedChange,
  pickFrom,
  quoted,
  types,
} from "./arbitraries.ts";
import { dumpCatalogue } from "./dump-catalogue.ts";

const actor: AuditActor = { userId: null, tokenId: null, address: null, requestId: null };
let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase();
  await test.database.query(`
    create schema store;
    create type store.mood as enum ('happy', 'sad');
    create table store.targets (id int primary key, a int, b int, unique (a, b));
    insert into store.targets values (1, 1, 1)`);
});
afterAll(() => test.drop());

const fresh = () =>
  test.database.query(
    "drop schema if exists made cascade; drop schema if exists elsewhere cascade; create schema made; create schema elsewhere",
  );
const create = async (definition: unknown) =>
  createTable(test.database, {
    schema: "made",
    definition: await parseTableDefinition(definition),
    actor,
  });
const describeMade = async (table: string, schema = "made"): Promise<TableDescription> =>
  describeTable(test.database, await readTableState(test.database, schema, table));
const dump = () => dumpCatalogue(test.database, ["made", "elsewhere", "store"]);
/** Runs as many cases as fit a fixed time, so that a busy machine does not slow the suite. */
const within = <Values extends unknown[]>(
  ms: number,
  holds: (...values: Values) => Promise<void>,
): ((...values: Values) => Promise<void>) => {
  const end = Date.now() + ms;
  return async (...values) => {
    if (Date.now() < end) await holds(...values);
  };
};
/** `pnpm fuzz` sets the number of seconds and generates different cases in each run. */
const fuzzMs =
  Number(process.env.ROWHOUSE_FUZZ_SECONDS ?? (process.env.MODE === "fuzz" ? 120 : 0)) * 1000;
const cases = {
  numRuns: fuzzMs > 0 ? 100_000 : generatedRuns(150),
  endOnFailure: true,
};

describe("a generated table definition", () => {
  it(
    "a table reads back as a definition that creates an identical table",
    async () => {
      await fc.assert(
        fc.asyncProperty(
          definitionArbitrary,
          within(fuzzMs || 9_000, async (generated) => {
            await fresh();
            await create({ ...generated, name: "t" });
            const first = await describeMade("t");
            // The result is itself a definition with the same meaning.
            const again = { ...first.definition, name: "u" };
            const { sql } = await previewCreateTable(test.database, {
              schema: "made",
              definition: await parseTableDefinition(again),
            });
            expect(sql.length).toBeGreaterThan(0);
            await create(again);
            const second = await describeMade("u");
            expect({ ...second.definition, name: "t" }).toEqual(first.definition);
            expect(second.columns).toEqual(first.columns);
            expect(second.checks.map(({ name, ...check }) => check)).toEqual(
              first.checks.map(({ name, ...check }) => check),
            );
            const { sql: difference } = await previewAlterTable(test.database, {
              schema: "made",
              table: "t",
              alteration: { changes: asChanges(first) },
            });
            expect(difference).toEqual([]);
          }),
        ),
        cases,
      );
    },
    fuzzMs + 120_000,
  );
});

/** A table expressed as changes of itself. */
function asChanges({ definition, columns, comment }: TableDescription): object[] {
  return [
    { kind: "changeComment", comment },
    ...definition.columns.map((column, index) => ({
      kind: "changeColumn",
      column: column.name,
      dataType: column.dataType,
      nullable: columns[index]?.nullable,
      ...(column.identity === undefined ? { default: column.default ?? null } : {}),
      identity: column.identity ?? null,
      comment: columns[index]?.comment ?? null,
    })),
  ];
}

/** A generated change that refers to the columns of the table. */
function toChange(generated: GeneratedChange, table: TableDescription): object {
  const { with: given, others } = generated;
  const names = table.columns.map((column) => column.name);
  const nameAt = (index: number): string => names[index % names.length] ?? "none";
  const column = nameAt(given.column);
  const several = [...new Set(others.map(nameAt))];
  const { defaults, checks } = types[given.texts.type] ?? { defaults: [], checks: [] };
  const text = pickFrom(defaults, given.texts.pick);
  const checkOn = (name: string) =>
    pickFrom(checks, given.texts.pick).replaceAll("$", quoted(name));
  const constraints = [
    table.primaryKey,
    ...table.uniques,
    ...table.checks,
    ...table.foreignKeys,
  ].flatMap((constraint) => constraint?.name ?? []);
  const constraint = constraints[given.column % Math.max(1, constraints.length)] ?? "none";
  const { comment, nullable, cascade } = given;
  const kind = fittingKind(generated.kind, table);
  switch (kind) {
    case "addColumn":
      return {
        kind,
        name: given.name,
        dataType: given.texts.type,
        ...(given.texts.withDefault && { default: text }),
        ...(nullable !== undefined && { nullable }),
        ...(given.texts.withCheck && { check: checkOn(given.name), checkMessage: "Not so" }),
        ...(comment !== undefined && { comment }),
      };
    case "changeColumn":
      return {
        kind,
        column,
        // Most types convert to text without an explicit conversion.
        ...(given.texts.withCheck && {
          dataType: cascade ? "text" : given.texts.type,
          confirm: column,
        }),
        ...(given.texts.withDefault && { default: cascade ? null : text }),
        ...(nullable !== undefined && { nullable }),
        ...(comment !== undefined && { comment }),
      };
    case "renameColumn":
      return { kind, column, name: given.name };
    case "dropColumn":
      return { kind, column, cascade, confirm: column };
    case "addPrimaryKey":
    case "addUnique":
      return { kind, columns: several };
    case "addCheck":
      return {
        kind,
        check: cascade ? checkOn(column) : `${quoted(column)} is not null`,
        ...(nullable === true && { checkMessage: "Not so" }),
      };
    case "addForeignKey":
      return several.length === 1
        ? {
            kind,
            columns: several,
            targetSchema: "store",
            targetTable: "targets",
            targetColumns: ["id"],
          }
        : {
            kind,
            columns: several,
            targetSchema: "store",
            targetTable: "targets",
            targetColumns: ["b", "a"],
          };
    case "dropConstraint":
      return { kind, constraint, cascade, confirm: constraint };
    case "addIndex":
      return {
        kind,
        name: given.name,
        keys: several.map((name) => ({ column: name, descending: cascade })),
        unique: given.texts.withCheck,
        ...(given.texts.withDefault && { where: `${quoted(column)} is not null` }),
      };
    case "dropIndex":
      return { kind, index: table.indexes[0]?.name ?? "none" };
    case "changeCheck":
      return { kind, constraint: table.checks[0]?.name ?? "none", checkMessage: "Otherwise" };
    case "changeComment":
      return { kind, comment: comment ?? null };
    case "rename":
      return { kind, name: given.name };
    default:
      return { kind, schema: cascade ? "elsewhere" : "made" };
  }
}

/** Another kind of change if the table has no target for this kind. */
function fittingKind(
  kind: GeneratedChange["kind"],
  table: TableDescription,
): GeneratedChange["kind"] {
  if (kind === "addPrimaryKey" && table.primaryKey !== null) return "addUnique";
  if (kind === "dropIndex" && table.indexes.length === 0) return "addIndex";
  if (kind === "changeCheck" && table.checks.length === 0) return "addCheck";
  return kind;
}

describe("a generated alteration", () => {
  it(
    "an alteration executes exactly its preview, or is refused and leaves the catalogue unchanged",
    async () => {
      const seen = { ran: 0, refused: 0 };
      await fc.assert(
        fc.asyncProperty(
          definitionArbitrary,
          fc.array(changeArbitrary, { minLength: 1, maxLength: 4 }),
          fc.boolean(),
          within(fuzzMs || 12_000, async (generated, changes, withRow) => {
            await fresh();
            await create({ ...generated, name: "t" });
            await test.database.query("create view made.v as select * from made.t");
            if (withRow) await test.database.query("drop view made.v");
            const table = await describeMade("t");
            const alteration = { changes: changes.map((change) => toChange(change, table)) };
            const input = { schema: "made", table: "t", alteration };
            const before = await dump();
            const preview = await previewAlterTable(test.database, input).catch(refused);
            expect(await dump()).toBe(before);
            if (preview === "refused") {
              expect(await alterTable(test.database, { ...input, actor }).catch(refused)).toBe(
                "refused",
              );
              expect(await dump()).toBe(before);
              seen.refused += 1;
              return;
            }
            const byHand = await runByHand(preview.sql);
            const { table: after } = await alterTable(test.database, { ...input, actor });
            expect(await dump()).toBe(byHand);
            expect(await describeMade(after.name, after.schema)).toEqual(after);
            // The registry is current.
            const { catalogue } = await createSnapshotStore(test.database).fresh();
            expect(catalogue.relationByResource(table.resourceId)?.name).toBe(after.name);
            seen.ran += 1;
          }),
        ),
        cases,
      );
      // Enough generated changes must be valid for a meaningful test.
      expect(seen.ran).toBeGreaterThan(seen.refused / 4);
    },
    fuzzMs + 120_000,
  );
});

/** The result of a preview without its statements. */
async function runByHand(sql: readonly string[]): Promise<string> {
  const undo = new Error("undo");
  let result = "";
  await test.database
    .transaction(async (transaction) => {
      for (const statement of sql) await transaction.query(statement);
      result = await dumpCatalogue(transaction, ["made", "elsewhere", "store"]);
      throw undo;
    })
    .catch((error: unknown) => {
      if (error !== undo) throw error;
    });
  return result;
}

function refused(error: unknown): "refused" {
  if (error instanceof AppError && error.status < 500) return "refused";
  throw error;
}
