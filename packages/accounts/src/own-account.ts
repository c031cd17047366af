import { type Principal, requireSession } from "@rowhouse/access";
import {
  appendAuditEntry,
  type Database,
  makeChange,
  type Queryable,
  requireLegibleName,
  schema,
  toAppError,
} from "@rowhouse/db";
import { createError, createFault, type Fault, throwFaults } from "@rowhouse/errors";
import { canonicalLanguage, canonicalRegion, isTimeZone } from "@rowhouse/settings";
import { eq, sql } from "drizzle-orm";
import { auditActorOf, type Origin } from "./origin.ts";
import type { UserSummary } from "./sign-in.ts";

/** The principal's own account, as `GET /api/auth/me` returns it. */
export interface OwnAccount extends UserSummary {
  readonly timeZone: string | null;
  /** A language tag, like `de` or `pt-BR`: the language of mails that have a template in it. */
  readonly language: string | null;
  /** The code of a region, like `GB`: with the language it gives the order of dates, the form of numbers and the week. */
  readonly region: string | null;
  /** The setting `system.timezone`, which applies to an account without a time zone. */
  readonly systemTimeZone: string | null;
  readonly roles: { readonly id: string; readonly name: string }[];
}

/**
 * Ends the principal's current session.
 *
 * @throws AppError SESSION_REQUIRED for a principal with a token
 */
export async function signOut(
  database: Database,
  principal: Pick<Principal, "userId" | "session">,
  origin: Origin,
): Promise<void> {
  const session = requireSession(principal);
  try {
    await database.transaction(async (transaction) => {
      await transaction.query("delete from system.sessions where id = $1::text::uuid", [
        session.id,
      ]);
      await appendAuditEntry(transaction, auditActorOf(principal.userId, origin), {
        action: "session.end",
        targetKind: "session",
        targetId: session.id,
      });
    });
  } catch (error) {
    throw toAppError(error);
  }
}

export interface OwnAccountChanges {
  readonly name?: string | undefined;
  readonly timeZone?: string | null | undefined;
  readonly language?: string | null | undefined;
  readonly region?: string | null | undefined;
}

/**
 * Changes the given fields of one's own account.
 *
 * @throws AppError BODY_INVALID for an unknown time zone or region, or an invalid language tag
 */
export async function updateOwnAccount(
  database: Database,
  principal: Pick<Principal, "userId">,
  changes: OwnAccountChanges,
  origin: Origin,
): Promise<OwnAccount> {
  const { name, timeZone } = changes;
  const language =
    changes.language == null ? changes.language : canonicalLanguage(changes.language);
  const region = changes.region == null ? changes.region : canonicalRegion(changes.region);
  throwFaults([
    ...(timeZone != null && !isTimeZone(timeZone)
      ? [fault("/timeZone", "Must be an IANA time zone name, such as Europe/Oslo")]
      : []),
    ...(changes.language != null && language === undefined
      ? [fault("/language", "Must be a language tag, such as de or pt-BR")]
      : []),
    ...(changes.region != null && region === undefined
      ? [fault("/region", "Must be the code of a region, such as GB or 150")]
      : []),
  ]);
  const changedFields = Object.keys(changes);
  return makeChange(database, auditActorOf(principal.userId, origin), async (transaction) => {
    await requireLegibleName(
      name,
      undefined,
      async () => (await readOwnAccount(transaction, principal)).name,
    );
    await transaction.orm
      .update(schema.users)
      .set({ name, timeZone, language, region, updatedAt: sql`system.clock()` })
      .where(eq(schema.users.id, principal.userId));
    const entry = {
      action: "user.update" as const,
      targetKind: "user",
      targetId: principal.userId,
      changedFields,
    };
    return {
      result: await readOwnAccount(transaction, principal),
      entry: changedFields.length === 0 ? null : entry,
    };
  });
}

export async function readOwnAccount(
  database: Queryable,
  principal: Pick<Principal, "userId">,
): Promise<OwnAccount> {
  const [row] = await database.query<{ account: OwnAccount }>(
    `select pg_catalog.json_build_object('id', u.id, 'email', u.email, 'name', u.name, 'timeZone', u.time_zone, 'language', u.language,
       'region', u.region,
       'systemTimeZone', (select s.value #>> '{}'::text[] from system.settings s where s.key = 'system.timezone'),
       'roles', coalesce((select pg_catalog.json_agg(pg_catalog.json_build_object('id', r.id, 'name', r.name) order by lower(r.name))
                          from system.role_members m join system.roles r on r.id = m.role_id
                          where m.user_id = u.id), '[]')) as account
     from system.users u where u.id = $1::text::uuid`,
    [principal.userId],
  );
  if (row === undefined) throw createError("AUTHENTICATION_REQUIRED");
  return row.account;
}

function fault(path: string, message: string): Fault {
  return createFault("BODY_INVALID", { path, message });
}
