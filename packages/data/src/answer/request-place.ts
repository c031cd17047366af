import { standingOf } from "@rowhouse/access";
import {
  isReferredTable,
  type Queryable,
  requireHarmlessDeletion,
  type Transaction,
} from "@rowhouse/db";
import { createError } from "@rowhouse/errors";
import { isReadRequest } from "../authorize/authorize-plan.ts";
import type { CompiledRequest, CompileRequest } from "../execute/statement-cache.ts";
import type { DataRequest } from "../parse/request.ts";
import type { Rights } from "./prove-and-repeat.ts";

type Written = Pick<DataRequest, "kind" | "target">;

/** Whether a request writes rows of a table of the schema `system`. */
export function writesSystem(request: Written): boolean {
  return request.target.schema === "system" && !isReadRequest(request);
}

/** Compiles writes of the schema `system`, which must not run code of the database's users. */
export function compileHarmless(compile: CompileRequest): CompileRequest {
  // A compiled request belongs to one snapshot.
  const proven = new WeakSet<CompiledRequest>();
  return (request, snapshot, principal, caller) => {
    const compiled = compile(request, snapshot, principal, caller);
    if (proven.has(compiled)) return compiled;
    requireOwnTables(compiled, { snapshot, principal });
    proven.add(compiled);
    return compiled;
  };
}

/**
 * Requires that a statement that writes the schema `system` names no table outside it and runs no code of the database's
 * users: operators and casts that it uses are PostgreSQL's own, and only a superuser can put a trigger or a rule on its
 * tables. What a deletion reaches by foreign keys is looked at under a lock.
 *
 * @throws AppError CONFLICT, with the reason for an administrator
 */
export function requireOwnTables(
  { plan, statement }: Pick<CompiledRequest, "plan" | "statement">,
  { snapshot, principal }: Pick<Rights, "snapshot" | "principal">,
): void {
  const { relation, kind } = plan;
  const { catalogue } = snapshot;
  const outside = statement.scope
    .flatMap((oid) => catalogue.relationByOid(oid) ?? [])
    .find(({ schema }) => schema !== "system");
  const passedTo =
    kind !== "UPDATE"
      ? undefined
      : catalogue.relations.find(
          ({ schema, foreignKeys }) =>
            schema !== "system" &&
            foreignKeys.some(
              (key) =>
                key.targetOid === relation.oid &&
                key.passesUpdates &&
                key.targetColumns.join() !== "id",
            ),
        );
  const nameOf = ({ schema, name }: { readonly schema: string; readonly name: string }) =>
    `${schema}.${name}`;
  const reason =
    outside !== undefined
      ? `its fields or the grant name ${nameOf(outside)}`
      : passedTo !== undefined
        ? `a foreign key passes it on to ${nameOf(passedTo)}`
        : relation.codeAfter.length > 0
          ? "a trigger of the table runs such code"
          : undefined;
  if (reason === undefined) return;
  const { isAdministrator } = standingOf(principal, snapshot);
  const message = `A write of ${nameOf(relation)} runs no code of other tables${isAdministrator ? `, but ${reason}` : ""}`;
  throw createError("CONFLICT", { message });
}

/**
 * Proves that a deletion reaches no code of the database's users; other requests need no proof.
 *
 * @throws AppError CONFLICT
 */
export async function requireHarmless(
  request: Written,
  on: Queryable,
  mayName: boolean,
): Promise<void> {
  const { schema, name } = request.target;
  if (request.kind !== "DELETE" || schema !== "system" || !isReferredTable(name)) return;
  if (!isTransaction(on))
    throw new TypeError("A deletion in the schema system needs its transaction");
  await requireHarmlessDeletion(on, name, mayName);
}

function isTransaction(on: Queryable): on is Transaction {
  return "asService" in on;
}
