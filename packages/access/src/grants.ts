import type { Catalogue, GrantColumnRecord, GrantRecord, Relation, Snapshot } from "@rowhouse/db";
import { AppError } from "@rowhouse/errors";
import {
  type Filter,
  mapFields,
  type Operand,
  type ParsedFilter,
  relationsOf,
  type Variable,
} from "./filter/filter.ts";
import { defaultFilterLimits, parseFilter } from "./filter/parse-filter.ts";
import { parseScalar, parseVariable } from "./filter/scalar.ts";
import { plainPath } from "./filter/written-name.ts";
import { resolveGrantEdges, resolveGrantPath } from "./grant-path.ts";
import { isOfJunction, junctionChanges, pathOfJunction } from "./junction-columns.ts";
import type { Principal } from "./principal.ts";

export type Action = GrantRecord["action"];

/** The value that a grant sets in a column; the caller cannot override it. */
export type Preset =
  | { readonly kind: "LITERAL"; readonly text: string | null }
  | { readonly kind: "VARIABLE"; readonly variable: Variable };

/** A grant resolved against the catalogue of its snapshot, with current column names. */
export interface EffectiveGrant {
  /** Null for the implicit grant of members of Administrators. */
  readonly id: string | null;
  /** Null grants all fields. */
  readonly fields: ReadonlySet<string> | null;
  /** Null grants all rows. */
  readonly filter: ParsedFilter | null;
  /** The condition on the new row: the grant's own check, else its filter; null allows every row. */
  readonly check: ParsedFilter | null;
  readonly presets: ReadonlyMap<string, Preset>;
}

export type Access =
  /** No grant on the relation: it does not exist for this caller. */
  | { readonly kind: "UNKNOWN" }
  /** Grants on the relation, but none for this action. */
  | { readonly kind: "DENIED" }
  | { readonly kind: "GRANTED"; readonly grants: readonly EffectiveGrant[] };

const everything: EffectiveGrant = {
  id: null,
  fields: null,
  filter: null,
  check: null,
  presets: new Map(),
};

/** Combines the access of a principal's roles. Administrators have every action and field. */
export function accessTo(
  snapshot: Snapshot,
  principal: Pick<Principal, "roleIds">,
  relation: Relation,
  action: Action,
): Access {
  const index = indexOf(snapshot);
  const grants: EffectiveGrant[] = [];
  let known = false;
  for (const roleId of principal.roleIds) {
    if (snapshot.roles.get(roleId)?.isAdministrators === true) {
      return { kind: "GRANTED", grants: [everything] };
    }
    const records = index.get(roleId)?.get(relation.resource.id) ?? [];
    for (const record of records) {
      const grant = effectiveGrant(record, relation, snapshot.catalogue);
      if (grant === undefined) continue;
      known = true;
      if (record.action === action) grants.push(grant);
    }
  }
  if (grants.length > 0) return { kind: "GRANTED", grants };
  return known ? { kind: "DENIED" } : { kind: "UNKNOWN" };
}

type GrantIndex = ReadonlyMap<string, ReadonlyMap<string, readonly GrantRecord[]>>;
const indexes = new WeakMap<Snapshot, GrantIndex>();

function indexOf(snapshot: Snapshot): GrantIndex {
  const known = indexes.get(snapshot);
  if (known !== undefined) return known;
  const index = new Map<string, Map<string, GrantRecord[]>>();
  for (const record of snapshot.grants) {
    const ofRole = index.get(record.roleId) ?? new Map<string, GrantRecord[]>();
    index.set(record.roleId, ofRole);
    const ofResource = ofRole.get(record.resourceId);
    if (ofResource === undefined) ofRole.set(record.resourceId, [record]);
    else ofResource.push(record);
  }
  indexes.set(snapshot, index);
  return index;
}

// A record belongs to one snapshot and so to one catalogue.
const effective = new WeakMap<GrantRecord, { readonly grant: EffectiveGrant | undefined }>();

/**
 * Resolves a grant to current names, or undefined if it depends on a dropped column. A grant whose filter, check or
 * preset lost a column allows nothing, because the rest would allow more than the administrator intended.
 */
function effectiveGrant(
  record: GrantRecord,
  relation: Relation,
  catalogue: Catalogue,
): EffectiveGrant | undefined {
  const known = effective.get(record);
  if (known !== undefined) return known.grant;
  const grant = resolveGrant(record, relation, catalogue);
  effective.set(record, { grant });
  return grant;
}

function resolveGrant(
  record: GrantRecord,
  relation: Relation,
  catalogue: Catalogue,
): EffectiveGrant | undefined {
  const names = new Map<string, string>();
  const fields = new Set<string>();
  for (const column of record.columns) {
    if (isOfJunction(column, relation, catalogue)) continue;
    if (column.pathResourceId !== null) {
      if (!isSamePath(column, relation, catalogue)) return undefined;
      names.set(`${column.usage} ${column.mention}`, column.mention);
      continue;
    }
    const now = relation.columnByNumber(column.attributeNumber);
    if (column.usage === "FIELD") {
      if (now !== undefined) fields.add(now.name);
      continue;
    }
    if (now === undefined) return undefined;
    names.set(`${column.usage} ${column.mention}`, now.name);
  }
  const { lost, isMissing } = junctionChanges(record.columns, relation, catalogue);
  if (lost.length > 0 || isMissing) return undefined;
  const nameOf = (usage: string) => (mention: string) => names.get(`${usage} ${mention}`);
  const filter = readStoredFilter(record.rowFilter, nameOf("FILTER"));
  const check = readStoredFilter(record.rowCheck, nameOf("CHECK"));
  if (filter === undefined || check === undefined) return undefined;
  // With a dropped resource, the records of its columns are gone too.
  const relations = [filter, check].flatMap((parsed) =>
    parsed === null ? [] : Array.from(relationsOf(parsed.filter), ({ field }) => plainPath(field)),
  );
  if (relations.some((path) => resolveGrantEdges(catalogue, relation, path) === undefined)) {
    return undefined;
  }
  const presets = new Map<string, Preset>();
  for (const [mention, input] of Object.entries(record.presets)) {
    const name = names.get(`PRESET ${mention}`);
    const preset = readPreset(input);
    if (name === undefined || preset === undefined) return undefined;
    presets.set(name, preset);
  }
  return {
    id: record.id,
    fields: record.allFields ? null : fields,
    filter,
    check: check ?? filter,
    presets,
  };
}

/** Whether a grant allows anything, that is, no column of its filter, check or presets was dropped. */
export function isEffective(
  record: GrantRecord,
  relation: Relation,
  catalogue: Catalogue,
): boolean {
  return effectiveGrant(record, relation, catalogue) !== undefined;
}

/**
 * Returns the columns of a grant's filter, check and presets that were dropped or that its paths do not lead to now. A
 * dropped field is not included: the registry removes it from the grant.
 */
export function lostColumns(
  record: GrantRecord,
  relation: Relation,
  catalogue: Catalogue,
): readonly GrantColumnRecord[] {
  const { lost } = junctionChanges(record.columns, relation, catalogue);
  const ofTables = record.columns.filter(
    (column) =>
      column.usage !== "FIELD" &&
      !isOfJunction(column, relation, catalogue) &&
      (column.pathResourceId === null
        ? relation.columnByNumber(column.attributeNumber) === undefined
        : !isSamePath(column, relation, catalogue)),
  );
  const paths = new Map(lost.map((column) => [pathOfJunction(column), column]));
  return [...ofTables, ...Array.from(paths, ([mention, column]) => ({ ...column, mention }))];
}

/** Whether a path still leads to the same column as when the grant was created. */
function isSamePath(
  { mention, attributeNumber, pathResourceId }: GrantColumnRecord,
  relation: Relation,
  catalogue: Catalogue,
): boolean {
  const path = resolveGrantPath(catalogue, relation, mention);
  return (
    path?.relation.resource.id === pathResourceId && path.column.attributeNumber === attributeNumber
  );
}

/** Parses a stored filter; undefined if this build does not understand it, null if there is none. */
function readStoredFilter(
  stored: unknown,
  nameOf: (mention: string) => string | undefined,
): ParsedFilter | null | undefined {
  if (stored === null) return null;
  const parsed = parseStoredFilter(stored);
  const filter = parsed && renameFields(parsed.filter, nameOf);
  return parsed === undefined || filter === undefined ? undefined : { filter, slots: parsed.slots };
}

function parseStoredFilter(stored: unknown): ParsedFilter | undefined {
  try {
    return parseFilter(stored, {
      limits: defaultFilterLimits,
      pathOf: (segments) => segments.join("/"),
      code: "BODY_INVALID",
      commaLists: false,
    });
  } catch (error) {
    // During a rolling upgrade, a newer build may have written an operator or a variable that this one does not have.
    if (error instanceof AppError) return undefined;
    throw error;
  }
}

/**
 * Replaces the mentions of a filter by current names. A mention is the text of a path, as its record has it, so that a path
 * always means what it was bound to.
 */
function renameFields(
  filter: Filter,
  nameOf: (mention: string) => string | undefined,
): Filter | undefined {
  switch (filter.kind) {
    case "AND":
    case "OR": {
      const filters: Filter[] = [];
      for (const inner of filter.filters) {
        const renamed = renameFields(inner, nameOf);
        if (renamed === undefined) return undefined;
        filters.push(renamed);
      }
      return { kind: filter.kind, filters };
    }
    case "NOT": {
      const renamed = renameFields(filter.filter, nameOf);
      return renamed === undefined ? undefined : { kind: "NOT", filter: renamed };
    }
    case "QUANTIFIED":
    case "COUNTED": {
      // Inner conditions are recorded as paths from the grant's own relation and keep their names.
      const field = plainPath(filter.field);
      const inner = renameFields(filter.filter, (mention) =>
        nameOf(`${field}.${mention}`) === undefined ? undefined : mention,
      );
      return inner === undefined ? undefined : { ...filter, field, filter: inner };
    }
    case "CONDITION": {
      let isLost = false;
      const renamed = mapFields(filter, (written) => {
        const mention = plainPath(written);
        const field = nameOf(mention);
        isLost ||= field === undefined;
        return field ?? mention;
      });
      return isLost ? undefined : renamed;
    }
    default:
      return filter satisfies never;
  }
}

/** Reads a literal, null or a variable; undefined for anything else. */
export function readPreset(input: unknown): Preset | undefined {
  if (input === null) return { kind: "LITERAL", text: null };
  const variable = parseVariable(input);
  if (variable !== undefined) {
    return variable.kind === "VARIABLE" ? variable : undefined;
  }
  const text = parseScalar(input);
  return text === undefined ? undefined : { kind: "LITERAL", text };
}

export function filterVariablesOf(operands: readonly Operand[]): Variable[] {
  return operands.flatMap((operand) => (operand.kind === "VARIABLE" ? [operand.variable] : []));
}
