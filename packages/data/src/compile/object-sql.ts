import { type Column, quoteIdentifier, quoteLiteral } from "@rowhouse/db";

/** An object as JSON, in two parts. */
export interface ObjectSql {
  /** The select list of the subquery `r`. */
  readonly select: string;
  /** The JSON text of the row `r`. */
  readonly json: string;
  /** The JSON value of the row `r`. */
  readonly jsonValue: string;
  /** The JSON text of all rows of `r`, in their order. */
  readonly list: string;
  /** The JSON value of all rows of `r`, in their order. */
  readonly listValue: string;
}

/** A member of a JSON object. */
export interface Member {
  readonly name: string;
  /** The column of the row itself that it shows. */
  readonly column?: Column;
  readonly sql: string;
  /** The condition under which the object contains the member; null for always. */
  readonly visibleSql: string | null;
}

/** Compiles objects with these members to JSON. */
export function objectSql(members: readonly Member[]): ObjectSql {
  return areColumns(members) ? builtSql(members) : assembledSql(members);
}

/**
 * Maximum number of bytes of a PostgreSQL identifier; PostgreSQL truncates longer ones. A name that consists of
 * others, such as that of a relation, and a key of a document may be longer; the latter may be empty.
 */
const nameBytesMax = 63;

export function areColumns(members: readonly Member[]): boolean {
  return members.every(
    ({ name, visibleSql }) =>
      visibleSql === null && name !== "" && Buffer.byteLength(name) <= nameBytesMax,
  );
}

/** Lets PostgreSQL build the object from the columns of a row. */
export function builtSql(members: readonly Member[]): ObjectSql {
  const jsonValue = "pg_catalog.row_to_json(r.*)";
  return {
    select: members.map(({ name, sql }) => `${sql} as ${quoteIdentifier(name)}`).join(", "),
    json: `${jsonValue}::text`,
    jsonValue,
    list: "coalesce(pg_catalog.json_agg(r.*)::text, '[]')",
    // A cast from the text would parse the JSON again.
    listValue: "coalesce(pg_catalog.json_agg(r.*), '[]')",
  };
}

/** Concatenates the object from its members. */
export function assembledSql(members: readonly Member[]): ObjectSql {
  const parts = members.map(({ name, sql, visibleSql }) => {
    const key = quoteLiteral(`${JSON.stringify(name)}:`);
    const member = `${key} || coalesce(pg_catalog.to_json(${sql})::text, 'null')`;
    return visibleSql === null ? member : `case when ${visibleSql} then ${member} end`;
  });
  const list = "'[' || coalesce(pg_catalog.string_agg(r.object, ','), '') || ']'";
  return {
    select: `'{' || ${joinedSql(parts)} || '}' as object`,
    json: "r.object",
    jsonValue: "r.object::json",
    list,
    listValue: `(${list})::json`,
  };
}

/** Maximum number of arguments of a PostgreSQL function (100), without the separator. */
const partsMax = 99;

/** Joins texts with commas and omits those that are null. */
function joinedSql(parts: readonly string[]): string {
  if (parts.length <= partsMax) return `pg_catalog.concat_ws(',', ${parts.join(", ")})`;
  const groups: string[] = [];
  for (let start = 0; start < parts.length; start += partsMax) {
    groups.push(`nullif(${joinedSql(parts.slice(start, start + partsMax))}, '')`);
  }
  return joinedSql(groups);
}
