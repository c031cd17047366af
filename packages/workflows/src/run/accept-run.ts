import {
  createBatch,
  type ItemGate,
  type ItemProof,
  type Queryable,
  sqlForEach,
  valuesSql,
} from "@rowhouse/db";
import { parseExactJson } from "@rowhouse/wire";
import type { Priority } from "../definition/definition.ts";
import { insertRunsSql, type NewRun } from "../model/new-run.ts";
import type { Claim } from "../model/run.ts";
import type { RunToken } from "../model/run-token.ts";
import type { ReservedSlot } from "../queue/hand-off.ts";

export interface AcceptedRun {
  readonly id: string;
  readonly workflowId: string;
  readonly versionId: string;
  /** JSON, redacted. */
  readonly input: string;
  readonly callerUserId: string | null;
  readonly executeAsUserId: string;
  readonly token: RunToken | null;
  readonly replyChannel: string | null;
  readonly requestId: string | null;
  /** The parent of the run's trace (W3C `traceparent`). */
  readonly traceParent: string | null;
  readonly priority: Priority;
}

/** How a run was accepted: queued for any worker, or already claimed for a slot of this process. */
export type Acceptance =
  | { readonly kind: "QUEUED" }
  | { readonly kind: "HELD"; readonly claim: Claim };

/** What must still hold at the acceptance of a run, since the statement alone checks it. */
export interface CallPermit extends ItemProof {
  /** The slug that the call named. */
  readonly slug: string;
  /** The role of the caller with the invoke grant. */
  readonly roleId: string;
}

/** A run to accept, and the slot reserved for it, if any. */
export interface AcceptanceRequest {
  readonly run: AcceptedRun;
  /**
   * Claims the run on acceptance, unless its workflow limits its runs or its user is not active; a normal claim
   * handles those cases.
   */
  readonly slot?: Pick<ReservedSlot, "owner" | "leaseMs"> | undefined;
  /** Accepts the run only if this still holds. Omitted for a call that was checked before. */
  readonly permit?: CallPermit | undefined;
}

/** Accepts runs. Requests that arrive in the same tick share one statement. */
export type AcceptRun = (request: AcceptanceRequest) => ReturnType<typeof acceptRun>;

export function createAcceptRun(database: Queryable): AcceptRun {
  const batchOf = (gate: ItemGate | undefined) => {
    const sql = gate === undefined ? acceptSql : sqlForEach((count) => makeAcceptSql(count, gate));
    const together = (requests: readonly AcceptanceRequest[]) =>
      acceptRuns(database, requests, sql);
    const alone = async (request: AcceptanceRequest) => (await together([request]))[0];
    return createBatch({ alone, together });
  };
  const batches = new Map<ItemGate | undefined, AcceptRun>();
  return (request) => {
    const gate = request.permit?.gate;
    const batch = batches.get(gate) ?? batchOf(gate);
    batches.set(gate, batch);
    return batch(request);
  };
}

/**
 * Writes a run, pinned to the version, in one statement and thus in one transaction.
 *
 * @returns undefined if the workflow is disabled or has published another version, or the permit does not hold
 */
export async function acceptRun(
  database: Queryable,
  request: Omit<AcceptanceRequest, "permit">,
): Promise<Acceptance | undefined> {
  const [acceptance] = await acceptRuns(database, [request], acceptSql);
  return acceptance;
}

async function acceptRuns(
  database: Queryable,
  requests: readonly AcceptanceRequest[],
  sql: (count: number) => string,
): Promise<(Acceptance | undefined)[]> {
  const rows = await database.query<{ id: string; held: boolean }>(
    sql(requests.length),
    requests.flatMap(({ run, slot, permit }) => [
      ...acceptedValues(run),
      slot?.owner ?? null,
      slot === undefined ? null : `${slot.leaseMs} milliseconds`,
      ...(permit === undefined ? [] : [permit.slug, permit.roleId, ...permit.values]),
    ]),
    { prepare: true },
  );
  const held = new Map(rows.map((row) => [row.id, row.held]));
  return requests.map(({ run }) => {
    const isHeld = held.get(run.id);
    if (isHeld === undefined) return undefined;
    return isHeld ? { kind: "HELD", claim: firstClaim(run) } : { kind: "QUEUED" };
  });
}

/** The parameters of `acceptedSql` for one run. */
export function acceptedValues(run: AcceptedRun): (string | null)[] {
  return [
    run.id,
    run.workflowId,
    run.versionId,
    run.input,
    run.callerUserId,
    run.executeAsUserId,
    run.replyChannel,
    run.requestId,
    run.traceParent,
    run.token?.id ?? null,
    run.token?.plane ?? null,
  ];
}

/** The types of `acceptedValues`, by column. */
const acceptedTypes = {
  id: "uuid",
  workflow_id: "uuid",
  version_id: "uuid",
  input: "json",
  caller_user_id: "uuid",
  execute_as_user_id: "uuid",
  reply_channel: "text",
  request_id: "text",
  trace_parent: "text",
  token_id: "uuid",
  token_plane: "text",
};

/** The columns of a new run from the rows `a`. */
export const acceptedColumns: NewRun = {
  id: "a.id",
  workflow_id: "a.workflow_id",
  version_id: "a.version_id",
  input: "a.input",
  caller_user_id: "a.caller_user_id",
  execute_as_user_id: "a.execute_as_user_id",
  origin: "'WEBHOOK'",
  reply_channel: "a.reply_channel",
  request_id: "a.request_id",
  trace_parent: "a.trace_parent",
  token_id: "a.token_id",
  token_plane: "a.token_plane",
};

/**
 * Returns the rows `a` of runs, joined to their workflows `w`. Their parameters are `acceptedValues`, then those of the
 * columns `more` (types by name). A workflow that is disabled or has published another version has no row.
 */
export function acceptedSql(count: number, more: Readonly<Record<string, string>>): string {
  const types = { ...acceptedTypes, ...more };
  return `from (${valuesSql(Object.values(types), count)})
  as a (${Object.keys(types).join(", ")})
join system.workflows w on w.id = a.workflow_id and w.enabled and w.published_version_id = a.version_id`;
}

function makeAcceptSql(count: number, gate?: ItemGate): string {
  const proven = Object.fromEntries(
    (gate?.types ?? []).map((type, index) => [`proven${index}`, type]),
  );
  const permitted = gate === undefined ? {} : { slug: "text", role: "uuid" };
  const ifHeld = (value: string) => `case when h.held then ${value} end`;
  const columns: NewRun = {
    ...acceptedColumns,
    accepted_at: "h.moment",
    status: "case when h.held then 'RUNNING' else 'QUEUED' end",
    fence: "h.held::integer",
    claims: "h.held::integer",
    lease_owner: ifHeld("a.owner"),
    lease_until: ifHeld("h.moment + a.lease"),
    started_at: ifHeld("h.moment"),
  };
  const claimed = { owner: "text", lease: "interval" };
  const rows = acceptedSql(count, { ...claimed, ...permitted, ...proven });
  const permit = gate === undefined ? "" : permittedSql(gate, Object.keys(proven));
  const source = `${rows}${permit}
cross join lateral (
  select clock_timestamp() as moment, a.owner is not null and w.concurrency is null
    -- Locks the user: a concurrent deletion waits for this run and then ends it.
    and coalesce((select u.active from system.users u where u.id = a.execute_as_user_id for key share), false) as held offset 0) h`;
  return `${insertRunsSql(columns, source)}
returning id, status = 'RUNNING' as held`;
}

// Each limit forces an index lookup. Otherwise a plan that was made while a table was small would scan all of it.
function permittedSql(gate: ItemGate, proven: readonly string[]): string {
  return `  and w.slug = a.slug
cross join ${gate.from}
cross join lateral (
  select from system.workflow_invoke_grants g where g.workflow_id = w.id and g.role_id = a.role limit 1) granted
cross join lateral (${gate.sql(proven.map((column) => `a.${column}`))}) proven`;
}

const acceptSql = sqlForEach((count) => makeAcceptSql(count));

/** Returns the claim of a run that was claimed on acceptance. */
function firstClaim(run: AcceptedRun): Claim {
  return {
    runId: run.id,
    workflowId: run.workflowId,
    versionId: run.versionId,
    parentRunId: null,
    depth: 0,
    sinceAcceptedMs: 0,
    ageMs: 0,
    claims: 1,
    executeAsUserId: run.executeAsUserId,
    token: run.token,
    executeAs: "ACTIVE",
    lostLeases: 0,
    input: parseExactJson(run.input),
    fence: "1",
    cancelRequested: false,
    replyChannel: run.replyChannel,
    priority: run.priority,
    isLimited: false,
    traceParent: run.traceParent,
    isTest: false,
    testOptions: null,
    journal: new Map(),
  };
}
