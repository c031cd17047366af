import type { CallerKind } from "@rowhouse/access";
import {
  type Catalogue,
  listType,
  type ParameterType,
  proofQuery,
  type Snapshot,
} from "@rowhouse/db";
import type { AuthorizedPlan } from "../authorize/authorized-plan.ts";
import { epochAlias, memberGateSql } from "./compile-gate.ts";
import { compileRest } from "./compile-statement.ts";
import { gatePlaceholder, membersAlias, StatementBuilder } from "./statement.ts";

/** A statement that answers several requests of one compiled statement. */
export interface SharedStatement {
  /** Its rows are those of the statement for one request, with `member`, the number of the request from 1. */
  readonly text: string;
  /** For each parameter, whether it is an array with the value of each request, or one value for all. */
  readonly isList: readonly boolean[];
}

/** Maximum number of rows of a list that may share a statement. */
const rowsMax = 50;

/**
 * Compiles the statement that several requests share: it reads the state of the system once, and proves each caller and
 * reads each request's rows on its own, with the parameters of that request.
 *
 * @returns null if the requests must not share a statement: only a short read of tables may, whose every value is
 * stored, so that no request can make the statement of the others slow or fail
 */
export function compileShared(
  plan: AuthorizedPlan,
  snapshot: Pick<Snapshot, "guard" | "catalogue">,
  callerKind: CallerKind,
): SharedStatement | null {
  if (!isShort(plan)) return null;
  const { catalogue } = snapshot;
  const builder = new StatementBuilder(catalogue, "BESIDE", "SHARED");
  const rest = compileRest(plan, builder);
  if (!builder.scope.every((oid) => isStored(catalogue, oid))) return null;
  const gate = memberGateSql(builder, callerKind);
  const { members, parameters } = builder;
  if (!members.every(({ type }) => isListable(type))) return null;
  const lists = members.map(({ number, type }) => `$${number}::${listType(type).name}`);
  const columns = [...members.map(({ number }) => `p${number}`), "member"];
  const listed = new Set(members.map(({ number }) => number));
  const own = rest.replace(gatePlaceholder, () => `(${gate} offset 0) gate`);
  return {
    text: `select ${membersAlias}.member::text, own.*
from (${proofQuery(snapshot, builder.scope)} offset 0) ${epochAlias}
cross join unnest(${lists.join(", ")}) with ordinality ${membersAlias}(${columns.join(", ")})
cross join lateral (${own} offset 0) own`,
    isList: parameters.map((_, index) => listed.has(index + 1)),
  };
}

/** `unnest` would take a list of arrays apart, and a type of the user may not have the same name in each schema. */
function isListable({ name, ownOid, bindable }: ParameterType): boolean {
  return bindable && ownOid === null && !name.endsWith("]");
}

/** Whether a read visits few rows: one by its key, or a short page. */
function isShort(plan: AuthorizedPlan): boolean {
  if (plan.kind === "READ") return true;
  if (plan.kind !== "LIST") return false;
  const { limit, count, hasOffset, search } = plan;
  return limit <= rowsMax && count === null && !hasOffset && search === null;
}

/** Whether each value of a relation is stored: reading a computed one may take long, fail, or have an effect. */
function isStored(catalogue: Catalogue, oid: number): boolean {
  const relation = catalogue.relationByOid(oid);
  if (relation === undefined) return false;
  const isTable = relation.kind === "TABLE" || relation.kind === "PARTITIONED_TABLE";
  return isTable && !relation.columns.some((column) => catalogue.isComputed(relation, column));
}
