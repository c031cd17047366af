import { appendAuditEntry, type Database, type Queryable } from "@rowhouse/db";
import type { ScanVerdict } from "./scanner.ts";

/** A file whose scan is due. */
export interface DueScan {
  readonly fileId: string;
  readonly sha256: string;
  readonly storageKey: string;
  readonly bytes: number;
  readonly timeoutMs: number;
  readonly attempts: number;
}

/** Time for a scan: at least 30 s, and 1 s for each MiB. */
const secondsSql = "30 + ceil(f.bytes / 1048576.0)";

/** Time after the limit of a scan from which another worker may repeat it. */
const graceSeconds = 30;

const backoffSecondsMax = 3600;

/** Of an entry that no user caused. */
const noActor = { userId: null, tokenId: null, address: null, requestId: null };

/** Claims the scan that is due first, until its time is over. Workers never claim the same one. */
export async function claimScan(database: Queryable): Promise<DueScan | undefined> {
  const [row] = await database.query<{
    file_id: string;
    sha256: string;
    storage_key: string;
    bytes: string;
    seconds: string;
    attempts: number;
  }>(
    `update system.file_scans s
     set attempts = s.attempts + 1, next_at = now() + make_interval(secs => ${secondsSql} + ${graceSeconds})
     from system.files f
     where f.id = s.file_id and f.state = 'QUARANTINED' and s.file_id in (
       select d.file_id from system.file_scans d
       where d.finished_at is null and d.next_at <= now()
       order by d.next_at limit 1 for update skip locked)
     returning s.file_id, s.sha256, f.storage_key, f.bytes::text as bytes, (${secondsSql})::text as seconds, s.attempts`,
  );
  if (row === undefined) return undefined;
  return {
    fileId: row.file_id,
    sha256: row.sha256,
    storageKey: row.storage_key,
    bytes: Number(row.bytes),
    timeoutMs: Number(row.seconds) * 1000,
    attempts: row.attempts,
  };
}

/**
 * Records a verdict: a clean file becomes READY, another one stays in quarantine with the finding. Nothing changes if the
 * file has another version by now.
 */
export async function finishScan(
  database: Database,
  { fileId, sha256 }: DueScan,
  { finding }: ScanVerdict,
): Promise<void> {
  await database.transaction(async (transaction) => {
    // The lock of the file comes first, as in the trigger that attaches a new version.
    const finished = await transaction.query(
      `with file as (
         select id from system.files
         where id = $1::uuid and sha256 = $2::text and state = 'QUARANTINED' for update)
       update system.file_scans s set finished_at = now(), finding = $3::text
       from file where s.file_id = file.id and s.sha256 = $2::text and s.finished_at is null
       returning s.file_id`,
      [fileId, sha256, finding],
    );
    if (finished.length === 0) return;
    if (finding === null) {
      await transaction.query("update system.files set state = 'READY' where id = $1::uuid", [
        fileId,
      ]);
      return;
    }
    const action = "file.quarantine";
    await appendAuditEntry(transaction, noActor, { action, targetKind: "file", targetId: fileId });
  });
}

/** Repeats a scan without a verdict: at once if the process stopped, otherwise after a growing pause. */
export async function repeatScan(
  database: Queryable,
  { fileId, sha256, attempts }: DueScan,
  isStopped: boolean,
): Promise<void> {
  const seconds = isStopped ? 0 : Math.min(backoffSecondsMax, 2 ** Math.min(attempts, 12));
  await database.query(
    `update system.file_scans set next_at = now() + make_interval(secs => $3::text::integer)
     where file_id = $1::uuid and sha256 = $2::text and finished_at is null`,
    [fileId, sha256, String(seconds)],
  );
}
