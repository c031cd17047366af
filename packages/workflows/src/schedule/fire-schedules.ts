import { randomUUID } from "node:crypto";
import { arrayLiteral, type Database, type Queryable } from "@rowhouse/db";
import { toJson } from "../base/json.ts";
import { createRecurrence, type Recurrence } from "../compile/recurrence.ts";
import type { Priority, ScheduleTrigger } from "../definition/definition.ts";
import { triggerSchema } from "../definition/trigger.ts";
import { executeAsGoneSql } from "../model/missing-user.ts";
import { failedBy, insertRunsSql, withoutToken } from "../model/new-run.ts";

export interface FireSchedulesDeps {
  readonly database: Database;
  /** Wakes a worker for a run that was accepted. */
  readonly wakeRun: (runId: string, priority: Priority) => void;
  /** Receives the error of a schedule that could not fire. The next call retries it. */
  readonly report: (error: unknown) => void;
}

/** The limit of occurrences per call, so that a worker that stops does not finish a long backlog first. */
const firingsMax = 200;

/** A schedule whose row this transaction has locked. */
interface Due {
  readonly workflowId: string;
  readonly trigger: ScheduleTrigger;
  /** Milliseconds since 1970 by the database's clock, as all moments here. */
  readonly dueAt: number;
  readonly previousAt: number | null;
  readonly now: number;
}

/**
 * Accepts a run for every schedule that is due. Any number of workers may call this at once: each locks one row at a
 * time and writes the run and the next moment in one transaction. No occurrence has two runs, and a worker that stops
 * loses none.
 *
 * @returns milliseconds until the next schedule is due; undefined if there is none. Schedules that are due but locked
 * by another worker, or that failed, are left to the next call.
 */
export async function fireSchedules(deps: FireSchedulesDeps): Promise<number | undefined> {
  const failed: string[] = [];
  for (let count = 0; await fireOne(deps, failed); count += 1) {
    if (count === firingsMax) return 0;
  }
  const [row] = await deps.database.query<{ due: number | null }>(
    `select (extract(epoch from pg_catalog.min(next_at) - system.clock()) * 1000)::double precision as due
     from system.workflow_schedules where next_at > system.clock()`,
    [],
    { prepare: true },
  );
  return row?.due ?? undefined;
}

/** @returns whether a schedule was due */
async function fireOne(deps: FireSchedulesDeps, failed: string[]): Promise<boolean> {
  let taken: string | undefined;
  try {
    const run = await deps.database.transaction(async (transaction) => {
      const due = await takeDue(transaction, failed, (workflowId) => {
        taken = workflowId;
      });
      return due === undefined ? undefined : fire(transaction, due);
    });
    if (run?.isQueued === true) deps.wakeRun(run.id, run.priority);
  } catch (error) {
    if (taken === undefined) throw error;
    // One failure must not block the other schedules.
    failed.push(taken);
    deps.report(error);
  }
  return taken !== undefined;
}

/** Locks the schedule that has been due for longest, skipping locked ones. */
async function takeDue(
  transaction: Queryable,
  except: readonly string[],
  onTaken: (workflowId: string) => void,
): Promise<Due | undefined> {
  const milliseconds = (moment: string) =>
    `(extract(epoch from ${moment}) * 1000)::double precision`;
  // Locks the workflow first: publishing holds its lock and then waits for the schedule.
  const [row] = await transaction.query<Omit<Due, "trigger"> & { trigger: unknown }>(
    `select s.workflow_id as "workflowId", v.definition -> 'trigger'::text as trigger,
       ${milliseconds("s.next_at")} as "dueAt", ${milliseconds("s.previous_at")} as "previousAt",
       ${milliseconds("system.clock()")} as now
     from system.workflow_schedules s
     join system.workflows w on w.id = s.workflow_id
     join system.workflow_versions v on v.id = w.published_version_id
     where s.next_at <= system.clock() and w.enabled and not (s.workflow_id = any ($1::text::uuid[]))
     order by s.next_at limit 1
     for key share of w skip locked for update of s skip locked`,
    [arrayLiteral(except)],
    { prepare: true },
  );
  if (row === undefined) return undefined;
  onTaken(row.workflowId);
  const trigger = triggerSchema.parse(row.trigger);
  if (trigger.kind !== "schedule") throw new Error("a schedule belongs to a workflow without one");
  return { ...row, trigger };
}

interface AcceptedOccurrence {
  readonly id: string;
  /** False for a run that has already failed. */
  readonly isQueued: boolean;
  readonly priority: Priority;
}

/** @returns the accepted run, if any */
async function fire(transaction: Queryable, due: Due): Promise<AcceptedOccurrence | undefined> {
  const { workflowId, trigger, dueAt, now } = due;
  const recurrence = createRecurrence(trigger.cron, trigger.timeZone);
  const { scheduledAt, nextAt } = planFiring(recurrence, trigger.catchUp, dueAt, now);
  const run =
    scheduledAt === null ? undefined : await acceptOccurrence(transaction, due, scheduledAt);
  await transaction.query(
    `update system.workflow_schedules
     set next_at = to_timestamp($2::text::double precision / 1000),
       previous_at = coalesce(to_timestamp($3::text::double precision / 1000), previous_at)
     where workflow_id = $1::text::uuid`,
    [
      workflowId,
      nextAt === null ? null : String(nextAt),
      run === undefined ? null : String(scheduledAt),
    ],
    { prepare: true },
  );
  return run;
}

/**
 * Writes the run of an occurrence, unless it exists or must not overlap the previous one. If its user was deleted, the
 * run is written as failed.
 */
async function acceptOccurrence(
  transaction: Queryable,
  { workflowId, trigger, previousAt, now }: Due,
  scheduledAt: number,
): Promise<AcceptedOccurrence | undefined> {
  const moment = (at: number | null) => (at === null ? null : new Date(at).toISOString());
  const input = toJson({
    scheduledAt: moment(scheduledAt),
    firedAt: moment(now),
    previous: moment(previousAt),
  });
  const [run] = await transaction.query<AcceptedOccurrence>(
    occurrenceSql,
    [workflowId, randomUUID(), input, String(scheduledAt), trigger.executeAs, trigger.overlap],
    { prepare: true },
  );
  return run;
}

const occurrenceSql = `${insertRunsSql(
  {
    id: "$2::text::uuid",
    workflow_id: "w.id",
    version_id: "w.published_version_id",
    input: "$3::text::json",
    execute_as_user_id: "$5::text::uuid",
    origin: "'SCHEDULE'",
    scheduled_at: "to_timestamp($4::text::double precision / 1000)",
    ...withoutToken,
    ...failedBy(`case when u.id is null then ${executeAsGoneSql} end`),
  },
  `from system.workflows w left join system.users u on u.id = $5::text::uuid
where w.id = $1::text::uuid and w.enabled
  and ($6::text = 'ALLOW' or not coalesce(
    (select r.finished_at is null from system.workflow_runs r
     where r.workflow_id = w.id and r.scheduled_at is not null order by r.scheduled_at desc limit 1), false))`,
)}
on conflict (workflow_id, scheduled_at) where scheduled_at is not null do nothing
returning id, finished_at is null as "isQueued", (select w.priority from system.workflows w where w.id = workflow_id) as priority`;

/** The decision about a schedule that is due. Moments are milliseconds since 1970. */
export interface Firing {
  /** The occurrence that gets a run; null if it was missed. */
  readonly scheduledAt: number | null;
  /** When the schedule is due next; null if never. */
  readonly nextAt: number | null;
}

/** An occurrence that is at most this late does not count as missed: workers cannot always be more punctual. */
const punctualMs = 60_000;
/** How far back `ALL` catches up. */
const catchUpMs = 86_400_000;

/**
 * Decides about the occurrences from `dueAt` to `now`, of which there is at least one. `LATEST` starts one run, for
 * the last one; `ALL` starts a run for each of the last 24 hours, one per call; `NONE` starts a run for the last one,
 * unless it was missed.
 */
export function planFiring(
  recurrence: Recurrence,
  catchUp: ScheduleTrigger["catchUp"],
  dueAt: number,
  now: number,
): Firing {
  switch (catchUp) {
    case "ALL": {
      const horizon = now - catchUpMs;
      const first = dueAt >= horizon ? dueAt : recurrence.after(horizon);
      if (first === null || first > now) return { scheduledAt: null, nextAt: first };
      return { scheduledAt: first, nextAt: recurrence.after(first) };
    }
    case "LATEST":
    case "NONE": {
      const latest = Math.max(dueAt, recurrence.upTo(now) ?? dueAt);
      const isMissed = catchUp === "NONE" && now - latest > punctualMs;
      return { scheduledAt: isMissed ? null : latest, nextAt: recurrence.after(now) };
    }
    default:
      return catchUp satisfies never;
  }
}
