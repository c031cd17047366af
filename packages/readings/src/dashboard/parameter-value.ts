import { escapeVariable, isPossibleValue } from "@rowhouse/access";
import type { Column } from "@rowhouse/db";
import { exactNumberText, isExactNumber, isStorableText, writeExactJson } from "@rowhouse/wire";
import {
  type FixedPeriod,
  isDay,
  namedPeriods,
  type Period,
} from "../schemas/parameter-schemas.ts";

const textMax = 1000;

/** Days and moments as PostgreSQL writes them, those before Christ and after the year 9999 too. */
const dateForm = /^[0-9]{4,7}-[0-9]{2}-[0-9]{2}(?: BC)?$/;
const momentForm =
  /^[0-9]{4,7}-[0-9]{2}-[0-9]{2}(?:[T ][0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,6})?)?(?:Z|[+-][0-9]{2}(?::?[0-9]{2}){0,2})?)?(?: BC)?$/;

/** Whether a date or a timestamp is before or after all others. */
export function isInfinite(value: unknown): boolean {
  return value === "infinity" || value === "-infinity";
}

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
  const form =
    type.base === "date" ? dateForm : type.base.startsWith("timestamp ") ? momentForm : undefined;
  if (form === undefined || isInfinite(text)) return true;
  return form.test(text) && isCalendarDay(text);
}

/** The calendar repeats after 400 years. */
function isCalendarDay(text: string): boolean {
  const [, digits = "", rest = ""] = /^([0-9]+)(-[0-9]{2}-[0-9]{2})/.exec(text) ?? [];
  const year = text.endsWith("BC") ? 1 - Number(digits) : Number(digits);
  const day = `${2000 + (((year % 400) + 400) % 400)}${rest}`;
  const date = new Date(`${day}T00:00:00Z`);
  return Number(digits) > 0 && !Number.isNaN(date.valueOf()) && date.toISOString().startsWith(day);
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
