import type { BesideMention, Relation } from "@rowhouse/db";
import { AppError } from "@rowhouse/errors";
import { conditionsOf, type Operand, type ParsedFilter } from "../filter/filter.ts";
import { defaultFilterLimits, parseFilter } from "../filter/parse-filter.ts";
import { escapeVariable, parseValue } from "../filter/scalar.ts";
import { plainPath } from "../filter/written-name.ts";
import { changeOfMeaning, currentLabels, type MeaningChange, useOf } from "./meaning.ts";

/** A column of a stored filter. */
export interface MentionedColumn {
  /** Its meaning when the filter was stored; null if it was not recorded. */
  readonly stored: string | null;
  readonly present: string;
  readonly beside: BesideMention | null;
}

/** A mention whose meaning has changed. */
export interface ChangedMention {
  /** A path as `plainPath` returns it, or `$USER.<column>`. */
  readonly mention: string;
  readonly reason: MeaningChange;
}

/**
 * Parses a filter in the form in which it is stored. The path of a literal is that of its place in the filter, as JSON.
 *
 * @returns undefined if this build does not understand it: during a rolling upgrade, a newer build may have written it
 */
export function parseStoredFilter(stored: unknown): ParsedFilter | undefined {
  try {
    return parseFilter(stored, {
      limits: defaultFilterLimits,
      pathOf: (segments) => JSON.stringify(segments),
      code: "BODY_INVALID",
      commaLists: false,
    });
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}

/**
 * Compares the columns of a stored filter with the present ones.
 *
 * @param columnOf returns the column of a mention; undefined if there is none, which is not a change of its meaning
 * @param users the table of users, whose columns variables name
 * @returns the mentions that mean something else, and the filter with the present names of renamed labels
 */
export function readFilterMeaning(
  stored: unknown,
  parsed: ParsedFilter,
  columnOf: (mention: string) => MentionedColumn | undefined,
  users: Relation | undefined,
): { readonly changed: readonly ChangedMention[]; readonly filter: unknown } {
  const changed = new Map<string, MeaningChange>();
  let filter = stored;
  for (const { field, operands, ...condition } of conditionsOf(parsed.filter)) {
    const use = useOf(condition);
    const mentions = [field, ...operands.flatMap(fieldOf)].map(plainPath);
    for (const mention of mentions) {
      const column = columnOf(mention);
      const reason = column && changeOfMeaning(column.stored, column.present, use);
      if (reason !== undefined) changed.set(mention, reason);
    }
    const mention = plainPath(field);
    const column = columnOf(mention);
    if (column === undefined) continue;
    for (const operand of operands) {
      if (operand.kind === "VARIABLE" && operand.variable.kind === "USER") {
        const name = operand.variable.column;
        const present = users?.columnByName(name)?.meaning;
        const was = column.beside?.users?.[name];
        // Without the column the variable is empty, and its comparison never true.
        const reason = present && changeOfMeaning(was, present, use);
        if (reason) changed.set(`$USER.${name}`, reason);
      }
      const labels = currentLabels(column.stored, column.present);
      const isLiteral = operand.kind === "SLOT" || operand.kind === "LIST";
      if (!isLiteral || use === "EXACT" || labels.size === 0) continue;
      const path = JSON.parse(parsed.slots[operand.slot]?.path ?? "[]") as string[];
      filter = replaceAt(filter, path, (literal) => {
        const renamed = renameLabels(literal, labels);
        if (renamed === undefined) changed.set(mention, "LABEL");
        return renamed ?? literal;
      });
    }
  }
  return { changed: Array.from(changed, ([mention, reason]) => ({ mention, reason })), filter };
}

function fieldOf(operand: Operand): string[] {
  return operand.kind === "FIELD" ? [operand.field] : [];
}

/** Replaces the part of a JSON value at a path. */
function replaceAt(
  json: unknown,
  [key, ...rest]: readonly string[],
  replace: (part: unknown) => unknown,
): unknown {
  if (key === undefined) return replace(json);
  if (Array.isArray(json)) {
    return json.map((item, index) =>
      String(index) === key ? replaceAt(item, rest, replace) : item,
    );
  }
  if (typeof json !== "object" || json === null) return json;
  return Object.fromEntries(
    Object.entries(json).map(([name, value]: [string, unknown]) => [
      name,
      name === key ? replaceAt(value, rest, replace) : value,
    ]),
  );
}

/** An element in the text of an array, quoted or unquoted. */
const arrayElement = /"(?:[^"\\]|\\.)*"|(?:[^{}",\s\\]|\\.)+/gs;

/**
 * Replaces labels in a literal: a label, a list of them, or the text of an array.
 *
 * @returns undefined if it contains a label that no longer exists
 */
export function renameLabels(
  literal: unknown,
  labels: ReadonlyMap<string, string | null>,
): unknown {
  if (Array.isArray(literal)) {
    const items = literal.map((item) => renameLabels(item, labels));
    return items.includes(undefined) ? undefined : items;
  }
  if (typeof literal !== "string") return literal;
  const text = parseValue(literal);
  if (typeof text !== "string") return literal;
  const renamed = labels.get(text);
  if (renamed !== undefined) return renamed === null ? undefined : escapeVariable(renamed);
  if (!text.startsWith("{") && !text.startsWith("[")) return literal;
  let isLost = false;
  const elements = text.slice(text.indexOf("{")).replace(arrayElement, (element) => {
    const own = element.startsWith('"') ? element.slice(1, -1) : element;
    const now = labels.get(own.replace(/\\(.)/gs, "$1"));
    if (now === undefined) return element;
    isLost ||= now === null;
    return `"${(now ?? "").replace(/["\\]/g, "\\$&")}"`;
  });
  return isLost ? undefined : `${text.slice(0, text.indexOf("{"))}${elements}`;
}
