import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { addAbortSignal, type Readable } from "node:stream";
import { appendAuditEntry, type Database, type Queryable } from "@rowhouse/db";
import { endWithin, singleFlight, startRepeatedTask } from "@rowhouse/limits";
import type { Storage } from "../storage/storage.ts";
import { createHookScanner, type SendToHook } from "./hook-scanner.ts";
import type { Scanner, ScanVerdict } from "./scanner.ts";

/** Scans at once of one worker, so that a large file does not hold up all others. */
const scansAtOnce = 3;
const pauseMsDefault = 2000;

export interface FileScanDeps {
  readonly database: Database;
  readonly storage: Storage;
  /** The setting `files.scan_url`; without it, files in quarantine stay there. */
  readonly scanUrl: () => Promise<string | null>;
  readonly send: SendToHook;
  readonly report: (error: unknown) => void;
  readonly pauseMs?: number;
}

/** Starts the scans of files in quarantine. Every worker may run them. */
export function startFileScans(deps: FileScanDeps): { close(): Promise<void> } {
  const { report, pauseMs = pauseMsDefault } = deps;
  // While nothing is to scan, the turns begin together and need one statement.
  const shared = { ...deps, scanUrl: singleFlight(deps.scanUrl) };
  const tasks = Array.from({ length: scansAtOnce }, () =>
    startRepeatedTask(pauseMs, report, (signal) => scanNext(shared, signal)),
  );
  return {
    close: async () => {
      await Promise.all(tasks.map((task) => task.close()));
    },
  };
}

/** @returns 0 if another scan can be due */
async function scanNext(deps: FileScanDeps, signal: AbortSignal): Promise<number | undefined> {
  const url = await deps.scanUrl();
  if (url === null) return undefined;
  const { database, report } = deps;
  const due = await claimScan(database);
  if (due === undefined) return undefined;
  try {
    await finishScan(database, due, await scan(deps, url, due, signal));
  } catch (error) {
    await repeatScan(database, due, signal.aborted);
    if (!signal.aborted) {
      report(new Error(`The scan of the file ${due.fileId} has no verdict`, { cause: error }));
    }
  }
  return 0;
}

async function scan(
  { storage, send }: FileScanDeps,
  url: string,
  { storageKey, bytes, timeoutMs }: DueScan,
  signal: AbortSignal,
): Promise<ScanVerdict> {
  const late = () => new Error(`The scanner returned no verdict within ${timeoutMs} ms`);
  return endWithin({ timeoutMs, late, signal }, async (stop) => {
    const content = addAbortSignal(stop, await storage.get(storageKey, bytes));
    try {
      return await scannerAt(url, send).scan({ content, bytes, timeoutMs, signal: stop });
    } finally {
      content.destroy();
    }
  });
}

function scannerAt(url: string, send: SendToHook): Scanner {
  const parsed = new URL(url);
  return parsed.protocol === "clamd:" ? createClamdScanner(parsed) : createHookScanner(url, send);
}

const portDefault = 3310;
const replyLengthMax = 500;

/** Creates a scanner that streams files to a clamd by its command INSTREAM. @param url `clamd://host:port` */
function createClamdScanner(url: URL): Scanner {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const port = url.port === "" ? portDefault : Number(url.port);
  return {
    scan: async ({ content, signal }) => {
      const socket = connect({ host, port });
      // An error after the reply has no other listener.
      socket.on("error", () => {});
      addAbortSignal(signal, socket);
      // The daemon can reply and close the connection before it has read all bytes.
      const ended = new AbortController();
      addAbortSignal(ended.signal, content);
      const [sent, reply] = await Promise.allSettled([
        sendStream(content, socket, ended.signal),
        readReply(socket).finally(() => ended.abort()),
      ]);
      if (reply.status === "rejected") throw reply.reason;
      return verdictOf(reply.value, sent.status === "fulfilled");
    },
  };
}

/** Sends the command and the bytes in frames: each has its length before it, and an empty one is the last. */
async function sendStream(content: Readable, socket: Socket, ended: AbortSignal): Promise<void> {
  socket.write("zINSTREAM\0");
  for await (const chunk of content as AsyncIterable<Uint8Array>) {
    socket.write(lengthOf(chunk.byteLength));
    if (!socket.write(chunk)) await once(socket, "drain", { signal: ended });
  }
  socket.write(lengthOf(0));
}

function lengthOf(bytes: number): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes);
  return length;
}

async function readReply(socket: Socket): Promise<string> {
  let reply = "";
  for await (const chunk of socket as AsyncIterable<Uint8Array>) {
    reply += Buffer.from(chunk).toString("latin1");
    if (reply.endsWith("\0") || reply.length > replyLengthMax) break;
  }
  return reply.slice(0, replyLengthMax).replace(/\0$/, "");
}

function verdictOf(reply: string, isComplete: boolean): ScanVerdict {
  const [, finding] = /^stream: (.+) FOUND$/.exec(reply) ?? [];
  if (finding !== undefined) return { finding };
  if (reply === "stream: OK" && isComplete) return { finding: null };
  throw new Error(`clamd replied ${JSON.stringify(reply)}`);
}

/** A file whose scan is due. */
interface DueScan {
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
async function claimScan(database: Queryable): Promise<DueScan | undefined> {
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
async function finishScan(
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
async function repeatScan(
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
