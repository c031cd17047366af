import type { Caller, Principal } from "@rowhouse/access";
import {
  type DataEngine,
  inTimeZone,
  type Reading,
  type ReadingPage,
  requestLimitsOf,
  requestOfReading,
  type ShownField,
  withinSight,
} from "@rowhouse/data";
import type { Relation, Snapshot } from "@rowhouse/db";
import { AppError, createError } from "@rowhouse/errors";
import { settingsOf } from "@rowhouse/settings";

/** Rows of a reading, for somebody. */
export interface ReadingAnswer {
  /** What a list shows; null for groups. */
  readonly fields: readonly ShownField[] | null;
  /** The names of an aggregation's columns; null for a list. */
  readonly names: readonly string[] | null;
  /** JSON. */
  readonly rows: string;
  /** JSON of what the list tells beside its rows, or an empty text. */
  readonly meta: string;
}

export interface ReadingOptions {
  readonly engine: DataEngine;
  readonly snapshot: Snapshot;
  readonly person: Principal;
  readonly caller: Caller;
  /** `X-Service-Timezone`. */
  readonly timeZone: string | null;
}

/** What tells that a reading is not for somebody, whatever of it is not theirs. */
const refusals: ReadonlySet<string> = new Set([
  "ACTION_DENIED",
  "NOT_FOUND",
  "METHOD_NOT_ALLOWED",
  "FIELD_UNKNOWN",
]);

/**
 * Reads with the rights of whoever asks: the same engine, and so the same grants, as the Data API.
 *
 * @throws AppError ACTION_DENIED where the resource, or a field that the reading rests on, is not theirs
 */
export async function answerReading(
  reading: Reading,
  relation: Relation | undefined,
  page: ReadingPage,
  options: ReadingOptions,
): Promise<ReadingAnswer> {
  const { engine, snapshot, person, caller, timeZone } = options;
  if (relation === undefined) throw createError("ACTION_DENIED");
  const limits = requestLimitsOf(settingsOf(snapshot));
  try {
    const seen =
      reading.kind === "LIST"
        ? withinSight(reading, relation, snapshot, person)
        : { reading, fields: null };
    if (seen === null) throw createError("ACTION_DENIED");
    const request = requestOfReading(relation, seen.reading, limits, page);
    const answer = await engine.answer(inTimeZone(request, timeZone), caller);
    const rows = answer.data ?? "[]";
    const isAggregate = request.kind === "AGGREGATE";
    return {
      fields: seen.fields,
      names: isAggregate
        ? [...request.groups, ...request.aggregates].map((term) => term.name)
        : null,
      rows,
      // `{"data":…,"meta":…}`, as the engine has written it.
      meta: (answer.body ?? "").slice('{"data":'.length + rows.length, -1),
    };
  } catch (error) {
    if (error instanceof AppError && refusals.has(error.code)) {
      throw createError("ACTION_DENIED", { cause: error });
    }
    throw error;
  }
}
