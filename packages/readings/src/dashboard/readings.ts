import {
  type AggregateReading,
  inTimeZone,
  type ListReading,
  type Reading,
  requestLimitsOf,
  requestOfReading,
  type ShownField,
  type Terms,
  termsInSight,
  withinSight,
} from "@rowhouse/data";
import type { Relation } from "@rowhouse/db";
import { AppError, createError } from "@rowhouse/errors";
import { createPrioritySemaphore } from "@rowhouse/limits";
import { settingsOf } from "@rowhouse/settings";
import { parseExactJson } from "@rowhouse/wire";
import type { Reader } from "../open/reader.ts";
import { readReferenceTitles, type TitledField, type Titles } from "../open/reference-titles.ts";
import type { FieldFilter } from "./bound-filters.ts";

export type Row = Readonly<Record<string, unknown>>;

/** Groups of rows, with every digit of their numbers. */
export interface Groups {
  readonly terms: Terms;
  readonly rows: readonly Row[];
  /** Whether there are more groups than these. */
  readonly isCut: boolean;
  readonly asOf: string;
}

/** Rows of a list. */
export interface ListedRows {
  readonly fields: readonly ShownField[];
  /** JSON. */
  readonly rows: string;
  /** Paths of the to-many relations of which a list has more rows than it shows. */
  readonly more: readonly string[];
  readonly asOf: string;
}

/** Maximum number of readings of one dashboard that run at once. */
const atOnce = 3;

/** The error of a reading that the reader may not see, whatever part of it is denied. */
const refusals: ReadonlySet<string> = new Set([
  "ACTION_DENIED",
  "NOT_FOUND",
  "METHOD_NOT_ALLOWED",
  "FIELD_UNKNOWN",
]);

/** The readings of one request: each distinct one is read once, and a few at a time. */
export class Readings {
  readonly #reader: Reader;
  readonly #permits = createPrioritySemaphore(atOnce, ["READ"]);
  readonly #known = new Map<
    string,
    Promise<{ readonly data: string; readonly meta: string; readonly asOf: string }>
  >();

  constructor(reader: Reader) {
    this.#reader = reader;
  }

  /**
   * Reads groups of rows with the reader's rights.
   *
   * @param narrowing filters beside that of the reading
   * @throws AppError ACTION_DENIED if the resource, or a field that the reading uses, is not the reader's
   */
  async groups(
    reading: AggregateReading,
    narrowing: readonly FieldFilter[],
    relation: Relation,
  ): Promise<Groups> {
    const { snapshot, principal } = this.#reader;
    const limitMax = requestLimitsOf(settingsOf(snapshot)).limitMax;
    const limit = Math.min(reading.limit ?? limitMax, limitMax);
    try {
      // One more group than shown, which tells whether there are more.
      const request = this.#requestOf(
        { ...reading, limit: limit + 1 },
        narrowing,
        relation,
        limit + 1,
      );
      if (request.kind !== "AGGREGATE") throw new TypeError("Groups have an aggregation");
      const terms = termsInSight(request, relation, snapshot, principal);
      if (terms === undefined) throw createError("ACTION_DENIED");
      const { data, asOf } = await this.#read(request);
      const rows = parseExactJson(data) as readonly Row[];
      return { terms, rows: rows.slice(0, limit), isCut: rows.length > limit, asOf };
    } catch (error) {
      throw refusalOf(error);
    }
  }

  /**
   * Reads rows with the reader's rights, without the fields that the reader may not see.
   *
   * @throws AppError ACTION_DENIED if the resource or the filter is not the reader's, or no field is
   */
  async rows(
    reading: ListReading,
    narrowing: readonly FieldFilter[],
    relation: Relation,
  ): Promise<ListedRows> {
    const { snapshot, principal } = this.#reader;
    const limits = requestLimitsOf(settingsOf(snapshot));
    try {
      const seen = withinSight(reading, relation, snapshot, principal);
      if (seen === null) throw createError("ACTION_DENIED");
      const request = this.#requestOf(seen.reading, narrowing, relation, limits.limitMax);
      const { data, meta, asOf } = await this.#read(request);
      return { fields: seen.fields, rows: data, more: moreOf(meta), asOf };
    } catch (error) {
      throw refusalOf(error);
    }
  }

  /** Reads the titles of the rows that values of fields refer to, among the other readings; without such fields at once. */
  async titles(
    fields: readonly TitledField[],
    values: (field: ShownField) => readonly unknown[],
  ): Promise<ReadonlyMap<string, Titles>> {
    if (fields.length === 0) return new Map();
    return this.#permits.within("READ", () => readReferenceTitles(fields, values));
  }

  #requestOf(
    reading: Reading,
    narrowing: readonly FieldFilter[],
    relation: Relation,
    limitMax: number,
  ) {
    const limits = { ...requestLimitsOf(settingsOf(this.#reader.snapshot)), limitMax };
    const narrowedBy = narrowing.map((filter) => ({ filter, path: "where" }));
    return requestOfReading(relation, reading, limits, { narrowedBy });
  }

  #read(request: ReturnType<typeof requestOfReading>) {
    const key = JSON.stringify([request.shape, request.slots]);
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const { engine, caller, timeZone } = this.#reader;
    const reading = this.#permits.within("READ", async () => {
      const asOf = new Date().toISOString();
      const answer = await engine.answer(inTimeZone<typeof request>(request, timeZone), caller);
      const data = answer.data ?? "[]";
      // `{"data":…,"meta":…}`, as the engine writes it.
      return { data, meta: (answer.body ?? "").slice('{"data":'.length + data.length, -1), asOf };
    });
    this.#known.set(key, reading);
    return reading;
  }
}

function refusalOf(error: unknown): unknown {
  return error instanceof AppError && refusals.has(error.code)
    ? createError("ACTION_DENIED", { cause: error })
    : error;
}

/** Reads `more` of the metadata in a body, such as `,"meta":{"more":["trips"]}`. */
function moreOf(meta: string): readonly string[] {
  if (meta === "") return [];
  const read = JSON.parse(`{${meta.slice(1)}}`) as { meta: { more?: readonly string[] } };
  return read.meta.more ?? [];
}
