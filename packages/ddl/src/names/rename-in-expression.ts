import { AppError } from "@rowhouse/errors";
import { isObject } from "@rowhouse/wire";
import {
  expressionStart,
  loadGrammar,
  parseOneExpression,
  quoteAsPostgres,
} from "../base/sql-grammar.ts";

interface QualifiedName {
  readonly schema: string;
  readonly name: string;
}

/** A type that gets another name or schema. */
export interface RenamedType {
  readonly from: QualifiedName;
  readonly to: QualifiedName;
}

export interface NewNames {
  /** New names by the former ones. */
  readonly columns: ReadonlyMap<string, string>;
  readonly types: readonly RenamedType[];
}

/**
 * Returns an expression of a table as PostgreSQL writes it once columns and types have other names. A text that is no
 * expression stays as it is.
 */
export async function renameInExpression(text: string, names: NewNames): Promise<string> {
  if (names.columns.size + names.types.length === 0) return text;
  const node = await parseOneExpression(text, "").catch((error: unknown) => {
    if (error instanceof AppError) return undefined;
    throw error;
  });
  const bytes = Buffer.from(text);
  const parts: Buffer[] = [];
  let end = 0;
  for (const { at, words, name } of placesIn(node, names).toSorted((a, b) => a.at - b.at)) {
    const length = identifierAt(bytes.subarray(at).toString(), words);
    parts.push(bytes.subarray(end, at), Buffer.from(name));
    end = at + length;
  }
  return Buffer.concat([...parts, bytes.subarray(end)]).toString();
}

/** Returns a type as PostgreSQL writes it once types have other names: `public.mood[]`. */
export async function renameInType(text: string, types: readonly RenamedType[]): Promise<string> {
  if (types.length === 0) return text;
  await loadGrammar();
  for (const { from, to } of types) {
    const former = written(from);
    if (text === former || text.startsWith(`${former}[`)) {
      return `${written(to)}${text.slice(former.length)}`;
    }
  }
  return text;
}

function written({ schema, name }: QualifiedName): string {
  return `${quoteAsPostgres(schema)}.${quoteAsPostgres(name)}`;
}

interface Place {
  /** In bytes of the text. */
  readonly at: number;
  /** How many identifiers with dots between them have another name. */
  readonly words: number;
  readonly name: string;
}

function placesIn(node: unknown, names: NewNames): Place[] {
  if (Array.isArray(node)) return node.flatMap((item) => placesIn(item, names));
  if (!isObject(node)) return [];
  const { ColumnRef: column, names: type } = node;
  const found = Object.values(node).flatMap((part) => placesIn(part, names));
  if (isObject(column)) {
    const [name = "", ...rest] = wordsOf(column.fields);
    const next = rest.length === 0 ? names.columns.get(name) : undefined;
    if (next !== undefined) found.push(placeOf(column, 1, quoteAsPostgres(next)));
  }
  const [schema, name] = wordsOf(type);
  const next = names.types.find(({ from }) => from.schema === schema && from.name === name);
  if (next !== undefined) found.push(placeOf(node, 2, written(next.to)));
  return found;
}

function placeOf({ location }: Readonly<Record<string, unknown>>, words: number, name: string) {
  return { at: Number(location) - expressionStart.length, words, name };
}

function wordsOf(fields: unknown): string[] {
  if (!Array.isArray(fields)) return [];
  return fields.map((field: unknown) => {
    const text = isObject(field) ? field.String : undefined;
    return isObject(text) ? String(text.sval) : "";
  });
}

/** Returns the bytes of identifiers at the beginning of a text. */
function identifierAt(text: string, words: number): number {
  const word = String.raw`(?:"(?:[^"]|"")*"|[\p{L}\p{N}_$]+)`;
  const found = new RegExp(`^${[...Array(words)].map(() => word).join(String.raw`\.`)}`, "u").exec(
    text,
  );
  return Buffer.byteLength(found?.[0] ?? "");
}
