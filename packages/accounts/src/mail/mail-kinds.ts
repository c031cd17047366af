/** A mail of accounts: what it is about, where its link leads, and what its template may say. */
export interface MailKind {
  /** A newer mail about the same takes the place of one that has not gone out: they have one link. */
  readonly about: string;
  /** The page of the admin that its link opens; null for a mail without one. */
  readonly page: "reset" | "verify" | "invitation" | null;
  /** What its template may name besides `name`, `email` and, where there is one, `link`; with examples. */
  readonly variables: Readonly<Record<string, string | number>>;
}

/** Every mail of accounts, by the key of its template. */
export const mailKinds = {
  "auth.reset": { about: "reset", page: "reset", variables: { minutes: 15 } },
  "auth.registered": { about: "reset", page: "reset", variables: { minutes: 15 } },
  "auth.verify": { about: "verify", page: "verify", variables: { hours: 24 } },
  "auth.invite": { about: "invitation", page: "invitation", variables: { hours: 72 } },
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
} as const satisfies Record<string, MailKind>;

export type MailKey = keyof typeof mailKinds;

/** Whether a key is that of a mail of accounts. */
export function isMailKey(key: string): key is MailKey {
  return Object.hasOwn(mailKinds, key);
}
