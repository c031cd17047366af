import { type AuditActor, createSnapshotStore, type Relation } from "@rowhouse/db";
import { AppError } from "@rowhouse/errors";
import { createTestDatabase, generatedRuns, type TestDatabase } from "@rowhouse/testing";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTable, parseTableDefinition, previewCreateTable } from "../src/index.ts";

const actor: AuditActor = { userId: null, tokenId: null, address: "192.0.2.1", requestId: "r1" };
let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase();
  await test.database.query("create schema fleet");
  await test.database.query("create type fleet.mood as enum ('happy', 'sad')");
  await test.database.query(`create domain public."Plate" as text check (value <> '')`);
  await test.database.query(
    "create table fleet.drivers (id uuid primary key, code int unique, note text)",
  );
});
afterAll(() => test.drop());

const create = async (definition: unknown, schema = "public") =>
  createTable(test.database, { schema, definition: await parseTableDefinition(definition), actor });
const preview = async (definition: unknown, schema = "public") =>
  previewCreateTable(test.database, { schema, definition: await parseTableDefinition(definition) });
const readBack = async (schema: string, name: string): Promise<Relation> => {
  const { catalogue } = await createSnapshotStore(test.database).fresh();
  const relation = catalogue.relationByName(schema, name);
  if (relation === undefined) throw new Error(`${schema}.${name} is not registered`);
  return relation;
};
/** Every kind of object that a failed creation could leave behind. */
const traces = async () =>
  JSON.stringify(
    await test.database.query(
      `select (select count(*) from pg_class) as classes, (select count(*) from pg_type) as types,
              (select count(*) from pg_constraint) as constraints, (select count(*) from pg_namespace) as schemas,
              (select count(*) from pg_description) as comments, (select count(*) from system.resources) as resources,
              (select count(*) from system.audit_log) as entries, (select count(*) from system.users) as users`,
    ),
  );
const faultsOf = async (work: Promise<unknown>): Promise<string[]> => {
  const error = await work.catch((thrown: unknown) => thrown);
  if (!(error instanceof AppError)) throw new Error(`not refused: ${String(error)}`);
  return error.faults.map((fault) => `${fault.code} ${fault.path ?? "-"}`);
};

describe("createTable", () => {
  it("creates the defined table as a hidden resource with an audit entry", async () => {
    const created = await create(
      {
        name: "vehicles",
        columns: [
          { name: "id", dataType: "bigint", identity: "ALWAYS", primaryKey: true },
          {
            name: "plate",
            dataType: `"Plate"`,
            nullable: false,
            check: "length(plate) < 13",
            checkMessage: "At most 12 characters",
          },
          { name: "mood", dataType: "fleet.mood[]", default: "array['happy']::fleet.mood[]" },
          { name: "made", dataType: "date", default: "current_date" },
          {
            name: "driver",
            dataType: "uuid",
            foreignKey: {
              targetSchema: "fleet",
              targetTable: "drivers",
              targetColumn: "id",
              onDelete: "RESTRICT",
            },
          },
          {
            name: "parent",
            dataType: "bigint",
            foreignKey: { targetSchema: "fleet", targetTable: "vehicles", targetColumn: "id" },
          },
          {
            name: "made_by",
            dataType: "uuid",
            foreignKey: { targetSchema: "system", targetTable: "users", targetColumn: "id" },
          },
        ],
      },
      "fleet",
    );
    expect(created).toMatchObject({ schema: "fleet", name: "vehicles" });
    const relation = await readBack("fleet", "vehicles");
    expect(relation.resource).toMatchObject({
      id: created.resourceId,
      kind: "TABLE",
      exposedMethods: [],
    });
    expect(relation.primaryKey).toEqual(["id"]);
    expect(relation.checks).toEqual([
      { name: "vehicles_plate_check", columns: ["plate"], message: "At most 12 characters" },
    ]);
    expect(relation.foreignKeys.map((key) => [key.columns, key.targetColumns])).toEqual([
      [["driver"], ["id"]],
      [["parent"], ["id"]],
      [["made_by"], ["id"]],
    ]);
    const entries = await test.database.query(
      "select action, target_kind, target_id, changed_fields, host(address) as address, request_id from system.audit_log",
    );
    expect(entries).toEqual([
      {
        action: "table.create",
        target_kind: "resource",
        target_id: created.resourceId,
        changed_fields: "{name,columns}",
        address: "192.0.2.1",
        request_id: "r1",
      },
    ]);
  });

  it("registers the table if the login cannot create event triggers", async () => {
    const own = await createTestDatabase();
    await own.database.query("drop event trigger rowhouse_after_ddl");
    await own.database.query("drop event trigger rowhouse_after_drop");
    const definition = await parseTableDefinition({
      name: "t",
      columns: [{ name: "id", dataType: "int", primaryKey: true }],
    });
    const created = await createTable(own.database, { schema: "public", definition, actor });
    const { catalogue } = await createSnapshotStore(own.database).fresh();
    expect(catalogue.relationByResource(created.resourceId)?.name).toBe("t");
    await own.drop();
  });

  it("creates the primary key if a renamed table still has the default name of its index", async () => {
    const definition = {
      name: "moved",
      columns: [{ name: "id", dataType: "int", primaryKey: true }],
    };
    await create(definition);
    await test.database.query("alter table public.moved rename to moved_before");
    await create(definition);
    expect((await readBack("public", "moved")).primaryKey).toEqual(["id"]);
  });

  it("calls the function of pg_catalog if another schema shadows it", async () => {
    await test.database.query(
      `create function public.lower(text) returns text language sql as $$ select 'taken' $$`,
    );
    const url = new URL(test.url).pathname.slice(1);
    await test.database.query(`alter database "${url}" set search_path = public, pg_catalog`);
    await create({
      name: "shadowed",
      columns: [
        { name: "a", dataType: "text", default: "lower('X')" },
        { name: "b", dataType: "text" },
      ],
    });
    const [row] = await test.database.query<{ a: string }>(
      "insert into public.shadowed (b) values ('x') returning a",
    );
    expect(row?.a).toBe("x");
  });
});

it("creates identities that accept values, and generated columns", async () => {
  const definition = (more: object) => ({
    name: "numbered",
    columns: [
      { name: "id", dataType: "bigint", identity: "BY_DEFAULT", primaryKey: true },
      { name: "price", dataType: "numeric", nullable: false },
      { name: "doubled", dataType: "numeric", generated: "price * 2", ...more },
    ],
  });
  for (const [more, fault] of [
    [{ generated: "random()" }, "EXPRESSION_INVALID /data/columns/2/generated"],
    [{ generated: "nope" }, "EXPRESSION_INVALID /data/columns/2/generated"],
    [{ generated: "doubled + 1" }, "EXPRESSION_INVALID /data/columns/2/generated"],
    [{ generated: "lower('x')" }, "EXPRESSION_INVALID /data/columns/2/generated"],
  ] as const) {
    expect(await faultsOf(create(definition(more)))).toEqual([fault]);
  }
  await create(definition({}));
  const rows = await test.database.query(
    `with one as (insert into public.numbered (id, price) values (7, 1.5) returning *)
     insert into public.numbered (price) select price from one returning id::text, doubled::text`,
  );
  expect(rows).toEqual([{ id: "1", doubled: "3.0" }]);
  const [id, , doubled] = (await readBack("public", "numbered")).columns;
  expect([id?.identity, doubled?.generated]).toEqual(["BY_DEFAULT", true]);
});

describe("the example of the README", () => {
  it("creates the table, and its preview returns the statements", async () => {
    const definition = await parseTableDefinition({
      name: "trips",
      columns: [
        { name: "id", dataType: "bigint", identity: "ALWAYS", primaryKey: true },
        {
          name: "distance",
          dataType: "numeric(8,1)",
          nullable: false,
          check: "distance > 0",
          checkMessage: "A trip has a distance",
        },
        { name: "started_at", dataType: "timestamptz", default: "now()" },
      ],
    });
    const { sql } = await previewCreateTable(test.database, { schema: "public", definition });
    expect(sql).toHaveLength(2);
    const { resourceId } = await createTable(test.database, {
      schema: "public",
      definition,
      actor,
    });
    expect((await readBack("public", "trips")).resource.id).toBe(resourceId);
  });
});

describe("previewCreateTable", () => {
  it("returns exactly the statements that createTable executes, and executes none of them", async () => {
    const definition = {
      name: "previewed",
      columns: [
        { name: "id", dataType: "uuid", primaryKey: true, default: "gen_random_uuid()" },
        { name: "n", dataType: "int", check: "n > 0", checkMessage: "More" },
      ],
    };
    const before = await traces();
    const { sql } = await preview(definition);
    expect(await traces()).toBe(before);
    for (const statement of sql) await test.database.query(statement);
    const byHand = await readBack("public", "previewed");
    await test.database.query("drop table public.previewed");
    await create(definition);
    const created = await readBack("public", "previewed");
    expect(JSON.stringify(created.columns)).toBe(JSON.stringify(byHand.columns));
    expect(created.checks).toEqual(byHand.checks);
  });
});

describe("a refused definition changes nothing and reports the path of each fault", () => {
  const t = (...columns: object[]) => ({ name: "refused", columns });
  const fk = (targetTable: string, targetColumn: string, targetSchema = "fleet") => ({
    foreignKey: { targetSchema, targetTable, targetColumn },
  });
  const a = (rest: object) => ({ name: "a", dataType: "int", ...rest });

  it.each<[string, object, string[]]>([
    ["unknown type", t(a({ dataType: "nope" })), ["VALUE_INVALID /data/columns/0/dataType"]],
    [
      "unknown type in a cast",
      t(a({ default: "'x'::nope" })),
      ["VALUE_INVALID /data/columns/0/default"],
    ],
    ["reg type", t(a({ dataType: "regclass" })), ["EXPRESSION_INVALID /data/columns/0/dataType"]],
    [
      "reg type in a cast",
      t(a({ default: "'pg_class'::regclass::int" })),
      ["EXPRESSION_INVALID /data/columns/0/default"],
    ],
    ["pseudo-type", t(a({ dataType: "record" })), ["VALUE_INVALID /data/columns/0/dataType"]],
    [
      "array of a catalogue type",
      t(a({ dataType: "_text" })),
      ["VALUE_INVALID /data/columns/0/dataType"],
    ],
    [
      "catalogue row type",
      t(a({ dataType: "pg_class" })),
      ["VALUE_INVALID /data/columns/0/dataType"],
    ],
    [
      "impossible modifier",
      t(a({ dataType: "numeric(5000, 2)" })),
      ["VALUE_INVALID /data/columns/0/dataType"],
    ],
    [
      "default of another type",
      t(a({}), { name: "b", dataType: "int", default: "true" }),
      ["VALUE_INVALID /data/columns/1/default"],
    ],
    ["default literal", t(a({ default: "'abc'" })), ["VALUE_INVALID /data/columns/0/default"]],
    [
      "default too large",
      t(a({ dataType: "smallint", default: "70000" })),
      ["VALUE_INVALID /data/columns/0/default"],
    ],
    [
      "default too long",
      t(a({ dataType: "varchar(3)", default: "'abcd'" })),
      ["VALUE_INVALID /data/columns/0/default"],
    ],
    [
      "default too precise",
      t(a({ dataType: "numeric(2)", default: "999" })),
      ["VALUE_INVALID /data/columns/0/default"],
    ],
    [
      "default of no label",
      t(a({ dataType: "fleet.mood", default: "'angry'" })),
      ["VALUE_INVALID /data/columns/0/default"],
    ],
    [
      "default that its domain refuses",
      t(a({ dataType: 'public."Plate"', default: "''" })),
      ["VALUE_INVALID /data/columns/0/default"],
    ],
    [
      "default that its domain refuses, and a target that does not exist",
      t(a({ dataType: 'public."Plate"', default: "''" }), {
        name: "b",
        ...fk("nope", "id"),
        dataType: "int",
      }),
      [
        "VALUE_INVALID /data/columns/1/foreignKey/targetTable",
        "VALUE_INVALID /data/columns/0/default",
      ],
    ],
    ["default that fails", t(a({ default: "1 / 0" })), ["VALUE_INVALID /data/columns/0/default"]],
    ["check of no boolean", t(a({ check: "a + 1" })), ["EXPRESSION_INVALID /data/columns/0/check"]],
    [
      "check on the wrong type",
      t(a({ check: "lower(a) = 'x'" })),
      ["EXPRESSION_INVALID /data/columns/0/check"],
    ],
    [
      "unknown collation",
      t(a({ dataType: "text", check: "a collate \"nope\" = 'x'" })),
      ["EXPRESSION_INVALID /data/columns/0/check"],
    ],
    [
      "unknown target table",
      t(a(fk("nope", "id"))),
      ["VALUE_INVALID /data/columns/0/foreignKey/targetTable"],
    ],
    [
      "unknown target schema",
      t(a(fk("drivers", "id", "nope"))),
      ["VALUE_INVALID /data/columns/0/foreignKey/targetTable"],
    ],
    [
      "target that is no resource",
      t(a(fk("sessions", "id", "system"))),
      ["VALUE_INVALID /data/columns/0/foreignKey/targetTable"],
    ],
    [
      "unknown target column",
      t(a(fk("drivers", "nope"))),
      ["VALUE_INVALID /data/columns/0/foreignKey/targetColumn"],
    ],
    [
      "target that is not unique",
      t(a({ dataType: "text", ...fk("drivers", "note") })),
      ["VALUE_INVALID /data/columns/0/foreignKey/targetColumn"],
    ],
    [
      "target of another type",
      t(a(fk("drivers", "id"))),
      ["VALUE_INVALID /data/columns/0/foreignKey"],
    ],
    [
      "narrowing target type",
      t(a({ dataType: "numeric", ...fk("drivers", "code") })),
      ["VALUE_INVALID /data/columns/0/foreignKey"],
    ],
    [
      "own target that is no key",
      t(a(fk("refused", "a", "public"))),
      ["VALUE_INVALID /data/columns/0/foreignKey/targetColumn"],
    ],
    [
      "own target that is missing",
      t(a(fk("refused", "z", "public"))),
      ["VALUE_INVALID /data/columns/0/foreignKey/targetColumn"],
    ],
    [
      "several at once",
      t(
        a({ default: "true" }),
        { name: "b", dataType: "int", check: "b" },
        { name: "c", dataType: "int", ...fk("nope", "id") },
      ),
      [
        "VALUE_INVALID /data/columns/2/foreignKey/targetTable",
        "VALUE_INVALID /data/columns/0/default",
        "EXPRESSION_INVALID /data/columns/1/check",
      ],
    ],
  ])("%s", async (_, definition, faults) => {
    const before = await traces();
    expect(await faultsOf(create(definition))).toEqual(faults);
    expect(await faultsOf(preview(definition))).toEqual(faults);
    expect(await traces()).toBe(before);
  });

  it.each([
    "query_to_xml('select 1', true, false, '')",
    "0 references t(id) on delete cascade",
    "set_config('role', 'admin', false)",
    "0; drop table fleet.drivers",
    "0 -- ",
    "0) not null, evil int default (0",
  ])("an expression with the injection %s is refused", async (text) => {
    const before = await traces();
    expect(await faultsOf(create(t(a({ default: text }))))).toEqual([
      "EXPRESSION_INVALID /data/columns/0/default",
    ]);
    expect(await faultsOf(create(t(a({ check: text }))))).toEqual([
      "EXPRESSION_INVALID /data/columns/0/check",
    ]);
    expect(await faultsOf(create(t(a({ dataType: `int default ${text}` }))))).toEqual([
      "EXPRESSION_INVALID /data/columns/0/dataType",
    ]);
    expect(await traces()).toBe(before);
  });

  it.each([
    "nope",
    "pg_catalog",
    "pg_toast",
    "information_schema",
    "system",
    "rowhouse_queue",
    'x"',
    "\0",
  ])("the schema %j returns NOT_FOUND", async (schema) => {
    const before = await traces();
    expect(await faultsOf(create(t(a({})), schema))).toEqual(["NOT_FOUND -"]);
    expect(await faultsOf(preview(t(a({})), schema))).toEqual(["NOT_FOUND -"]);
    expect(await traces()).toBe(before);
  });

  it("the name of an existing table, view or type returns CONFLICT", async () => {
    for (const name of ["drivers", "mood", "drivers_pkey"]) {
      expect(await faultsOf(create({ ...t(a({})), name }, "fleet"))).toEqual([
        "CONFLICT /data/name",
      ]);
    }
  });

  it("one of two concurrent creations of the same table fails with CONFLICT", async () => {
    const definition = { name: "raced", columns: [a({ primaryKey: true })] };
    const results = await Promise.allSettled([
      create(definition),
      create(definition),
      create(definition),
    ]);
    expect(results.filter((result) => result.status === "fulfilled")).toHaveLength(1);
    for (const result of results) {
      if (result.status === "rejected") expect(result.reason).toMatchObject({ code: "CONFLICT" });
    }
  });

  it("a locked target table returns CONFLICT after the lock timeout", async () => {
    await test.database.transaction(async (transaction) => {
      await transaction.query("lock table fleet.drivers in access exclusive mode");
      const faults = await faultsOf(create(t(a({ ...fk("drivers", "code") }))));
      expect(faults).toEqual(["CONFLICT /data/columns/0/foreignKey"]);
    });
  });
});

describe("generated table definitions", () => {
  const name = fc
    .string({ unit: "binary", minLength: 1, maxLength: 15 })
    .filter((text) => !text.includes("\0") && text.isWellFormed() && Buffer.byteLength(text) <= 63)
    .filter((text) => !["ctid", "xmin", "xmax", "cmin", "cmax", "tableoid"].includes(text));
  const types = {
    bigint: { default: "42", reads: "bigint" },
    text: { default: "'it''s \\ \"x\"'", reads: "text" },
    uuid: { default: "gen_random_uuid()", reads: "uuid" },
    "numeric(12,3)": { default: "-1.5", reads: "numeric" },
    timestamptz: { default: "now()", reads: "timestamp with time zone" },
    "text[]": { default: "array['a','b']", reads: "text[]" },
    jsonb: { default: `'{"a":[1]}'`, reads: "jsonb" },
    "fleet.mood": { default: "'happy'", reads: "fleet.mood" },
  } as const;
  const column = fc.record({
    name,
    dataType: fc.constantFrom(...(Object.keys(types) as (keyof typeof types)[])),
    key: fc.boolean(),
    withDefault: fc.boolean(),
    nullable: fc.constantFrom(true, false, undefined),
    message: fc.option(name, { nil: undefined }),
    withCheck: fc.boolean(),
  });

  it("each generated table reads back as its definition", async () => {
    await fc.assert(
      fc.asyncProperty(
        name,
        fc.uniqueArray(column, { minLength: 1, maxLength: 8, selector: (entry) => entry.name }),
        async (tableName, entries) => {
          const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
          const definition = {
            name: tableName,
            columns: entries.map((entry) => ({
              name: entry.name,
              dataType: entry.dataType,
              ...(entry.key && { primaryKey: true }),
              ...(entry.withDefault && { default: types[entry.dataType].default }),
              ...(entry.nullable !== undefined && { nullable: entry.nullable && !entry.key }),
              ...(entry.withCheck && { check: `${quoted(entry.name)} is not null` }),
              ...(entry.withCheck && entry.message?.trim() && { checkMessage: entry.message }),
            })),
          };
          await test.database.query("drop schema if exists generated cascade");
          await test.database.query("create schema generated");
          const created = await create(definition, "generated");
          const relation = await readBack("generated", tableName);
          expect(relation.resource.id).toBe(created.resourceId);
          expect(relation.primaryKey).toEqual(
            entries.filter((entry) => entry.key).map((entry) => entry.name),
          );
          expect(
            relation.columns.map((read) => [
              read.name,
              read.type.name,
              read.nullable,
              read.hasDefault,
            ]),
          ).toEqual(
            entries.map((entry) => [
              entry.name,
              types[entry.dataType].reads,
              !entry.key && entry.nullable !== false,
              entry.withDefault,
            ]),
          );
          expect(relation.checks.map((check) => check.message)).toEqual(
            entries
              .filter((entry) => entry.withCheck)
              .map((entry) => (entry.message?.trim() ? entry.message : null)),
          );
        },
      ),
      // Shrinking may exceed the time limit, so a failing definition is reported as it is.
      { numRuns: generatedRuns(60), endOnFailure: true },
    );
  });
});
