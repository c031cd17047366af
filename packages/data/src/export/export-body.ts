import { setTimeout as sleep } from "node:timers/promises";
import { type TextRow, toAppError } from "@rowhouse/db";
import { csvCell } from "@rowhouse/wire";
import type { ExportColumn } from "./export-columns.ts";

export interface ExportBodyOptions {
  readonly writer: RowWriter;
  /** The rows that were read to prove the rights before the stream starts. */
  readonly first: readonly TextRow[];
  readonly rows: AsyncIterator<readonly TextRow[]>;
  /** Milliseconds without a read by the reader, after which the export is broken off. */
  readonly stallMs: number;
  /** Rejects when the reader may no longer see the rows. */
  readonly prove: () => Promise<void>;
  /** Aborts when the reader disconnects. */
  readonly signal: AbortSignal;
  /** Receives once that the export ended, with the error that ended it before its last row. */
  readonly onEnd: (failure: { readonly error: unknown } | null) => void;
}

/** Interval in which the rights of a reader are proven again, in milliseconds. */
const proveMs = 1000;
/** How long an export continues while the proof itself fails, in milliseconds. */
const unprovenMs = 10_000;

/**
 * Streams the bytes of an export at the reader's pace. A failure after the first byte is an error of the stream: the
 * server must break the connection off, so that a truncated file is not mistaken for a complete one.
 */
export function exportBody(options: ExportBodyOptions): ReadableStream<Uint8Array> {
  const { writer, rows, stallMs, prove, signal, onEnd } = options;
  let batch: readonly TextRow[] | undefined = options.first;
  let head: string | undefined = writer.head;
  let ending: Promise<void> | undefined;
  let stall: NodeJS.Timeout | undefined;

  const end = (failure: { readonly error: unknown } | null): Promise<void> => {
    ending ??= (async () => {
      clearTimeout(stall);
      signal.removeEventListener("abort", onAbort);
      await rows.return?.();
      onEnd(failure);
    })();
    return ending;
  };
  const onAbort = () => void end(null);
  const breakOff = async (
    controller: ReadableStreamDefaultController<Uint8Array>,
    error: unknown,
  ): Promise<void> => {
    await end({ error });
    // The listener for the end receives and logs the reason. This text contains no detail, so a server may show it to a
    // caller.
    controller.error(new Error("The export was broken off"));
  };

  /** A stream that ended early must not look complete. */
  const requireGoingOn = (): void => {
    if (ending !== undefined) throw new Error("The export has ended");
  };

  const takeText = async (): Promise<string | undefined> => {
    requireGoingOn();
    let text = head ?? "";
    head = undefined;
    while (text === "") {
      if (batch === undefined) {
        const next = await rows.next();
        requireGoingOn();
        if (next.done === true) return undefined;
        batch = next.value;
      }
      // The first column is the gate's; the second is null if there is no row.
      for (const [, present, ...row] of batch) if (present !== null) text += writer.write(row);
      batch = undefined;
    }
    return text;
  };

  const watch = (controller: ReadableStreamDefaultController<Uint8Array>): void => {
    stall = setTimeout(() => {
      void breakOff(controller, new Error("The reader of an export took nothing any more"));
    }, stallMs);
  };

  const proveUntilEnd = async (
    controller: ReadableStreamDefaultController<Uint8Array>,
  ): Promise<void> => {
    let provenAt = performance.now();
    for (;;) {
      await sleep(proveMs, undefined, { ref: false });
      if (ending !== undefined) return;
      try {
        await prove();
        provenAt = performance.now();
      } catch (error) {
        const { code } = toAppError(error);
        const isOutage = code === "SERVICE_UNAVAILABLE" || code === "QUERY_TIMEOUT";
        if (isOutage && performance.now() - provenAt < unprovenMs) continue;
        await breakOff(controller, error);
        return;
      }
    }
  };

  if (signal.aborted) onAbort();
  else signal.addEventListener("abort", onAbort, { once: true });
  return new ReadableStream<Uint8Array>(
    {
      start: (controller) => {
        watch(controller);
        void proveUntilEnd(controller);
      },
      pull: async (controller) => {
        clearTimeout(stall);
        try {
          const text = await takeText();
          if (text === undefined) {
            await end(null);
            controller.close();
            return;
          }
          controller.enqueue(Buffer.from(text));
          watch(controller);
        } catch (error) {
          await breakOff(controller, error);
        }
      },
      cancel: () => end(null),
    },
    // Computes no row before the reader asks for it.
    { highWaterMark: 0 },
  );
}

/** Converts rows to the text of a file. */
interface RowWriter {
  /** The text before the first row. */
  readonly head: string;
  /** A row as a line, with the line break. */
  write(row: TextRow): string;
}

/** One JSON object per line: the text of the row as in the list. */
export const ndjsonWriter: RowWriter = {
  head: "",
  write: ([object]) => `${onOneLine(object ?? "null")}\n`,
};

/**
 * Removes the white space of JSON, because a column of type `json` and PostgreSQL's own lists may contain line breaks.
 */
function onOneLine(json: string): string {
  return /[\r\n]/.test(json) ? json.replaceAll(/[\r\n]/g, "") : json;
}

/** CSV by RFC 4180, with the heads of the columns in the first line. */
export function csvWriter(columns: readonly Pick<ExportColumn, "head" | "holdsText">[]): RowWriter {
  const line = (cells: readonly string[]) => {
    const text = cells.join(",");
    // Readers skip an empty line, so a row with a single null field needs a quoted one.
    return `${text === "" ? '""' : text}\r\n`;
  };
  return {
    head: line(columns.map(({ head }) => csvCell(head, true))),
    write: (row) =>
      line(columns.map(({ holdsText }, index) => csvCell(row[index] ?? null, holdsText))),
  };
}
