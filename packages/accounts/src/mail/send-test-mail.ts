import {
  type AuditActor,
  appendAuditEntry,
  type Database,
  requireFound,
  schema,
} from "@rowhouse/db";
import { type AppError, createError } from "@rowhouse/errors";
import { eq } from "drizzle-orm";
import type { AccountMails } from "./account-mails.ts";
import { type MailFailure, readMailFailure } from "./mail-failure.ts";
import { previewTemplate, type TemplateDraft } from "./preview-template.ts";

/** A test mail that the mail server accepted. */
export interface SentTestMail {
  readonly to: string;
  /** The mail server's response. */
  readonly response: string;
}

const { users } = schema;

/**
 * Sends a template with sample values to the user's own address, at once and without the outbox. The audit log records
 * it with its outcome.
 *
 * @throws AppError NOT_FOUND; VALUE_INVALID as for a preview; CONFLICT without a mail server, and if the server rejects
 * the mail or is unreachable
 */
export async function sendTestMail(
  database: Database,
  mails: Pick<AccountMails, "sendNow">,
  id: string,
  draft: TemplateDraft,
  actor: AuditActor & { readonly userId: string },
): Promise<SentTestMail> {
  const { variables: _, ...parts } = await previewTemplate(database, id, draft);
  const { sendNow } = mails;
  if (sendNow === null) {
    throw createError("CONFLICT", {
      message: "No mail server is configured: set SMTP_URL. Mails are written to files",
    });
  }
  const [user] = await database.orm
    .select({ email: users.email })
    .from(users)
    .where(eq(users.id, actor.userId));
  const to = requireFound(user).email;
  const record = (outcome: "SUCCEEDED" | "FAILED") =>
    appendAuditEntry(database, actor, {
      action: "template.test_mail",
      targetKind: "template",
      targetId: id,
      outcome,
    });
  let response: string;
  try {
    response = await sendNow({ to, ...parts });
  } catch (error) {
    await record("FAILED");
    throw refusalOf(readMailFailure(error), error);
  }
  await record("SUCCEEDED");
  return { to, response };
}

// Not 503: clients repeat such a request, and a mail server that fell silent may have sent the mail.
function refusalOf({ reason, responseCode }: MailFailure, cause: unknown): AppError {
  const deed = responseCode === undefined ? "is unreachable" : "rejected the mail";
  return createError("CONFLICT", {
    message: `The mail server ${deed}: ${reason}`,
    details: { reason, ...(responseCode === undefined ? {} : { responseCode }) },
    cause,
  });
}
