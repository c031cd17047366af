import { createSecret, digestSecret, hashPassword, parseLinkSecret } from "@rowhouse/access";
import {
  type AuditActor,
  actFor,
  appendAuditEntry,
  type Database,
  isUuid,
  makeChange,
  type Page,
  type PageRequest,
  type Queryable,
  readCursor,
  readPostgresFailure,
  requireFound,
  requireLegibleName,
  type Snapshot,
  schema,
  toAppError,
  toPage,
} from "@rowhouse/db";
import { createError, throwFaults } from "@rowhouse/errors";
import { canonicalLanguage } from "@rowhouse/settings";
import { and, eq, gt, inArray, isNotNull, sql } from "drizzle-orm";
import { linkRefused } from "./links.ts";
import { type AccountMail, type AccountMails, linkOf } from "./mail/account-mails.ts";
import { mailKinds } from "./mail/mail-kinds.ts";
import { openSession } from "./open-session.ts";
import { auditActorOf, type Origin } from "./origin.ts";
import { checkPassword } from "./passwords/check-password.ts";
import { type AskedReturn, requireReturnAddress } from "./return-address.ts";
import { maySignInSql, type SignedIn } from "./sign-in.ts";

const { invitationRoles, invitations, roles } = schema;

export type InvitationState = "open" | "accepted" | "revoked" | "expired";

export interface Invitation {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  /** Language of the mail and initial language of the account. */
  readonly language: string | null;
  readonly state: InvitationState;
  readonly roles: { readonly id: string; readonly name: string }[];
  readonly invitedBy: string | null;
  /** The name of the inviter, or the address of one without a name; null for an account that is gone. */
  readonly inviter: string | null;
  /** The account that accepted the invitation. */
  readonly userId: string | null;
  readonly createdAt: string;
  readonly expiresAt: string;
}

export interface NewInvitation extends AskedReturn {
  readonly email: string;
  readonly name: string;
  readonly language: string | null;
  readonly roleIds: readonly string[];
}

const inviteHours = 72;
const inData = { code: "VALUE_INVALID", path: "/data/returnTo" } as const;
const inQuery = { code: "QUERY_INVALID", path: "returnTo" } as const;
const now = sql`system.clock()`;

const invitationJson = `pg_catalog.json_build_object('id', i.id, 'email', i.email, 'name', i.name, 'language', i.language, 'invitedBy', i.invited_by,
  'inviter', (select coalesce(nullif(u.name, ''), u.email) from system.users u where u.id = i.invited_by),
  'userId', i.user_id, 'createdAt', i.created_at, 'expiresAt', i.expires_at,
  'state', case when i.accepted_at is not null then 'accepted' when i.revoked_at is not null then 'revoked'
                when i.expires_at <= system.clock() then 'expired' else 'open' end,
  'roles', (select coalesce(pg_catalog.json_agg(pg_catalog.json_build_object('id', r.id, 'name', r.name) order by lower(r.name)), '[]')
            from system.invitation_roles m join system.roles r on r.id = m.role_id where m.invitation_id = i.id))`;

/**
 * Invites a person by mail. A new invitation replaces an open one to the same address.
 *
 * @throws AppError CONFLICT for an address that has an account; VALUE_INVALID for an invalid language tag, at /data/returnTo, for unknown
 * roles, and if none of the roles has API access, since the account could not sign in
 */
export async function createInvitation(
  dependencies: { readonly database: Database; readonly mails: AccountMails },
  input: NewInvitation,
  actor: AuditActor,
): Promise<Invitation> {
  const { database, mails } = dependencies;
  const language = input.language === null ? null : canonicalLanguage(input.language);
  if (language === undefined) {
    const message = "Must be a language tag, such as de or pt-BR";
    throw createError("VALUE_INVALID", { path: "/data/language", message });
  }
  await requireLegibleName(input.name);
  const returnTo = await requireReturnAddress(mails, input.returnTo, inData);
  const secret = createSecret("LINK");
  const invitation = await makeChange(database, actor, async (transaction) => {
    await refuseKnownAddress(transaction, input.email);
    const { orm } = transaction;
    const roleIds = [...new Set(input.roleIds)];
    const found = await orm
      .select({ apiAccess: roles.apiAccess })
      .from(roles)
      .where(inArray(roles.id, roleIds))
      .for("key share");
    const isComplete = found.length === roleIds.length;
    if (!isComplete || !found.some((role) => role.apiAccess)) {
      throw createError("VALUE_INVALID", {
        path: "/data/roleIds",
        message: isComplete
          ? "Must contain at least one role with API access"
          : "Contains an unknown role",
      });
    }
    await transaction.query(
      `with replaced as (
         update system.invitations set digest = null, revoked_at = system.clock()
         where system.fold(email) = system.fold($1::text) and digest is not null returning id)
       delete from system.mails m using replaced r where m.invitation_id = r.id`,
      [input.email],
    );
    const [row] = await orm
      .insert(invitations)
      .values({
        email: input.email,
        name: input.name,
        digest: digestSecret(secret),
        invitedBy: actor.userId,
        tokenId: actor.tokenId,
        language,
        createdAt: now,
        expiresAt: sql`system.clock() + make_interval(hours => ${inviteHours})`,
      })
      .returning({ id: invitations.id });
    const { id } = requireFound(row);
    await orm
      .insert(invitationRoles)
      .values(roleIds.map((roleId) => ({ invitationId: id, roleId })));
    const created = await readInvitation(transaction, id);
    await putInvitationMail(transaction, mails, created, { secret, returnTo });
    return {
      result: created,
      entry: { action: "invitation.create", targetKind: "invitation", targetId: id },
    };
  });
  mails.wake();
  return invitation;
}

/** Adds the mail of an invitation to the outbox; it replaces one that waits. */
async function putInvitationMail(
  transaction: Queryable,
  mails: AccountMails,
  { id, email, name, language, inviter, roles: given }: Invitation,
  link: Pick<AccountMail, "secret" | "returnTo">,
): Promise<void> {
  await mails.put(transaction, {
    template: "auth.invite",
    to: { email, name, language },
    ...link,
    variables: {
      hours: inviteHours,
      inviter: inviter ?? "",
      roles: given.map((role) => role.name).join(", "),
    },
    target: { kind: "invitation", id },
    goodFor: `${inviteHours} hours`,
  });
}

/** The link of an invitation. */
export interface InvitationLink {
  readonly url: string;
  readonly expiresAt: string;
}

/**
 * Sends an invitation again. Its time begins anew, under the authority of the administrator who sends it; the earlier link
 * stops working.
 *
 * @throws AppError NOT_FOUND; CONFLICT for an invitation that was accepted or revoked, and for an address that has an
 * account meanwhile; QUERY_INVALID at returnTo
 */
export async function resendInvitation(
  dependencies: { readonly database: Database; readonly mails: AccountMails },
  id: string,
  asked: AskedReturn,
  actor: AuditActor,
): Promise<Invitation> {
  const { mails } = dependencies;
  const returnTo = await requireReturnAddress(mails, asked.returnTo, inQuery);
  const invitation = await renew(
    dependencies,
    id,
    actor,
    "invitation.resend",
    (transaction, one, secret) => putInvitationMail(transaction, mails, one, { secret, returnTo }),
  );
  mails.wake();
  return invitation;
}

/**
 * Creates a link that the administrator hands over in place of a mail. The earlier link stops working, and a mail that
 * waits is not sent.
 *
 * @throws AppError as `resendInvitation`; CONFLICT while no public URL is configured
 */
export async function linkInvitation(
  dependencies: { readonly database: Database; readonly mails: AccountMails },
  id: string,
  asked: AskedReturn,
  actor: AuditActor,
): Promise<InvitationLink> {
  const returnTo = await requireReturnAddress(dependencies.mails, asked.returnTo, inQuery);
  const base = await dependencies.mails.publicUrl();
  if (base === null) {
    throw createError("CONFLICT", { message: "Set system.public_url; links begin with it" });
  }
  let url = "";
  const { expiresAt } = await renew(
    dependencies,
    id,
    actor,
    "invitation.link",
    async (_, __, secret) => {
      url = linkOf(base, mailKinds["auth.invite"].page, secret, returnTo);
    },
  );
  return { url, expiresAt };
}

/** Gives an open or expired invitation a new secret, and hands it over in the same transaction. */
async function renew(
  { database }: { readonly database: Database },
  id: string,
  actor: AuditActor,
  action: "invitation.resend" | "invitation.link",
  handOver: (transaction: Queryable, invitation: Invitation, secret: string) => Promise<void>,
): Promise<Invitation> {
  const secret = createSecret("LINK");
  return makeChange(database, actor, async (transaction) => {
    const { email } = await readInvitation(transaction, id);
    await refuseKnownAddress(transaction, email);
    const [renewed] = await transaction.orm
      .update(invitations)
      .set({
        digest: digestSecret(secret),
        invitedBy: actor.userId,
        tokenId: actor.tokenId,
        expiresAt: sql`system.clock() + make_interval(hours => ${inviteHours})`,
      })
      .where(and(eq(invitations.id, id), isNotNull(invitations.digest)))
      .returning({ id: invitations.id });
    if (renewed === undefined) {
      throw createError("CONFLICT", { message: "This invitation was already accepted or revoked" });
    }
    await transaction.query("delete from system.mails where invitation_id = $1::text::uuid", [id]);
    const invitation = await readInvitation(transaction, id);
    await handOver(transaction, invitation, secret);
    return {
      result: invitation,
      entry: { action, targetKind: "invitation", targetId: id },
    };
  });
}

async function refuseKnownAddress(database: Queryable, email: string): Promise<void> {
  const [account] = await database.query(
    "select 1 from system.users where system.fold(email) = system.fold($1::text)",
    [email],
  );
  if (account === undefined) return;
  throw createError("CONFLICT", {
    path: "/data/email",
    message: "An account with this address exists",
  });
}

/** What an invitation says to the person who opens its link. */
export interface InvitationNotice {
  readonly email: string;
  readonly name: string;
  /** The name or address of the inviter; null for an account that is gone. */
  readonly inviter: string | null;
  readonly roles: string[];
}

/**
 * Whether an acceptance of the invitation `i` would succeed, as the guards decide it: for Administrators the inviter still
 * is one, and the token that was used is valid; the address has no account; and a role has API access.
 */
const usableSql = `(not exists (select from system.invitation_roles m join system.roles r on r.id = m.role_id
      where m.invitation_id = i.id and r.is_administrators)
    or (system.is_administrator(i.invited_by) and (i.token_id is null or (system.token_works(i.token_id)
      and exists (select from system.tokens t where t.id = i.token_id and t.plane = 'admin')))))
  and not exists (select from system.users u where system.fold(u.email) = system.fold(i.email))
  and exists (select from system.invitation_roles m join system.roles r on r.id = m.role_id
      where m.invitation_id = i.id and r.api_access)`;

/**
 * Reads an invitation by the secret of its link.
 *
 * @throws AppError BODY_INVALID at /token for an invitation that cannot be used
 */
export async function openInvitation(
  database: Queryable,
  token: string,
): Promise<InvitationNotice> {
  const digest = parseLinkSecret(token);
  if (digest === undefined) throw linkRefused();
  const [row] = await database.query<{ invitation: Invitation }>(
    `select ${invitationJson} as invitation from system.invitations i
     where i.digest = $1::text::bytea and i.expires_at > system.clock() and ${usableSql}`,
    [digest],
  );
  if (row === undefined) throw linkRefused();
  const { email, name, inviter, roles: given } = row.invitation;
  return { email, name, inviter, roles: given.map((role) => role.name) };
}

const isMoment = (part: string): boolean => /^[0-9]{1,12}(?:\.[0-9]{1,6})?$/.test(part);

/** Lists invitations, newest first; `search` matches addresses and names. */
export async function listInvitations(
  database: Queryable,
  request: PageRequest,
): Promise<Page<Invitation>> {
  const [before, beforeId] = readCursor(request.cursor, [isMoment, isUuid]);
  const rows = await database.query<{ key: string; invitation: Invitation }>(
    `select extract(epoch from i.created_at)::text as key, ${invitationJson} as invitation from system.invitations i
     where ($1::text is null or position(system.fold($1::text) in system.fold(i.email || ' ' || i.name)) > 0)
       and ($2::text is null or (extract(epoch from i.created_at), i.id) < ($2::text::numeric, $3::text::uuid))
     order by i.created_at desc, i.id desc limit $4::text::integer`,
    [request.search, before, beforeId, String(request.limit + 1)],
  );
  const { items, nextCursor } = toPage(rows, request.limit, (row) => [row.key, row.invitation.id]);
  return { items: items.map((row) => row.invitation), nextCursor };
}

/**
 * Reads one invitation.
 *
 * @throws AppError NOT_FOUND
 */
export async function readInvitation(database: Queryable, id: string): Promise<Invitation> {
  const [row] = await database.query<{ invitation: Invitation }>(
    `select ${invitationJson} as invitation from system.invitations i where i.id = $1::text::uuid`,
    [id],
  );
  return requireFound(row).invitation;
}

/**
 * Revokes an invitation.
 *
 * @throws AppError NOT_FOUND; CONFLICT for an invitation that was accepted or revoked before
 */
export async function revokeInvitation(
  database: Database,
  id: string,
  actor: AuditActor,
): Promise<void> {
  await makeChange(database, actor, async (transaction) => {
    await readInvitation(transaction, id);
    const [revoked] = await transaction.orm
      .update(invitations)
      .set({ digest: null, revokedAt: now })
      .where(and(eq(invitations.id, id), isNotNull(invitations.digest)))
      .returning({ id: invitations.id });
    if (revoked === undefined) {
      throw createError("CONFLICT", { message: "This invitation was already accepted or revoked" });
    }
    await transaction.query("delete from system.mails where invitation_id = $1::text::uuid", [id]);
    return {
      result: undefined,
      entry: { action: "invitation.revoke", targetKind: "invitation", targetId: id },
    };
  });
}

/**
 * Accepts an invitation: creates the account with its roles and signs it in.
 *
 * @throws AppError BODY_INVALID for a password that is too short or too common, or an invitation that cannot be used
 */
export async function acceptInvitation(
  database: Database,
  snapshot: Snapshot,
  input: { readonly token: string; readonly password: string; readonly name?: string | undefined },
  origin: Origin,
): Promise<SignedIn> {
  throwFaults(checkPassword(input.password, "/password"));
  const digest = parseLinkSecret(input.token);
  if (digest === undefined) throw linkRefused();
  try {
    const isOpen = and(eq(invitations.digest, digest), gt(invitations.expiresAt, now));
    const [open] = await database.orm
      .select({ email: invitations.email, name: invitations.name })
      .from(invitations)
      .where(isOpen);
    if (open === undefined) throw linkRefused();
    const about = [open.email, input.name ?? open.name];
    throwFaults(checkPassword(input.password, "/password", about));
    const hash = await hashPassword(input.password);
    return await database.transaction(async (transaction) => {
      const [invitation] = await transaction.orm
        .update(invitations)
        .set({ digest: null, acceptedAt: now })
        .where(isOpen)
        .returning();
      if (invitation === undefined) throw linkRefused();
      // For Administrators the guards require that the inviter still is one, and that the token that created the
      // invitation still is valid.
      await actFor(transaction, {
        ...auditActorOf(invitation.invitedBy, origin),
        tokenId: invitation.tokenId,
      });
      const { users } = schema;
      const [user] = await transaction.orm
        .insert(users)
        .values({
          email: invitation.email,
          name: input.name ?? invitation.name,
          language: invitation.language,
          passwordHash: hash,
          emailVerifiedAt: now,
        })
        .returning({ id: users.id, email: users.email, name: users.name });
      const { id, email, name } = requireFound(user);
      await transaction.query(
        `insert into system.role_members (role_id, user_id)
         select role_id, $2::text::uuid from system.invitation_roles where invitation_id = $1::text::uuid`,
        [invitation.id, id],
      );
      await transaction.orm
        .update(invitations)
        .set({ userId: id })
        .where(eq(invitations.id, invitation.id));
      // Since the invitation was sent, its roles may have been deleted or lost their API access.
      const [allowed] = await transaction.query(
        `select 1 from system.users u where u.id = $1::text::uuid and ${maySignInSql}`,
        [id],
      );
      if (allowed === undefined) throw linkRefused();
      await appendAuditEntry(transaction, auditActorOf(id, origin), {
        action: "invitation.accept",
        targetKind: "invitation",
        targetId: invitation.id,
      });
      const token = await openSession(transaction, snapshot, id, "invitation", origin);
      return { token, user: { id, email, name } };
    });
  } catch (error) {
    // Since then, the address got an account, or the inviter lost the right to grant the roles.
    const code = readPostgresFailure(error)?.code;
    if (code === "23505" || code === "RH403") throw linkRefused();
    throw toAppError(error);
  }
}
