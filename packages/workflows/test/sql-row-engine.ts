import type { RowEngine, RunActor } from "@rowhouse/access";
import { arrayLiteral, type Queryable, quoteIdentifier, quoteQualified } from "@rowhouse/db";
import { createError } from "@rowhouse/errors";
import { writeExactJson } from "@rowhouse/wire";

/**
 * Replaces the data engine, which is a package of the same level: plain SQL on the real database, without permissions.
 * The tests of the apps use the real engine.
 */
export function createSqlRowEngine(
  database: Queryable,
): RowEngine & { onCreate: (values: Readonly<Record<string, unknown>>) => Promise<void> } {
  const engine = {
    onCreate: async (_values: Readonly<Record<string, unknown>>) => {},
    listRows: async (
      { schema, table, where, limit }: Parameters<RowEngine["listRows"]>[0],
      _as: RunActor,
      on: Queryable = database,
    ) => {
      const conditions = Object.entries((where ?? {}) as Record<string, { _eq: unknown }>);
      return on.query(
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
      _as: RunActor,
      on: Queryable,
    ) => {
      await engine.onCreate(values);
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
    getRow: async (
      { schema, table, id }: Parameters<RowEngine["getRow"]>[0],
      _as: RunActor,
      on: Queryable = database,
    ) => {
      const [row] = await on.query(
        `select * from ${quoteQualified(schema, table)} where id::text = $1::text`,
        [id.join()],
      );
      if (row === undefined) throw createError("NOT_FOUND");
      return row;
    },
    updateRows: async (
      { schema, table, values, ...selection }: Parameters<RowEngine["updateRows"]>[0],
      _as: RunActor,
      on: Queryable,
    ) => {
      if (!("id" in selection)) throw createError("QUERY_INVALID");
      const [row] = await on.query(
        `update ${quoteQualified(schema, table)} as t set (note, distance) =
           (select coalesce(v.note, t.note), coalesce(v.distance, t.distance)
            from json_populate_record(null::${quoteQualified(schema, table)}, $1::text::json) v)
         where t.id::text = $2::text returning *`,
        [writeExactJson(values), selection.id.join()],
      );
      if (row === undefined) throw createError("NOT_FOUND");
      return row;
    },
    deleteRows: async (
      { schema, table, ...selection }: Parameters<RowEngine["deleteRows"]>[0],
      _as: RunActor,
      on: Queryable,
    ) => {
      if (!("id" in selection)) throw createError("QUERY_INVALID");
      const rows = await on.query(
        `delete from ${quoteQualified(schema, table)} where id::text = $1::text returning 1 as one`,
        [selection.id.join()],
      );
      if (rows.length === 0) throw createError("NOT_FOUND");
      return rows.length;
    },
  };
  return engine;
}
