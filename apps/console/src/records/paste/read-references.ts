import { writeName } from "@rowhouse/access/written-name";
import { client } from "../../shell/client.ts";
import type { NavigationResource } from "../../shell/navigation.ts";
import type { GridColumn } from "../grid/grid-column.ts";
import { fieldsWithTitle, recordTitle, titleTextPaths } from "../model/record-title.ts";
import { targetOf } from "../model/reference.ts";
import { addressOf, type Row } from "../model/resource.ts";
import { valueKindOf } from "../values/value-kind.ts";
import type { Ways } from "../values/ways.ts";
import { type Candidate, matching, partsOf } from "./paste.ts";

/** The rows that a text can mean, the best ones only: those with this title or key, otherwise those with a similar title. */
export type FoundRows = ReadonlyMap<string, readonly Candidate[]>;

/** Texts that one request looks up. */
const chunk = 30;
/** Texts that are looked up again without regard to case. */
const similarMax = 60;
const similarChunk = 10;
/** Rows of one request. */
const rowsMax = 1_000;
interface Lookup {
  readonly target: NavigationResource;
  /** The column that the reference refers to. */
  readonly key: string;
  readonly ways: Ways;
  readonly signal: AbortSignal;
}

/** Whether texts of a column are looked up: it refers to rows with a title, by itself. */
export function isLookedUp(item: GridColumn, resources: readonly NavigationResource[]): boolean {
  return lookupOf(item, resources) !== undefined;
}

function lookupOf({ reference }: GridColumn, resources: readonly NavigationResource[]) {
  const target = targetOf(resources, reference);
  const [pair, ...others] = reference?.columns ?? [];
  if (target === undefined || pair === undefined || others.length > 0) return undefined;
  return target.title.length === 0 ? undefined : { target, key: pair.to };
}

/** Finds the rows that texts of a column refer to, by their titles and keys, with a request for every thirty texts. */
export async function findReferences(
  item: GridColumn,
  texts: readonly string[],
  parts: {
    readonly resources: readonly NavigationResource[];
    readonly ways: Ways;
    readonly signal: AbortSignal;
  },
): Promise<FoundRows> {
  const place = lookupOf(item, parts.resources);
  if (place === undefined) return new Map();
  const lookup: Lookup = { ...place, ways: parts.ways, signal: parts.signal };
  const found = new Map<string, readonly Candidate[]>();
  const take = (rows: readonly Candidate[], some: readonly string[]) => {
    for (const text of some) {
      const matches = matching(text, rows);
      if (matches.length > 0) found.set(text, matches);
    }
  };
  for (let at = 0; at < texts.length; at += chunk) {
    await findExact(texts.slice(at, at + chunk), lookup, take);
  }
  const left = texts.filter((text) => !found.has(text)).slice(0, similarMax);
  for (let at = 0; at < left.length; at += similarChunk) {
    const some = left.slice(at, at + similarChunk);
    take(await candidates(similarFilter(some, lookup), lookup), some);
  }
  return found;
}

/** Looks texts up in one request; in two halves if more rows could be theirs than one request gives. */
async function findExact(
  texts: readonly string[],
  lookup: Lookup,
  take: (rows: readonly Candidate[], texts: readonly string[]) => void,
): Promise<void> {
  const rows = await candidates(exactFilter(texts, lookup), lookup);
  if (rows.length < rowsMax || texts.length === 1) return take(rows, texts);
  const middle = texts.length >> 1;
  await findExact(texts.slice(0, middle), lookup, take);
  await findExact(texts.slice(middle), lookup, take);
}

async function candidates(
  where: Row | null,
  { target, key, ways, signal }: Lookup,
): Promise<readonly Candidate[]> {
  if (where === null) return [];
  const options = { fields: fieldsWithTitle(target, [key]), where, limit: rowsMax, signal };
  const { rows } = await client.from(addressOf(target)).list(options);
  return (rows as readonly Row[]).map((row) => ({
    key: String(row[key]),
    title: recordTitle(target, row, ways) ?? String(row[key]),
  }));
}

/** The rows whose key is one of the texts, and those whose title can be one because each value of it occurs in them. */
function exactFilter(texts: readonly string[], lookup: Lookup): Row | null {
  const { target, key } = lookup;
  const trimmed = texts.map((text) => text.trim());
  const keys = trimmed.filter((text) => canBeKey(text, lookup));
  const byKey = keys.length === 0 ? [] : [{ [writeName(key)]: { _in: keys } }];
  const paths = titleTextPaths(target);
  const parts = [...new Set(trimmed.flatMap(partsOf))];
  const each = paths.map((path) => ({
    _or: [condition(path, { _in: parts }), condition(path, { _null: true })],
  }));
  const byTitle = paths.length === 0 ? [] : [each.length === 1 ? (each[0] ?? {}) : { _and: each }];
  const all = [...byKey, ...byTitle];
  return all.length === 0 ? null : { _or: all };
}

/** The rows in whose titles all words of a text occur, whatever their case. */
function similarFilter(texts: readonly string[], { target }: Lookup): Row | null {
  const paths = titleTextPaths(target).slice(0, 4);
  const wanted = texts.flatMap((text) => {
    const words = text.trim().split(/\s+/).slice(0, 3);
    if (words[0] === "" || paths.length === 0) return [];
    const each = words.map((word) => ({
      _or: paths.map((path) => condition(path, { _icontains: word })),
    }));
    return [{ _and: each }];
  });
  return wanted.length === 0 ? null : { _or: wanted };
}

function condition(path: readonly string[], wanted: Row): Row {
  return path.reduceRight((inner, name) => ({ [writeName(name)]: inner }), wanted);
}

const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

function canBeKey(text: string, { target, key }: Lookup): boolean {
  const column = target.columns.find(({ name }) => name === key);
  if (column === undefined || text === "") return false;
  const kind = valueKindOf(column);
  if (kind === "INTEGER") return /^\d{1,18}$/.test(text) && isInRange(column.baseType, text);
  return kind === "UUID" ? uuid.test(text) : kind === "TEXT";
}

function isInRange(type: string, text: string): boolean {
  const max = type === "smallint" ? 32_767 : type === "integer" ? 2_147_483_647 : 1e18;
  return Number(text) <= max;
}
