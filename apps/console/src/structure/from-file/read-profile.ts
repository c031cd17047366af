import { csvRecords } from "../../records/files/file-records.ts";
import type { Source } from "../../records/files/read-source.ts";

/** What a CSV file has. */
export interface FileProfile {
  readonly source: Source;
  readonly rows: number;
  /** In the order of the names of the source. */
  readonly columns: readonly ColumnProfile[];
}

/**
 * Reads a whole CSV file, in parts, so that the page stays quick.
 *
 * @param onRows receives the number of rows that are read so far
 */
export async function readProfile(
  source: Source,
  onRows: (rows: number) => void,
  signal: AbortSignal,
): Promise<FileProfile> {
  const columns = source.names.map(() => new ColumnProfile());
  let rows = 0;
  let hasNames = false;
  for await (const records of csvRecords(source)) {
    signal.throwIfAborted();
    for (const { cells } of records) {
      if (!hasNames) {
        hasNames = true;
        continue;
      }
      rows += 1;
      // The import refuses a malformed row, which shows nothing of its values.
      if (cells === null) continue;
      for (const [index, column] of columns.entries()) column.add(cells[index] ?? undefined);
    }
    onRows(rows);
  }
  return { source, rows, columns };
}

/** The types that a column of a file can have, the most special first. */
const types = [
  "boolean",
  "bigint",
  "numeric",
  "uuid",
  "date",
  "timestamptz",
  "timestamp",
  "time",
  "jsonb",
  "text",
] as const;

type ProposedType = (typeof types)[number];

const day = String.raw`\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])`;
const clock = String.raw`(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,6})?)?`;

/** Forms that an import takes for each type. A number with a leading zero, such as a postcode, is a text. */
const forms: Readonly<Record<Exclude<ProposedType, "jsonb" | "text">, RegExp>> = {
  boolean: /^(?:true|false)$/i,
  bigint: /^-?(?:0|[1-9]\d{0,17})$/,
  numeric: /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/,
  uuid: /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i,
  date: new RegExp(`^${day}$`),
  timestamptz: new RegExp(`^${day}T${clock}(?:Z|[+-]\\d\\d:\\d\\d)$`),
  timestamp: new RegExp(`^${day}T${clock}$`),
  time: new RegExp(`^${clock}$`),
};

/** More values than these are no list to choose from. */
const valuesMax = 12;
const valueLengthMax = 40;
/** Values that are fewer than these repeat by chance. */
const repeatsMin = 5;
/** Values beyond these are not compared any longer, because they would fill the memory. */
const comparedMax = 2_000_000;

/** What the values of a column have in common, as they are read. */
class ColumnProfile {
  #types: readonly ProposedType[] = types;
  #count = 0;
  #empty = 0;
  /** Undefined once a value has repeated, or there were too many. */
  #seen: Set<string> | undefined = new Set();
  /** Undefined once there were too many. */
  #values: Set<string> | undefined = new Set();

  /**
   * Reads the next value.
   *
   * @param value the text of the cell; undefined for an empty cell without quotes, which an import reads as null
   */
  add(value: string | undefined): void {
    if (value === undefined) {
      this.#empty += 1;
      return;
    }
    this.#count += 1;
    if (this.#types.length > 1) this.#types = this.#types.filter((type) => fits(value, type));
    if (this.#seen?.has(value) === true || this.#count > comparedMax) this.#seen = undefined;
    this.#seen?.add(value);
    if (value.length > valueLengthMax || value === "") this.#values = undefined;
    this.#values?.add(value);
    if (this.#values !== undefined && this.#values.size > valuesMax) this.#values = undefined;
  }

  /** The most special type that all values have; text for a column without values. */
  get type(): ProposedType {
    return this.#count === 0 ? "text" : (this.#types[0] ?? "text");
  }

  /** Whether every row has a value. */
  get isFull(): boolean {
    return this.#empty === 0 && this.#count > 0;
  }

  /** Whether every row has a value that no other row has. */
  get isUnique(): boolean {
    return this.isFull && this.#seen !== undefined;
  }

  /** The values of a text that has few of them, each several times. */
  get choices(): readonly string[] | undefined {
    const values = this.#values;
    if (this.type !== "text" || values === undefined || values.size < 2) return undefined;
    return this.#count >= values.size * repeatsMin ? [...values].toSorted() : undefined;
  }
}

function fits(value: string, type: ProposedType): boolean {
  if (type === "text") return true;
  if (type !== "jsonb") return forms[type].test(value);
  if (!/^\s*[[{]/.test(value)) return false;
  try {
    JSON.parse(value);
    return true;
  } catch {
    return false;
  }
}
