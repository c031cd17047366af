import type { Database, SnapshotStore } from "@rowhouse/db";
import type { PartName } from "../model/part.ts";
import { type Files, partsOf, readPresent, writeFiles } from "./read-configuration.ts";

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
  /** Sorted by path. */
  readonly files: readonly DriftedFile[];
}

type Snapshots = Pick<SnapshotStore, "fresh">;

/** Returns the present configuration as files. */
export async function readConfiguration(
  database: Database,
  snapshots: Snapshots,
  parts?: readonly PartName[],
): Promise<Files> {
  const snapshot = await snapshots.fresh();
  const chosen = partsOf(parts && new Set(parts));
  return writeFiles(await readPresent({ database, snapshot }, chosen));
}

/** Returns what has changed beside the documents since the last apply. */
export async function readDrift(database: Database, snapshots: Snapshots): Promise<Drift> {
  const [row] = await database.query<{ apply: string; files: string; parts: string }>(
    `select json_build_object('id', a.id, 'appliedAt', a.applied_at,
       'appliedBy', case when u.id is not null then json_build_object('id', u.id, 'email', u.email) end,
       'source', json_build_object('commit', a.source_commit, 'url', a.source_url), 'steps', a.steps)::text as apply,
       a.files::text as files, to_json(a.parts)::text as parts
     from system.configuration_applies a left join system.users u on u.id = a.applied_by
     order by a.applied_at desc limit 1`,
  );
  if (row === undefined) return { lastApply: null, files: [] };
  const before = JSON.parse(row.files) as Files;
  const after = await readConfiguration(database, snapshots, JSON.parse(row.parts) as PartName[]);
  const paths = [...new Set([...Object.keys(before), ...Object.keys(after)])].toSorted();
  const files = paths.flatMap((path): DriftedFile[] => {
    const [was = null, is = null] = [before[path], after[path]];
    return was === is ? [] : [{ path, before: was, after: is }];
  });
  return { lastApply: JSON.parse(row.apply) as LastApply, files };
}
