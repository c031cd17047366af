import {
  authenticationRequired,
  type Caller,
  callerKindOf,
  type PrincipalCache,
} from "@rowhouse/access";
import type { Queryable, SnapshotStore } from "@rowhouse/db";
import { createError } from "@rowhouse/errors";
import { exactNumberText } from "@rowhouse/json";
import type { AuthorizedPlan } from "../authorize/authorize-plan.ts";
import { compileStatement } from "../compile/compile-statement.ts";
import type { CompileRequest } from "../compile/statement-cache.ts";
import { readRequestOf } from "../parse/parse-read.ts";
import type { CreateRequest } from "../parse/request.ts";
import type { ReadPlan } from "../plan/plan-request.ts";
import { type BindingContext, bindParameters } from "./bind-parameters.ts";
import { isProven } from "./is-proven.ts";

/** The members of a row of an answer that was given before. */
export type AnsweredRow = Readonly<Record<string, unknown>>;

/** The names of the fields of each row that a caller may see now. The key is among them: its creator always gets it. */
export type SightOfRows = (
  request: CreateRequest,
  rows: readonly AnsweredRow[],
  caller: Caller,
  on: Queryable,
) => Promise<ReadonlySet<string>[]>;

interface SightDependencies {
  readonly snapshots: SnapshotStore;
  readonly principals: PrincipalCache;
  readonly compile: CompileRequest;
}

/** What the rows are looked at with: all of one moment. */
interface Look extends Omit<BindingContext, "request"> {
  readonly request: CreateRequest;
  readonly plan: AuthorizedPlan;
  readonly on: Queryable;
}

const attemptsMax = 8;

/**
 * Finds what a caller may see, by the grants of this moment, of rows that it created before. Where a grant has a row filter,
 * each row is read again by its key: of a row that is gone, or that the caller may not read, the key alone is left.
 */
export function createSightOfRows({
  snapshots,
  principals,
  compile,
}: SightDependencies): SightOfRows {
  return async (request, rows, caller, on) => {
    for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
      const snapshot = snapshots.peek() ?? (await snapshots.current());
      const principal = await principals.find(caller);
      if (principal === undefined) throw authenticationRequired();
      const { plan } = compile(request, snapshot, principal, caller);
      const { rows: filters, fields } = plan.read;
      const isWhole = filters === null && fields.every((field) => field.rows === null);
      const fieldsOf = isWhole
        ? async () => fields.map(({ column }) => column.name)
        : readerOf({ request, plan, on, snapshot, principal, caller });
      const key = plan.relation.primaryKey;
      const sight: ReadonlySet<string>[] = [];
      for (const row of rows) sight.push(new Set([...(await fieldsOf(row)), ...key]));
      // Rights only change with the proof: where it holds now, it held for each row.
      if (await isProven(on, snapshot, principal, caller)) return sight;
      principals.forget(caller);
      await snapshots.fresh();
    }
    throw createError("SERVICE_UNAVAILABLE", { headers: { "Retry-After": "1" } });
  };
}

/** Reads the rows again, one by one: a create has no bound on its keys that a filter has. */
function readerOf({ request, plan, on, ...look }: Look): (row: AnsweredRow) => Promise<string[]> {
  const { relation, read } = plan;
  const key = relation.primaryKey.flatMap((name) => relation.columnByName(name) ?? []);
  if (read.fields.length === 0 || key.length === 0) return async () => [];
  const readPlan: AuthorizedPlan & ReadPlan = {
    ...plan,
    ...{ kind: "READ", fields: null, deep: new Map(), key },
  };
  const statement = compileStatement(readPlan, look.snapshot, callerKindOf(look.caller));
  return async (row) => {
    const id = key.map(({ name }) => textOf(row[name]));
    if (!id.every((part) => part !== undefined)) return [];
    const parameters = bindParameters(statement, {
      ...{ ...look, request: readRequestOf(request.target, id, undefined) },
    });
    const [answer] = await on.query<{ data: string | null }>(statement.text, parameters);
    return Object.keys(JSON.parse(answer?.data ?? "{}") as object);
  };
}

/** A part of a key as it stands in an address; undefined for what is not in the answer. */
function textOf(value: unknown): string | undefined {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean"
    ? String(value)
    : exactNumberText(value);
}
