import type { AdminOperations } from "@rowhouse/client";
import { type ValueColumn, type ValueKind, valueKindOf } from "../../records/values/value-kind.ts";
import type { ResourceColumn } from "../model/queries.ts";

/** What can be set of a column's presentation. */
export type Presentation = {
  [K in keyof Change]-?: Exclude<Change[K], undefined>;
};

type Change = AdminOperations["PATCH /resources/{id}/columns/{column}"]["data"];

/** A format without its options being told apart. */
export type Format = NonNullable<Presentation["format"]>;

/** A rule that colors values. */
export type ColorRule = NonNullable<Presentation["colors"]>[number];

const numbers = ["number", "currency", "percent", "bytes", "duration", "rating"] as const;
const texts = ["email", "url", "phone", "image", "markdown", "code"] as const;

const byKind: Partial<Record<ValueKind, readonly Format["type"][]>> = {
  ...{ INTEGER: numbers, DECIMAL: numbers, FLOAT: numbers },
  ...{ TEXT: texts, DATE: ["date"], TIMESTAMP: ["datetime", "date", "time"] },
  ...{ INSTANT: ["datetime", "date", "time"], TIME: ["time"], INTERVAL: ["duration"] },
  ...{ BOOLEAN: ["boolean"], JSON: ["json", "code"] },
};

const files = ["text", "file", "image"] as const;

/** The formats that a column can have. */
export function formatsOf(column: ValueColumn, isFile: boolean): readonly Format["type"][] {
  if (isFile) return files;
  const element = { ...column, array: false };
  return ["text", ...(byKind[valueKindOf(element)] ?? [])];
}

/** An option of a format. */
export interface FormatOption {
  readonly name: string;
  readonly kind: "count" | "text" | "flag" | "choice";
  readonly values?: readonly (string | number)[];
}

const decimals = { name: "decimals", kind: "count" } as const;
const style = { name: "style", kind: "choice", values: ["short", "medium", "long"] } as const;
const seconds = { name: "seconds", kind: "flag" } as const;

const options: Readonly<Partial<Record<Format["type"], readonly FormatOption[]>>> = {
  number: [decimals, { name: "grouping", kind: "flag" }],
  currency: [{ name: "currency", kind: "text" }, decimals],
  percent: [{ name: "whole", kind: "choice", values: [1, 100] }, decimals],
  duration: [
    {
      ...{ name: "unit", kind: "choice" },
      values: ["milliseconds", "seconds", "minutes", "hours", "days"],
    },
  ],
  rating: [{ name: "max", kind: "count" }],
  date: [style],
  datetime: [style, seconds],
  time: [seconds],
  boolean: [
    { name: "true", kind: "text" },
    { name: "false", kind: "text" },
  ],
  code: [{ name: "language", kind: "text" }],
};

/** The options of a format; those of a duration are for numbers only. */
export function optionsOf(type: Format["type"], column: ValueColumn): readonly FormatOption[] {
  const isInterval = valueKindOf({ ...column, array: false }) === "INTERVAL";
  return type === "duration" && isInterval ? [] : (options[type] ?? []);
}

/** The format of a type, with what it requires. */
export function createFormat(type: Format["type"]): Format {
  return type === "currency" ? { type, currency: "EUR" } : ({ type } as Format);
}

/** A column as values of it are shown with a presentation. */
export function shownColumn(
  { dataType, values, nullable, isFile }: ResourceColumn,
  { format: chosen, colors }: Pick<Presentation, "format" | "colors">,
): ValueColumn {
  const format = chosen ?? (isFile ? ({ type: "file" } as const) : null);
  const baseType = dataType.replace(/(?:\[\])+$/, "").replace(/\(.*?\)/, "");
  const array = dataType.endsWith("[]");
  return { dataType, baseType, array, values, nullable, format, colors };
}
