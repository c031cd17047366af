import * as schema from "../schema/index.ts";
import { defineKind } from "./kind.ts";

const shared = {
  name: "template",
  noun: "template",
  path: "/templates",
  page: "/admin/settings/templates/{id}",
  table: schema.templates,
  alias: "t",
  sortKey: "t.key || ' ' || t.language",
  searched: "t.key || ' ' || t.language || ' ' || t.subject",
  tag: "LIST",
} as const;

const id = { type: "id", set: "NEVER" } as const;
const language = { type: "text", max: 35, set: "ONCE", required: true, tag: "NEVER" } as const;
const updatedAt = { type: "moment", set: "NEVER", tag: "NEVER" } as const;

/** The keys of the mails to accounts. */
const mailKeys = [
  "auth.reset",
  "auth.registered",
  "auth.verify",
  "auth.invite",
  "auth.email_change",
  "auth.email_changed",
  "auth.email_taken",
  "auth.new_administrator",
  "workflow.failures",
] as const;

/** The text of a mail in one language. */
export const mailTemplateKind = defineKind({
  ...shared,
  schema: "MailTemplate",
  // SQL can store a mail that no service sends.
  from: `(select * from system.templates where kind = 'MAIL' and key = any ('{${mailKeys.join()}}'::text[])) t`,
  title: "t.key",
  conflict: {
    path: "/data/language",
    message: "This mail already has a template in this language",
  },
  fields: {
    id,
    kind: { type: "choice", choices: ["MAIL"], set: "NEVER", tag: "NEVER" },
    key: { type: "choice", choices: mailKeys, set: "ONCE", required: true, tag: "NEVER" },
    language,
    subject: { type: "text", min: 1, max: 500, required: true, document: {} },
    text: { type: "text", min: 1, max: 50_000, required: true, document: {} },
    html: { type: "text", min: 1, max: 50_000, nullable: true, document: { default: null } },
    updatedAt,
  },
});

/** The template of a document in one language. */
export const documentTemplateKind = defineKind({
  ...shared,
  schema: "DocumentTemplate",
  from: "(select * from system.templates where kind = 'DOCUMENT') t",
  title: "t.subject",
  conflict: {
    path: "/data/language",
    message: "This key already has a template in this language",
  },
  fields: {
    id,
    kind: { type: "choice", choices: ["DOCUMENT"], set: "NEVER", tag: "NEVER" },
    key: {
      ...{ type: "text", max: 100, set: "ONCE", required: true, tag: "NEVER" },
      pattern: [
        // The keys `auth.…` are those of mails.
        "^(?!auth\\.)[a-z0-9]+(?:[._-][a-z0-9]+)*$",
        "Must be lower-case letters, digits, dots, dashes and underscores, and not begin with auth.",
      ],
    },
    language,
    title: {
      ...{ type: "text", min: 1, max: 200, legible: true, required: true },
      column: "subject",
      document: {},
    },
    format: {
      type: "choice",
      choices: ["HTML", "TEXT", "CSV"],
      required: true,
      document: {},
      description: "How values are written: escaped in HTML, as they are in TEXT, quoted in CSV",
    },
    source: {
      ...{ type: "text", min: 1, max: 100_000, required: true },
      column: "text",
      document: {},
      description: "Liquid",
    },
    /** Values for the preview. */
    sample: { type: "object", sql: "coalesce(t.sample, '{}')", document: { default: {} } },
    updatedAt,
  },
});
