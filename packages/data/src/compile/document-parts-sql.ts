import { arrayLiteral, quoteLiteral } from "@rowhouse/db";
import type { DocumentPart } from "../authorize/projection-draft.ts";
import { objectSql } from "./object-sql.ts";

/** Returns SQL for the object of the parts of a document; a value that the document does not contain is null. */
export function partsSql(document: string, parts: readonly DocumentPart[]): string {
  const object = objectSql(
    parts.map(({ name, path, parts: inner }) => ({
      name,
      sql: inner === null ? partSql(document, path) : partsSql(document, inner),
      visibleSql: null,
    })),
  );
  return `(select ${object.jsonValue} from (select ${object.select}) r)`;
}

/** Returns SQL for the value at a path of a document, in the type of the document. */
export function partSql(document: string, path: readonly string[]): string {
  return `(${document} #> ${quoteLiteral(arrayLiteral(path))}::text[])`;
}
