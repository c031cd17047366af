import type { BesideMention, Catalogue, Relation } from "@rowhouse/db";
import { AppError } from "@rowhouse/errors";
import {
  conditionsOf,
  type Operand,
  type ParsedFilter,
  type Variable,
} from "../filter/language/filter.ts";
import { parseFilter } from "../filter/language/parse-filter.ts";
import { escapeVariable, parseValue } from "../filter/language/scalar.ts";
import { plainPath } from "../filter/language/written-name.ts";
import { mapElements } from "../filter/sql/column-value.ts";
import { resolveGrantPath } from "./grant-path.ts";
import {
  changeOfMeaning,
  currentLabels,
  type MeaningChange,
  type MeaningUse,
  useOf,
} from "./meaning.ts";

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
      // It was bounded when it was stored, by the limits of that time.
      limits: { nodesMax: Infinity, depthMax: Infinity, listMax: Infinity },
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
 * Compares the columns of a stored filter that names them as they are named now with those that it was stored for.
 *
 * @param meaningOf returns the meaning of a path when the filter was stored; null if it was not recorded
 */
export function readNamedFilter(
  stored: unknown,
  relation: Relation,
  catalogue: Catalogue,
  meaningOf: (path: string) => string | null,
): { readonly changed: readonly ChangedMention[]; readonly filter: unknown } {
  const parsed = stored == null ? undefined : parseStoredFilter(stored);
  if (parsed === undefined) return { changed: [], filter: stored };
  const columnOf = (mention: string): MentionedColumn | undefined => {
    const column = resolveGrantPath(catalogue, relation, mention)?.column;
    return column && { stored: meaningOf(mention), present: column.meaning, beside: null };
  };
  return readFilterMeaning(stored, parsed, columnOf, undefined);
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
      if (operand.kind === "VARIABLE") {
        const reason = changeOfVariable(operand.variable, column.beside, users, use);
        if (reason !== undefined) changed.set(nameOfVariable(operand.variable), reason);
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

function nameOfVariable(variable: Variable): string {
  return variable.kind === "USER" ? `$USER.${variable.column}` : variable.kind;
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
  return mapElements(text, (own, element) => {
    const now = labels.get(own);
    if (now === null) return undefined;
    return now === undefined ? element : `"${now.replace(/["\\]/g, "\\$&")}"`;
  });
}

/** Compares the column of users that a variable names; without the column the variable is empty, and no comparison true. */
export function changeOfVariable(
  variable: Variable,
  beside: BesideMention | null,
  users: Relation | undefined,
  use: MeaningUse,
): MeaningChange | undefined {
  if (variable.kind !== "USER") return undefined;
  const present = users?.columnByName(variable.column)?.meaning;
  return present === undefined
    ? undefined
    : changeOfMeaning(beside?.users?.[variable.column], present, use);
}
