import { numberText } from "../../records/values/show-number.ts";
import type { ValueColumn } from "../../records/values/value-kind.ts";
import type { PanelWays } from "../model/panel-ways.ts";

const whole: ReadonlySet<string> = new Set(["percent", "bytes", "duration"]);
const formatters = new Map<string, Intl.NumberFormat>();

/** Writes a number beside an axis, as short as its format allows. */
export function tickText(column: ValueColumn, size: number, ways: PanelWays): string {
  const { format } = column;
  if (format !== null && whole.has(format.type)) {
    return numberText(String(Number(size.toPrecision(6))), format, ways.values);
  }
  const currency = format?.type === "currency" ? format.currency : "";
  const key = `${ways.locale} ${currency}`;
  const options: Intl.NumberFormatOptions = {
    ...{ notation: "compact", maximumFractionDigits: 1 },
    ...(currency === "" ? {} : { style: "currency", currency }),
  };
  const formatter = formatters.get(key) ?? new Intl.NumberFormat(ways.locale, options);
  formatters.set(key, formatter);
  return formatter.format(size);
}
