import { entityTagOf, type Queryable, requireEntityTag, requireFound } from "@rowhouse/db";

/** The presentation of the columns of a resource `r`: of the column with the name `$2`, of all if it is null. */
const columnsSql = `(select pg_catalog.json_agg(
    pg_catalog.json_build_array(a.attname, c.label, c.format, c.colors, c.relation_name) order by a.attnum)
  from system.resource_columns c join pg_catalog.pg_attribute a
    on a.attrelid = r.relation_oid and a.attnum = c.attribute_number and not a.attisdropped
  where c.resource_id = r.id and ($2::text is null or a.attname = $2::text::name))`;

/**
 * Returns the entity tag of what an administrator changes of a resource and of its columns, without quotes. A response reads it before the
 * record: a change between the two then fails the next condition, and is not overwritten.
 *
 * @throws AppError NOT_FOUND
 */
export async function tagOfResource(database: Queryable, id: string): Promise<string> {
  return tagOf(
    database,
    `pg_catalog.json_build_array(r.exposed_methods, r.label, r.description, r.history, r.junction,
      (select pg_catalog.json_agg(pg_catalog.json_build_array(c.attribute_number, c.title_part) order by c.attribute_number)
       from system.resource_columns c where c.resource_id = r.id and c.title_part is not null))::text
     || coalesce(${columnsSql}::text, '')`,
    [id, null],
  );
}

/**
 * Returns the entity tag of the presentation of a resource's columns, without quotes, to be read before them.
 *
 * @param column the name of one column; null for all
 * @throws AppError NOT_FOUND
 */
export async function tagOfColumns(
  database: Queryable,
  id: string,
  column: string | null,
): Promise<string> {
  return tagOf(database, columnsSql, [id, column]);
}

async function tagOf(
  database: Queryable,
  content: string,
  parameters: readonly (string | null)[],
): Promise<string> {
  const [row] = await database.query<{ content: string }>(
    `select r.id || coalesce((${content})::text, '') as content from system.resources r where r.id = $1::text::uuid`,
    [...parameters],
  );
  return entityTagOf(requireFound(row).content);
}

/** @throws AppError NOT_FOUND, PRECONDITION_FAILED */
export async function requireResourceTag(
  database: Queryable,
  id: string,
  ifMatch: readonly string[] | undefined,
): Promise<void> {
  if (ifMatch === undefined) return;
  const tag = await tagOfResource(database, id);
  requireEntityTag(tag, ifMatch, "The resource has changed since it was read");
}

/** @throws AppError NOT_FOUND, PRECONDITION_FAILED */
export async function requireColumnTag(
  database: Queryable,
  id: string,
  column: string | null,
  ifMatch: readonly string[] | undefined,
): Promise<void> {
  if (ifMatch === undefined) return;
  // Changes of columns are serialized by this lock.
  await database.query("select from system.resources where id = $1::text::uuid for no key update", [
    id,
  ]);
  const tag = await tagOfColumns(database, id, column);
  requireEntityTag(tag, ifMatch, "The columns have changed since they were read");
}
