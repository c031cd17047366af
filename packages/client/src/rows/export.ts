import { parseJson } from "../json/parse-json.ts";

/** A running export. Read it once, by one of its methods. */
export class RowExport<Row> {
  /** The bytes of the file, in UTF-8. Reading fails if the service breaks the export off. */
  readonly stream: ReadableStream<Uint8Array>;
  readonly #format: "csv" | "ndjson";

  constructor(response: Response, format: "csv" | "ndjson") {
    this.stream = response.body ?? new Blob([]).stream();
    this.#format = format;
  }

  /** Returns the whole file. */
  text(): Promise<string> {
    return new Response(this.stream).text();
  }

  /**
   * Yields the rows of an NDJSON export as they arrive. Leaving the loop ends the export.
   *
   * @throws TypeError for another format
   */
  async *rows(): AsyncGenerator<Row, void, undefined> {
    if (this.#format !== "ndjson") throw new TypeError('Only the format "ndjson" has rows');
    const reader = this.stream.getReader();
    const decoder = new TextDecoder();
    let isDone = false;
    try {
      for (let rest = ""; !isDone; ) {
        const { done, value } = await reader.read();
        isDone = done;
        const lines = (rest + decoder.decode(value, { stream: !done })).split("\n");
        rest = done ? "" : (lines.pop() ?? "");
        for (const line of lines) {
          if (line.trim() !== "") yield parseJson(line) as Row;
        }
      }
    } finally {
      if (!isDone) await reader.cancel();
    }
  }
}
