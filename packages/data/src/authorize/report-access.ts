import {
  type Action,
  comparedText,
  type EffectiveGrant,
  type Filter,
  type ParsedFilter,
  type Principal,
} from "@rowhouse/access";
import type { Column, Method, Relation, Snapshot } from "@rowhouse/db";
import { covers, isWritableField } from "./authorize-write.ts";
import { Visibility, type Visible } from "./visible.ts";

/** One action on a relation: whether a principal has it, and in which rows and fields. */
export interface ActionReport {
  readonly action: Action;
  readonly isGranted: boolean;
  /** Whether the resource exposes the action's method; a request needs the exposure and the grant. */
  readonly isExposed: boolean;
  /** The ids of the grants that apply; empty for members of Administrators, who need no grant. */
  readonly grantIds: string[];
  /** Whether the action applies to every row; otherwise only to rows that one of the grants allows. */
  readonly everyRow: boolean;
  /** The fields that the action covers; empty for DELETE, which removes whole rows. */
  readonly fields: FieldReport[];
}

export interface FieldReport {
  readonly name: string;
  readonly grantIds: string[];
  /** Whether the field is available in every row that the action covers. */
  readonly everyRow: boolean;
}

const methodOfAction: Readonly<Record<Action, Method>> = {
  READ: "GET",
  CREATE: "POST",
  UPDATE: "PATCH",
  DELETE: "DELETE",
};

/** Reports a principal's access to a relation, one entry per action; a view has READ only. */
export function reportAccess(
  snapshot: Snapshot,
  principal: Pick<Principal, "roleIds">,
  relation: Relation,
): ActionReport[] {
  const visibility = new Visibility(snapshot, principal);
  const actions: readonly Action[] =
    relation.resource.kind === "VIEW" ? ["READ"] : ["READ", "CREATE", "UPDATE", "DELETE"];
  return actions.map((action) => {
    const access = visibility.accessTo(relation, action);
    const grants = access.kind === "GRANTED" ? access.grants : [];
    const fields =
      action === "READ"
        ? reportReadable(visibility.of(relation))
        : action === "DELETE"
          ? []
          : reportWritable(relation, grants, action);
    return {
      action,
      isGranted: grants.length > 0,
      isExposed: relation.resource.exposedMethods.includes(methodOfAction[action]),
      grantIds: grantIdsOf(grants),
      everyRow: grants.some((grant) => isForEveryRow(grant, action)),
      fields,
    };
  });
}

/** Lists the fields of a relation that a principal may read. */
export function reportReadable(visible: Visible): FieldReport[] {
  return visible.fields.map(({ column, grants, rows }) => ({
    name: column.name,
    grantIds: grantIdsOf(grants),
    everyRow: rows === null,
  }));
}

function reportWritable(
  relation: Relation,
  grants: readonly EffectiveGrant[],
  action: Action,
): FieldReport[] {
  return relation.columns
    .filter((column) => isWritableField(relation, grants, column.name))
    .map(({ name }) => {
      const covering = grants.filter((grant) => covers(grant, name));
      return {
        name,
        grantIds: grantIdsOf(covering),
        everyRow: covering.some((grant) => isForEveryRow(grant, action)),
      };
    });
}

/** Returns the ids of grants. The implicit grant of Administrators has no id and is omitted. */
export function grantIdsOf(grants: readonly EffectiveGrant[]): string[] {
  return grants.flatMap((grant) => grant.id ?? []);
}

/** A check restricts new rows; a row filter restricts existing rows. */
function isForEveryRow(grant: EffectiveGrant, action: Action): boolean {
  return action === "CREATE" ? grant.check === null : grant.filter === null;
}

/** The grants by which a principal may create or change rows of a relation; empty without the right or the exposure. */
export interface WriteGrants {
  readonly create: readonly EffectiveGrant[];
  readonly update: readonly EffectiveGrant[];
}

export function writeGrantsOf(
  relation: Relation,
  snapshot: Snapshot,
  principal: Pick<Principal, "roleIds">,
): WriteGrants {
  const visibility = new Visibility(snapshot, principal);
  const { kind, exposedMethods } = relation.resource;
  const grantsFor = (action: "CREATE" | "UPDATE", method: "POST" | "PATCH") => {
    const access = visibility.accessTo(relation, action);
    const isOpen = kind === "TABLE" && exposedMethods.includes(method);
    return isOpen && access.kind === "GRANTED" ? access.grants : [];
  };
  return { create: grantsFor("CREATE", "POST"), update: grantsFor("UPDATE", "PATCH") };
}

/** The columns that a principal may set in a new row and in an existing one. */
export interface WritableFields {
  readonly create: readonly string[];
  readonly update: readonly string[];
}

/** Lists the columns that a caller may set under these grants. */
export function writableFields(relation: Relation, grants: WriteGrants): WritableFields {
  const fieldsOf = (given: readonly EffectiveGrant[]) =>
    relation.columns
      .map(({ name }) => name)
      .filter((name) => isWritableField(relation, given, name));
  return { create: fieldsOf(grants.create), update: fieldsOf(grants.update) };
}

/** Lists the columns that grants set in place of the caller, who may not set them. */
export function presetFields(relation: Relation, grants: WriteGrants): WritableFields {
  const fieldsOf = (given: readonly EffectiveGrant[]) => {
    const preset = new Set(given.flatMap((grant) => [...grant.presets.keys()]));
    return relation.columns
      .map(({ name }) => name)
      .filter((name) => preset.has(name) && !given.some((grant) => covers(grant, name)));
  };
  return { create: fieldsOf(grants.create), update: fieldsOf(grants.update) };
}

/** What a condition may be for a row of which only one value is known: SQL's three truth values, one or more of them. */
interface Truth {
  readonly isTrue: boolean;
  readonly isFalse: boolean;
  readonly isUnknown: boolean;
}

const open: Truth = { isTrue: true, isFalse: true, isUnknown: true };
const surelyTrue: Truth = { isTrue: true, isFalse: false, isUnknown: false };
const surelyFalse: Truth = { isTrue: false, isFalse: true, isUnknown: false };
const surelyUnknown: Truth = { isTrue: false, isFalse: false, isUnknown: true };

/**
 * Whether a change of one column to a value surely fails under these grants: none of them permits it to be set, or each
 * one's check is not true whatever the other columns are. False says nothing.
 *
 * @param value as text; null for null
 */
export function refusesValue(
  relation: Relation,
  grants: readonly EffectiveGrant[],
  column: Column,
  value: string | null,
): boolean {
  if (!isWritableField(relation, grants, column.name)) return true;
  if (value === null && !column.nullable) return true;
  return grants
    .filter((grant) => covers(grant, column.name))
    .every(({ check }) => check !== null && !judge(check, column, value).isTrue);
}

function judge(check: ParsedFilter, column: Column, value: string | null): Truth {
  const known = value === null ? null : (comparedText(column.type, value) ?? value);
  return judgeFilter(check.filter, check, column, known);
}

function judgeFilter(
  filter: Filter,
  check: ParsedFilter,
  column: Column,
  value: string | null,
): Truth {
  switch (filter.kind) {
    case "AND":
    case "OR": {
      const parts = filter.filters.map((inner) => judgeFilter(inner, check, column, value));
      return filter.kind === "AND" ? allOf(parts) : not(allOf(parts.map(not)));
    }
    case "NOT":
      return not(judgeFilter(filter.filter, check, column, value));
    case "QUANTIFIED":
    case "COUNTED":
      return open;
    case "CONDITION":
      return filter.field === column.name && filter.inside === undefined
        ? judgeCondition(filter, check, column, value)
        : open;
    default:
      return filter satisfies never;
  }
}

function judgeCondition(
  { operator, operands }: Extract<Filter, { readonly kind: "CONDITION" }>,
  { slots }: ParsedFilter,
  column: Column,
  value: string | null,
): Truth {
  if (operator === "_null") return value === null ? surelyTrue : surelyFalse;
  if (operator === "_nnull") return value === null ? surelyFalse : surelyTrue;
  if (value === null) return surelyUnknown;
  const isPositive = operator === "_eq" || operator === "_in";
  if (!isPositive && operator !== "_neq" && operator !== "_nin") return open;
  const listed: string[] = [];
  for (const operand of operands) {
    const slot = "slot" in operand ? slots[operand.slot] : undefined;
    if (slot === undefined) return open;
    listed.push(...(typeof slot.value === "string" ? [slot.value] : slot.value));
  }
  const compared = listed.map((text) => isSame(column, text, value));
  const isListed: Truth = compared.includes(true)
    ? surelyTrue
    : compared.includes(undefined)
      ? { isTrue: true, isFalse: true, isUnknown: false }
      : surelyFalse;
  return isPositive ? isListed : not(isListed);
}

const wholeTypes: ReadonlySet<string> = new Set(["smallint", "integer", "bigint"]);

/** Whether two texts are one value of the column's type; undefined if only PostgreSQL can tell. */
function isSame({ type }: Column, one: string, other: string): boolean | undefined {
  if (one === other) return true;
  if (type.array) return undefined;
  if (type.labels !== null) return false;
  if (type.base === "boolean") return isTrue(one) === isTrue(other);
  if (type.base === "uuid") return plainUuid(one) === plainUuid(other);
  if (wholeTypes.has(type.base))
    return isWhole(one) && isWhole(other) ? BigInt(one) === BigInt(other) : undefined;
  return undefined;
}

function isTrue(text: string): boolean {
  return text === "true" || text === "t" || text === "1";
}

function plainUuid(text: string): string {
  return text.toLowerCase().replaceAll("-", "");
}

function isWhole(text: string): boolean {
  return /^-?[0-9]{1,40}$/.test(text);
}

/** The conjunction of SQL: false if one part is false, else unknown if one is unknown. */
function allOf(parts: readonly Truth[]): Truth {
  return {
    isTrue: parts.every((part) => part.isTrue),
    isFalse: parts.some((part) => part.isFalse),
    isUnknown:
      parts.some((part) => part.isUnknown) && parts.every((part) => part.isTrue || part.isUnknown),
  };
}

function not({ isTrue, isFalse, isUnknown }: Truth): Truth {
  return { isTrue: isFalse, isFalse: isTrue, isUnknown };
}
