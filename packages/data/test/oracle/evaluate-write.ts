import { escapePointer } from "@rowhouse/errors";
import { changeDocument, type DocumentChange } from "./documents.ts";
import { type Access, lists } from "./evaluate-access.ts";
import { asWritten, matchingRows, projectAll } from "./evaluate-read.ts";
import { filterFaults, refusalsOf } from "./faults.ts";
import { isSameKey } from "./generate-schema.ts";
import type {
  CreateRequest,
  DeleteManyRequest,
  DeleteRequest,
  Expected,
  ForeignKey,
  Grant,
  Method,
  PresetOperand,
  Row,
  Table,
  UpdateRequest,
  Value,
  World,
} from "./model.ts";
import { columnOf, tableOf } from "./relations.ts";
import { jsonOf, readLiteral, types } from "./values.ts";

export type WriteRequest = CreateRequest | UpdateRequest | DeleteRequest | DeleteManyRequest;
type Rows = ReadonlyMap<string, readonly Row[]>;

/** Computes the expected response of a write and the rows of all tables after it. */
export interface Outcome {
  readonly expected: Expected;
  readonly after: Rows;
}

/** The next number of every identity column. */
export const nextIdentity = "1000";

const methods: Readonly<Record<WriteRequest["kind"], Method>> = {
  CREATE: "POST",
  UPDATE: "PATCH",
  DELETE: "DELETE",
  DELETE_MANY: "DELETE",
};

export function expectedWrite(request: WriteRequest, access: Access): Outcome {
  const { world } = access;
  const refuse = (codes: readonly string[], paths?: string[]): Outcome => ({
    expected: { kind: "REFUSED", codes, ...(paths === undefined ? {} : { paths }) },
    after: world.rows,
  });
  const table = tableOf(world, request.table);
  const action = request.kind === "DELETE_MANY" ? "DELETE" : request.kind;
  const refusals = refusalsOf(action, methods[request.kind], table, access);
  if (refusals.length > 0 || table === undefined) return refuse(refusals);
  const grants = access.grants(table, action);
  if (request.kind === "DELETE_MANY") {
    const faults = filterFaults(request.where, table, access);
    return faults.length > 0 ? refuse(faults) : deleteMany(request, table, access);
  }
  const changes = request.kind === "UPDATE" ? request.changes : new Map<string, DocumentChange>();
  if (request.kind !== "DELETE") {
    const sent = [...request.values.keys(), ...changes.keys()];
    const unknown = sent.filter((name) => !maySet(table, grants, name));
    if (unknown.length > 0) return refuse(["FIELD_UNKNOWN"], unknown.map(pathOf));
    // The result of a change depends on the old document.
    const hidden = [...changes.keys()].filter((name) => !access.knowsField(table, name));
    if (hidden.length > 0) return refuse(["FIELD_UNKNOWN"], hidden.map(pathOf));
  }
  const rows = world.rows.get(table.name) ?? [];
  const old =
    request.kind === "CREATE"
      ? undefined
      : rows.find((row) => table.primaryKey.every((name, at) => row.get(name) === request.key[at]));
  const matching =
    old === undefined
      ? grants
      : grants.filter((grant) => access.matches(grant.rowFilter, table, old));
  const isThere = request.kind === "CREATE" || (old !== undefined && matching.length > 0);
  const impossible = request.kind === "DELETE" ? [] : impossibleValues(table, request.values);
  // For a missing row with an impossible value, either error is correct.
  if (!isThere) return refuse(["NOT_FOUND", ...(impossible.length > 0 ? ["VALUE_INVALID"] : [])]);
  const changed = Array.from(changes, ([name, change]) => {
    const document = old?.get(name) ?? null;
    const isShown =
      old !== undefined && access.showsRow(table, old) && access.showsField(table, old, name);
    const json: unknown = document === null ? null : JSON.parse(document);
    return [name, isShown ? changeDocument(json, change) : undefined, document] as const;
  });
  const unfit = changed.flatMap(([name, json]) => (json === undefined ? [name] : []));
  if (impossible.length > 0) {
    return unfit.length > 0
      ? refuse(["VALUE_INVALID", "CONFLICT"])
      : refuse(["VALUE_INVALID"], impossible.map(pathOf));
  }
  if (unfit.length > 0) return refuse(["CONFLICT"], unfit.map(pathOf));

  if (request.kind === "DELETE") {
    const after = old === undefined ? undefined : deleteRows(world, table, [old]);
    if (after === undefined) return refuse(["FOREIGN_KEY_VIOLATION"]);
    if (!request.representation || old === undefined)
      return { expected: { kind: "BODY", status: 204, body: null }, after };
    const body = { data: answerOf(table, old, access) };
    return { expected: { kind: "BODY", status: 200, body }, after };
  }

  const row = new Map(old ?? table.columns.map(({ name, default: its }) => [name, its]));
  if (old === undefined)
    for (const { name, identity } of table.columns) if (identity) row.set(name, nextIdentity);
  for (const [name, value] of request.values) row.set(name, value);
  for (const [name, json, document] of changed) {
    row.set(name, json === null && document === null ? null : JSON.stringify(json));
  }
  const sent = new Set([...request.values.keys(), ...changes.keys()]);
  for (const { presets } of [...matching].reverse()) {
    for (const [name, preset] of presets) {
      if (!sent.has(name)) row.set(name, presetOf(preset, table, name, access));
    }
  }
  const after = new Map(world.rows);
  after.set(
    table.name,
    old === undefined ? [...rows, row] : rows.map((its) => (its === old ? row : its)),
  );
  const codes = violations(world, table, row, after);
  if (!isAllowed(sent, table, row, matching, access)) codes.push("ACTION_DENIED");
  if (codes.length > 0) return refuse(codes);
  const status = request.kind === "CREATE" ? 201 : 200;
  return {
    expected: { kind: "BODY", status, body: { data: answerOf(table, row, access) } },
    after,
  };
}

function pathOf(name: string): string {
  return `/data/${escapePointer(name)}`;
}

/** Whether at least one grant permits the field; a caller cannot set a field that the grant presets. */
function maySet(table: Table, grants: readonly Grant[], name: string): boolean {
  return columnOf(table, name)?.identity === false && grants.some((grant) => covers(grant, name));
}

function covers(grant: Grant, name: string): boolean {
  return lists(grant, name) && !grant.presets.has(name);
}

function impossibleValues(table: Table, values: ReadonlyMap<string, Value>): string[] {
  return Array.from(values).flatMap(([name, value]) => {
    const type = columnOf(table, name)?.type;
    const isPossible =
      type === undefined || value === null || types[type].impossible?.includes(value) !== true;
    return isPossible ? [] : [name];
  });
}

function presetOf(preset: PresetOperand | null, table: Table, name: string, access: Access): Value {
  const type = columnOf(table, name)?.type ?? "text";
  if (preset === null) return null;
  if (preset.kind === "VARIABLE") return access.user.columns.get(preset.name) ?? null;
  return readLiteral(type, preset.text) ?? null;
}

/** Each field in the request needs a grant that covers it and whose check and presets the new row satisfies. */
function isAllowed(
  sent: ReadonlySet<string>,
  table: Table,
  row: Row,
  grants: readonly Grant[],
  access: Access,
): boolean {
  const allowing = grants.filter(
    (grant) =>
      access.matches(grant.check ?? grant.rowFilter, table, row) &&
      Array.from(grant.presets).every(
        ([name, preset]) => row.get(name) === presetOf(preset, table, name, access),
      ),
  );
  if (sent.size === 0) return allowing.length > 0;
  return [...sent].every((name) => allowing.some((grant) => covers(grant, name)));
}

/** The codes of all constraints that the new row violates; PostgreSQL reports one of them. */
function violations(world: World, table: Table, row: Row, after: Rows): string[] {
  const codes: string[] = [];
  const others = (after.get(table.name) ?? []).filter((other) => other !== row);
  for (const { name, nullable, min, unique } of table.columns) {
    const value = row.get(name) ?? null;
    if (!nullable && value === null) codes.push("REQUIRED_FIELD");
    if (min !== null && value !== null && BigInt(value) < BigInt(min))
      codes.push("CHECK_VIOLATION");
    const isTaken = unique && others.some((other) => isSameKey([name], row, other));
    if (isTaken) codes.push("UNIQUE_VIOLATION");
  }
  if (others.some((other) => isSameKey(table.primaryKey, row, other)))
    codes.push("UNIQUE_VIOLATION");
  if (isDangling(world, after)) codes.push("FOREIGN_KEY_VIOLATION");
  return codes;
}

/** Whether some foreign key refers to a missing row. */
function isDangling(world: World, rows: Rows): boolean {
  return world.tables.some((table) =>
    table.foreignKeys.some((key) =>
      (rows.get(table.name) ?? []).some((row) => {
        const isNull = key.columns.some((name) => row.get(name) === null);
        return (
          !isNull && !(rows.get(key.target) ?? []).some((target) => refersTo(key, row, target))
        );
      }),
    ),
  );
}

function refersTo(key: ForeignKey, row: Row, target: Row): boolean {
  return key.columns.every(
    (name, at) =>
      row.get(name) !== null && row.get(name) === target.get(key.targetColumns[at] ?? ""),
  );
}

/** Deletes the rows that the caller may see and delete, and that the filter selects. */
function deleteMany(request: DeleteManyRequest, table: Table, access: Access): Outcome {
  const { world } = access;
  const grants = access.grants(table, "DELETE");
  const where = asWritten(request);
  const chosen = matchingRows({ where, search: null }, table, access).filter((row) =>
    grants.some(({ rowFilter }) => access.matches(rowFilter, table, row)),
  );
  const refuse = (code: string, ...paths: string[]): Outcome => ({
    expected: { kind: "REFUSED", codes: [code], ...(paths.length > 0 ? { paths } : {}) },
    after: world.rows,
  });
  const isMore = chosen.length > request.affectedMax;
  if (isMore) return refuse("CONFLICT", "max_affected");
  const after = deleteRows(world, table, chosen);
  if (after === undefined) return refuse("FOREIGN_KEY_VIOLATION");
  const count = chosen.length;
  const data = chosen.map((row) => answerOf(table, row, access));
  const expected: Expected = request.representation
    ? { kind: "BODY", status: 200, body: { data, meta: { count } }, count, isSet: true }
    : { kind: "BODY", status: 204, body: null, count };
  return { expected, after };
}

/** Returns the rows after a deletion with its cascades; undefined if a row still refers to a deleted one. */
function deleteRows(world: World, table: Table, gone: readonly Row[]): Rows | undefined {
  const rows = new Map(world.rows);
  const queue: (readonly [Table, Row])[] = gone.map((row) => [table, row]);
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    const [its, gone] = next;
    rows.set(
      its.name,
      (rows.get(its.name) ?? []).filter((other) => other !== gone),
    );
    for (const referring of world.tables) {
      for (const key of referring.foreignKeys.filter(({ target }) => target === its.name)) {
        for (const other of rows.get(referring.name) ?? []) {
          if (!refersTo(key, other, gone)) continue;
          if (key.onDelete === "cascade") queue.push([referring, other]);
          else if (key.onDelete === "set null") {
            const cleared = new Map(other);
            for (const name of key.columns) cleared.set(name, null);
            rows.set(
              referring.name,
              (rows.get(referring.name) ?? []).map((each) => (each === other ? cleared : each)),
            );
            const at = queue.findIndex(([, waiting]) => waiting === other);
            if (at >= 0) queue[at] = [referring, cleared];
          }
        }
      }
    }
  }
  return isDangling(world, rows) ? undefined : rows;
}

/** The row as the writer may read it, or else its key. */
function answerOf(table: Table, row: Row, access: Access): unknown {
  if (access.showsRow(table, row)) return projectAll(table, row, access);
  return Object.fromEntries(
    table.primaryKey.map((name) => [
      name,
      jsonOf(columnOf(table, name)?.type ?? "text", row.get(name) ?? null),
    ]),
  );
}
