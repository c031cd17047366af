import type { AlterationDraft } from "./draft.ts";

/**
 * Whether a table or an index can take this name in the draft. Tables, views, sequences and indexes share one
 * namespace in a schema; a table also creates a type with its name. Names that earlier changes renamed or dropped are
 * free.
 */
export async function isFreeByNow(
  draft: AlterationDraft,
  kind: "TABLE" | "INDEX",
  schema: string,
  name: string,
): Promise<boolean> {
  const own = [...draft.indexes, ...draft.keys].map((item) => item.name);
  if (schema === draft.schema && (draft.name === name || own.includes(name))) return false;
  // The names of the table and its indexes come from the draft.
  const [row] = await draft.transaction.query(
    `select 1 from pg_catalog.pg_namespace n
     where n.nspname = $1::text and (
       exists (select 1 from pg_catalog.pg_class c where c.relnamespace = n.oid and c.relname = $2::text
               and c.oid <> $3::text::oid
               and not exists (select 1 from pg_catalog.pg_index i where i.indexrelid = c.oid and i.indrelid = $3::text::oid))
       or $4::text::boolean and exists (
         select 1 from pg_catalog.pg_type t where t.typnamespace = n.oid and t.typname = $2::text
         and t.typrelid <> $3::text::oid and not (t.typcategory = 'A' and t.typelem <> 0)))`,
    [schema, name, String(draft.original.oid), String(kind === "TABLE")],
    { prepare: true },
  );
  return row === undefined;
}
