import type { Queryable } from "@rowhouse/db";
import type { RunActor } from "../model/run-token.ts";
import type { EffectDeps } from "./effect-deps.ts";
import type { Flight } from "./flight.ts";
import { mailOf } from "./mail-step.ts";
import { describeAttachments } from "./read-file.ts";

/** Adds one mail for each recipient, so that a failed delivery affects no other recipient. */
export async function putMails(
  { mails, files }: EffectDeps,
  on: Queryable,
  runId: string,
  { input, path }: Flight["request"],
  as: RunActor,
): Promise<unknown> {
  const letter = mailOf(input);
  const attachments = await describeAttachments(files, letter.attachments, as, on);
  for (const [index, to] of letter.to.entries()) {
    const about = `run ${runId} ${path} ${index}`;
    await mails.put(on, { ...letter, attachments, as, to, runId, about });
  }
  return { to: letter.to };
}
