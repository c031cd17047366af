/** Why a mail was not sent, as far as a log may say it. */
export interface MailFailure {
  readonly reason: string;
  readonly code: string | undefined;
  /** The mail server's own number. */
  readonly responseCode: number | undefined;
  /** Whether no later attempt can do better. */
  readonly isFinal: boolean;
}

// Servers quote in their answers what they take for spam, and of our mails that is the link.
const secretPattern = /\b(rh[psl])_[0-9A-Za-z]+/g;
// What a server says for good before it (of the sender, of a password) is the operator's to mend, and then the mail can go.
const commandsAboutMail: readonly unknown[] = ["RCPT TO", "DATA"];

/** Reads what a mailer threw; whatever looks like a secret is cut out of it. */
export function readMailFailure(error: unknown): MailFailure {
  const { message } = error instanceof Error ? error : new Error(String(error));
  const [code, response] = [propertyOf(error, "code"), propertyOf(error, "responseCode")];
  return {
    reason: message.replaceAll(secretPattern, "$1_…").slice(0, 500),
    code: typeof code === "string" ? code : undefined,
    responseCode: typeof response === "number" ? response : undefined,
    isFinal:
      propertyOf(error, "permanent") === true &&
      commandsAboutMail.includes(propertyOf(error, "command")),
  };
}

function propertyOf(error: unknown, name: string): unknown {
  return typeof error === "object" && error !== null ? Reflect.get(error, name) : undefined;
}
