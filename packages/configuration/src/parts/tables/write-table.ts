import { withoutNull } from "../presentation.ts";
import type { ColumnDocument, PresentTable } from "./table-document.ts";

/** Leaves out what the schema of the document completes. */
export function writeTable(table: PresentTable): unknown {
  const {
    actual: _,
    hasNoFile: __,
    columns,
    primaryKey,
    unique,
    checks,
    foreignKeys,
    indexes,
    elsewhere,
    ...rest
  } = table;
  const { managed, renamedFrom, comment, exposed, history, junction, ...looks } = rest;
  const implied = (column: string, { identity }: ColumnDocument) =>
    primaryKey.includes(column) || identity !== null;
  const some = (value: object) => (Object.keys(value).length > 0 ? value : null);
  return withoutNull({
    ...{ managed, renamedFrom, comment },
    ...looks,
    exposed: exposed.length > 0 ? exposed : null,
    history: history || null,
    junction: junction || null,
    columns: some(
      mapValues(columns, ({ nullable, ...column }, key) => {
        const { type, ...others } = column;
        const isSaid = !nullable && !implied(key, { nullable, ...column });
        return withoutNull({ type: type || null, nullable: isSaid ? false : null, ...others });
      }),
    ),
    primaryKey: some(primaryKey),
    unique: some(
      mapValues(unique, ({ columns: of, nullsNotDistinct }) =>
        withoutNull({ columns: of, nullsNotDistinct: nullsNotDistinct || null }),
      ),
    ),
    checks: some(mapValues(checks, withoutNull)),
    foreignKeys: some(
      mapValues(foreignKeys, ({ onDelete, ...key }) =>
        withoutNull({ ...key, onDelete: onDelete === "NO ACTION" ? null : onDelete }),
      ),
    ),
    indexes: some(
      mapValues(indexes, ({ keys, unique: isUnique, method, where }) =>
        withoutNull({
          keys: keys.map(({ descending, ...key }) =>
            withoutNull({ ...key, descending: descending || null, nulls: key.nulls ?? null }),
          ),
          unique: isUnique || null,
          method: method === "btree" ? null : method,
          where,
        }),
      ),
    ),
    elsewhere: some(elsewhere),
  });
}

function mapValues<Value, Result>(
  values: Readonly<Record<string, Value>>,
  map: (value: Value, key: string) => Result,
): Record<string, Result> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, map(value, key)]));
}
