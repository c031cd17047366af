import {
  comparedText,
  type EffectiveGrant,
  type Filter,
  type ParsedFilter,
} from "@rowhouse/access";
import type { Column, Relation } from "@rowhouse/db";
import { covers, isWritable } from "./authorize-write.ts";

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
  if (!isWritable(relation, grants, column.name)) return true;
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
