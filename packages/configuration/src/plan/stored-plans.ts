import { advisoryLocks, arrayLiteral, isUuid, type Queryable, toAppError } from "@rowhouse/db";
import { type AppError, createError, type Fault } from "@rowhouse/errors";
import type { DocumentOptions } from "../documents/read-documents.ts";
import type { Missing, PlanNote, StepKind } from "../model/part.ts";
import type { PlannedStep } from "./plan-answer.ts";
import type { Files } from "./read-configuration.ts";

export type PlanState = "PLANNING" | "PLANNED" | "APPLYING" | "APPLIED" | "FAILED";

/** What a plan does, as its caller read it. */
export interface PlanAnswer {
  readonly steps: readonly PlannedStep[];
  /** What the files name and leave to other tools, and what there is not. */
  readonly missing: readonly Missing[];
  /** What the files say without an effect. */
  readonly notes: readonly PlanNote[];
  /**
   * Statements that an apply commits before its transaction, because PostgreSQL would not let its steps use what they add.
   * They can be repeated.
   */
  readonly notInTransaction: readonly string[];
}

/** A plan as it is stored, with its state. */
export interface Plan extends PlanAnswer {
  readonly planId: string;
  readonly state: PlanState;
  /** Empty until the plan is made. */
  readonly digest: string;
  /** Applies of the plan that have begun. The rest describes the last one. */
  readonly attempts: number;
  /** Steps that are done, while the state is APPLYING. */
  readonly done: number | null;
  /** The step in progress. */
  readonly current: { readonly kind: StepKind; readonly subject: string } | null;
  /** The apply that has been committed. */
  readonly applyId: string | null;
  /** Why the plan was not made, or not applied. */
  readonly errors: readonly Fault[] | null;
}

/** What an apply needs of a plan. */
export interface PlanContent {
  readonly digest: string;
  readonly files: Files;
  readonly options: DocumentOptions;
  readonly consents: readonly string[];
}

/** Plans that are kept; each has the files of a configuration. */
const plansMax = 50;
/** How long a plan can be applied, as an interval of PostgreSQL. */
const lifetime = "24 hours";
/** How long after its last sign of life the process of a plan that is being made counts as gone. */
const planningSilence = "30 seconds";
/** The same for an apply, whose transaction holds a lock: between two transactions, and before its error is written. */
const applySilence = "10 seconds";
/** How long after the last question about it a plan that is being made ends. */
const planningPatience = "60 seconds";

const lockSql = `${advisoryLocks.configurationPlans}, pg_catalog.hashtext($1::text)`;

export function unknownPlan(): AppError {
  return createError("NOT_FOUND", {
    message: "There is no such plan, or it is older than a day",
  });
}

/** Stores a plan; one that is still being made has neither content nor answer. A plan that was made stays as it is. */
export async function storePlan(
  queryable: Queryable,
  id: string,
  userId: string | null,
  build: string,
  made?: { readonly content: PlanContent; readonly answer: PlanAnswer },
): Promise<void> {
  const { digest = "", files = {}, options = {}, consents = [] } = made?.content ?? {};
  // A plan that is being applied stays.
  await queryable.query(
    `with expired as (
       delete from system.configuration_plans
       where (created_at < system.clock() - $9::text::interval or id not in (
           select id from system.configuration_plans order by created_at desc limit ${plansMax - 1}))
         and coalesce(touched_at < system.clock() - interval '1 hour', true) and id <> $1::text::uuid)
     insert into system.configuration_plans as p (id, created_by, digest, files, options, consents, build, answer, touched_at, asked_at)
     values ($1::text::uuid, $2::text::uuid, $3::text, $4::text::json, $5::text::json, $6::text[], $7::text, $8::text::json,
       case when $8::text is null then system.clock() end, case when $8::text is null then system.clock() end)
     on conflict (id) do update set digest = excluded.digest, files = excluded.files, options = excluded.options,
       consents = excluded.consents, answer = excluded.answer, touched_at = null
       where p.answer is null and excluded.answer is not null`,
    [
      ...[id, userId, digest, JSON.stringify(files), JSON.stringify(options)],
      ...[arrayLiteral(consents), build],
      made === undefined ? null : JSON.stringify(made.answer),
      lifetime,
    ],
  );
}

/** Records that a plan is still being made. @returns whether its caller has stopped asking for it */
export async function touchPlanning(queryable: Queryable, id: string): Promise<boolean> {
  const [row] = await queryable.query<{ is_left: string }>(
    `update system.configuration_plans set touched_at = system.clock() where id = $1::text::uuid
     returning (asked_at < system.clock() - interval '${planningPatience}')::text as is_left`,
    [id],
  );
  return row?.is_left !== "false";
}

interface PlanRow {
  readonly digest: string;
  readonly answer: PlanAnswer | null;
  readonly attempts: number;
  readonly step: number | null;
  readonly errors: readonly Fault[] | null;
  readonly isPlanning: boolean;
  readonly isFresh: boolean;
  readonly applyId: string | null;
}

/**
 * Returns a plan as it is stored, with its state.
 *
 * @throws AppError NOT_FOUND
 */
export async function readStoredPlan(queryable: Queryable, planId: string): Promise<Plan> {
  if (!isUuid(planId)) throw unknownPlan();
  // Before the row: the lock of an apply ends after its commit is visible.
  const [lock] = await queryable.query<{ is_held: string }>(
    `select exists (select from pg_catalog.pg_locks l join pg_catalog.pg_database d on d.oid = l.database
       where l.locktype = 'advisory' and l.classid = ${advisoryLocks.configurationPlans}::oid and l.objsubid = 2
         and l.objid = pg_catalog.hashtext($1::text)::oid and d.datname = pg_catalog.current_database() and l.granted)::text as is_held`,
    [planId.toLowerCase()],
  );
  const [row] = await queryable.query<{ plan: string }>(
    `with asked as (
       update system.configuration_plans set asked_at = system.clock() where id = $1::text::uuid and answer is null)
     select pg_catalog.json_build_object('digest', p.digest, 'answer', p.answer, 'attempts', p.attempts, 'step', p.step,
       'errors', p.errors, 'isPlanning', p.answer is null and p.build is not null,
       'isFresh', p.touched_at > system.clock() - case when p.answer is null then interval '${planningSilence}' else interval '${applySilence}' end,
       'applyId', (select a.id from system.configuration_applies a where a.plan_id = p.id))::text as plan
     from system.configuration_plans p where p.id = $1::text::uuid`,
    [planId],
  );
  if (row === undefined) throw unknownPlan();
  return toPlan(planId, JSON.parse(row.plan) as PlanRow, lock?.is_held === "true");
}

function toPlan(planId: string, row: PlanRow, isLocked: boolean): Plan {
  const { digest, answer, attempts, applyId } = row;
  const { steps = [], missing = [], notes = [], notInTransaction = [] } = answer ?? {};
  const common = { planId, digest, steps, missing, notes, notInTransaction, attempts, applyId };
  const state = stateOf(row, isLocked);
  const isApplying = state === "APPLYING";
  const done = isApplying ? (row.step ?? 0) : null;
  const step = done === null ? undefined : steps[done];
  return {
    ...common,
    ...{ state, done },
    current: step === undefined ? null : { kind: step.kind, subject: step.subject },
    errors: state === "FAILED" ? (row.errors ?? [ended(row.isPlanning)]) : null,
  };
}

function stateOf(row: PlanRow, isLocked: boolean): PlanState {
  if (row.applyId !== null) return "APPLIED";
  if (row.errors !== null) return "FAILED";
  if (row.isPlanning) return row.isFresh ? "PLANNING" : "FAILED";
  if (row.attempts === 0) return "PLANNED";
  return isLocked || row.isFresh ? "APPLYING" : "FAILED";
}

function ended(isPlanning: boolean): Fault {
  const message = isPlanning
    ? "The process that made the plan has ended; make a new plan"
    : "The process that applied the plan has ended, and nothing was applied";
  return { code: "SERVICE_UNAVAILABLE", message };
}

/** Returns the apply of a plan; undefined if the plan is not applied. */
export async function findApply(
  queryable: Queryable,
  planId: string,
): Promise<{ readonly applyId: string; readonly steps: number } | undefined> {
  const [row] = await queryable.query<{ id: string; steps: number }>(
    "select id, steps from system.configuration_applies where plan_id = $1::text::uuid",
    [planId],
  );
  return row && { applyId: row.id, steps: row.steps };
}

/**
 * Reads a plan that this build can apply.
 *
 * @throws AppError NOT_FOUND, PLAN_STALE
 */
export async function readPlanContent(
  queryable: Queryable,
  { planId, digest }: { readonly planId: string; readonly digest: string },
  build: string,
): Promise<PlanContent> {
  const [row] = await queryable.query<{ plan: string }>(
    `select pg_catalog.json_build_object('digest', digest, 'files', files, 'options', options, 'consents', consents, 'build', build)::text as plan
     from system.configuration_plans
     where id = $1::text::uuid and created_at > system.clock() - $2::text::interval`,
    [planId, lifetime],
  );
  if (row === undefined) throw unknownPlan();
  const plan = JSON.parse(row.plan) as PlanContent & { readonly build: string | null };
  if (plan.digest !== digest) throw createError("PLAN_STALE");
  if (plan.build !== build) {
    const message = "Another version of the service has made the plan; make a new plan";
    throw createError("PLAN_STALE", { message });
  }
  return plan;
}

/**
 * Lets no other transaction apply a plan before this one ends.
 *
 * @throws AppError CONFLICT if another one does
 */
export async function lockPlan(transaction: Queryable, planId: string): Promise<void> {
  const [row] = await transaction.query<{ is_held: string }>(
    `select pg_catalog.pg_try_advisory_xact_lock(${lockSql})::text as is_held`,
    [planId.toLowerCase()],
  );
  if (row?.is_held === "true") return;
  throw createError("CONFLICT", {
    message: "The plan is being applied",
    details: { state: "APPLYING" },
  });
}

/** How often the progress of an apply is written, in milliseconds. */
const progressMs = 1000;

/** The progress of one apply, written on connections beside its transaction. */
export class ApplyProgress {
  readonly #queryable: Queryable;
  readonly #planId: string;
  #timer: NodeJS.Timeout | undefined;
  #step = 0;
  #writing: Promise<unknown> | undefined;

  constructor(queryable: Queryable, planId: string) {
    this.#queryable = queryable;
    this.#planId = planId;
  }

  get isBegun(): boolean {
    return this.#timer !== undefined;
  }

  /** Records that the apply begins; further calls have no effect. */
  async begin(): Promise<void> {
    if (this.#timer !== undefined) return;
    await this.#write("attempts = attempts + 1, step = 0, errors = null", []);
    this.#timer = setInterval(() => this.#report(), progressMs).unref();
  }

  /** Counts the steps that are done. */
  steps(done: number): void {
    this.#step = done;
  }

  /** Ends the progress of an apply that was committed. */
  async end(): Promise<void> {
    clearInterval(this.#timer);
    await this.#writing;
  }

  /** Records the faults of an apply that has failed. If that fails too, the end of its transaction says so. */
  async fail(error: unknown): Promise<void> {
    await this.end();
    if (this.#timer === undefined) return;
    const { faults } = toAppError(error);
    await this.#write("errors = $2::text::json", [JSON.stringify(faults)]).catch(() => {});
  }

  #report(): void {
    this.#writing ??= this.#write("step = $2::text::integer", [String(this.#step)])
      .catch(() => {})
      .finally(() => {
        this.#writing = undefined;
      });
  }

  async #write(changes: string, values: readonly string[]): Promise<void> {
    await this.#queryable.query(
      `update system.configuration_plans set ${changes}, touched_at = system.clock() where id = $1::text::uuid`,
      [this.#planId, ...values],
    );
  }
}

/** Records the faults of a plan that was not made, for a caller who asks by its id. */
export async function failPlan(
  queryable: Queryable,
  planId: string,
  error: unknown,
): Promise<void> {
  const { faults } = toAppError(error);
  await queryable.query(
    "update system.configuration_plans set errors = $2::text::json where id = $1::text::uuid and answer is null",
    [planId, JSON.stringify(faults)],
  );
}
