import { AttachmentUnavailable } from "./run-mail.ts";

/** Why a mail was not sent, without anything that a log must not contain. */
export interface MailFailure {
  readonly reason: string;
  readonly code: string | undefined;
  /** The mail server's reply code. */
  readonly responseCode: number | undefined;
  /** Whether every retry would fail as well. */
  readonly isFinal: boolean;
}

// Servers quote suspected spam in their replies; in our mails that is the link.
const secretPattern = /\b(rh[pslr])_[0-9A-Za-z]+/g;
// Permanent errors of earlier commands (sender, authentication) are configuration errors: once the operator has fixed
// them, the mail can be sent.
const commandsAboutMail: readonly unknown[] = ["RCPT TO", "DATA"];

/** Reads the error of a mailer and removes everything that looks like a secret. */
export function readMailFailure(error: unknown): MailFailure {
  const { message } = error instanceof Error ? error : new Error(String(error));
  const [code, response] = [propertyOf(error, "code"), propertyOf(error, "responseCode")];
  return {
    reason: message.replaceAll(secretPattern, "$1_…").slice(0, 500),
    code: typeof code === "string" ? code : undefined,
    responseCode: typeof response === "number" ? response : undefined,
    isFinal:
      error instanceof AttachmentUnavailable ||
      (propertyOf(error, "permanent") === true &&
        commandsAboutMail.includes(propertyOf(error, "command"))),
  };
}

function propertyOf(error: unknown, name: string): unknown {
  return typeof error === "object" && error !== null ? Reflect.get(error, name) : undefined;
}
