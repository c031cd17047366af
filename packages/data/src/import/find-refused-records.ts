import { randomUUID } from "node:crypto";
import {
  type Column,
  isOfUserCodeSql,
  isUserStateSql,
  type Parameter,
  quoteLiteral,
  type Transaction,
  toAppError,
} from "@rowhouse/db";
import { createFault, type ErrorCode, type Fault } from "@rowhouse/errors";
import type { AuthorizedCreate } from "../authorize/authorized-plan.ts";
import { heldValueSql } from "../compile/column-sql.ts";
import type { Statement } from "../compile/statement.ts";
import { faultOfRow } from "../execute/name-violation.ts";
import type { CreateRequest } from "../parse/request.ts";
import { stagedColumn, stagingTable } from "./compile-import.ts";
import { rowPointer } from "./import-request.ts";
import { fileLocationOf, type RowFault, reportedMax } from "./row-faults.ts";

/** The staged rows that PostgreSQL may refuse. */
export interface StagedImport {
  readonly plan: AuthorizedCreate;
  readonly request: CreateRequest;
  /** The columns of the staging table. */
  readonly columns: readonly Column[];
  /** The statement that creates the rows from `rh.low` to `rh.high`. */
  readonly statement: Statement;
  readonly parameters: readonly Parameter[];
}

export interface RefusedRecords {
  /** The first of them. */
  readonly faults: readonly RowFault[];
  readonly count: number;
  /** Codes of all of them. */
  readonly codes: readonly ErrorCode[];
  /** Whether every row was tried. */
  readonly isComplete: boolean;
}

/** A condition on the rows that one trial creates. */
export const partOfRecords = "x.n between rh.low and rh.high";

/** Rows that one trial creates at once; the rows of a refused trial are halved until one is left. */
const blockRows = 2048;
/** The search ends after this number of faults, since each costs several trials. */
const countedMax = 10_000;
const faultTable = "pg_temp.rowhouse_import_faults";

/**
 * Finds the staged rows that PostgreSQL refuses, each with its own reason, by creating them as the import would, in
 * blocks, on the server. So defaults, triggers, grants and constraints decide as they do for a create. The caller must
 * roll the transaction back.
 *
 * @throws the driver's error if a fault concerns no single row
 */
export async function findRefusedRecords(
  transaction: Transaction,
  staged: StagedImport,
): Promise<RefusedRecords> {
  await transaction.query("set constraints all immediate");
  await transaction.query(`create index rowhouse_import_n on ${stagingTable} (n)`);
  await transaction.query(`analyze ${stagingTable}`);
  await transaction.query(
    "create temporary table rowhouse_import_faults (n bigint, state text, message text, constraint_name text, column_name text, table_name text, schema_name text, detail text, context text, field integer) on commit drop",
  );
  await transaction.query(searchSql(staged));
  await markRepeatedKeys(transaction, staged);
  await forgiveOwnReferences(transaction, staged);
  const states = await transaction.query<{ state: string | null; count: string }>(
    `select f.state, pg_catalog.count(*)::text as count from ${faultTable} f group by f.state`,
  );
  const rows = await transaction.query<FaultRow>(
    `select f.n::text, x.line::text, x.g::text, f.state, f.message, f.constraint_name, f.column_name, f.table_name, f.schema_name, f.detail, f.context, f.field::text
     from ${faultTable} f join ${stagingTable} x on x.n = f.n order by f.n, f.field limit ${reportedMax}`,
  );
  const count = states.reduce((sum, each) => sum + Number(each.count), 0);
  const faults: RowFault[] = [];
  for (const row of rows) {
    faults.push({ row: Number(row.n), fault: await faultOf(row, staged, transaction) });
  }
  return {
    codes: states.map(({ state }) => codeOf(state)),
    faults,
    count,
    isComplete: count < countedMax,
  };
}

/** The code of a fault; an impossible value has no state. */
function codeOf(state: string | null): ErrorCode {
  if (state === null) return "VALUE_INVALID";
  return toAppError(Object.assign(new Error(), { code: state, severity: "ERROR" })).code;
}

interface FaultRow {
  readonly n: string;
  readonly line: string;
  readonly g: string;
  readonly state: string;
  readonly message: string;
  readonly constraint_name: string;
  readonly column_name: string;
  readonly table_name: string;
  readonly schema_name: string;
  readonly detail: string;
  readonly context: string;
  /** The position of the column whose value is impossible. */
  readonly field: string | null;
}

async function faultOf(
  row: FaultRow,
  { plan, request, columns }: StagedImport,
  transaction: Transaction,
): Promise<Fault> {
  const position = Number(row.n);
  const line = Number(row.line);
  if (row.field !== null) {
    const name = columns[Number(row.field)]?.name;
    return createFault("VALUE_INVALID", {
      path: rowPointer(position, name),
      details: fileLocationOf(line, name),
    });
  }
  if (row.state === repeatedKeyState) {
    const message = "Another row of the list has the same key";
    return createFault("BODY_INVALID", {
      path: rowPointer(position),
      message,
      details: fileLocationOf(line),
    });
  }
  const error = Object.assign(new Error(row.message), {
    code: row.state,
    // Empty if the error has none.
    constraint_name: row.constraint_name || undefined,
    column_name: row.column_name || undefined,
    table_name: row.table_name || undefined,
    schema_name: row.schema_name || undefined,
    detail: row.detail,
    where: row.context,
    severity: "ERROR",
  });
  const fields = request.groups[Number(row.g)]?.fields ?? [];
  const written = { path: rowPointer(position), isSent: (name: string) => fields.includes(name) };
  const { fault, column } = await faultOfRow(error, plan, written, transaction);
  const details = { ...fileLocationOf(line, column), ...fault.details };
  return createFault(fault.code, { ...fault, details });
}

/**
 * States that one row can cause: impossible values (also those that input functions report as syntax errors or
 * undefined objects), violated constraints, refusals by grants, triggers and row-level security. A missing column in
 * the list means that the statement itself is refused.
 */
const ofRowSql = `rh.state like '22%' or rh.state like '23%' or rh.state like '44%' or rh.state = 'XX000'
      or rh.state in ('21000', 'P0001', 'RH403', 'RH409', '42501', '42601', '42602', '42622', '42704', '42P01', '3F000')
      or ${isUserStateSql("rh.state")} or ${isOfUserCodeSql("rh.state", "rh.context")}`;
const ofValueSql = `rh.state like '22%' or rh.state in ('23514', 'XX000', '42601', '42602', '42622', '42704', '42P01', '3F000')`;

function searchSql({ statement, parameters, columns }: StagedImport): string {
  const tag = `$rh_${randomUUID().replaceAll("-", "")}$`;
  const tries = columns.map(
    (column, index) => `
            begin
              perform ${heldValueSql(`x.c${index}`, column)} from ${stagingTable} x
                where x.n = rh.low and x.c${index} is not null;
            exception when others or assert_failure then
              insert into ${faultTable} (n, field) values (rh.low, ${index});
              rh.counted := rh.counted + 1;
            end;`,
  );
  return `do ${tag}
#variable_conflict use_column
<<rh>>
declare
  last_row bigint := (select pg_catalog.max(x.n) from ${stagingTable} x);
  first_row bigint := 0;
  lows bigint[];
  highs bigint[];
  depth integer;
  low bigint;
  high bigint;
  done text;
  refused boolean;
  state text;
  message text;
  constraint_name text;
  column_name text;
  table_name text;
  schema_name text;
  detail text;
  context text;
  counted integer := 0;
  before integer;
begin
  while rh.first_row <= rh.last_row and rh.counted < ${countedMax} loop
    rh.lows := array[rh.first_row];
    rh.highs := array[least(rh.first_row + ${blockRows - 1}, rh.last_row)];
    rh.depth := 1;
    rh.first_row := rh.first_row + ${blockRows};
    while rh.depth > 0 and rh.counted < ${countedMax} loop
      rh.low := rh.lows[rh.depth];
      rh.high := rh.highs[rh.depth];
      rh.depth := rh.depth - 1;
      rh.refused := false;
      begin
        ${inlineParameters(statement.text, parameters)} into rh.done;
      exception when others or assert_failure then
        get stacked diagnostics rh.state = returned_sqlstate, rh.message = message_text, rh.constraint_name = constraint_name,
          rh.column_name = column_name, rh.table_name = table_name, rh.schema_name = schema_name, rh.detail = pg_exception_detail,
          rh.context = pg_exception_context;
        rh.refused := true;
      end;
      if rh.refused then
        if not (${ofRowSql}) then
          raise exception using errcode = rh.state, message = rh.message;
        end if;
        if rh.low = rh.high then
          rh.before := rh.counted;
          if ${ofValueSql} then${tries.join("")}
          end if;
          if rh.counted = rh.before then
            insert into ${faultTable} (n, state, message, constraint_name, column_name, table_name, schema_name, detail, context)
              values (rh.low, rh.state, rh.message, rh.constraint_name, rh.column_name, rh.table_name, rh.schema_name, rh.detail, rh.context);
            rh.counted := rh.counted + 1;
          end if;
        else
          rh.depth := rh.depth + 1;
          rh.lows[rh.depth] := (rh.low + rh.high) / 2 + 1;
          rh.highs[rh.depth] := rh.high;
          rh.depth := rh.depth + 1;
          rh.lows[rh.depth] := rh.low;
          rh.highs[rh.depth] := (rh.low + rh.high) / 2;
        end if;
      end if;
    end loop;
  end loop;
end ${tag}`;
}

/** Quoted names and texts, in which a placeholder is data, and placeholders. */
const tokens = /"(?:[^"]|"")*"|'(?:[^']|'')*'|\$([0-9]+)/g;

/** Returns a statement with its parameters as literals, because a DO block takes none. */
function inlineParameters(text: string, parameters: readonly Parameter[]): string {
  return text.replace(tokens, (token, number: string | undefined) => {
    if (number === undefined) return token;
    const value = parameters[Number(number) - 1] ?? null;
    return value === null ? "null" : quoteLiteral(value);
  });
}

/** A state of the service's own: PostgreSQL raises 21000 also for a subquery of a trigger. */
const repeatedKeyState = "RHKEY";

/** Marks the rows of a merge whose key equals that of an earlier row: a trial of both parts accepts them. */
async function markRepeatedKeys(
  transaction: Transaction,
  { plan, columns }: StagedImport,
): Promise<void> {
  // Only PostgreSQL can judge the condition of a partial index on a row that does not exist.
  if (plan.conflict?.resolution !== "merge" || plan.conflict.predicate !== null) return;
  const keys = plan.conflict.fields.map((name) => {
    const column = plan.relation.columnByName(name);
    if (column === undefined) throw new TypeError("A conflict target has no column");
    return heldValueSql(stagedColumn(columns, name), column);
  });
  const isWhole = plan.conflict.fields.every((name) => columns.some((each) => each.name === name));
  if (!isWhole) return;
  const present = plan.conflict.fields.map((name) => `${stagedColumn(columns, name)} is not null`);
  await transaction.query(
    `insert into ${faultTable} (n, state)
     select r.n, '${repeatedKeyState}' from (
       select x.n, pg_catalog.row_number() over (partition by ${keys.join(", ")} order by x.n) as place
       from (select * from ${stagingTable} s where not exists (select 1 from ${faultTable} f where f.n = s.n) offset 0) x
       where ${present.join(" and ")}) r
     where r.place > 1`,
  );
}

/** Removes the faults of rows that refer to a later row of the file, which one statement accepts. */
async function forgiveOwnReferences(
  transaction: Transaction,
  { plan: { relation }, columns }: StagedImport,
): Promise<void> {
  const isStaged = (name: string) => columns.some((each) => each.name === name);
  for (const key of relation.foreignKeys) {
    if (key.targetOid !== relation.oid) continue;
    if (![...key.columns, ...key.targetColumns].every(isStaged)) continue;
    const same = key.columns.map((name, index) => {
      const target = stagedColumn(columns, key.targetColumns[index] ?? "");
      return `${stagedColumn(columns, name)} = ${target.replace("x.", "o.")}`;
    });
    await transaction.query(
      `delete from ${faultTable} f using ${stagingTable} x, ${stagingTable} o
       where x.n = f.n and f.constraint_name = $1::text and ${same.join(" and ")}`,
      [key.name],
    );
  }
}
