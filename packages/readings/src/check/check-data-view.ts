import { type AggregateReading, faultsOfReading, type Reading } from "@rowhouse/data";
import type { Relation, Snapshot } from "@rowhouse/db";
import { createFault, type Fault, throwFaults } from "@rowhouse/errors";
import { storedReading, summaryTerm } from "../open/prepare-view.ts";
import type { Presentation } from "../presentation/presentation.ts";
import { faultsOfPresentation } from "../presentation/presentation-faults.ts";
import type { DataViewInput } from "../schemas/data-view-schemas.ts";

/** @throws AppError with every fault of a DataView at its path */
export function requireValidDataView(
  snapshot: Snapshot,
  view: DataViewInput,
  path = "/data",
): void {
  const { resourceId, presentation } = view;
  const at = `${path}/resourceId`;
  const faults = [
    ...faultsOf(snapshot, resourceId, at, { kind: "LIST", ...view }, path),
    ...presentationFaults(snapshot, resourceId, presentation, `${path}/presentation`),
  ];
  if (faults.length === 0) {
    // Each alone is right, but both are read together.
    const together = faultsOf(snapshot, resourceId, at, storedReading(view), path);
    faults.push(...together.map((fault) => ({ ...fault, path: `${path}/presentation` })));
  }
  throwFaults([...faults, ...faultsOfRoles(view.roleIds, snapshot, path)]);
}

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
function presentationFaults(
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
