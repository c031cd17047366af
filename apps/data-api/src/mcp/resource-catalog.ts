import {
  isVisibleResource,
  reportAccess,
  type VisibleResource,
  visibleResources,
} from "@rowhouse/data";
import type { SnapshotStore } from "@rowhouse/db";
import type { FieldDescription, ResourceDescription, ResourceReader } from "@rowhouse/mcp";

/** Creates the descriptions of resources: those of the caller's own OpenAPI document. */
export function createResourceReader(snapshots: SnapshotStore): ResourceReader {
  return {
    visible: async (identity) =>
      visibleResources(await snapshots.current(), identity)
        .map(describe)
        .sort((a, b) => compare(a.schema, b.schema) || compare(a.name, b.name)),
    access: async ({ schema, name }, identity) => {
      const snapshot = await snapshots.current();
      const relation = snapshot.catalogue.relationByName(schema, name);
      if (relation === undefined) return undefined;
      if (!isVisibleResource(relation.resource.id, snapshot, identity)) return undefined;
      return reportAccess(snapshot, identity, relation).map(
        ({ action, isGranted, isExposed, everyRow, fields }) => ({
          action,
          isAllowed: isGranted && isExposed,
          everyRow,
          fields: isGranted && isExposed ? fields : [],
        }),
      );
    },
  };
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function describe(visible: VisibleResource): ResourceDescription {
  const { relation, actions, columns, relations } = visible;
  const { schema, name, resource, comment, primaryKey } = relation;
  const readable = new Set(columns.filter((each) => each.readable).map((each) => each.column.name));
  return {
    schema,
    name,
    kind: resource.kind,
    label: resource.label,
    description: resource.description ?? comment,
    actions,
    key: primaryKey.every((column) => readable.has(column)) ? primaryKey : [],
    fields: columns.map(describeField),
    relations: relations.map((each) => ({
      name: each.name,
      kind: each.kind,
      schema: each.target.schema,
      target: each.target.name,
    })),
  };
}

function describeField({
  column,
  readable,
  creatable,
  updatable,
  required,
}: VisibleResource["columns"][number]): FieldDescription {
  const { name, type, nullable, comment } = column;
  return {
    name,
    type: type.name,
    nullable,
    readable,
    creatable,
    updatable,
    required,
    values: type.labels,
    description: comment,
  };
}
