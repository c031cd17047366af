import type { Database, Queryable, SnapshotStore } from "@rowhouse/db";
import { readExtensions, readUncarried } from "@rowhouse/ddl";
import { filePathsOf, type PartName, partOfPath } from "@rowhouse/wire";
import { matcherOf } from "../documents/elsewhere.ts";
import { rootFile } from "../documents/read-documents.ts";
import type { driftKinds } from "../model/document.ts";
import type { Part, State } from "../model/part.ts";
import { elsewhereTable, type PresentTable, pathOfTable } from "../parts/tables/table-document.ts";
import { tablesPart } from "../parts/tables/tables-part.ts";
import { writeTable } from "../parts/tables/write-table.ts";
import { writeYaml } from "../yaml/write-yaml.ts";
import { loadApplied, loadAppliedPaths } from "./applied.ts";
import { stateOf } from "./compare.ts";
import {
  asFiles,
  type Files,
  type Present,
  partsOf,
  readPresent,
  writeFiles,
} from "./read-configuration.ts";

/** The last apply. */
export interface LastApply {
  readonly id: string;
  readonly appliedAt: string;
  readonly appliedBy: { readonly id: string; readonly email: string } | null;
  readonly source: { readonly commit: string | null; readonly url: string | null };
  readonly steps: number;
}

/** A file whose content differs from that after the last apply. */
export interface DriftedFile {
  readonly path: string;
  /** Null for a file that has appeared since. */
  readonly before: string | null;
  /** Null for a file that has disappeared. */
  readonly after: string | null;
  /** Not in the files at all, gone from the service, or with another content. */
  readonly kind: (typeof driftKinds)[number];
}

export interface Drift {
  /** Null before the first apply. */
  readonly lastApply: LastApply | null;
  /** The parts that have been applied, each with the last apply that had it. */
  readonly parts: readonly PartName[];
  /** Sorted by path. */
  readonly files: readonly DriftedFile[];
}

/** A document that has been applied: its record is kept in files. */
export interface ManagedDocument {
  readonly part: PartName;
  /** The names of the record, such as a schema and a table. */
  readonly names: readonly string[];
  readonly path: string;
}

type Snapshots = Pick<SnapshotStore, "fresh">;

/** Returns the present configuration as files. */
export async function readConfiguration(
  database: Database,
  snapshots: Snapshots,
  parts?: readonly PartName[],
): Promise<Files> {
  return asFiles(await readTexts(database, snapshots, parts));
}

async function readTexts(
  database: Database,
  snapshots: Snapshots,
  parts: readonly PartName[] | undefined,
): Promise<Files> {
  const state = await stateOf({ database, snapshots });
  const chosen = partsOf(parts && new Set(parts));
  const present = await readPresent(state, chosen);
  const { patterns } = state.elsewhere;
  if (!chosen.some(({ name }) => name === "sql")) return writeFiles(present, { patterns });
  const extensions = await database.transaction(readExtensions);
  return writeFiles(present, {
    patterns,
    extensions,
    uncarried: await uncarriedIn(state, present),
  });
}

/** Returns the names of what no file carries, with those that the last applied files said. */
async function uncarriedIn(
  { database, elsewhere }: Omit<State, "hasSql">,
  present: Present,
): Promise<string[]> {
  const isOthers = matcherOf(elsewhere.patterns);
  const tables = present.get(tablesPart as Part<unknown>);
  const isWhole = (schema: string, name: string) => {
    const table = tables?.get(pathOfTable({ schema, name })) as PresentTable | undefined;
    return table !== undefined && table.managed !== null;
  };
  const found = await database.transaction(readUncarried);
  const own = found.filter(
    ({ schema, name, isSerial }) => !isOthers(schema, name) && !(isSerial && isWhole(schema, name)),
  );
  const said = elsewhere.documents[rootFile]?.objects ?? [];
  return [...new Set([...own.map(({ text }) => text), ...said])].toSorted();
}

/**
 * Returns what has changed beside the documents since each part was last applied.
 *
 * @param only these parts; undefined for all that have been applied
 */
export async function readDrift(
  database: Database,
  snapshots: Snapshots,
  only?: readonly PartName[],
): Promise<Drift> {
  const lastApply = await readLastApply(database);
  if (lastApply === null) return { lastApply, parts: [], files: [] };
  const applied = await loadApplied<Files>(database, "a.files");
  const parts = applied.parts.filter((part) => only?.includes(part) ?? true);
  const before = Object.fromEntries(
    Object.entries(applied.files).filter(([path]) =>
      parts.some((part) => part === partOfPath(path)),
    ),
  );
  const { [rootFile]: _root, ...after } = await readTexts(database, snapshots, parts);
  const paths = [...new Set([...Object.keys(before), ...Object.keys(after)])].toSorted();
  // A document that exists has the path of `readConfiguration`, whatever others there were.
  const [present, all] = [filePathsOf(Object.keys(after)), filePathsOf(paths)];
  const files = paths.flatMap((path): DriftedFile[] => {
    const [was = null, is = null] = [before[path], after[path]];
    const file = present.get(path) ?? all.get(path) ?? path;
    if ((was ?? unmarked) === (is ?? unmarked)) return [];
    const kind = was === null ? "NOT_IN_FILES" : is === null ? "MISSING" : "CHANGED";
    return [{ path: file, before: was, after: is, kind }];
  });
  return { lastApply, parts, files };
}

/** The document of a table of other tools says no more than none does. */
const unmarked = writeYaml(writeTable(elsewhereTable));

/** Returns the documents that have been applied, sorted by path. */
export async function readManaged(database: Queryable): Promise<readonly ManagedDocument[]> {
  const applied = await loadAppliedPaths(database);
  return [...filePathsOf(applied.toSorted())].flatMap(([document, path]) =>
    partsOf(undefined).flatMap(({ name, namesOf }) => {
      const names = namesOf(document);
      return names === undefined ? [] : [{ part: name, names, path }];
    }),
  );
}

async function readLastApply(database: Queryable): Promise<LastApply | null> {
  const [row] = await database.query<{ apply: string }>(
    `select pg_catalog.json_build_object('id', a.id, 'appliedAt', a.applied_at,
       'appliedBy', case when u.id is not null then pg_catalog.json_build_object('id', u.id, 'email', u.email) end,
       'source', pg_catalog.json_build_object('commit', a.source_commit, 'url', a.source_url), 'steps', a.steps)::text as apply
     from system.configuration_applies a left join system.users u on u.id = a.applied_by
     order by a.applied_at desc limit 1`,
  );
  return row === undefined ? null : (JSON.parse(row.apply) as LastApply);
}
