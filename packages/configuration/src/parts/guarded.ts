import { isReservedSchema } from "@rowhouse/ddl";
import { throwAll } from "../documents/document-faults.ts";
import type { Document } from "../model/document.ts";

type RelationDocument = Document<{
  readonly managed: "elsewhere" | "sql" | null;
  readonly elsewhere: readonly string[];
}>;

const guard = /^(?:row security$|policy |options .*(?:security_|check_option))/;

/**
 * Refuses to create a table or a view whose rows policies or options of other tools guard: without these, it would show or
 * accept more rows than where it is from.
 *
 * @throws AppError with the place of the guard
 */
export function refuseGuarded({ value, faultAt }: RelationDocument): void {
  const faults = value.elsewhere.flatMap((object, index) => {
    if (!guard.test(object)) return [];
    const message = `No file creates this: ${object}. Without it the rows are not guarded, so write managed: elsewhere`;
    const fault = faultAt(["elsewhere", index], message);
    return [{ ...fault, details: { ...fault.details, missing: true } }];
  });
  throwAll(faults);
}

/**
 * Refuses a document of a relation that other tools never make: one of PostgreSQL, or of the service itself, which shows some
 * of its tables.
 *
 * @throws AppError
 */
export function refuseReserved({ names, faultAt }: RelationDocument): void {
  const [schema = ""] = names;
  if (!isReservedSchema(schema)) return;
  throwAll([faultAt(["managed"], `The schema ${schema} belongs to the service or to PostgreSQL`)]);
}

/**
 * Refuses a document that describes a relation which the root file leaves to other tools.
 *
 * @throws AppError
 */
export function refuseOthers(
  { names, faultAt }: RelationDocument,
  kind: "table" | "view",
  isOthers: (schema: string, name: string) => boolean,
): void {
  const [schema = "", name = ""] = names;
  if (!isOthers(schema, name)) return;
  const message = `The root file leaves this ${kind} to other tools: write managed: elsewhere`;
  throwAll([faultAt(["managed"], message)]);
}

/** Returns a sentence for each object that a document leaves to other tools, and that they have not created. */
export function awaitedObjects(
  { value }: RelationDocument,
  found: { readonly has: (object: string) => boolean },
): string[] {
  return value.elsewhere
    .filter((object) => !found.has(object))
    .map((object) => `It leaves ${object} to other tools, and there is no such object`);
}
