import type { Queryable } from "@rowhouse/db";

/** Whose mail it is; it goes when they go. */
export type MailTarget =
  | { readonly kind: "user"; readonly id: string }
  | { readonly kind: "invitation"; readonly id: string }
  | { readonly kind: "run"; readonly id: string };

export interface OutboxMail {
  /** A newer mail about the same takes the place of one that has not gone out. */
  readonly about: string;
  readonly target: MailTarget;
  readonly sealed: string;
  /** How long it is worth sending, as Postgres writes an interval. */
  readonly goodFor: string;
}

/** A mail with a secret is sealed; a notice, which a trigger has written, is not. */
export type MailContent =
  | { readonly kind: "SEALED"; readonly sealed: string }
  /** JSON. */
  | { readonly kind: "NOTICE"; readonly notice: string };

/** A mail that this process is to send, for as long as nobody else may. */
export interface ClaimedMail {
  readonly id: string;
  readonly about: string;
  readonly target: MailTarget;
  readonly content: MailContent;
  /** How often it was claimed, this time included: 1 for the first. */
  readonly attempt: number;
  readonly isTooLate: boolean;
}

/** A sender that says nothing for this long is taken for dead; longer than any timeout of a mail server's. */
const leaseMinutes = 3;

/** Puts a mail into the outbox, due at once. */
export async function putMail(transaction: Queryable, mail: OutboxMail): Promise<void> {
  await transaction.query(
    `insert into system.mails (about, user_id, invitation_id, run_id, sealed, due_at, expires_at, created_at)
     values ($1::text, $2::text::uuid, $3::text::uuid, $6::text::uuid, $4::text, system.clock(),
             system.clock() + $5::text::interval, system.clock())
     on conflict (about) do update set id = gen_random_uuid(), sealed = excluded.sealed, attempts = 0,
       due_at = excluded.due_at, expires_at = excluded.expires_at, created_at = excluded.created_at`,
    [
      mail.about,
      mail.target.kind === "user" ? mail.target.id : null,
      mail.target.kind === "invitation" ? mail.target.id : null,
      mail.sealed,
      mail.goodFor,
      mail.target.kind === "run" ? mail.target.id : null,
    ],
  );
}

/** Takes the mail that is due longest, so that no other process takes it for a while. */
export async function claimMail(database: Queryable): Promise<ClaimedMail | undefined> {
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
     where m.id = (select id from system.mails where due_at <= system.clock() order by due_at
                   limit 1 for update skip locked)
     returning m.id, m.about, m.user_id, m.invitation_id, m.run_id, m.sealed, m.notice::text as notice,
       m.notice ->> 'userId' as notice_user_id, m.attempts, m.expires_at <= system.clock() as too_late`,
    [],
    { prepare: true },
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

/** Puts a claimed mail off, by whole seconds. */
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

/** Removes a mail that was sent, or that nobody will send; a newer one about the same has another id and stays. */
export async function removeMail(database: Queryable, id: string): Promise<void> {
  await database.query("delete from system.mails where id = $1::text::uuid", [id]);
}
