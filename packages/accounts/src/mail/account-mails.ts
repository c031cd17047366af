import { activeAdministratorSql, type Database, entityTagOf, type Queryable } from "@rowhouse/db";
import { allowedReturnAddress, withoutTrailingSlashes } from "@rowhouse/settings";
import { findTemplate, reasonOf } from "@rowhouse/templates";
import type { Vault } from "@rowhouse/vault";
import PQueue from "p-queue";
import { z } from "zod";
import { englishTemplates } from "./built-in/english.ts";
import { type Delivery, type MailLog, startDelivery } from "./deliver-mails.ts";
import { fillTemplate, type Reader } from "./fill-template.ts";
import { isMailKey, type LinkedPage, type MailKey, mailKinds } from "./mail-kinds.ts";
import type { Mail, Mailer } from "./mailer.ts";
import { type ClaimedMail, type MailTarget, putMail } from "./outbox.ts";
import type { MailTexts } from "./render-template.ts";
import { type ReadAttachment, type RunMail, readRunMail, writeRunMail } from "./run-mail.ts";
import { builtInTemplate } from "./templates.ts";

export interface Recipient extends Reader {
  readonly language: string | null;
}

export interface AccountMail {
  readonly template: MailKey;
  readonly to: Recipient;
  /** The secret in the link, which the page sends to a route; null for a mail without a link. */
  readonly secret: string | null;
  /** The page of another front end to which the link leads, from `requireReturnAddress`; without one a page of this service. */
  readonly returnTo?: string | null;
  readonly variables: Readonly<Record<string, string | number>>;
  readonly target: MailTarget;
  /** Time after which the mail is not sent, as a PostgreSQL interval: the lifetime of its link. */
  readonly goodFor: string;
}

/** Sends account mails through the outbox, so that none is lost while no mail server accepts it. */
export interface AccountMails {
  readonly background: Background;
  /** Base URL of links; null while none is configured. */
  readonly publicUrl: () => Promise<string | null>;
  /** The setting `auth.return_addresses`. */
  readonly returnAddresses: () => Promise<readonly string[]>;
  /** Adds a mail to the outbox, in the transaction that creates its link. Call `wake` after the commit. */
  put(transaction: Queryable, mail: AccountMail): Promise<void>;
  /** Adds a workflow's mail to the outbox, in the transaction of its step. */
  putRunMail(transaction: Queryable, mail: RunMail): Promise<void>;
  /**
   * Sends a mail to the mail server at once, without the outbox, and returns the server's response; null if no mail
   * server is configured.
   */
  readonly sendNow: ((mail: Mail) => Promise<string>) | null;
  /** Lets this process deliver mails with attachments. Without it they wait for a process that reads files. */
  readAttachmentsBy(read: ReadAttachment): void;
  /** Notifies the delivery of a new mail in the outbox. */
  wake(): void;
  /** Resolves once no mail is left that can be sent now. */
  idle(): Promise<void>;
  /** Stops background work and delivery. Unsent mails stay in the outbox. */
  close(): Promise<void>;
}

export interface AccountMailsOptions {
  readonly database: Database;
  /** Encrypts the mails in the outbox. */
  readonly vault: Vault;
  readonly mailer: Mailer;
  /** `system.public_url`, or its fallback. Links are built from it and never from a request. */
  readonly publicUrl: () => Promise<string | null>;
  readonly returnAddresses: () => Promise<readonly string[]>;
  readonly log: MailLog;
}

const letter = z.object({
  template: z.string().refine(isMailKey),
  to: z.object({ email: z.string(), name: z.string(), language: z.string().nullable() }),
  secret: z.string().nullable(),
  // A mail of an earlier release has none.
  returnTo: z.string().nullable().default(null),
  variables: z.record(z.string(), z.union([z.string(), z.number()])),
});

/** Time after which a workflow's mail is not sent. */
const runMailGoodFor = "24 hours";

/** Creates the sender of account mails, which renders templates and delivers by the given mailer. */
export function createAccountMails(options: AccountMailsOptions): AccountMails {
  const { database, vault, mailer, publicUrl, returnAddresses, log } = options;
  const background = createBackground((error) =>
    log.error({ err: error }, "An account mail could not be prepared"),
  );
  let readAttachment: ReadAttachment | undefined;
  const reported = new Set<string>();
  /** Fills the template of the database; undefined for one that is broken, which the log names once. */
  const fillStored = async (
    template: MailKey,
    to: Recipient,
    variables: Readonly<Record<string, string | number>>,
  ): Promise<MailTexts | undefined> => {
    const stored = await findTemplate(database, "MAIL", template, to.language);
    let fault: string | undefined = "It has no English version";
    if (stored !== undefined) {
      try {
        const filled = await fillTemplate(stored, to, variables);
        fault = faultOfMail(filled, variables);
        if (fault === undefined) return filled;
      } catch (error) {
        fault = reasonOf(error);
      }
    }
    const content = entityTagOf(JSON.stringify([template, stored]));
    if (!reported.has(content)) {
      const details = { template, language: to.language, fault };
      log.error(details, "A template of a mail is broken; its built-in text is sent instead");
    }
    reported.add(content);
    return undefined;
  };
  const sendFilled = async (
    template: MailKey,
    to: Recipient,
    variables: Readonly<Record<string, string | number>>,
  ): Promise<void> => {
    const parts =
      (await fillStored(template, to, variables)) ??
      (await fillTemplate(builtInFor(template, to.language), to, variables));
    await mailer.send({ to: to.email, ...parts });
  };
  const send = async ({ content, about, target }: ClaimedMail): Promise<void> => {
    if (content.kind === "NOTICE") {
      const notice = noticeSchema.parse(JSON.parse(content.notice));
      return sendFilled(notice.template, notice.to, noticeVariables(notice));
    }
    const { sealed } = content;
    if (target.kind === "run") {
      await mailer.send(
        await readRunMail(await vault.open(sealed, mailContextOf(about)), readAttachment),
      );
      return;
    }
    const base = await publicUrl();
    if (base === null) throw new Error("system.public_url is not set");
    const opened: unknown = JSON.parse(await vault.open(sealed, mailContextOf(about)));
    const { template, to, secret, returnTo: asked, variables } = letter.parse(opened);
    if (template === "workflow.failures" && !(await isAdministrator(database, target.id))) return;
    const { page } = mailKinds[template];
    // The address may have been removed from the setting while the mail waited.
    const returnTo =
      asked === null ? undefined : allowedReturnAddress(await returnAddresses(), asked);
    const site = new URL(returnTo ?? base).host;
    const linked = page === null ? {} : { link: linkOf(base, page, secret ?? "", returnTo), site };
    // An invitation that has waited since an earlier release does not name its inviter.
    const unnamed = template === "auth.invite" ? { inviter: site, roles: "–" } : {};
    await sendFilled(template, to, { ...unnamed, ...variables, ...linked });
  };
  const delivery: Delivery = startDelivery({
    database,
    send,
    readsFiles: () => readAttachment !== undefined,
    log,
  });
  return {
    background,
    publicUrl,
    returnAddresses,
    put: async (transaction, mail) => {
      const { target, goodFor, ...parts } = mail;
      const about = `${mailKinds[mail.template].about} of ${target.kind} ${target.id}`;
      const sealed = await vault.seal(JSON.stringify(parts), mailContextOf(about));
      await putMail(transaction, { about, target, sealed, goodFor });
    },
    putRunMail: async (transaction, mail) => {
      const { about, runId, attachments } = mail;
      const sealed = await vault.seal(writeRunMail(mail), mailContextOf(about));
      const target = { kind: "run", id: runId } as const;
      const hasAttachments = attachments.length > 0;
      const goodFor = runMailGoodFor;
      await putMail(transaction, { about, target, sealed, goodFor, hasAttachments });
    },
    readAttachmentsBy: (read) => {
      readAttachment = read;
      delivery.wake();
    },
    sendNow: mailer.sendNow,
    wake: delivery.wake,
    idle: async () => {
      await background.idle();
      await delivery.idle();
    },
    close: async () => {
      await background.idle();
      await delivery.close();
    },
  };
}

/**
 * Returns the address of a page that takes a secret. A browser sends no fragment: not to the server, its log or another site.
 *
 * @param returnTo a page of another front end, which learns from `kind` what the secret is for
 */
export function linkOf(
  base: string,
  page: LinkedPage,
  secret: string,
  returnTo?: string | null,
): string {
  if (returnTo != null) return `${returnTo}#token=${secret}&kind=${page}`;
  return `${withoutTrailingSlashes(base)}/admin/auth/${page}#token=${secret}`;
}

/** Whether a user is an active administrator now: the mail may have waited for hours. */
async function isAdministrator(database: Queryable, userId: string): Promise<boolean> {
  const found = await database.query(
    `select from system.users u where u.id = $1::uuid and ${activeAdministratorSql}`,
    [userId],
  );
  return found.length > 0;
}

/** Encryption context of a mail. */
export function mailContextOf(about: string): string {
  return `mail ${about}`;
}

/** Returns why a rendered mail must not be sent; undefined if it may. */
function faultOfMail(
  { subject, text, html }: MailTexts,
  { link }: Readonly<Record<string, string | number>>,
): string | undefined {
  if (subject === "" || text.trim() === "") return "It renders to an empty text";
  const isLinked =
    link === undefined || [text, html ?? text].every((part) => part.includes(`${link}`));
  return isLinked ? undefined : "It does not contain the link";
}

/** The text that the service ships, in the reader's language if it has one. */
function builtInFor(key: MailKey, language: string | null): MailTexts {
  const [base = "en"] = (language ?? "en").toLowerCase().split("-");
  return builtInTemplate(key, base) ?? englishTemplates[key];
}

/**
 * The content of a notice, which a trigger of the system schema adds to the outbox. It has no secret, so it is not
 * encrypted.
 */
const noticeSchema = z.object({
  template: z.string().refine(isMailKey),
  userId: z.string(),
  to: z.object({ email: z.string(), name: z.string(), language: z.string().nullable() }),
  variables: z.record(z.string(), z.string()).optional(),
  /** The addresses that the notice lists; notices of several transactions are merged into one mail. */
  people: z.array(z.string()).optional(),
});
type Notice = z.output<typeof noticeSchema>;

/** Maximum number of addresses that a mail lists. */
const namedMax = 20;

/** Template variables of a notice besides the reader. */
function noticeVariables({ variables, people }: Notice): Record<string, string> {
  if (people === undefined) return variables ?? {};
  const more = people.length - namedMax;
  const named = people.slice(0, namedMax).join(", ");
  return { ...variables, administrators: more > 0 ? `${named}, +${more}` : named };
}

/**
 * Work outside the request. No response waits for it, so no response time reveals whether there is work or how long it
 * takes.
 */
interface Background {
  run(work: () => Promise<unknown>): void;
  /** Resolves once all started work has ended. */
  idle(): Promise<void>;
}

const atOnceMax = 4;
const waitingMax = 1000;

/**
 * Runs a few tasks at a time. When the queue is full, further tasks are rejected and reported.
 *
 * @param report receives the error of a task that failed or was rejected
 */
function createBackground(report: (error: unknown) => void): Background {
  const queue = new PQueue({ concurrency: atOnceMax });
  return {
    run: (work) => {
      if (queue.size < waitingMax) void queue.add(() => work().catch(report));
      else report(new Error("The background queue is full; a task was dropped"));
    },
    idle: () => queue.onIdle(),
  };
}
