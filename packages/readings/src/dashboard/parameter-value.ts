import { escapeVariable, isPossibleValue } from "@rowhouse/access";
import type { Column } from "@rowhouse/db";
import { exactNumberText, isExactNumber, isStorableText, writeExactJson } from "@rowhouse/wire";
import {
  dayForm,
  type FixedPeriod,
  isDay,
  namedPeriods,
  type Period,
} from "../schemas/parameter-schemas.ts";

const textMax = 1000;

const momentForm =
  /^[0-9]{4}-[0-9]{2}-[0-9]{2}(?:[T ][0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,6})?)?(?:Z|[+-][0-9]{2}(?::?[0-9]{2})?)?)?$/;

/** Reads a period; undefined for anything else. */
export function readPeriod(value: unknown): Period | undefined {
  const named = namedPeriods.find((name) => name === value);
  if (named !== undefined) return named;
  if (!isFixed(value) || Object.keys(value).length !== 2) return undefined;
  const { from, until } = value;
  return isDay(from) && isDay(until) && from < until ? { from, until } : undefined;
}

function isFixed(value: unknown): value is Partial<Record<keyof FixedPeriod, unknown>> {
  return (
    typeof value === "object" && value !== null && !Array.isArray(value) && !isExactNumber(value)
  );
}

/** A value as JSON with every digit. */
export type Scalar = string | number | boolean | object;

/**
 * Whether a JSON value can be a value of a column, as far as this can be decided without PostgreSQL. Null, objects and lists
 * cannot.
 */
export function isScalarOf({ type }: Pick<Column, "type">, value: unknown): value is Scalar {
  const text = textOf(value);
  if (text === undefined || text.length > textMax || !isStorableText(text)) return false;
  if (!isPossibleValue(type, text)) return false;
  if (type.base === "date") return isCalendarDay(text) && dayForm.test(text);
  return type.base.startsWith("timestamp ") ? momentForm.test(text) && isCalendarDay(text) : true;
}

function isCalendarDay(text: string): boolean {
  const day = text.slice(0, 10);
  const date = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(date.valueOf()) && date.toISOString().startsWith(day);
}

function textOf(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  if (typeof value === "boolean" || (typeof value === "number" && Number.isFinite(value))) {
    return String(value);
  }
  return exactNumberText(value);
}

/** Writes a value as an operand of a filter: a text that has the form of a variable is a text here. */
export function operandOf(value: Scalar): unknown {
  if (typeof value === "string") return escapeVariable(value);
  return isExactNumber(value) ? writeExactJson(value) : value;
}
