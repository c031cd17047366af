import { AppError } from "@rowhouse/errors";
import { describe, expect, it } from "vitest";
import { compileCreateTable, parseTableDefinition } from "../src/index.ts";

const faultsOf = async (input: unknown): Promise<string[]> => {
  const error = await parseTableDefinition(input).catch((thrown: unknown) => thrown);
  if (!(error instanceof AppError)) throw new Error("was accepted");
  return error.faults.map((fault) => `${fault.code} ${fault.path}`).sort();
};
const column = (rest: object) => ({
  name: "t",
  columns: [{ name: "a", dataType: "int", ...rest }],
});

describe("a table definition", () => {
  it("a definition compiles to the pinned SQL", async () => {
    const table = await parseTableDefinition({
      name: "vehicles",
      columns: [
        { name: "id", dataType: "bigint", identity: "ALWAYS", primaryKey: true },
        {
          name: "plate",
          dataType: "text",
          nullable: false,
          check: "length(plate) between 2 and 12",
          checkMessage: "A plate has 2 to 12 characters; it's \\ required",
        },
        { name: "status", dataType: "varchar(20)", nullable: false, default: "'ACTIVE'" },
        { name: "created_at", dataType: "timestamptz", nullable: false, default: "now()" },
        {
          name: "driver_id",
          dataType: "uuid",
          foreignKey: {
            targetSchema: "public",
            targetTable: "drivers",
            targetColumn: "id",
            onDelete: "SET NULL",
          },
        },
      ],
    });
    expect(compileCreateTable("public", table).map((statement) => statement.sql)).toEqual([
      `create table "public"."vehicles" (
  "id" bigint generated always as identity,
  "plate" text not null,
  "status" varchar(20) default ('ACTIVE') not null,
  "created_at" timestamptz default (pg_catalog.now()) not null,
  "driver_id" uuid,
  primary key ("id"),
  constraint "vehicles_plate_check" check (pg_catalog.length(plate) BETWEEN 2 AND 12)
)`,
      `alter table "public"."vehicles" add constraint "vehicles_driver_id_fkey" foreign key ("driver_id") references "public"."drivers" ("id") on delete set null`,
      `comment on constraint "vehicles_plate_check" on "public"."vehicles" is E'checkMessage: A plate has 2 to 12 characters; it''s \\\\ required'`,
    ]);
  });

  it("several key columns become one composite key with quoted names", async () => {
    const table = await parseTableDefinition({
      name: 'a"; drop table x; --',
      columns: [
        { name: "left.id", dataType: "uuid", primaryKey: true },
        { name: "Ünï ' [*]?", dataType: "int", primaryKey: true, check: `"Ünï ' [*]?" > 0` },
      ],
    });
    expect(compileCreateTable("s.x", table).map((statement) => statement.sql)).toEqual([
      `create table "s.x"."a""; drop table x; --" (
  "left.id" uuid,
  "Ünï ' [*]?" int,
  primary key ("left.id", "Ünï ' [*]?"),
  constraint "a""; drop table x; --_Ünï ' [*]?_check" check ("Ünï ' [*]?" > 0)
)`,
    ]);
  });

  it.each(["__proto__", "constructor", "prototype"])(
    "a column may have the name %s, as in PostgreSQL",
    async (name) => {
      const table = await parseTableDefinition(column({ name, nullable: false, default: "1" }));
      expect(compileCreateTable("public", table).map((statement) => statement.sql)).toEqual([
        `create table "public"."t" (\n  "${name}" int default (1) not null\n)`,
      ]);
    },
  );

  it("constraints get distinct names of at most 63 bytes", async () => {
    const long = "ü".repeat(31);
    const table = await parseTableDefinition({
      name: long,
      columns: ["a", "b", "c"].map((name) => ({ name, dataType: "int", check: `${name} > 0` })),
    });
    const [create] = compileCreateTable("public", table);
    const names = [...(create?.sql ?? "").matchAll(/constraint "([^"]+)"/g)].map(
      (match) => match[1],
    );
    expect(names).toHaveLength(3);
    expect(new Set(names).size).toBe(3);
    for (const name of names) expect(Buffer.byteLength(name ?? "")).toBeLessThanOrEqual(63);
  });

  it("all faults are reported together, each with its path", async () => {
    expect(
      await faultsOf({
        name: "x".repeat(64),
        owner: "me",
        columns: [
          { name: "ok", dataType: "text", check: "pg_sleep(1) is null" },
          { name: "ok", dataType: "serial", default: "1;" },
          { name: "bad", dataType: 5, "a/b": 1 },
          { name: "", dataType: "text", identity: "BY DEFAULT" },
          {
            name: "fk",
            dataType: "int",
            foreignKey: { targetSchema: "public", targetTable: "t", onDelete: "EXPLODE" },
          },
        ],
      }),
    ).toEqual([
      "BODY_INVALID /data/columns/1/name",
      "BODY_INVALID /data/columns/2/a~1b",
      "BODY_INVALID /data/columns/2/dataType",
      "BODY_INVALID /data/columns/3/identity",
      "BODY_INVALID /data/columns/3/name",
      "BODY_INVALID /data/columns/4/foreignKey/onDelete",
      "BODY_INVALID /data/columns/4/foreignKey/targetColumn",
      "BODY_INVALID /data/name",
      "BODY_INVALID /data/owner",
      "EXPRESSION_INVALID /data/columns/0/check",
      "EXPRESSION_INVALID /data/columns/1/dataType",
      "EXPRESSION_INVALID /data/columns/1/default",
    ]);
  });

  it.each([
    [null, "/data"],
    [[], "/data"],
    ["t", "/data"],
    [{ name: "t", columns: [] }, "/data/columns"],
    [{ name: "t", columns: {} }, "/data/columns"],
    [
      JSON.parse('{"name":"t","columns":[{"name":"a","dataType":"int","__proto__":{}}]}'),
      "/data/columns/0/__proto__",
    ],
    [column({ constructor: 1 }), "/data/columns/0/constructor"],
    [column({ name: "ctid" }), "/data/columns/0/name"],
    [column({ name: "a\0" }), "/data/columns/0/name"],
    [column({ name: "\ud800" }), "/data/columns/0/name"],
    [column({ name: "é".repeat(32) }), "/data/columns/0/name"],
    [column({ checkMessage: "no" }), "/data/columns/0/checkMessage"],
    [column({ identity: "ALWAYS", default: "1" }), "/data/columns/0/default"],
    [column({ identity: "ALWAYS", dataType: "text" }), "/data/columns/0/identity"],
    [column({ identity: "ALWAYS", dataType: "int[]" }), "/data/columns/0/identity"],
    [column({ identity: "ALWAYS", nullable: true }), "/data/columns/0/nullable"],
    [column({ generated: "1", default: "1" }), "/data/columns/0/default"],
    [column({ generated: "1", identity: "ALWAYS" }), "/data/columns/0/identity"],
    [column({ primaryKey: true, nullable: true }), "/data/columns/0/nullable"],
    [column({ primaryKey: "yes" }), "/data/columns/0/primaryKey"],
    [
      column({
        nullable: false,
        foreignKey: {
          targetSchema: "p",
          targetTable: "t",
          targetColumn: "id",
          onDelete: "SET NULL",
        },
      }),
      "/data/columns/0/foreignKey/onDelete",
    ],
    [
      column({
        nullable: false,
        foreignKey: {
          targetSchema: "p",
          targetTable: "t",
          targetColumn: "id",
          onDelete: "SET DEFAULT",
        },
      }),
      "/data/columns/0/foreignKey/onDelete",
    ],
    [
      {
        name: "t",
        columns: Array.from({ length: 501 }, (_, index) => ({
          name: `c${index}`,
          dataType: "int",
        })),
      },
      "/data/columns",
    ],
  ])("refuses %j with the path of the fault", async (input, path) => {
    expect(await faultsOf(input)).toEqual([`BODY_INVALID ${path}`]);
  });
});
