import { type Caller, callerKindOf } from "@rowhouse/access";
import type { Queryable } from "@rowhouse/db";
import { exactNumberText } from "@rowhouse/wire";
import type {
  AuthorizedCreate,
  AuthorizedRead,
  AuthorizedUpdate,
} from "../authorize/authorized-plan.ts";
import { compileStatement } from "../compile/compile-statement.ts";
import { type BindingContext, bindParameters } from "../execute/bind-parameters.ts";
import type { CompileRequest } from "../execute/statement-cache.ts";
import type { WriteRequest } from "../parse/request.ts";
import { readRequestOf } from "../parse/typed-read.ts";
import { type ProofDependencies, proveAndRepeat } from "./prove-and-repeat.ts";

/** The members of a row in an earlier response. */
export type AnsweredRow = Readonly<Record<string, unknown>>;

/** Returns the names of the fields of each row that a caller may see now. The writer always receives the key. */
export type SightOfRows = (
  request: WriteRequest,
  rows: readonly AnsweredRow[],
  caller: Caller,
  on: Queryable,
) => Promise<ReadonlySet<string>[]>;

interface SightDependencies extends ProofDependencies {
  readonly compile: CompileRequest;
}

/** The rights of one attempt and the transaction that reads the rows. */
interface Look extends Omit<BindingContext, "request"> {
  readonly request: WriteRequest;
  readonly plan: AuthorizedCreate | AuthorizedUpdate;
  readonly on: Queryable;
}

/**
 * Finds the fields that a caller may see, by its current grants, of rows that it wrote before. If a grant has a row
 * filter, each row is read again by its key; a row that is deleted or not readable keeps only its key.
 */
export function createSightOfRows(dependencies: SightDependencies): SightOfRows {
  return (request, rows, caller, on) =>
    proveAndRepeat(dependencies, { caller, on }, async ({ snapshot, principal }) => {
      const { plan } = dependencies.compile(request, snapshot, principal, caller);
      if (plan.kind !== "CREATE" && plan.kind !== "UPDATE" && plan.kind !== "DELETE") {
        throw new TypeError("Only a write has written rows");
      }
      const { rows: filters, fields } = plan.read;
      const isWhole = filters === null && fields.every((field) => field.rows === null);
      const fieldsOf = isWhole
        ? async () => fields.map(({ column }) => column.name)
        : plan.kind === "DELETE"
          ? async () => []
          : readerOf({ request, plan, on, snapshot, principal, caller });
      const key = plan.relation.primaryKey;
      const sight: ReadonlySet<string>[] = [];
      for (const row of rows) sight.push(new Set([...(await fieldsOf(row)), ...key]));
      // A change of rights changes the proof, so a proof after the last row covers every row.
      return { kind: "UNPROVEN", value: sight };
    });
}

/**
 * Returns a function that reads one row by its key. One query for all rows is impossible, because a filter limits its
 * number of keys and a create does not.
 */
function readerOf({ request, plan, on, ...look }: Look): (row: AnsweredRow) => Promise<string[]> {
  const { relation, read } = plan;
  const key = relation.primaryKey.flatMap((name) => relation.columnByName(name) ?? []);
  if (read.fields.length === 0 || key.length === 0) return async () => [];
  const readPlan: AuthorizedRead = { ...plan, kind: "READ", key, isWhole: true };
  const statement = compileStatement(readPlan, look.snapshot, callerKindOf(look.caller));
  return async (row) => {
    const id = key.map(({ name }) => textOf(row[name]));
    if (!id.every((part) => part !== undefined)) return [];
    const parameters = bindParameters(statement, {
      ...{ ...look, request: readRequestOf(request.target, id, null) },
    });
    const [answer] = await on.query<{ data: string | null }>(statement.text, parameters);
    return Object.keys(JSON.parse(answer?.data ?? "{}") as object);
  };
}

/** Returns a part of a key in the form of a path; undefined if the response does not contain it. */
function textOf(value: unknown): string | undefined {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean"
    ? String(value)
    : exactNumberText(value);
}
