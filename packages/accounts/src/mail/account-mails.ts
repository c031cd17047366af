import type { Database, Queryable } from "@rowhouse/db";
import type { Vault } from "@rowhouse/vault";
import { z } from "zod";
import { type Background, createBackground } from "../background.ts";
import { type Delivery, type MailLog, startDelivery } from "./deliver-mails.ts";
import { isMailKey, type MailKey, mailKinds } from "./mail-kinds.ts";
import type { Mailer } from "./mailer.ts";
import { noticeSchema, noticeVariables } from "./notice.ts";
import { type ClaimedMail, type MailTarget, putMail } from "./outbox.ts";
import { renderTemplate, type Template } from "./render-template.ts";

export interface Recipient {
  readonly email: string;
  readonly name: string;
  readonly language: string | null;
}

export interface AccountMail {
  readonly template: MailKey;
  readonly to: Recipient;
  /** What its link holds, which the page calls a route with; null for a mail without a link. */
  readonly secret: string | null;
  readonly variables: Readonly<Record<string, string | number>>;
  readonly target: MailTarget;
  /** How long it is worth sending, as Postgres writes an interval: as long as its link is good. */
  readonly goodFor: string;
}

/** A mail that has its words already: a workflow's. */
export interface RunMail {
  readonly runId: string;
  /** Tells it from every other mail. */
  readonly about: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string | null;
}

/** Sends the mails of accounts: by way of the outbox, so that none is lost while no mail server takes it. */
export interface AccountMails {
  readonly background: Background;
  /** What links begin with; null while nothing says. */
  readonly publicUrl: () => Promise<string | null>;
  /** Puts a mail into the outbox, in the transaction that makes its link. Once that is committed, `wake` sends it. */
  put(transaction: Queryable, mail: AccountMail): Promise<void>;
  /** Puts a workflow's mail into the outbox, in the transaction of its step. */
  putRunMail(transaction: Queryable, mail: RunMail): Promise<void>;
  /** Says that the outbox has something new. */
  wake(): void;
  /** Resolves once nothing that can be sent at this moment is left. */
  idle(): Promise<void>;
  /** Ends the background; what the outbox still has stays there. */
  close(): Promise<void>;
}

export interface AccountMailsOptions {
  readonly database: Database;
  /** Seals what waits in the outbox. */
  readonly vault: Vault;
  readonly mailer: Mailer;
  /** `system.public_url`, or what stands for it; links are built from it and from nothing that a request says. */
  readonly publicUrl: () => Promise<string | null>;
  readonly log: MailLog;
}

const letter = z.object({
  template: z.string().refine(isMailKey),
  to: z.object({ email: z.string(), name: z.string(), language: z.string().nullable() }),
  secret: z.string().nullable(),
  variables: z.record(z.string(), z.union([z.string(), z.number()])),
});

const written = z.object({
  to: z.string(),
  subject: z.string(),
  text: z.string(),
  html: z.string().nullable(),
});
/** How long a workflow's mail is worth sending. */
const runMailGoodFor = "24 hours";

/** Mails out of templates, by a given mailer. */
export function createAccountMails(options: AccountMailsOptions): AccountMails {
  const { database, vault, mailer, publicUrl, log } = options;
  const background = createBackground((error) =>
    log.error({ err: error }, "A mail of an account was not prepared"),
  );
  const sendFilled = async (
    template: MailKey,
    to: Recipient,
    variables: Readonly<Record<string, string | number>>,
  ): Promise<void> => {
    const parts = await renderTemplate(await loadTemplate(database, template, to.language), {
      ...variables,
      name: greetingOf(to),
      email: to.email,
    });
    await mailer.send({ to: to.email, ...parts });
  };
  const send = async ({ content, about, target }: ClaimedMail): Promise<void> => {
    if (content.kind === "NOTICE") {
      const notice = noticeSchema.parse(JSON.parse(content.notice));
      return sendFilled(notice.template, notice.to, noticeVariables(notice));
    }
    const { sealed } = content;
    if (target.kind === "run") {
      await mailer.send(written.parse(JSON.parse(await vault.open(sealed, contextOf(about)))));
      return;
    }
    const base = await publicUrl();
    if (base === null) throw new Error("system.public_url is not set");
    const opened: unknown = JSON.parse(await vault.open(sealed, contextOf(about)));
    const { template, to, secret, variables } = letter.parse(opened);
    const { page } = mailKinds[template];
    const link = `${base.replace(/\/+$/, "")}/admin/auth/${page}?token=${secret}`;
    await sendFilled(template, to, { ...variables, ...(page === null ? {} : { link }) });
  };
  const delivery: Delivery = startDelivery({ database, send, log });
  return {
    background,
    publicUrl,
    put: async (transaction, mail) => {
      const { target, goodFor, ...parts } = mail;
      const about = `${mailKinds[mail.template].about} of ${target.kind} ${target.id}`;
      const sealed = await vault.seal(JSON.stringify(parts), contextOf(about));
      await putMail(transaction, { about, target, sealed, goodFor });
    },
    putRunMail: async (transaction, { runId, about, ...mail }) => {
      const sealed = await vault.seal(JSON.stringify(mail), contextOf(about));
      const target = { kind: "run", id: runId } as const;
      await putMail(transaction, { about, target, sealed, goodFor: runMailGoodFor });
    },
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

// A mail program makes a link of these.
const linkLike = /[/\\@]|\.\p{L}{2}/u;
const nameMax = 60;

/**
 * What a mail calls its reader. Whoever registers says a name and an address, which may be somebody else's: a name that
 * could carry a message or a link to them is left out.
 */
function greetingOf({ name, email }: Recipient): string {
  const line = name.replaceAll(/[\p{C}\p{Z}]+/gu, " ").trim();
  return line === "" || line.length > nameMax || linkLike.test(line) ? email : line;
}

/** What a mail is sealed for. */
export function contextOf(about: string): string {
  return `mail ${about}`;
}

/** The template in a language, in its base language (`pt` for `pt-BR`), or in English. */
async function loadTemplate(
  database: Queryable,
  key: string,
  language: string | null,
): Promise<Template> {
  const [row] = await database.query<{ subject: string; text: string; html: string | null }>(
    `select subject, text, html from system.templates
     where key = $1::text and lower(language) in (lower($2::text), lower(split_part($2::text, '-', 1)), 'en')
     order by lower(language) = lower($2::text) desc, lower(language) = 'en' limit 1`,
    [key, language ?? "en"],
  );
  if (row === undefined) throw new Error(`There is no template ${key} in English`);
  return row;
}
