import { appendAuditEntry, arrayLiteral, type Database, isUuid } from "@rowhouse/db";
import { AppError, createError, createFault } from "@rowhouse/errors";
import { outcomeWithin } from "@rowhouse/limits";
import { meantConsents, type PartName } from "@rowhouse/wire";
import { throwAll } from "../documents/document-faults.ts";
import { readDocuments } from "../documents/read-documents.ts";
import type { Documents, Elsewhere, Part, Step, World } from "../model/part.ts";
import { parts as allParts } from "../parts/parts.ts";
import { mayWait, runInSavepoint, WaitingSteps } from "../run/waiting.ts";
import { elsewhereAfter } from "./applied.ts";
import { readBuild } from "./build.ts";
import { compare, stateOf } from "./compare.ts";
import { type Files, partsOf, readPresent, writeFiles } from "./read-configuration.ts";
import { placed } from "./rehearse.ts";
import {
  ApplyProgress,
  findApply,
  lockPlan,
  readPlanContent,
  unknownPlan,
} from "./stored-plans.ts";
import { applyMs, type Caller, changeConfiguration } from "./transaction.ts";
import type { Turns } from "./turns.ts";

export interface ApplyRequest {
  readonly planId: string;
  /** The digest of the plan, as it was read. */
  readonly digest: string;
  /** The consents that the administrator gives, by name. */
  readonly consents: readonly string[];
  /** Where the files are from. */
  readonly source?:
    | { readonly commit?: string | undefined; readonly url?: string | undefined }
    | undefined;
}

/** An apply. */
export interface Applied {
  readonly planId: string;
  readonly state: "APPLIED" | "APPLYING";
  /** Null while it is in progress. */
  readonly applyId: string | null;
  readonly steps: number;
  /** Whether an earlier request has applied the plan. */
  readonly isRepeated: boolean;
}

export interface ApplyOptions {
  /** Ends the wait for a turn. An apply that has begun goes on: its state can be read by the id of its plan. */
  readonly signal?: AbortSignal | undefined;
  /** After how many milliseconds an apply is answered although it is still in progress. */
  readonly waitMs?: number | undefined;
  /** Where the apply waits for others. */
  readonly turns?: Turns | undefined;
}

/**
 * Does exactly what a plan says, in one transaction with one audit entry, or nothing. The transaction has a connection of
 * its own. A plan is applied once: a later request gets the same apply.
 *
 * @throws AppError NOT_FOUND for an unknown or expired plan; PLAN_STALE if the configuration is no longer the one on which
 * it was made, or another build has made it; CONFLICT while it is being applied; BODY_INVALID for a missing consent;
 * SESSION_REQUIRED; AUTHENTICATION_REQUIRED or ACTION_DENIED if the caller has lost the right meanwhile;
 * RATE_LIMIT_EXCEEDED; the fault of a step, at its file and line
 */
export async function applyPlan(
  database: Database,
  request: ApplyRequest,
  caller: Caller,
  { signal, waitMs, turns }: ApplyOptions = {},
): Promise<Applied> {
  const { planId } = request;
  if (!isUuid(planId)) throw unknownPlan();
  const earlier = await findApply(database, planId);
  if (earlier !== undefined) return appliedOf(planId, earlier, true);
  const release = await turns?.begin(caller.actor.userId, signal);
  const progress = new ApplyProgress(database, planId);
  const applying = complete(database, request, caller, progress).finally(release);
  if (waitMs === undefined || (await outcomeWithin(waitMs, applying)) !== "LATE") return applying;
  // The stored plan has its end.
  applying.catch(() => {});
  return { planId, state: "APPLYING", applyId: null, steps: 0, isRepeated: false };
}

async function complete(
  database: Database,
  request: ApplyRequest,
  caller: Caller,
  progress: ApplyProgress,
): Promise<Applied> {
  const { planId } = request;
  try {
    const done = await applyAll(database, request, caller, progress);
    await progress.end();
    return appliedOf(planId, done.apply, done.isRepeated);
  } catch (error) {
    // The answer to a commit may be lost, not its effect.
    const done = isUncertain(error) ? await findApply(database, planId).catch(() => {}) : undefined;
    if (done !== undefined) {
      await progress.end();
      return appliedOf(planId, done, false);
    }
    await progress.fail(error);
    throw error;
  }
}

interface Apply {
  readonly applyId: string;
  readonly steps: number;
}

function appliedOf(planId: string, { applyId, steps }: Apply, isRepeated: boolean): Applied {
  return { planId, state: "APPLIED", applyId, steps, isRepeated };
}

function isUncertain(error: unknown): boolean {
  return !(error instanceof AppError) || error.status >= 500;
}

/** Applies a plan: first the steps that have to be committed before the others, if there are any. */
async function applyAll(
  database: Database,
  request: ApplyRequest,
  caller: Caller,
  progress: ApplyProgress,
): Promise<{ readonly apply: Apply; readonly isRepeated: boolean }> {
  const build = await readBuild();
  for (;;) {
    let earlier: Apply | undefined;
    const apply = await changeConfiguration(
      database,
      caller,
      async (world) => earlier ?? takePlan(world, request, caller, build, progress),
      {
        open: (work) => database.stage(work, { timeoutMs: applyMs }),
        before: async (transaction) => {
          await lockPlan(transaction, request.planId);
          earlier = await findApply(transaction, request.planId);
          if (earlier === undefined) await progress.begin();
        },
      },
    );
    if (apply !== undefined) return { apply, isRepeated: earlier !== undefined };
  }
}

/**
 * Applies documents of types, tables and views beside all others: what has no document among them stays as it is. No apply
 * is recorded, so they count as made by hand.
 *
 * @throws AppError with the faults of the documents, or of a step at its file and line
 */
export async function addDocuments(world: World, files: Files): Promise<void> {
  const documents = await readDocuments(files, allParts, {});
  const { steps } = await compare(world, documents, "OWN_PATHS");
  await take(world, steps, documents, new Set());
}

/** Applies a plan; if steps have to be committed before, these alone. */
async function takePlan(
  world: World,
  request: ApplyRequest,
  { actor }: Caller,
  build: string,
  progress: ApplyProgress,
): Promise<Apply | undefined> {
  const { database } = world;
  const plan = await readPlanContent(database, request, build);
  const documents = await readDocuments(plan.files, allParts, plan.options);
  const { steps: planned, ahead, digest } = await compare(world, documents);
  if (digest !== plan.digest) throw createError("PLAN_STALE");
  const optional = planned.flatMap(({ consent }) => consent ?? []);
  const given = new Set(meantConsents([...plan.consents, ...optional], request.consents));
  requireConsents(plan.consents, given);
  const isLeft = ({ isOptional, consent = "" }: Step) => isOptional === true && !given.has(consent);
  const steps = planned.filter((step) => !isLeft(step));
  requireSession(world, steps, documents);
  const audit = (targetId: string, taken: readonly Step[]) =>
    appendAuditEntry(database, actor, {
      action: "configuration.apply",
      targetKind: "configuration",
      targetId,
      changedFields: [...new Set(taken.map(({ document }) => document))],
    });
  if (ahead.length > 0) {
    await take(world, ahead, documents, new Set());
    await audit(request.planId, ahead);
    return undefined;
  }
  await take(world, steps, documents, given, (done) => progress.steps(done));
  const state = await stateOf(world);
  const elsewhere = elsewhereAfter(documents, state.elsewhere);
  const after = await readPresent({ ...state, elsewhere }, partsOf(documents.parts));
  // What is in no file and belongs to no other tool is beside the files, and drift says so.
  for (const [part, present] of after) {
    if (!isRelational(part)) continue;
    for (const [path, document] of present) {
      const { managed = null } = document as { readonly managed?: unknown };
      if (managed !== "elsewhere" && !documents.of(part).has(path)) present.delete(path);
    }
  }
  const files = await writeFiles(after, elsewhere);
  const applyId = await record(world, request, steps.length, {
    parts: documents.parts,
    files,
    elsewhere,
  });
  await audit(applyId, steps);
  return { applyId, steps: steps.length };
}

/** Whether an apply can leave records of a part that have no file. */
function isRelational({ name }: Pick<Part<unknown>, "name">): boolean {
  return name === "types" || name === "sql" || name === "tables" || name === "views";
}

function requireConsents(needed: readonly string[], given: ReadonlySet<string>): void {
  const missing = needed.filter((consent) => !given.has(consent));
  if (missing.length === 0) return;
  throw createError("BODY_INVALID", {
    path: "/data/consents",
    message: `The plan needs these consents: ${missing.join(", ")}`,
    details: { consents: missing },
  });
}

function requireSession({ hasSession }: World, steps: readonly Step[], documents: Documents): void {
  if (hasSession) return;
  throwAll(
    steps
      .filter(({ sessionOnly }) => sessionOnly === true)
      .map((step) => {
        const message = `Only a session may change ${step.subject}`;
        return placed(step, documents, createFault("SESSION_REQUIRED", { path: "", message }));
      }),
  );
}

async function take(
  world: World,
  steps: readonly Step[],
  documents: Documents,
  given: ReadonlySet<string>,
  onDone: (steps: number) => void = () => {},
): Promise<void> {
  const isConsented = (consent: string) => given.has(consent);
  const waiting = new WaitingSteps(
    (step) =>
      mayWait(step) ? runInSavepoint(world, step, isConsented) : step.run(world, isConsented),
    (step, error) => {
      if (!(error instanceof AppError) || error.status >= 500) throw error;
      throw error.mapFaults((fault) => placed(step, documents, fault));
    },
  );
  let order = 0;
  for (const [index, step] of steps.entries()) {
    onDone(index);
    if (step.order !== order) await waiting.begin(step.order);
    order = step.order;
    await waiting.run(step);
  }
  await waiting.begin(Number.POSITIVE_INFINITY);
}

async function record(
  { database, actor }: World,
  { planId, source = {} }: ApplyRequest,
  steps: number,
  {
    parts,
    files,
    elsewhere,
  }: {
    readonly parts: ReadonlySet<PartName>;
    readonly files: Files;
    readonly elsewhere: Elsewhere;
  },
): Promise<string> {
  const [row] = await database.query<{ id: string }>(
    `insert into system.configuration_applies (applied_by, source_commit, source_url, steps, parts, files, plan_id, elsewhere)
     values ($1::text::uuid, $2::text, $3::text, $4::text::integer, $5::text::text[], $6::text::json, $7::text::uuid, $8::text::json)
     returning id`,
    [
      actor.userId,
      source.commit ?? null,
      source.url ?? null,
      String(steps),
      arrayLiteral([...parts]),
      ...[JSON.stringify(files), planId, JSON.stringify(elsewhere)],
    ],
  );
  // Files are compared with those of the last apply of each part; an earlier apply stays without them.
  await database.query(
    `update system.configuration_applies set files = '{}'
     where files::text <> '{}' and id not in (
       select distinct on (part) id from system.configuration_applies, pg_catalog.unnest(parts) part
       order by part, applied_at desc)`,
  );
  return row?.id ?? "";
}
