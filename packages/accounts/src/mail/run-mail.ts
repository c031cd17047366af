import type { RunActor } from "@rowhouse/access";
import { z } from "zod";
import type { Mail, MailAttachment } from "./mailer.ts";

/** A file that a mail attaches, as it was when the mail was written. */
export interface RunAttachment {
  readonly id: string;
  readonly name: string;
  readonly mediaType: string;
  /** Of the bytes, in hexadecimal digits. */
  readonly sha256: string;
}

/** A mail with finished text, sent by a workflow. */
export interface RunMail {
  readonly runId: string;
  /** Unique key of the mail. */
  readonly about: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string | null;
  readonly attachments: readonly RunAttachment[];
  /** The identity that must still be able to read the attachments when the mail is delivered. */
  readonly as: RunActor;
}

/**
 * Reads the bytes of an attachment, at the delivery.
 *
 * @throws AttachmentUnavailable if the identity may not read the file now, or if its bytes have changed
 */
export type ReadAttachment = (attachment: RunAttachment, as: RunActor) => Promise<Uint8Array>;

/** A mail whose attachment is not what it was. It is never delivered, since each attempt would fail. */
export class AttachmentUnavailable extends Error {
  override readonly name = "AttachmentUnavailable";
}

const written = z.object({
  to: z.string(),
  subject: z.string(),
  text: z.string(),
  html: z.string().nullable(),
});
// A nested mail: code that does not know attachments fails to read it, and leaves it to code that does.
const withAttachments = z.object({
  mail: written,
  attachments: z.array(
    z.object({ id: z.string(), name: z.string(), mediaType: z.string(), sha256: z.string() }),
  ),
  as: z.object({ userId: z.string(), tokenId: z.string().nullable() }),
});

/** Returns the content of a mail in the outbox, as JSON. */
export function writeRunMail({ to, subject, text, html, attachments, as }: RunMail): string {
  const mail = { to, subject, text, html };
  return JSON.stringify(attachments.length === 0 ? mail : { mail, attachments, as });
}

/**
 * Returns the mail of a content from the outbox, with the bytes of its attachments.
 *
 * @throws AttachmentUnavailable
 */
export async function readRunMail(
  content: string,
  read: ReadAttachment | undefined,
): Promise<Mail> {
  const parsed = z.union([withAttachments, written]).parse(JSON.parse(content));
  if (!("mail" in parsed)) return parsed;
  if (read === undefined) throw new Error("This process does not read files");
  const attachments: MailAttachment[] = [];
  for (const attachment of parsed.attachments) {
    const { name, mediaType } = attachment;
    attachments.push({ name, mediaType, content: await read(attachment, parsed.as) });
  }
  return { ...parsed.mail, attachments };
}
