import { arrayLiteral, type Queryable, quoteIdentifier, quoteQualified } from "@rowhouse/db";
import { createError } from "@rowhouse/errors";
import { writeExactJson } from "@rowhouse/json";
import type { RowEngine } from "../src/index.ts";

/**
 * A stand-in for the data engine, which is a package of the same level: plain SQL on the real database, without
 * permissions. The tests of the apps run the real one.
 */
export function createSqlRowEngine(
  database: Queryable,
): RowEngine & { onCreate: () => Promise<void> } {
  const engine = {
    onCreate: async () => {},
    listRows: async ({ schema, table, where, limit }: Parameters<RowEngine["listRows"]>[0]) => {
      const conditions = Object.entries((where ?? {}) as Record<string, { _eq: unknown }>);
      return database.query(
        `select * from ${quoteQualified(schema, table)} t where ${
          conditions
            .map(
              ([column], index) =>
                `t.${quoteIdentifier(column)}::text = ($1::text::text[])[${index + 1}]`,
            )
            .join(" and ") || "$1::text is not null"
        } limit ${limit ?? 50}`,
        [arrayLiteral(conditions.map(([, { _eq }]) => String(_eq)))],
      );
    },
    createRow: async (
      { schema, table, values }: Parameters<RowEngine["createRow"]>[0],
      _asUserId: string,
      on: Queryable,
    ) => {
      await engine.onCreate();
      const columns = Object.keys(values).map(quoteIdentifier).join(", ");
      const [row] = await on.query(
        `insert into ${quoteQualified(schema, table)} as t (${columns})
         select ${columns} from json_populate_record(null::${quoteQualified(schema, table)}, $1::text::json)
         returning *`,
        [writeExactJson(values)],
      );
      if (row === undefined) throw createError("ACTION_DENIED");
      return row;
    },
  };
  return engine;
}
