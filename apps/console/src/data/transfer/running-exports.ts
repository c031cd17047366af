import { addressOf, titleOf } from "../../records/model/resource.ts";
import { client } from "../../shell/client.ts";
import type { NavigationResource } from "../../shell/navigation.ts";
import { fileName, saveFile } from "../../ui/save-file.ts";
import { LineCounter } from "./line-counter.ts";

/** Which rows a file has. */
export interface ExportRequest {
  readonly resource: NavigationResource;
  readonly format: "csv" | "ndjson";
  readonly fields: readonly string[];
  readonly where: Readonly<Record<string, unknown>> | undefined;
  readonly orderBy: string | undefined;
  readonly search: string | undefined;
  /** The number of all rows, if it is known. */
  readonly count: number | undefined;
}

/** An export that runs or has failed. */
export interface RunningExport {
  readonly id: number;
  readonly title: string;
  readonly rows: number;
  readonly bytes: number;
  readonly count: number | undefined;
  readonly error: unknown;
}

/** Bytes after which the received parts become one, which the browser can keep outside of memory. */
const partBytes = 4_000_000;

let last = 0;
let running: readonly RunningExport[] = [];
const aborts = new Map<number, AbortController>();
const listeners = new Set<() => void>();

function set(next: readonly RunningExport[]): void {
  running = next;
  for (const listener of listeners) listener();
}

/** The exports that run, on whatever page their person is. */
export const runningExports = {
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  all: (): readonly RunningExport[] => running,
  /** Ends an export, or removes a failed one. */
  cancel: (id: number): void => {
    aborts.get(id)?.abort();
    aborts.delete(id);
    set(running.filter((one) => one.id !== id));
  },
};

/** Streams the rows into a file and saves it. A failed export stays in the list with its error. */
export async function startExport(request: ExportRequest): Promise<void> {
  last += 1;
  const id = last;
  const abort = new AbortController();
  aborts.set(id, abort);
  const { resource, format, count } = request;
  const begun = { id, title: titleOf(resource), rows: 0, bytes: 0, count, error: undefined };
  set([...running, begun]);
  const change = (parts: Partial<RunningExport>) =>
    set(running.map((one) => (one.id === id ? { ...one, ...parts } : one)));
  try {
    const content = await receive(request, abort.signal, change);
    saveFile(content, fileName(resource.name, format));
    runningExports.cancel(id);
  } catch (error) {
    if (!abort.signal.aborted) change({ error });
  }
}

async function receive(
  { resource, format, fields, where, orderBy, search }: ExportRequest,
  signal: AbortSignal,
  change: (parts: Partial<RunningExport>) => void,
): Promise<Blob> {
  const { stream } = await client.from(addressOf(resource)).export(format, {
    ...{ fields, signal },
    ...(where === undefined ? {} : { where }),
    ...(orderBy === undefined ? {} : { orderBy }),
    ...(search === undefined ? {} : { search }),
  });
  const type = format === "csv" ? "text/csv" : "application/x-ndjson";
  const counter = new LineCounter(format);
  const parts: Blob[] = [];
  let waiting: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  let kept = 0;
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    waiting.push(new Uint8Array(value));
    counter.push(value);
    bytes += value.byteLength;
    if (bytes - kept >= partBytes) {
      parts.push(new Blob(waiting));
      waiting = [];
      kept = bytes;
    }
    change({ rows: counter.rows, bytes });
  }
  return new Blob([...parts, ...waiting], { type });
}
