import type { CallerKind } from "@rowhouse/access";
import { builtInType, compareSql, listType, quoteIdentifier, type Snapshot } from "@rowhouse/db";
import type { AuthorizedPlan } from "../authorize/authorized-plan.ts";
import { boundedSql } from "./answer-size.ts";
import { columnSql, whereSql } from "./column-sql.ts";
import { gateSql } from "./compile-gate.ts";
import { rootScope } from "./compile-read.ts";
import { type Statement, StatementBuilder } from "./statement.ts";
import { keyJsonSql, rowAnswer } from "./write-parts.ts";

/** The alias of the keys of the written rows. */
const keyAlias = "k";

/**
 * Compiles the statement that reads written rows again, in the transaction of the write. Its `data` is a JSON array with one
 * text per row: the row, or its key alone if the reader may not read it or the rights have changed since the write. Null if
 * RETURNING shows the rows as they remain.
 */
export function compileAgain(
  plan: AuthorizedPlan,
  snapshot: Pick<Snapshot, "guard" | "catalogue">,
  callerKind: CallerKind,
): Statement | null {
  const isWrite = plan.kind === "CREATE" || plan.kind === "UPDATE";
  if (!isWrite || plan.again === null) return null;
  const { relation, again } = plan;
  const builder = new StatementBuilder(snapshot.catalogue, "ABOVE");
  const { scope, from } = rootScope(plan, builder);
  const texts = again.map((_, index) =>
    builder.place({ kind: "WRITTEN_KEYS", index }, listType(builtInType("text"))),
  );
  const keys = again.map(
    (column, index) => `x.c${index}::${column.type.name} as ${quoteIdentifier(column.name)}`,
  );
  const same = again.map((column) =>
    compareSql(
      columnSql(column, scope.alias),
      "=",
      `${keyAlias}.${quoteIdentifier(column.name)}`,
      column.type,
    ),
  );
  const { shown, unless } = rowAnswer(plan.projection, scope);
  const row = unless === null ? shown : `case when ${unless.readable} then ${shown} end`;
  const rows = `(select pg_catalog.json_agg(coalesce(d.data, ${keyJsonSql(relation, keyAlias)}) order by x.n)::text
  from rows from (${texts.map((text) => `pg_catalog.unnest(${text})`).join(", ")}) with ordinality x (${texts.map((_, index) => `c${index}`).join(", ")}, n)
  cross join lateral (select ${keys.join(", ")}) ${keyAlias}
  left join lateral (select ${row} as data from ${from}${whereSql([...same, "gate.ok"])} offset 0) d on true)`;
  const data = boundedSql(rows, builder);
  const gate = gateSql(builder, snapshot, builder.scope, callerKind);
  return {
    text: `with gate as materialized (${gate})
select gate.proof, ${data} as data from gate`,
    parameters: builder.parameters,
    relation,
    scope: builder.scope,
    requested: builder.requested,
    lists: builder.lists,
  };
}
