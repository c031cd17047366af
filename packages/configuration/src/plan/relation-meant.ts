import type { Snapshot } from "@rowhouse/db";
import { namesOfRelation, readRelationKey } from "../documents/document-name.ts";
import type { Step } from "../model/part.ts";

/**
 * Returns the identity of the table or view that a step changes: another one may get its name before the apply. Null for a
 * step of something else, and for a relation that is yet to be created.
 */
export function relationMeant(
  { catalogue }: Pick<Snapshot, "catalogue">,
  { kind, subject, document }: Pick<Step, "kind" | "subject" | "document">,
): number | null {
  const find = (schema = "", name = "") => catalogue.relationByName(schema, name)?.oid;
  const [noun] = kind.split(".");
  if (noun === "table" || noun === "view") {
    const { schema, name } = readRelationKey(subject) ?? {};
    return find(schema, name) ?? null;
  }
  if (noun !== "resource") return null;
  const [schema, name] =
    namesOfRelation("tables", document) ?? namesOfRelation("views", document) ?? [];
  return find(schema, name) ?? null;
}
