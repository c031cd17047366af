import type { Database, Queryable, SnapshotStore } from "@rowhouse/db";
import { filePathsOf, type PartName, partOfPath } from "@rowhouse/wire";
import { placeOf, rootFile } from "../documents/read-documents.ts";
import { asFiles, type Files, partsOf, readPresent, writeFiles } from "./read-configuration.ts";

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
  const snapshot = await snapshots.fresh();
  const chosen = partsOf(parts && new Set(parts));
  return writeFiles(await readPresent({ database, snapshot }, chosen));
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
  const applied = await readApplied<Files>(database, "a.files");
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
    return was === is ? [] : [{ path: file, before: was, after: is }];
  });
  return { lastApply, parts, files };
}

/** Returns the documents that have been applied, sorted by path. */
export async function readManaged(database: Queryable): Promise<readonly ManagedDocument[]> {
  const paths = "(select pg_catalog.json_object_agg(key, null) from json_object_keys(a.files) key)";
  const { files } = await readApplied<Readonly<Record<string, null>>>(database, paths);
  return [...filePathsOf(Object.keys(files).toSorted())].flatMap(([document, path]) =>
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

/**
 * Returns the files of each part after the last apply that had it, without the root file.
 *
 * @param expression SQL of what is read of an apply `a`, as JSON by path
 */
async function readApplied<Texts extends Readonly<Record<string, unknown>>>(
  database: Queryable,
  expression: string,
): Promise<{ readonly parts: PartName[]; readonly files: Texts }> {
  const applies = await database.query<{ parts: string; files: string }>(
    `select pg_catalog.to_json(n.parts)::text as parts, (${expression})::text as files
     from system.configuration_applies a
     join (select id, pg_catalog.array_agg(part) as parts from (
         select distinct on (part) part, id from system.configuration_applies, pg_catalog.unnest(parts) part
         order by part, applied_at desc) newest
       group by id) n on n.id = a.id`,
  );
  const found = applies.flatMap(({ parts, files }) => {
    const own = partsOf(new Set(JSON.parse(parts) as PartName[]));
    const texts = Object.entries(JSON.parse(files) as Texts);
    return [{ own, texts: texts.filter(([path]) => own.some((part) => placeOf(part, path))) }];
  });
  const names = new Set(found.flatMap(({ own }) => own.map(({ name }) => name)));
  return {
    parts: partsOf(names).map(({ name }) => name),
    files: Object.fromEntries(found.flatMap(({ texts }) => texts)) as Texts,
  };
}
