import { parseJson } from "../json/read-json.ts";
import { brokenOff, clientError, type Outgoing } from "../request/transport.ts";

/** A running export. Read it once, by one of its methods. */
export class RowExport<Row> {
  /** The bytes of the file, in UTF-8. Reading fails if the service breaks the export off. */
  readonly stream: ReadableStream<Uint8Array>;
  readonly #format: "csv" | "ndjson";
  readonly #request: Outgoing;

  constructor(response: Response, format: "csv" | "ndjson", request: Outgoing) {
    this.stream = response.body ?? new Blob([]).stream();
    this.#format = format;
    this.#request = request;
  }

  /** Returns the whole file. @throws RowhouseError NETWORK_ERROR for an export that breaks off */
  text(): Promise<string> {
    return new Response(this.stream).text().catch((error: unknown) => {
      throw brokenOff(this.#request, error);
    });
  }

  /**
   * Yields the rows of an NDJSON export as they arrive. Leaving the loop ends the export.
   *
   * @throws TypeError for another format
   * @throws RowhouseError NETWORK_ERROR for an export that breaks off
   */
  async *rows(): AsyncGenerator<Row, void, undefined> {
    if (this.#format !== "ndjson") throw new TypeError('Only the format "ndjson" has rows');
    const reader = this.stream.getReader();
    const decoder = new TextDecoder();
    let isDone = false;
    try {
      for (let rest = ""; !isDone; ) {
        const { done, value } = await reader.read().catch((error: unknown) => {
          throw brokenOff(this.#request, error);
        });
        isDone = done;
        const lines = (rest + decoder.decode(value, { stream: !done })).split("\n");
        rest = done ? "" : (lines.pop() ?? "");
        for (const line of lines) {
          if (line.trim() !== "") yield this.#rowOf(line);
        }
      }
    } finally {
      // After a lost connection there is nothing to cancel.
      if (!isDone) await reader.cancel().catch(() => {});
    }
  }

  #rowOf(line: string): Row {
    try {
      return parseJson(line) as Row;
    } catch {
      // The error of the parser quotes the line, which is another program's.
      const message = "A line of the export is not JSON of the service";
      throw clientError(this.#request, 200, "RESPONSE_INVALID", message);
    }
  }
}
