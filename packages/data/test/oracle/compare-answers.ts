import { isDeepStrictEqual } from "node:util";
import { Decimal } from "./decimal.ts";
import { AnyCursor } from "./evaluate-read.ts";
import type { Expected, Row, World } from "./model.ts";
import { statusOfCode } from "./model.ts";
import type { Answer } from "./test-environment.ts";
import { types } from "./values.ts";

/** Whether an answer is the expected one. */
export function isAsExpected(expected: Expected, answer: Answer): boolean {
  if (expected.kind === "BODY") {
    const count = answer.headers?.["X-Service-Count"];
    return (
      answer.status === expected.status &&
      count === (expected.count === undefined ? undefined : String(expected.count)) &&
      (expected.isSet === true
        ? isSameSet(expected.body, answer.body)
        : isSameJson(expected.body, answer.body))
    );
  }
  const { errors = [] } = answer.body as { errors?: { code: string; path?: string }[] };
  const paths = new Set(errors.map(({ path = "" }) => path));
  // Every unknown field is reported at once. An impossible value that only PostgreSQL can detect may be reported later.
  const isEach = expected.codes.includes("FIELD_UNKNOWN");
  return (
    errors.length > 0 &&
    errors.every(({ code }) => expected.codes.includes(code)) &&
    answer.status === statusOfCode[errors[0]?.code ?? ""] &&
    (expected.paths === undefined ||
      ([...paths].every((path) => expected.paths?.includes(path)) &&
        (!isEach || paths.size === expected.paths.length))) &&
    // A message of the database must not reach a caller.
    !/violates|constraint|relation "|pkey|fkey|SQLSTATE/.test(JSON.stringify(errors))
  );
}

/** Whether two lists of rows are equal in some order. */
function isSameSet(expected: unknown, answer: unknown): boolean {
  const [{ data: rows, meta }, { data: found, meta: others }] = [expected, answer] as {
    data: unknown[];
    meta: unknown;
  }[] as [{ data: unknown[]; meta: unknown }, { data: unknown[]; meta: unknown }];
  const left = [...found];
  const isFound = rows.every((row) => {
    const at = left.findIndex((other) => isSameJson(row, other));
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  });
  return isFound && left.length === 0 && isSameJson(meta, others);
}

function isSameJson(expected: unknown, answer: unknown): boolean {
  if (expected instanceof Decimal) return expected.equals(answer);
  if (expected instanceof AnyCursor) return typeof answer === "string" && answer.length > 40;
  if (typeof expected !== "object" || expected === null) return expected === answer;
  if (typeof answer !== "object" || answer === null) return false;
  const [left, right] = [Object.keys(expected), Object.keys(answer)];
  return (
    Array.isArray(expected) === Array.isArray(answer) &&
    left.length === right.length &&
    Object.entries(expected).every(([key, value]) => isSameJson(value, Reflect.get(answer, key)))
  );
}

/** Whether tables have the same rows, in any order. */
export function isSameState(
  world: World,
  left: ReadonlyMap<string, readonly Row[]>,
  right: ReadonlyMap<string, readonly Row[]>,
): boolean {
  const texts = (rows: ReadonlyMap<string, readonly Row[]>) =>
    world.tables.map((table) =>
      (rows.get(table.name) ?? [])
        .map((row) =>
          JSON.stringify(
            table.columns.map(({ name, type }) => {
              const value = row.get(name) ?? null;
              return value === null
                ? null
                : type === "jsonb"
                  ? sortKeys(types.jsonb.toJson(value))
                  : value;
            }),
          ),
        )
        .sort(),
    );
  return isDeepStrictEqual(texts(left), texts(right));
}

function sortKeys(json: unknown): unknown {
  if (typeof json !== "object" || json === null) return json;
  if (Array.isArray(json)) return json.map(sortKeys);
  return Object.fromEntries(
    Object.entries(json)
      .sort()
      .map(([key, value]) => [key, sortKeys(value)]),
  );
}
