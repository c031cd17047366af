import type { mailTemplateKind, StoredOf } from "@rowhouse/db";

/** The key of the template of a mail to an account. */
export type MailKey = StoredOf<typeof mailTemplateKind>["key"];

/** A page below `/admin/auth/` that takes the secret of a link. */
export type LinkedPage = "reset" | "verify" | "invitation";

/** A kind of mail to an account: its subject matter, the page that its link opens, and the variables of its template. */
export interface MailKind {
  /** A newer mail with the same key replaces one that was not sent yet: the two share one link. */
  readonly about: string;
  /** The admin page that the link opens; null for a mail without a link. */
  readonly page: LinkedPage | null;
  /** Template variables besides `name`, `email` and, if the mail has a link, `link` and `site`; with sample values. */
  readonly variables: Readonly<Record<string, string | number>>;
}

/** All kinds of account mails by the key of their template. */
export const mailKinds = {
  "auth.reset": { about: "reset", page: "reset", variables: { minutes: 15 } },
  "auth.registered": { about: "reset", page: "reset", variables: { minutes: 15 } },
  "auth.verify": { about: "verify", page: "verify", variables: { hours: 24 } },
  "auth.invite": {
    about: "invitation",
    page: "invitation",
    variables: { hours: 72, inviter: "Grace Hopper", roles: "Dispatchers" },
  },
  "auth.email_change": { about: "email change", page: "verify", variables: { hours: 24 } },
  "auth.email_changed": {
    about: "email changed",
    page: null,
    variables: { new_email: "new@example.com" },
  },
  "auth.email_taken": { about: "email taken", page: null, variables: {} },
  "auth.new_administrator": {
    about: "new administrator",
    page: null,
    variables: { administrators: "eve@example.com" },
  },
  "workflow.failures": {
    about: "workflow failures",
    page: null,
    variables: {
      count: 3,
      minutes: 15,
      failures:
        "orders: 3 (HTTP_STATUS), 2026-01-31 12:00 UTC\nhttps://example.com/admin/workflows/1/runs/2",
    },
  },
} as const satisfies Record<MailKey, MailKind>;

export function isMailKey(key: string): key is MailKey {
  return Object.hasOwn(mailKinds, key);
}
