import type { Transport } from "../request/transport.ts";
import type { Deep } from "../types/deep.ts";
import type { Selected } from "../types/fields.ts";
import type { KeyOf, KeyValue, NewOf } from "../types/resource.ts";
import { keySegment } from "./address.ts";
import { BasicRowClient } from "./basic-row-client.ts";
import { RowExport } from "./export.ts";
import { type HistoryOptions, type HistoryPage, readHistory } from "./history.ts";
import {
  type Imported,
  type ImportOptions,
  type ImportSource,
  importedOf,
  importRequest,
} from "./import.ts";
import {
  type CsvForms,
  type ExportOptions,
  type Order,
  type ReadParts,
  readRequest,
} from "./read-options.ts";
import { RowWrites } from "./row-writes.ts";

/** Reads and writes the rows of one table or view, in batches and files too, and reads their histories. */
export class RowClient<R, N extends keyof R> extends BasicRowClient<R, N> {
  readonly #transport: Transport;
  readonly #path: string;
  /** The same writes for `client.batch`; these send nothing by themselves. */
  readonly writes: RowWrites<R, N>;

  /** @param path of the table or view, encoded */
  constructor(transport: Transport, path: string) {
    super(transport, path);
    this.#transport = transport;
    this.#path = path;
    this.writes = new RowWrites(path);
  }

  /** Reads a page of the changes of one row, newest first, of a table that records its row history. */
  history(key: KeyOf<R, N>, options: HistoryOptions = {}): Promise<HistoryPage<R, N>> {
    const path = `${this.#path}/${keySegment(key as KeyValue | readonly KeyValue[])}`;
    return readHistory(this.#transport, path, options);
  }

  /**
   * Starts an export of all rows that match: `csv` for people, `ndjson` for programs. `references` and `heads` apply to CSV.
   */
  async export<
    const F extends readonly string[] = readonly ["*"],
    const D extends Deep = Record<never, never>,
    const W = unknown,
    const O extends Order = Order,
  >(
    format: "csv" | "ndjson",
    options: ExportOptions<R, N, F, D, W, O> & CsvForms = {},
  ): Promise<RowExport<Selected<R, N, F[number], D>>> {
    const accept = format === "csv" ? "text/csv" : "application/x-ndjson";
    const read = readRequest(this.#path, options as ReadParts, false);
    const request = { ...read, headers: { Accept: accept }, signal: options.signal };
    return new RowExport(await this.#transport.stream(request), format, request);
  }

  /**
   * Creates the rows of a file, or of an (asynchronous) list, all or none.
   *
   * @throws RowhouseError whose faults have the line of the file in `details.line`
   */
  async import(
    source: ImportSource<NewOf<R, N>>,
    options: ImportOptions<R, N> = {},
  ): Promise<Imported> {
    const request = importRequest(this.#path, source, options);
    return importedOf(request, await this.#transport.json(request));
  }
}
