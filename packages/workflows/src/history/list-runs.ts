import {
  arrayLiteral,
  isUuid,
  type Page,
  type PageRequest,
  type Queryable,
  readCursor,
  writePageCursor,
} from "@rowhouse/db";
import { isoMoment } from "../base/iso-moment.ts";
import type { RunError } from "../base/run-fault.ts";
import { requireWorkflow } from "../manage/workflow.ts";
import type { RunOrigin, RunStatus } from "../model/run.ts";
import type { RunToken } from "../model/run-token.ts";
import type { TestOptions } from "../model/test-options.ts";

export interface RunSummary {
  readonly id: string;
  readonly workflowId: string;
  readonly workflowSlug: string;
  readonly versionId: string;
  /** Null for a test of the draft. */
  readonly versionNumber: number | null;
  readonly status: RunStatus;
  readonly origin: RunOrigin;
  readonly callerUserId: string | null;
  /** For a deleted user, the name at that time. */
  readonly callerName: string | null;
  readonly executeAsUserId: string;
  /** The personal access token that started this run or a run above it. Its plane stays known after it is deleted. */
  readonly tokenId: string | null;
  readonly tokenPlane: RunToken["plane"] | null;
  readonly executeAsName: string | null;
  readonly requestId: string | null;
  readonly parentRunId: string | null;
  /** The run whose write caused the database event that started this one. */
  readonly causedByRunId: string | null;
  readonly error: RunError | null;
  /** How a test differs from a run; null for any other run. */
  readonly test: RunTest | null;
  /** The run that this one repeats, and the path of the step that it continues from; null for any other run. */
  readonly againOf: { readonly runId: string; readonly from: string | null } | null;
  readonly acceptedAt: string;
  readonly startedAt: string | null;
  readonly finishedAt: string | null;
}

export interface RunTest extends Pick<TestOptions, "effects" | "until"> {
  /** The ids of the steps with a mock. */
  readonly mocked: string[];
}

/** Conditions on runs; null for any. Moments are ISO 8601; `Since` is inclusive, `Until` is exclusive. */
export interface RunFilter {
  readonly workflowId: string | null;
  readonly statuses: readonly RunStatus[] | null;
  readonly origins: readonly RunOrigin[] | null;
  readonly callerUserId: string | null;
  readonly executeAsUserId: string | null;
  readonly parentRunId: string | null;
  readonly requestId: string | null;
  readonly errorCode: string | null;
  readonly acceptedSince: string | null;
  readonly acceptedUntil: string | null;
  readonly finishedSince: string | null;
  readonly finishedUntil: string | null;
  /** From its first claim to its end, in milliseconds. */
  readonly durationMinMs: number | null;
}

export type RunOrder = "acceptedAt" | "-acceptedAt" | "finishedAt" | "-finishedAt";

export interface ListRunsRequest extends PageRequest, RunFilter {
  /** With `finishedAt`, only runs that have ended are listed. */
  readonly orderBy: RunOrder;
}

/** Runs that a search examines before it returns its matches and a cursor for the rest. */
const examinedMax = 1000;
/** Characters of an input, a result or an error that a search covers. */
const searchedMax = 100_000;

const columns = {
  acceptedAt: "accepted_at",
  finishedAt: "finished_at",
} as const;

/** SQL for a user's name, or the email address of a user without one. A deleted user keeps the name at that time. */
function nameSql(id: string): string {
  return `coalesce((select coalesce(nullif(u.name, ''), u.email) from system.users u where u.id = ${id}),
    (select f.name from system.former_users f where f.id = ${id}))`;
}

/** Columns of a run `r`, its workflow `w` and its version `v`. */
export const summaryColumns = `
  r.id, r.workflow_id as "workflowId", w.slug as "workflowSlug", r.version_id as "versionId",
  v.number as "versionNumber", r.origin, r.status, r.caller_user_id as "callerUserId",
  ${nameSql("r.caller_user_id")} as "callerName", r.execute_as_user_id as "executeAsUserId",
  ${nameSql("r.execute_as_user_id")} as "executeAsName", r.token_id as "tokenId", r.token_plane as "tokenPlane", r.request_id as "requestId", r.parent_run_id as "parentRunId",
  r.caused_by_run_id as "causedByRunId", r.error,
  case when r.origin = 'TEST' then pg_catalog.json_build_object('effects', coalesce(r.trial ->> 'effects'::text, 'REAL'),
    'until', r.trial ->> 'until'::text, 'mocked', coalesce(
      (select pg_catalog.json_agg(k.id order by k.id) from json_object_keys(r.trial -> 'mocks'::text) k (id)), '[]')) end as test,
  case when r.again_of_run_id is not null
    then pg_catalog.json_build_object('runId', r.again_of_run_id, 'from', r.again_from) end as "againOf",
  ${isoMoment("r.accepted_at")} as "acceptedAt", ${isoMoment("r.started_at")} as "startedAt",
  ${isoMoment("r.finished_at")} as "finishedAt"`;

/**
 * Lists the runs of one workflow or of all. A search covers input, result and error of a bounded number of runs: a
 * page may have fewer items than the limit, or none, and still have a next page.
 *
 * @throws AppError NOT_FOUND for the workflow, QUERY_INVALID for a cursor of another list
 */
export async function listRuns(
  database: Queryable,
  request: ListRunsRequest,
): Promise<Page<RunSummary>> {
  if (request.workflowId !== null) await requireWorkflow(database, request.workflowId);
  const isOrder = (part: string) => part === request.orderBy;
  const [, moment, id] = readCursor(request.cursor, [isOrder, isIsoMoment, isUuid]);
  const isDescending = request.orderBy.startsWith("-");
  const orderedBy = request.orderBy.endsWith("acceptedAt") ? "acceptedAt" : "finishedAt";
  const column = columns[orderedBy];
  const direction = isDescending ? "desc" : "asc";
  const parameters: string[] = [];
  const add: Add = (value, type = "text") => `$${parameters.push(value)}::${type}`;

  const conditions = conditionsOf(request, add);
  if (orderedBy === "finishedAt") conditions.push("r.finished_at is not null");
  if (moment !== null && id !== null) {
    const after = isDescending ? "<" : ">";
    conditions.push(
      `(r.${column}, r.id) ${after} (${add(moment, "timestamptz")}, ${add(id, "uuid")})`,
    );
  }
  const found = request.search === null ? "true" : searchIn(add(jsonPart(request.search)));
  const examined = request.search === null ? request.limit + 1 : examinedMax;
  const rows = await database.query<RunSummary & { found: boolean; examined: number }>(
    `select ${summaryColumns}, r.found, r.examined from (
       select e.*, row_number() over (order by e.${column} ${direction}, e.id ${direction}) as ordinal,
         (pg_catalog.count(*) over ())::integer as examined
       from (
         select r.*, ${found} as found from system.workflow_runs r
         ${conditions.length === 0 ? "" : `where ${conditions.join(" and ")}`}
         order by r.${column} ${direction}, r.id ${direction} limit ${add(String(examined), "integer")}) e) r
     join system.workflows w on w.id = r.workflow_id join system.workflow_versions v on v.id = r.version_id
     where r.found or r.ordinal = r.examined
     order by r.ordinal`,
    parameters,
  );
  const matching = rows.filter((row) => row.found);
  const items = matching.slice(0, request.limit);
  const hasMore = matching.length > items.length;
  const isCutOff = request.search !== null && rows.at(-1)?.examined === examinedMax;
  // The last examined run is among the rows, matching or not.
  const last = hasMore ? items.at(-1) : isCutOff ? rows.at(-1) : undefined;
  return {
    items: items.map(({ found: _, examined: __, ...run }) => run),
    nextCursor:
      last === undefined
        ? null
        : writePageCursor([request.orderBy, last[orderedBy] ?? "", last.id]),
  };
}

/** Adds a typed parameter, which PostgreSQL parses once and not for each run. */
type Add = (value: string, type?: string) => string;

function conditionsOf(filter: RunFilter, add: Add): string[] {
  const when = (value: string | null, type: string, condition: (parameter: string) => string) =>
    value === null ? [] : [condition(add(value, type))];
  const oneOf = (values: readonly string[] | null) =>
    values === null ? null : arrayLiteral(values);
  const isFailed = filter.statuses?.length === 1 && filter.statuses[0] === "FAILED";
  return [
    ...when(filter.workflowId, "uuid", (id) => `r.workflow_id = ${id}`),
    ...when(oneOf(filter.statuses), "text[]", (list) => `r.status = any (${list})`),
    ...when(oneOf(filter.origins), "text[]", (list) => `r.origin = any (${list})`),
    ...when(filter.callerUserId, "uuid", (id) => `r.caller_user_id = ${id}`),
    ...when(filter.executeAsUserId, "uuid", (id) => `r.execute_as_user_id = ${id}`),
    ...when(filter.parentRunId, "uuid", (id) => `r.parent_run_id = ${id}`),
    ...when(filter.requestId, "text", (id) => `r.request_id = ${id}`),
    ...when(filter.errorCode, "text", (code) => `r.error ->> 'code'::text = ${code}`),
    ...when(filter.acceptedSince, "timestamptz", (moment) => `r.accepted_at >= ${moment}`),
    ...when(filter.acceptedUntil, "timestamptz", (moment) => `r.accepted_at < ${moment}`),
    ...when(filter.finishedSince, "timestamptz", (moment) => `r.finished_at >= ${moment}`),
    ...when(filter.finishedUntil, "timestamptz", (moment) => `r.finished_at < ${moment}`),
    ...when(
      filter.durationMinMs === null ? null : String(filter.durationMinMs),
      "bigint",
      (ms) => `r.finished_at - r.started_at >= ${ms} * interval '1 millisecond'`,
    ),
    // Matches the partial index of failed runs.
    ...(isFailed || filter.errorCode !== null ? ["r.error is not null"] : []),
  ];
}

function searchIn(parameter: string): string {
  const parts = ["r.input", "r.result", "r.error"].map(
    (column) =>
      `strpos(system.fold(left(${column}::text, ${searchedMax})), system.fold(${parameter})) > 0`,
  );
  return `coalesce(${parts.join(" or ")}, false)`;
}

/** Returns a text in the form that it has inside JSON. */
export function jsonPart(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

// PostgreSQL has no year 0.
const isoForm = /^(?!0000)\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;

function isIsoMoment(part: string): boolean {
  if (!isoForm.test(part)) return false;
  const time = Date.parse(part);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(part.slice(0, 19));
}

/** A position in a full round over the steps of a run. */
interface Within {
  /** The horizon of the first page: the next round begins there. */
  readonly next: string;
  readonly position: number;
}

/** Characters of a run's id in a cursor: one of another run would skip steps. */
const idLength = 8;
const form = /^([0-9a-f]{8})-([0-9]{1,10})(?:-([0-9]{1,10})-([0-9]{1,9}))?$/;
const transactionMax = 4_294_967_295;

/**
 * What a reader of a run has received. `since` is the oldest transaction whose changes may be missing; null for all.
 * Within a round of several pages there is also the position of the last page.
 */
export class RunCursor {
  readonly #id: string;
  readonly since: string | null;
  readonly #within: Within | undefined;

  private constructor(id: string, since: string | null, within?: Within) {
    this.#id = id;
    this.since = since;
    this.#within = within;
  }

  /** Returns the cursor of a reader who has nothing. */
  static start(runId: string): RunCursor {
    return new RunCursor(runId.slice(0, idLength), null);
  }

  /** Returns the cursor of a text; undefined for a malformed one and for that of another run. */
  static read(runId: string, text: string): RunCursor | undefined {
    const [, id = "", since = "", next, position] = form.exec(text) ?? [];
    if (id !== runId.slice(0, idLength).toLowerCase()) return undefined;
    if (Math.max(Number(since), Number(next ?? 0)) > transactionMax) return undefined;
    const within =
      next === undefined || position === undefined
        ? undefined
        : { next, position: Number(position) };
    return new RunCursor(id, since === "0" ? null : since, within);
  }

  /** The last position that was received in this round, perhaps not all of its steps; null before the first page. */
  get position(): string | null {
    return this.#within === undefined ? null : String(this.#within.position);
  }

  /** Returns the cursor after a page that others follow. */
  within(horizon: string, position: number): RunCursor {
    return new RunCursor(this.#id, this.since, { next: this.#within?.next ?? horizon, position });
  }

  /** Returns the cursor after the last page of a round. */
  done(horizon: string): RunCursor {
    return new RunCursor(this.#id, this.#within?.next ?? horizon);
  }

  get text(): string {
    const since = this.since ?? "0";
    const within = this.#within;
    return within === undefined
      ? `${this.#id}-${since}`
      : `${this.#id}-${since}-${within.next}-${within.position}`;
  }
}
