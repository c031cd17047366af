import {
  isVisibleResource,
  reportAccess,
  type VisibleResource,
  visibleResources,
} from "@rowhouse/data";
import type { SnapshotStore } from "@rowhouse/db";
import type { McpIdentity } from "../base/access.ts";
import type { ResourceName } from "./tool-call.ts";

/** The part of a resource that a caller may know. */
export interface ResourceDescription {
  readonly schema: string;
  readonly name: string;
  readonly kind: "TABLE" | "VIEW";
  readonly label: string | null;
  readonly description: string | null;
  readonly actions: readonly ("READ" | "CREATE" | "UPDATE" | "DELETE")[];
  /** The columns of the primary key, in its order; empty unless the caller may read all of them. */
  readonly key: readonly string[];
  readonly fields: readonly FieldDescription[];
  readonly relations: readonly RelationDescription[];
}

export interface FieldDescription {
  readonly name: string;
  /** The type as PostgreSQL names it. */
  readonly type: string;
  readonly nullable: boolean;
  readonly readable: boolean;
  readonly creatable: boolean;
  readonly updatable: boolean;
  /** Whether a new row must have a value for it. */
  readonly required: boolean;
  /** The values of an enum. */
  readonly values: readonly string[] | null;
  readonly description: string | null;
}

export interface ActionAccess {
  readonly action: "READ" | "CREATE" | "UPDATE" | "DELETE";
  /** Whether a role of the owner grants it, and the resource exposes it. */
  readonly isAllowed: boolean;
  /** Whether it applies to every row; otherwise to those that a filter admits. */
  readonly everyRow: boolean;
  /** Empty for DELETE. */
  readonly fields: readonly { readonly name: string; readonly everyRow: boolean }[];
}

export interface RelationDescription {
  readonly name: string;
  readonly kind: "ONE" | "MANY";
  readonly schema: string;
  readonly target: string;
}

/**
 * Describes the resources that an identity may know, as its own OpenAPI document does, ordered by schema and name.
 *
 * @param identity with proven rights
 */
export async function knownResources(
  snapshots: SnapshotStore,
  identity: Pick<McpIdentity, "roleIds">,
): Promise<readonly ResourceDescription[]> {
  return visibleResources(await snapshots.current(), identity)
    .map(describe)
    .sort((a, b) => compare(a.schema, b.schema) || compare(a.name, b.name));
}

/**
 * Returns the actions on a resource; undefined if the identity may not know it.
 *
 * @param identity with proven rights
 */
export async function actionsOn(
  snapshots: SnapshotStore,
  { schema, name }: ResourceName,
  identity: Pick<McpIdentity, "roleIds">,
): Promise<readonly ActionAccess[] | undefined> {
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
