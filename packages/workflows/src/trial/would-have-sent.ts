import type { RunActor } from "@rowhouse/access";
import type { JsonObject } from "../base/json.ts";
import type { EffectStep } from "../definition/definition.ts";
import { fileRowOf, newFileOf, withinTime } from "../effect/create-file.ts";
import type { Flight } from "../effect/flight.ts";
import { mailOf } from "../effect/mail-step.ts";
import { describeAttachments } from "../effect/read-file.ts";
import { checkChildRun, childNotFound } from "../effect/start-child.ts";
import { requireToken } from "../model/run-token.ts";
import { describeRequest } from "./describe-request.ts";
import type { TrialContext } from "./trial-context.ts";

/** The steps whose effects cannot be rolled back. */
export type OutsideStep = Extract<
  EffectStep,
  { kind: "httpRequest" | "sendEmail" | "runWorkflow" | "storeFile" | "renderDocument" }
>;
type NewFileStep = Extract<OutsideStep, { kind: "storeFile" | "renderDocument" }>;

/** Takes the place of the id of a run that was not started. */
const noRun = "00000000-0000-0000-0000-000000000000";

/** The limit of a shown text, in characters. */
const textMax = 65_536;

/**
 * Returns the shape of a step's output, with `wouldHaveSent`: what it would have sent. It makes the checks of the step
 * that need nothing outside the database.
 *
 * @throws RunFault, AppError as the step does
 */
export async function wouldHaveSent(
  context: TrialContext,
  flight: Flight,
  step: OutsideStep,
  as: RunActor,
): Promise<JsonObject> {
  const { deps, claim } = context;
  await requireToken(deps.database, claim.token);
  switch (step.kind) {
    case "httpRequest": {
      const { request } = flight;
      const key = `${claim.runId}:${request.path}`;
      const rules = await deps.hostRules();
      const sent = describeRequest(step, request.input, context.secretNames, rules, key);
      return { status: 200, headers: {}, body: null, wouldHaveSent: sent };
    }
    case "sendEmail":
      return mail(context, flight, as);
    case "runWorkflow":
      return child(context, flight, step);
    case "storeFile":
    case "renderDocument":
      return file(context, flight, step, as);
    default:
      return step satisfies never;
  }
}

async function mail(
  { deps, rows }: TrialContext,
  flight: Flight,
  as: RunActor,
): Promise<JsonObject> {
  const { attachments, ...letter } = mailOf(flight.request.input);
  const attached =
    attachments.length === 0
      ? []
      : await rows.read("system", flight, (on) =>
          describeAttachments(deps.files, attachments, as, on),
        );
  const named = attached.map(({ id, name, mediaType, bytes }) => ({ id, name, mediaType, bytes }));
  return { to: letter.to, wouldHaveSent: { ...letter, attachments: named } };
}

async function child(
  { deps, claim }: TrialContext,
  { request }: Flight,
  { workflow, wait }: Extract<OutsideStep, { kind: "runWorkflow" }>,
): Promise<JsonObject> {
  const { input } = request.input;
  checkChildRun(claim, input);
  const found = await deps.database.query(
    `select from system.workflows w where w.slug = $1::text and w.enabled and w.published_version_id is not null`,
    [workflow],
  );
  if (found.length === 0) throw childNotFound();
  const sent = { wouldHaveSent: { workflow, input } };
  return wait ? sent : { run: noRun, ...sent };
}

async function file(
  { deps }: TrialContext,
  { request, signal }: Flight,
  step: NewFileStep,
  as: RunActor,
): Promise<JsonObject> {
  const made = await withinTime(step.timeoutMs, signal, (stop) =>
    newFileOf(deps.documents, step, request.input, stop),
  );
  const { id, mediaType, bytes, sha256 } = deps.files.make(made);
  const { values } = fileRowOf(step, request.input, id);
  const isText = step.kind === "storeFile" ? step.encoding === "text" : !step.pdf;
  const content = isText ? shorten(Buffer.from(made.content).toString()) : null;
  return {
    ...{ title: null, description: null, folder_id: null, visibility: "PRIVATE" },
    ...values,
    ...{ id, content: null, media_type: mediaType, bytes, sha256, uploaded_by: as.userId },
    wouldHaveSent: { name: made.name, mediaType, bytes, content },
  };
}

function shorten(text: string): string {
  return text.length <= textMax ? text : `${text.slice(0, textMax)}…`;
}
