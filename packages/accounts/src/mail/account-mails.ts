import type { Queryable } from "@rowhouse/db";
import { type Background, createBackground } from "../background.ts";
import type { Mailer } from "./mailer.ts";
import { renderTemplate, type Template } from "./render-template.ts";

export interface Recipient {
  readonly email: string;
  readonly name: string;
  readonly language: string | null;
}

/** A mail with a link to a page of the admin, which calls the route that the link's secret is for. */
export interface AccountMail {
  /** The key of a row of `system.templates`. */
  readonly template: "auth.reset" | "auth.verify" | "auth.registered" | "auth.invite";
  readonly to: Recipient;
  readonly page: "reset" | "verify" | "invitation";
  readonly secret: string;
  readonly variables: Readonly<Record<string, number>>;
}

/** Sends the mails of accounts, in the background. */
export interface AccountMails {
  readonly background: Background;
  /** What links begin with; null while nothing says. */
  readonly publicUrl: () => Promise<string | null>;
  send(mail: AccountMail): Promise<void>;
}

export interface AccountMailsOptions {
  readonly database: Queryable;
  readonly mailer: Mailer;
  /** `system.public_url`, or what stands for it; links are built from it and from nothing that a request says. */
  readonly publicUrl: () => Promise<string | null>;
  readonly report: (error: unknown) => void;
}

/**
 * Mails out of templates, by a given mailer.
 *
 * @throws Error from `send` while nothing says what links begin with, and whatever the mailer throws
 */
export function createAccountMails(options: AccountMailsOptions): AccountMails {
  const { database, mailer, publicUrl } = options;
  return {
    background: createBackground(options.report),
    publicUrl,
    send: async ({ template, to, page, secret, variables }) => {
      const base = await publicUrl();
      if (base === null) throw new Error("No mail was sent: system.public_url is not set");
      const link = `${base.replace(/\/+$/, "")}/admin/auth/${page}?token=${secret}`;
      const parts = await renderTemplate(await loadTemplate(database, template, to.language), {
        ...variables,
        name: to.name === "" ? to.email : to.name,
        email: to.email,
        link,
      });
      await mailer.send({ to: to.email, ...parts });
    },
  };
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
