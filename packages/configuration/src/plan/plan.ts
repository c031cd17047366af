import { arrayLiteral, type Database } from "@rowhouse/db";
import type { ChangePreview } from "@rowhouse/ddl";
import { type DocumentOptions, readDocuments } from "../documents/read-documents.ts";
import type { Documents, StepKind } from "../model/part.ts";
import { parts } from "../parts/parts.ts";
import { compare } from "./compare.ts";
import { rolledBackGivingWay } from "./give-way.ts";
import type { Files } from "./read-configuration.ts";
import { type RehearsedStep, rehearse, stepLine } from "./rehearse.ts";
import { type Caller, openWorld } from "./transaction.ts";

/** A plan as an administrator reads it. */
export interface Plan {
  readonly planId: string;
  readonly digest: string;
  readonly steps: readonly PlannedStep[];
  /**
   * Statements that an apply commits before its transaction, because PostgreSQL would not let its steps use what they add.
   * They can be repeated.
   */
  readonly notInTransaction: readonly string[];
}

export interface PlannedStep {
  readonly kind: StepKind;
  /** The path of the document that asks for it. */
  readonly document: string;
  /** The line that asks for it; null for a document that is gone. */
  readonly line: number | null;
  readonly subject: string;
  readonly sql: readonly string[];
  readonly locks: ChangePreview["locks"];
  readonly losses: ChangePreview["losses"];
  /** Rows on which the step would fail. */
  readonly failing: ChangePreview["failingRows"];
  /** Consents that the apply must have, by name. */
  readonly needsConsent: readonly string[];
  /** Whether only an administrator's session may apply it. */
  readonly sessionOnly: boolean;
  readonly notes: readonly string[];
}

/** Plans that are kept; each has the files of a configuration. */
const plansMax = 50;

/** How long a plan can be applied, as an interval of PostgreSQL. */
export const planLifetime = "24 hours";

/**
 * Plans the changes that make the configuration what the files say. It changes nothing.
 *
 * @param files texts by path
 * @throws AppError with every fault at its file, line and column; SERVICE_UNAVAILABLE
 */
export async function planConfiguration(
  database: Database,
  files: Files,
  options: DocumentOptions,
  caller: Caller,
): Promise<Plan> {
  const documents = await readDocuments(files, parts, options);
  const { steps, ahead, digest } = await rolledBackGivingWay(database, async (transaction) => {
    const world = await openWorld(database, transaction, caller);
    const found = await compare(world, documents);
    const isWhole = found.ahead.length === 0;
    return {
      digest: found.digest,
      steps: await rehearse(world, found.steps, documents, isWhole),
      ahead: await rehearse(world, found.ahead, documents, true),
    };
  });
  const consents = [...new Set(steps.flatMap((step) => step.consents))];
  const planId = await storePlan(database, { files, options, digest, consents }, caller);
  return {
    planId,
    digest,
    steps: steps.map((step) => describe(step, documents)),
    notInTransaction: ahead.flatMap(({ preview }) => preview.sql),
  };
}

function describe({ step, preview, consents }: RehearsedStep, documents: Documents): PlannedStep {
  const { kind, subject, sessionOnly = false } = step;
  const document = documents.fileOf(step.document);
  const { sql, locks, losses, failingRows: failing, notes } = preview;
  return {
    ...{ kind, document, line: stepLine(step, documents), subject, sql, locks, losses, failing },
    needsConsent: consents,
    sessionOnly,
    notes,
  };
}

async function storePlan(
  database: Database,
  plan: {
    readonly files: Files;
    readonly options: DocumentOptions;
    readonly digest: string;
    readonly consents: readonly string[];
  },
  { actor }: Caller,
): Promise<string> {
  const [row] = await database.query<{ id: string }>(
    `with expired as (
       delete from system.configuration_plans
       where created_at < system.clock() - $6::text::interval
         or id not in (select id from system.configuration_plans order by created_at desc limit ${plansMax - 1}))
     insert into system.configuration_plans (created_by, digest, files, options, consents)
     values ($1::text::uuid, $2::text, $3::text::json, $4::text::json, $5::text::text[]) returning id`,
    [
      actor.userId,
      plan.digest,
      JSON.stringify(plan.files),
      JSON.stringify(plan.options),
      arrayLiteral(plan.consents),
      planLifetime,
    ],
  );
  return row?.id ?? "";
}
