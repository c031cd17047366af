import type { Queryable } from "@rowhouse/db";

/** The record that the mail belongs to; the mail is deleted with it. */
export type MailTarget =
  | { readonly kind: "user"; readonly id: string }
  | { readonly kind: "invitation"; readonly id: string }
  | { readonly kind: "run"; readonly id: string };

export interface OutboxMail {
  /** A newer mail with the same key replaces one that was not sent yet. */
  readonly about: string;
  readonly target: MailTarget;
  readonly sealed: string;
  /** Time after which the mail is not sent, as a PostgreSQL interval. */
  readonly goodFor: string;
  readonly hasAttachments?: boolean;
}

/** A mail with a secret is encrypted; a notice, which a trigger wrote, is not. */
export type MailContent =
  | { readonly kind: "SEALED"; readonly sealed: string }
  /** JSON. */
  | { readonly kind: "NOTICE"; readonly notice: string };

/** A mail that this process claimed; no other process may send it until the claim expires. */
export interface ClaimedMail {
  readonly id: string;
  readonly about: string;
  readonly target: MailTarget;
  readonly content: MailContent;
  /** Number of claims so far, this one included. */
  readonly attempt: number;
  readonly isTooLate: boolean;
}

/**
 * Duration of a claim; longer than every timeout of a mail server, so an expired claim means that its process is dead.
 */
const leaseMinutes = 3;

/** Adds a mail to the outbox, due at once. */
export async function putMail(transaction: Queryable, mail: OutboxMail): Promise<void> {
  await transaction.query(
    `insert into system.mails (about, user_id, invitation_id, run_id, sealed, has_attachments, due_at, expires_at, created_at)
     values ($1::text, $2::text::uuid, $3::text::uuid, $6::text::uuid, $4::text, $7::text::boolean, system.clock(),
             system.clock() + $5::text::interval, system.clock())
     on conflict (about) do update set id = gen_random_uuid(), sealed = excluded.sealed,
       has_attachments = excluded.has_attachments, attempts = 0,
       due_at = excluded.due_at, expires_at = excluded.expires_at, created_at = excluded.created_at`,
    [
      mail.about,
      mail.target.kind === "user" ? mail.target.id : null,
      mail.target.kind === "invitation" ? mail.target.id : null,
      mail.sealed,
      mail.goodFor,
      mail.target.kind === "run" ? mail.target.id : null,
      String(mail.hasAttachments === true),
    ],
  );
}

/**
 * Claims the mail that has been due longest.
 *
 * @param withAttachments whether this process can read the files that a mail attaches
 */
export async function claimMail(
  database: Queryable,
  withAttachments: boolean,
): Promise<ClaimedMail | undefined> {
  const [row] = await database.query<{
    id: string;
    about: string;
    user_id: string | null;
    invitation_id: string | null;
    run_id: string | null;
    sealed: string | null;
    notice: string;
    notice_user_id: string | null;
    attempts: number;
    too_late: boolean;
  }>(
    `update system.mails m set attempts = m.attempts + 1, due_at = system.clock() + interval '${leaseMinutes} minutes'
     where m.id = (select id from system.mails where due_at <= system.clock() and ($1::boolean or not has_attachments)
                   order by due_at limit 1 for update skip locked)
     returning m.id, m.about, m.user_id, m.invitation_id, m.run_id, m.sealed, m.notice::text as notice,
       m.notice ->> 'userId'::text as notice_user_id, m.attempts, m.expires_at <= system.clock() as too_late`,
    [String(withAttachments)],
  );
  if (row === undefined) return undefined;
  const { id, about, sealed, attempts: attempt, too_late: isTooLate } = row;
  const content: MailContent =
    sealed === null ? { kind: "NOTICE", notice: row.notice } : { kind: "SEALED", sealed };
  return { id, about, target: targetOf(row), content, attempt, isTooLate };
}

function targetOf(row: {
  readonly user_id: string | null;
  readonly invitation_id: string | null;
  readonly run_id: string | null;
  readonly notice_user_id: string | null;
}): MailTarget {
  if (row.notice_user_id !== null) return { kind: "user", id: row.notice_user_id };
  if (row.user_id !== null) return { kind: "user", id: row.user_id };
  if (row.invitation_id !== null) return { kind: "invitation", id: row.invitation_id };
  return { kind: "run", id: row.run_id ?? "" };
}

/** Postpones a claimed mail by whole seconds. */
export async function postponeMail(
  database: Queryable,
  mail: Pick<ClaimedMail, "id" | "attempt">,
  seconds: number,
): Promise<void> {
  await database.query(
    `update system.mails set due_at = system.clock() + make_interval(secs => $3::text::integer)
     where id = $1::text::uuid and attempts = $2::text::integer`,
    [mail.id, String(mail.attempt), String(seconds)],
  );
}

/** Removes a mail that was sent or dropped. A newer mail with the same key has another id and stays. */
export async function removeMail(database: Queryable, id: string): Promise<void> {
  await database.query("delete from system.mails where id = $1::text::uuid", [id]);
}
