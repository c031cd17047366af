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

/** The rows of a reading for a principal. */
export interface ReadingAnswer {
  /** Names of the columns of a list; null for groups. */
  readonly fields: readonly ShownField[] | null;
  /** Names of the columns of an aggregation; null for a list. */
  readonly names: readonly string[] | null;
  /** JSON. */
  readonly rows: string;
  /** JSON of the metadata of the list, or an empty text. */
  readonly meta: string;
  /** Paths of the to-many relations of which a list has more rows than it shows. */
  readonly more: readonly string[];
}

export interface ReadingOptions {
  readonly engine: Pick<DataEngine, "answer">;
  readonly snapshot: Snapshot;
  readonly principal: Principal;
  readonly caller: Caller;
  /** `X-Service-Timezone`. */
  readonly timeZone: string | null;
}

/** The error for a reading that the principal may not see, regardless of the part that is denied. */
const refusals: ReadonlySet<string> = new Set([
  "ACTION_DENIED",
  "NOT_FOUND",
  "METHOD_NOT_ALLOWED",
  "FIELD_UNKNOWN",
]);

/**
 * Reads with the rights of the caller, through the same engine and grants as the Data API.
 *
 * @throws AppError ACTION_DENIED if the resource, or a field that the reading uses, is not visible to the caller
 */
export async function answerReading(
  reading: Reading,
  relation: Relation | undefined,
  page: ReadingPage,
  options: ReadingOptions,
): Promise<ReadingAnswer> {
  const { engine, snapshot, principal, caller, timeZone } = options;
  if (relation === undefined) throw createError("ACTION_DENIED");
  const limits = requestLimitsOf(settingsOf(snapshot));
  try {
    const seen =
      reading.kind === "LIST"
        ? withinSight(reading, relation, snapshot, principal)
        : { reading, fields: null };
    if (seen === null) throw createError("ACTION_DENIED");
    const request = requestOfReading(relation, seen.reading, limits, page);
    const answer = await engine.answer(inTimeZone(request, timeZone), caller);
    const rows = answer.data ?? "[]";
    // `{"data":…,"meta":…}`, as the engine writes it.
    const meta = (answer.body ?? "").slice('{"data":'.length + rows.length, -1);
    const isAggregate = request.kind === "AGGREGATE";
    return {
      fields: seen.fields,
      names: isAggregate
        ? [...request.groups, ...request.aggregates].map((term) => term.name)
        : null,
      rows,
      meta,
      more: moreOf(meta),
    };
  } catch (error) {
    if (error instanceof AppError && refusals.has(error.code)) {
      throw createError("ACTION_DENIED", { cause: error });
    }
    throw error;
  }
}

/** Reads `more` of the metadata in a body, such as `,"meta":{"more":["trips"]}`. */
function moreOf(meta: string): readonly string[] {
  if (meta === "") return [];
  const read = JSON.parse(`{${meta.slice(1)}}`) as { meta: { more?: readonly string[] } };
  return read.meta.more ?? [];
}
