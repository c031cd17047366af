import { z } from "@hono/zod-openapi";
import { writeName } from "@rowhouse/access";
import { type AggregateReading, faultsOfReading, type Reading } from "@rowhouse/data";
import type { Relation, Snapshot } from "@rowhouse/db";
import { createFault, type Fault } from "@rowhouse/errors";
import { faultsOfPresentation, type Presentation, type Summary } from "@rowhouse/readings";
import { isStorableText, roundNumbers } from "@rowhouse/wire";
import { exactObject } from "../route-parts.ts";

/** Text that Postgres can store. */
export const storableText = (min: number, max: number) =>
  z
    .string()
    .min(min)
    .max(max)
    .refine(isStorableText, "Text cannot contain NUL or an unpaired surrogate");

export const readingName = storableText(1, 100);
export const readingDescription = storableText(0, 1000);

export const roleIds = z
  .array(z.guid())
  .max(200)
  .openapi({ description: "Roles whose members may open it; Administrators always may" });

const term = storableText(1, 300);

export const filter = exactObject.nullable().openapi({
  description: "A filter in the language of `where`",
  example: { status: { _eq: "AVAILABLE" } },
});
export const fieldNames = z
  .array(term)
  .min(1)
  .max(200)
  .nullable()
  .openapi({ description: "Null for every field that the reader may see" });
export const orderTerms = z
  .array(term)
  .max(32)
  .openapi({ example: ["-created_at", "plate"] });
export const rowLimit = z
  .preprocess(roundNumbers, z.int().min(1).max(100_000).nullable())
  .openapi({ type: ["integer", "null"], minimum: 1, maximum: 100_000 });
export const aggregateTerms = z
  .array(term)
  .min(1)
  .max(20)
  .openapi({ example: ["count", "sum(price)"] });
export const groupTerms = z
  .array(term)
  .max(5)
  .openapi({ example: ["status"] });

/** Returns the faults of the roles that may open a record. */
export function faultsOfRoles(
  ids: readonly string[],
  snapshot: Pick<Snapshot, "roles">,
  pointer = "/data",
): Fault[] {
  return ids.flatMap((id, index) => {
    const path = `${pointer}/roleIds/${index}`;
    if (!snapshot.roles.has(id.toLowerCase())) {
      return [createFault("BODY_INVALID", { path, message: "Unknown role" })];
    }
    return ids.indexOf(id) === index
      ? []
      : [createFault("BODY_INVALID", { path, message: "A role may be named only once" })];
  });
}

/** Returns the relation of a resource id, or its fault. */
function resourceOf(
  snapshot: Snapshot,
  id: string,
  path: string,
): { readonly relation: Relation | undefined; readonly faults: Fault[] } {
  const relation = snapshot.catalogue.relationByResource(id.toLowerCase());
  const refuse = (message: string) => ({
    relation: undefined,
    faults: [createFault("BODY_INVALID", { path, message })],
  });
  if (relation === undefined) return refuse("Unknown resource");
  if (!relation.resource.exposedMethods.includes("GET")) {
    return refuse("This resource does not expose GET");
  }
  return { relation, faults: [] };
}

/** Returns the faults of a reading of a resource. */
export function faultsOf(
  snapshot: Snapshot,
  resourceId: string,
  resourcePath: string,
  reading: Reading,
  pointer: string,
): Fault[] {
  const { relation, faults } = resourceOf(snapshot, resourceId, resourcePath);
  return relation === undefined ? faults : faultsOfReading(reading, relation, snapshot, pointer);
}

/** Returns the faults of a presentation of a resource's rows; none if the resource has a fault itself. */
export function presentationFaults(
  snapshot: Snapshot,
  resourceId: string,
  presentation: Presentation,
  pointer: string,
): Fault[] {
  const { relation } = resourceOf(snapshot, resourceId, pointer);
  if (relation === undefined) return [];
  const presented = { relation, catalogue: snapshot.catalogue };
  const faults = faultsOfPresentation(presentation, presented, pointer);
  if (faults.length > 0 || presentation.layout !== "table") return faults;
  const faultOf = (aggregate: readonly string[], path: string): Fault[] => {
    const reading: AggregateReading = { ...allRows, aggregate };
    return aggregate.length === 0
      ? []
      : faultsOfReading(reading, relation, snapshot, "").map((fault) => ({ ...fault, path }));
  };
  const terms = presentation.columns.map(({ field, summary }) =>
    summary === undefined ? [] : [summaryTerm(field, summary)],
  );
  const each = terms.flatMap((term, index) => faultOf(term, `${pointer}/columns/${index}/summary`));
  return each.length > 0 ? each : faultOf(terms.flat(), `${pointer}/columns`);
}

const allRows = {
  kind: "AGGREGATE",
  groupBy: [],
  where: null,
  having: null,
  orderBy: [],
  limit: null,
} as const;

/** The term of an aggregation for a summary of a column. */
export function summaryTerm(field: string, summary: Summary): string {
  const apply = summary === "countDistinct" ? "count_distinct" : summary;
  return `${apply}(${writeName(field)})`;
}
