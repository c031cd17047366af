import {
  appendAuditEntry,
  arrayLiteral,
  type Database,
  isUuid,
  type Queryable,
} from "@rowhouse/db";
import { AppError, createError, createFault } from "@rowhouse/errors";
import type { PartName } from "@rowhouse/wire";
import { throwAll } from "../documents/document-faults.ts";
import { type DocumentOptions, readDocuments } from "../documents/read-documents.ts";
import type { Documents, Step, World } from "../model/part.ts";
import { parts as allParts } from "../parts/parts.ts";
import { compare } from "./compare.ts";
import { planLifetime } from "./plan.ts";
import { type Files, partsOf, readPresent, writeFiles } from "./read-configuration.ts";
import { placed } from "./rehearse.ts";
import { type Caller, changeConfiguration } from "./transaction.ts";

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

/** An apply that has been committed. */
export interface Applied {
  readonly applyId: string;
  readonly steps: number;
}

/**
 * Does exactly what a plan says, in one transaction with one audit entry, or nothing.
 *
 * @throws AppError NOT_FOUND for an unknown or expired plan; PLAN_STALE if the configuration is no longer the one on which
 * it was made; BODY_INVALID for a missing consent; SESSION_REQUIRED; the fault of a step, at its file and line
 */
export async function applyPlan(
  database: Database,
  request: ApplyRequest,
  caller: Caller,
): Promise<Applied> {
  for (;;) {
    const work = (world: World) => apply(world, request, caller);
    const applied = await changeConfiguration(database, caller, work);
    if (applied !== undefined) return applied;
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
  await take(world, steps, documents, []);
}

/** Applies a plan; if steps have to be committed before, these alone. */
async function apply(
  world: World,
  request: ApplyRequest,
  { actor }: Caller,
): Promise<Applied | undefined> {
  const { database } = world;
  const plan = await readPlan(database, request);
  const documents = await readDocuments(plan.files, allParts, plan.options);
  const { steps, ahead, digest } = await compare(world, documents);
  if (digest !== plan.digest) throw createError("PLAN_STALE");
  requireConsents(plan.consents, request.consents);
  requireSession(world, steps, documents);
  const audit = (targetId: string, taken: readonly Step[]) =>
    appendAuditEntry(database, actor, {
      action: "configuration.apply",
      targetKind: "configuration",
      targetId,
      changedFields: [...new Set(taken.map(({ document }) => document))],
    });
  if (ahead.length > 0) {
    await take(world, ahead, documents, []);
    await audit(request.planId, ahead);
    return undefined;
  }
  await take(world, steps, documents, request.consents);
  const snapshot = await world.snapshots.fresh();
  const after = await readPresent({ database, snapshot }, partsOf(documents.parts));
  const written = await writeFiles(after);
  const applyId = await record(world, request, steps.length, documents.parts, written);
  await audit(applyId, steps);
  return { applyId, steps: steps.length };
}

interface StoredPlan {
  readonly digest: string;
  readonly files: Files;
  readonly options: DocumentOptions;
  readonly consents: readonly string[];
}

async function readPlan(queryable: Queryable, request: ApplyRequest): Promise<StoredPlan> {
  const message = "There is no such plan, or it is older than a day";
  if (!isUuid(request.planId)) throw createError("NOT_FOUND", { message });
  const [row] = await queryable.query<{ plan: string }>(
    `select pg_catalog.json_build_object('digest', digest, 'files', files, 'options', options, 'consents', consents)::text as plan
     from system.configuration_plans
     where id = $1::text::uuid and created_at > system.clock() - $2::text::interval`,
    [request.planId, planLifetime],
  );
  if (row === undefined) throw createError("NOT_FOUND", { message });
  const plan = JSON.parse(row.plan) as StoredPlan;
  if (plan.digest !== request.digest) throw createError("PLAN_STALE");
  return plan;
}

function requireConsents(needed: readonly string[], given: readonly string[]): void {
  const missing = needed.filter((consent) => !given.includes(consent));
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
  consents: readonly string[],
): Promise<void> {
  const given = new Set(consents);
  for (const step of steps) {
    try {
      await step.run(world, (consent) => given.has(consent));
    } catch (error) {
      if (!(error instanceof AppError) || error.status >= 500) throw error;
      throw error.mapFaults((fault) => placed(step, documents, fault));
    }
  }
}

async function record(
  { database, actor }: World,
  { source = {} }: ApplyRequest,
  steps: number,
  parts: ReadonlySet<PartName>,
  files: Files,
): Promise<string> {
  const [row] = await database.query<{ id: string }>(
    `insert into system.configuration_applies (applied_by, source_commit, source_url, steps, parts, files)
     values ($1::text::uuid, $2::text, $3::text, $4::text::integer, $5::text::text[], $6::text::json) returning id`,
    [
      actor.userId,
      source.commit ?? null,
      source.url ?? null,
      String(steps),
      arrayLiteral([...parts]),
      JSON.stringify(files),
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
