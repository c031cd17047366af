import { writeName } from "@rowhouse/access";
import { distinctFields } from "@rowhouse/access/distinct-fields";
import { limitStatements, withinSight } from "@rowhouse/data";
import { poolOf, type Relation } from "@rowhouse/db";
import { AppError } from "@rowhouse/errors";
import { readRows, textOfValue } from "./read-rows.ts";
import type { Reader } from "./reader.ts";
import { rowTitles } from "./reference-titles.ts";

/** A row in whose title a text was found. */
interface FoundRow {
  readonly relation: Relation;
  readonly key: readonly string[];
  readonly title: string;
}

/** What a search has found, and the relations that it could not search in time. */
interface FoundRows {
  readonly rows: readonly FoundRow[];
  readonly searched: readonly Relation[];
  readonly unanswered: readonly Relation[];
}

/** Relations that one search reads. */
const searchedMax = 5;
/** Rows of each relation. */
const foundMax = 5;
/** Words of a text; each of them must occur in the title. */
const wordsMax = 6;
/** Milliseconds of the whole search, and the most of one relation. */
const searchMs = 500;
const relationMs = 200;

/**
 * Finds rows by the words of their titles, as the reader may read them: in the first relations whose rows have a key and a
 * title with a text. A relation that takes too long is named in place of its rows.
 */
export async function searchRows(
  text: string,
  relations: readonly Relation[],
  reader: Reader,
): Promise<FoundRows> {
  const words = text
    .split(/\s+/)
    .filter((word) => word !== "")
    .slice(0, wordsMax);
  const rows: FoundRow[] = [];
  const searched: Relation[] = [];
  const unanswered: Relation[] = [];
  const end = performance.now() + searchMs;
  for (const relation of relations) {
    if (searched.length + unanswered.length === searchedMax) break;
    const reading = titledReading(relation, words, reader);
    if (reading === undefined) continue;
    const leftMs = Math.min(relationMs, Math.floor(end - performance.now()));
    const found = leftMs < 1 ? undefined : await withinMs(relation, reading, leftMs, reader);
    if (found === undefined) unanswered.push(relation);
    else {
      searched.push(relation);
      rows.push(...found);
    }
  }
  return { rows, searched, unanswered };
}

type Reading = NonNullable<ReturnType<typeof titledReading>>;

/** Returns how rows are found by their titles; undefined if the reader cannot read their keys, or titles have no text. */
function titledReading(relation: Relation, words: readonly string[], reader: Reader) {
  const { primaryKey } = relation;
  const titles = rowTitles(relation, reader);
  const filters = words.map((word) => titles.holding(word));
  if (primaryKey.length === 0 || filters.includes(undefined)) return undefined;
  const { snapshot, principal } = reader;
  const all = { kind: "LIST", fields: null, where: null, orderBy: [], limit: foundMax } as const;
  const seen = withinSight(all, relation, snapshot, principal);
  const names = new Set(seen?.fields.map(({ column }) => column.name));
  if (!primaryKey.every((name) => names.has(name))) return undefined;
  const paths = [...primaryKey.map((name) => [name]), ...titles.paths];
  const fields = [...new Set(distinctFields(paths).map(({ term }) => term))];
  const orderBy = primaryKey.map(writeName);
  return { titles, list: { ...all, fields, orderBy }, filter: { _and: filters } };
}

/** Reads the found rows of a relation; undefined if it took too long. */
async function withinMs(
  relation: Relation,
  { titles, list, filter }: Reading,
  leftMs: number,
  reader: Reader,
): Promise<readonly FoundRow[] | undefined> {
  const page = { narrowedBy: [{ filter, path: "q" }] };
  try {
    const rows = await poolOf(reader.database, relation.schema).transaction(async (transaction) => {
      await limitStatements(transaction, leftMs);
      return readRows(relation, list, page, reader, transaction);
    });
    return rows.flatMap((row) => {
      const title = titles.titleOf(row);
      const key = relation.primaryKey.map((name) => textOfValue(row[name]) ?? "");
      return title === null ? [] : [{ relation, key, title }];
    });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.code === "QUERY_TIMEOUT") return undefined;
    // The reader may no longer read it.
    if (error.code === "ACTION_DENIED") return [];
    throw error;
  }
}
