/** A unit in which a setting is shown and typed; the service has the base, such as milliseconds. */
export interface Unit {
  readonly name: UnitName;
  /** How many of the base one unit has. */
  readonly factor: number;
}

export type UnitName = "s" | "min" | "h" | "days" | "B" | "KB" | "MB" | "GB" | "TB";

const bytes: readonly Unit[] = (["TB", "GB", "MB", "KB", "B"] as const).map((name, index) => ({
  name,
  factor: 1024 ** (4 - index),
}));
const milliseconds: readonly Unit[] = [{ name: "s", factor: 1000 }];

/** By the end of a key, its units from the largest on. */
const families: readonly (readonly [RegExp, readonly Unit[]])[] = [
  [/_ms$/, milliseconds],
  [/_bytes(?:_|$)/, bytes],
  [/_seconds$/, [{ name: "s", factor: 1 }]],
  [/_minutes$/, [{ name: "min", factor: 1 }]],
  [/_hours$/, [{ name: "h", factor: 1 }]],
  [/_days$/, [{ name: "days", factor: 1 }]],
];

function unitsOf(key: string): readonly Unit[] {
  return families.find(([pattern]) => pattern.test(key))?.[1] ?? [];
}

/** The unit of a value of a setting: the largest that shows it with few digits. Undefined without one. */
export function unitOf(key: string, value: unknown): Unit | undefined {
  const units = unitsOf(key);
  const known = typeof value === "number" && value !== 0 ? value : undefined;
  if (known === undefined) return units.find(({ name }) => name === "MB") ?? units.at(-1);
  return units.find(({ factor }) => known >= factor && (known * 8) % factor === 0) ?? units.at(-1);
}

/** A number in a unit, as a text to edit. */
export function inUnit(value: number, unit: Unit | undefined): string {
  return String(value / (unit?.factor ?? 1));
}

/**
 * Reads a number with or without a unit: `30`, `1.5 GB`. Returns undefined for anything else.
 *
 * @param unit the unit of a number alone
 */
export function readInUnit(key: string, text: string, unit: Unit | undefined): number | undefined {
  const match = /^(-?[0-9]{1,15}(?:[.,][0-9]{1,9})?)\s?([a-z]{0,4})$/i.exec(text.trim());
  if (match === null) return undefined;
  const [, digits = "", name = ""] = match;
  const given = unitsOf(key).find((one) => one.name.toLowerCase() === name.toLowerCase());
  if (name !== "" && given === undefined) return undefined;
  const factor = (given ?? unit)?.factor ?? 1;
  const value = Number(digits.replace(",", ".")) * factor;
  return factor === 1 ? value : Math.round(value);
}
