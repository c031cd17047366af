import { loadModule, type Node, parseSync } from "libpg-query";
import { beforeAll, describe, expect, it } from "vitest";
import { loadMigrations } from "../src/migration-files.ts";

// While processes are replaced one by one, those of the previous version work on the schema that the first new process
// created. So a migration adds objects, and removes only objects that no running version can use; it states the reason:
//   -- contract: nothing reads it since 0031
// contractions.test.ts compares the schema before and after it.

beforeAll(() => loadModule());

/** Returns what a statement removes from code of the previous version; undefined if it removes nothing. */
function takenBy(statement: Node): string | undefined {
  if ("RenameStmt" in statement) return "a name";
  if ("AlterObjectSchemaStmt" in statement) return "a name";
  if ("TruncateStmt" in statement) return "rows";
  if ("DropStmt" in statement) {
    const { removeType } = statement.DropStmt;
    // Constraints and indexes may change; names that statements use may not.
    const isUnnamed = ["OBJECT_INDEX", "OBJECT_TRIGGER", "OBJECT_EVENT_TRIGGER"].includes(
      removeType ?? "",
    );
    return isUnnamed ? undefined : "a name";
  }
  if (!("AlterTableStmt" in statement)) return undefined;
  for (const command of statement.AlterTableStmt.cmds ?? []) {
    if (!("AlterTableCmd" in command)) continue;
    const { subtype, def } = command.AlterTableCmd;
    if (subtype === "AT_DropColumn") return "a column";
    if (subtype === "AT_AlterColumnType") return "a type";
    if (subtype === "AT_SetNotNull") return "null";
    if (subtype === "AT_ColumnDefault" && def === undefined) return "a default";
    if (subtype === "AT_AddConstraint") return "values";
    if (subtype === "AT_AddColumn" && def !== undefined && "ColumnDef" in def) {
      const kinds = (def.ColumnDef.constraints ?? []).map((each) =>
        "Constraint" in each ? each.Constraint.contype : undefined,
      );
      const isFilled = ["CONSTR_DEFAULT", "CONSTR_IDENTITY", "CONSTR_GENERATED"].some((kind) =>
        kinds.includes(kind as never),
      );
      if (kinds.includes("CONSTR_NOTNULL") && !isFilled) return "rows without the new column";
    }
  }
  return undefined;
}

/** Returns the statements that remove something without a reason. */
function contractions(text: string): string[] {
  const bytes = Buffer.from(text);
  let before = 0;
  return (parseSync(text).stmts ?? []).flatMap(({ stmt, stmt_location = 0, stmt_len }) => {
    const end = stmt_len === undefined ? bytes.length : stmt_location + stmt_len;
    // Includes the comments above it, which the parser omits.
    const own = bytes.subarray(before, end).toString();
    const first = bytes.subarray(stmt_location, end).toString().trim().split("\n")[0];
    before = end;
    const taken = stmt === undefined ? undefined : takenBy(stmt);
    if (taken === undefined || /^;?\s*-- contract: \S.{9,}$/m.test(own)) return [];
    return [`${taken}: ${first}`];
  });
}

it("migrations only add, or state why no code misses the removed object", async () => {
  const migrations = await loadMigrations();
  expect(migrations.length).toBeGreaterThan(0);
  for (const { name, text } of migrations) {
    expect([name, contractions(text)]).toEqual([name, []]);
  }
});

describe("the rule", () => {
  it.each([
    "alter table system.users drop column name",
    "alter table system.users rename column name to full_name",
    "alter table system.users rename to people",
    "alter table system.users alter column name type varchar(10)",
    "alter table system.users alter column time_zone set not null",
    "alter table system.users alter column name drop default",
    "alter table system.users add constraint short check (length(name) < 10)",
    "alter table system.users add column size integer not null",
    "drop table system.users",
    "drop function system.clock()",
    "drop view system.secret_columns",
    "truncate system.sessions",
  ])("finds a statement that removes something: %s", (text) => {
    expect(contractions(`select 1;\n${text};`)).toHaveLength(1);
    expect(contractions(`select 1;\n-- contract: nothing reads it since 0031\n${text};`)).toEqual(
      [],
    );
    expect(contractions(`-- contract: for the one before\nselect 1;\n${text};`)).toHaveLength(1);
  });

  it.each([
    "create table system.more (id int primary key)",
    "alter table system.users add column size integer",
    "alter table system.users add column size integer not null default 0",
    "create or replace function system.clock() returns timestamptz language sql stable as 'select now()'",
    "create index on system.users (name)",
    "drop index system.users_email_key",
    "drop trigger users_epoch on system.users",
    "alter table system.users drop constraint users_check",
  ])("accepts a change that adds an object or lifts a limit: %s", (text) => {
    expect(contractions(`${text};`)).toEqual([]);
  });
});
