import type { TextRow } from "@rowhouse/db";
import type { RowWriter } from "./export-format.ts";

export interface ExportBodyOptions {
  readonly writer: RowWriter;
  /** What has been read already, to know whether there is an export at all. */
  readonly first: readonly TextRow[];
  readonly rows: AsyncIterator<readonly TextRow[]>;
  /** How long the reader may take nothing, in milliseconds; then the export is broken off. */
  readonly stallMs: number;
  /** Given when the reader is gone. */
  readonly signal: AbortSignal;
  /** Hears once that the export is over, with what ended it before its last row. */
  readonly onEnd: (failure: { readonly error: unknown } | null) => void;
}

/**
 * The bytes of an export, made as the reader takes them. A failure in its midst is an error of the stream: a server must
 * answer it by breaking the connection off, so that nobody takes half a file for a whole one.
 */
export function exportBody(options: ExportBodyOptions): ReadableStream<Uint8Array> {
  const { writer, rows, stallMs, signal, onEnd } = options;
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
    // The reason goes to the log of whoever listens to the end; a server may show this one to anybody.
    controller.error(new Error("The export was broken off"));
  };

  /** What was ended early must not come to look complete. */
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
      // The first column is the gate's, and the second is null where there is no row.
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

  if (signal.aborted) onAbort();
  else signal.addEventListener("abort", onAbort, { once: true });
  return new ReadableStream<Uint8Array>(
    {
      start: watch,
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
    // Nothing is made before it is asked for.
    { highWaterMark: 0 },
  );
}
