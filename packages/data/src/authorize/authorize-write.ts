import { type EffectiveGrant, isDocument, mergedGrants, writeName } from "@rowhouse/access";
import { type Column, isChangedAgain, type Relation, type UniqueKey } from "@rowhouse/db";
import {
  type AppError,
  createError,
  createFault,
  escapePointer,
  type Fault,
  throwFaults,
} from "@rowhouse/errors";
import type { CreateRequest, DeleteRequest, Selection, UpdateRequest } from "../parse/request.ts";
import type {
  Authorized,
  AuthorizedCreate,
  AuthorizedDelete,
  AuthorizedSelection,
  AuthorizedUpdate,
  CreateGroup,
  PresetColumn,
  WrittenColumn,
  WrittenColumns,
} from "./authorized-plan.ts";
import { type Projection, projectFields } from "./projection.ts";
import { unknownFieldFault, visibleFilter } from "./resolve-path.ts";
import type { Visibility, Visible } from "./visible.ts";

export interface WriteRights {
  readonly common: Authorized;
  readonly visibility: Visibility;
  /** Maximum number of relations in one path. */
  readonly depthMax: number;
}

/** @throws AppError ACTION_DENIED, FIELD_UNKNOWN, QUERY_INVALID */
export function authorizeCreate(rights: WriteRights, request: CreateRequest): AuthorizedCreate {
  const { relation, write } = rights.common;
  const { isList, minimal } = request;
  const merge = grantsOfMerge(request, rights);
  const target = request.conflict?.fields ?? [];
  const firstRows = new Map<string, number | undefined>();
  for (const { fields, positions } of request.groups) {
    for (const field of fields) if (!firstRows.has(field)) firstRows.set(field, positions[0]);
  }
  const pathOf = (field: string) => {
    const row = isList ? firstRows.get(field) : undefined;
    return row === undefined ? pathOfField(field) : `/data/${row}/${escapePointer(field)}`;
  };
  const mayWrite = (field: string) =>
    isWritableField(relation, write, field) &&
    (merge.length === 0 || target.includes(field) || isWritableField(relation, merge, field));
  throwFaults(unwritable());
  const conflict = request.conflict && {
    ...request.conflict,
    predicate: requireKey(rights.common.read, target).predicate,
  };
  const groups = request.groups.map(({ fields }): CreateGroup => {
    const changed = fields.filter((name) => !target.includes(name));
    return {
      ...writtenColumns(relation, write, fields),
      merged: writtenColumns(relation, merge, changed),
    };
  });
  const mayChange = (): boolean =>
    isChangedAgain(rights.visibility.catalogue, relation, "INSERT") ||
    (conflict?.resolution === "merge" &&
      groups.some(({ merged }) => isUpdatedAgain(rights, merged)));
  const again = keyOfChangedRow(rights, request, mayChange);
  const parts = { projection: wholeRow(rights), groups, isList, conflict, merge, minimal, again };
  return { ...rights.common, ...parts, kind: "CREATE" };

  function* unwritable(): Generator<Fault> {
    yield* unwritableOf(firstRows.keys(), mayWrite, pathOf);
    for (const field of target) {
      if (!isWritableField(relation, write, field)) yield unknownFieldFault(field, "on_conflict");
    }
  }
}

/** @throws AppError FIELD_UNKNOWN, QUERY_INVALID */
export function authorizeUpdate(
  rights: WriteRights,
  key: readonly Column[],
  request: UpdateRequest,
): AuthorizedUpdate {
  const { values, changes, selection, minimal } = request;
  const { relation, write } = rights.common;
  const names = [...values.keys()];
  throwFaults(unwritableOf(names, (name) => isWritableField(relation, write, name)));
  const projection = wholeRow(rights);
  const written = writtenColumns(relation, write, names);
  const { sent, presets } = written;
  const again = keyOfChangedRow(rights, request, () => isUpdatedAgain(rights, written));
  return {
    ...rights.common,
    ...{ sent: withChanges(sent, changes, rights.common.read), presets, again },
    ...{ kind: "UPDATE", projection, selection: select(rights, key, selection), minimal },
  };
}

/** Returns the key by which a row of the response is read again; null if it has no key or no change follows. */
function keyOfChangedRow(
  { common: { relation, read } }: WriteRights,
  { minimal, readAgain }: CreateRequest | UpdateRequest,
  mayChange: () => boolean,
): AuthorizedUpdate["again"] {
  if (minimal || read.fields.length === 0) return null;
  if (readAgain !== true && !mayChange()) return null;
  const key = relation.primaryKey.flatMap((name) => relation.columnByName(name) ?? []);
  return key.length > 0 && key.length === relation.primaryKey.length ? key : null;
}

function isUpdatedAgain(
  { common: { relation }, visibility }: WriteRights,
  { sent, presets }: WrittenColumns,
): boolean {
  const columns = [...sent, ...presets].map(({ column }) => column.name);
  return isChangedAgain(visibility.catalogue, relation, "UPDATE", columns);
}

/**
 * Adds the changes of documents.
 *
 * @throws AppError BODY_INVALID for a malformed change, FIELD_UNKNOWN for a document that the principal may not read: the
 * result depends on its old value
 */
function withChanges(
  sent: readonly WrittenColumn[],
  changes: UpdateRequest["changes"],
  read: Visible,
): readonly WrittenColumn[] {
  const faults: Fault[] = [];
  const all = sent.map((written): WrittenColumn => {
    const { name, type } = written.column;
    const parts = changes.get(name);
    if (parts === undefined || !isDocument(type)) return written;
    const path = pathOfField(name);
    if (parts.fault !== null) {
      faults.push(createFault("BODY_INVALID", { path, message: parts.fault }));
    }
    const field = read.fieldByName(name);
    if (field !== undefined || parts.isWhole)
      return { ...written, change: { parts, field: field ?? null } };
    const message = "A change of parts of a document requires READ on its field";
    faults.push(createFault("FIELD_UNKNOWN", { path, message }));
    return written;
  });
  throwFaults(faults);
  return all;
}

/** @throws AppError FIELD_UNKNOWN, QUERY_INVALID */
export function authorizeDelete(
  rights: WriteRights,
  key: readonly Column[],
  { selection, representation }: DeleteRequest,
): AuthorizedDelete {
  const projection = representation ? wholeRow(rights) : null;
  return {
    ...rights.common,
    kind: "DELETE",
    projection,
    selection: select(rights, key, selection),
  };
}

/** The response to a write contains every field that the principal may read. */
function wholeRow({ common, depthMax }: WriteRights): Projection {
  return projectFields(common.read, null, new Map(), depthMax).projection;
}

function select(
  { common, depthMax }: WriteRights,
  key: readonly Column[],
  selection: Selection,
): AuthorizedSelection {
  if (selection.by === "KEY") return { by: "KEY", key, ifMatch: selection.ifMatch !== null };
  const where = visibleFilter(selection.where, common.read, depthMax);
  return { by: "FILTER", where, affectedMax: selection.affectedMax };
}

/** A create that merges also updates rows, so it needs the PATCH method and an UPDATE grant as well. */
function grantsOfMerge(
  { conflict }: CreateRequest,
  { common: { relation }, visibility }: WriteRights,
): readonly EffectiveGrant[] {
  if (conflict?.resolution !== "merge") return [];
  const access = visibility.accessTo(relation, "UPDATE");
  const isExposed = relation.resource.exposedMethods.includes("PATCH");
  if (access.kind !== "GRANTED" || !isExposed) throw createError("ACTION_DENIED");
  return mergedGrants(access.grants, "UPDATE", relation, visibility.catalogue);
}

function* unwritableOf(
  names: Iterable<string>,
  mayWrite: (name: string) => boolean,
  pathOf = pathOfField,
): Generator<Fault> {
  for (const name of names) {
    if (!mayWrite(name)) yield createFault("FIELD_UNKNOWN", { path: pathOf(name) });
  }
}

function pathOfField(name: string): string {
  return `/data/${escapePointer(name)}`;
}

/** Resolves the fields that a write sets, and adds those that its grants preset. */
function writtenColumns(
  relation: Relation,
  grants: readonly EffectiveGrant[],
  names: readonly string[],
): WrittenColumns {
  const sent = names.map((name) => ({
    column: columnOfField(relation, name),
    grants: grants.filter((grant) => covers(grant, name)),
  }));
  return { sent, presets: presetColumns(grants, names, relation) };
}

function presetColumns(
  grants: readonly EffectiveGrant[],
  sent: readonly string[],
  relation: Relation,
): PresetColumn[] {
  const names = new Set(grants.flatMap((grant) => [...grant.presets.keys()]));
  return [...names]
    .filter((name) => !sent.includes(name))
    .map((name) => ({
      column: columnOfField(relation, name),
      choices: grants.flatMap((grant) => {
        const preset = grant.presets.get(name);
        return preset === undefined ? [] : [{ grant, preset }];
      }),
    }));
}

/** Returns the column of a writable or preset field, which always exists. */
export function columnOfField(relation: Relation, name: string): Column {
  const column = relation.columnByName(name);
  if (column === undefined) throw new TypeError("An authorized field has no column");
  return column;
}

/** Whether at least one grant permits a write to the field. */
export function isWritableField(
  relation: Relation,
  grants: readonly EffectiveGrant[],
  field: string,
): boolean {
  const column = relation.columnByName(field);
  if (column === undefined || column.generated || column.identity === "ALWAYS") return false;
  return grants.some((grant) => covers(grant, field));
}

/** Whether one grant permits a caller to set a field. A caller cannot set a field that the grant presets. */
export function covers(grant: EffectiveGrant, field: string): boolean {
  return (grant.fields === null || grant.fields.has(field)) && !grant.presets.has(field);
}

/** Maximum number of keys that an error names. */
const namedMax = 20;

/** Returns the unique keys that an upsert can use, by their fields. */
export function upsertKeys(relation: Relation): UniqueKey[] {
  return relation.uniqueKeys.filter((key) => findKey(relation, key.columns) === key);
}

/**
 * Returns the key that an upsert over these fields uses.
 *
 * @throws AppError QUERY_INVALID with the keys that the principal may read
 */
function requireKey({ relation, fieldByName }: Visible, fields: readonly string[]): UniqueKey {
  const found = findKey(relation, fields);
  if (!("fault" in found)) return found;
  if (found.fault !== null) throw refusal(`on_conflict cannot use this unique key: ${found.fault}`);
  const readable = upsertKeys(relation).filter(({ columns }) =>
    columns.every((name) => fieldByName(name) !== undefined),
  );
  const names = readable.slice(0, namedMax).map(({ columns }) => columns.map(writeName).join(","));
  const listed = names.length === 0 ? "" : `: ${names.join(" or ")}`;
  throw refusal(`on_conflict must list the fields of a unique key${listed}`);
}

/** The key that PostgreSQL selects by its columns; `fault` is null if no key has them. */
function findKey(
  { uniqueKeys }: Relation,
  fields: readonly string[],
): UniqueKey | { readonly fault: string | null } {
  const keys = uniqueKeys.filter(
    ({ columns }) =>
      columns.length === fields.length && columns.every((column) => fields.includes(column)),
  );
  // PostgreSQL refuses the upsert if any unique key over these columns is deferrable.
  if (keys.some(({ deferrable }) => deferrable)) return { fault: "it is deferrable" };
  const whole = keys.find(({ predicate, overlaps }) => predicate === null && !overlaps);
  if (whole !== undefined) return whole;
  if (keys.some(({ overlaps }) => overlaps)) {
    return {
      fault: "its rows conflict if they overlap (WITHOUT OVERLAPS), not only if they are equal",
    };
  }
  const [partial, ...others] = keys;
  if (partial === undefined) return { fault: null };
  return others.length === 0 ? partial : { fault: "several partial indexes have its fields" };
}

function refusal(message: string): AppError {
  return createError("QUERY_INVALID", { path: "on_conflict", message });
}
