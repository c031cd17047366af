import { createSecret, digestSecret } from "@rowhouse/access";
import { appendAuditEntry, type Snapshot, schema, type Transaction } from "@rowhouse/db";
import { settingsOf } from "@rowhouse/settings";
import { eq, sql } from "drizzle-orm";
import { auditActorOf, type Origin } from "./origin.ts";

/** The sign-in method: a word (`link` is that of the first start), or `provider:<key>`. */
export type SignInMethod = "password" | "invitation" | "link" | `provider:${string}`;

/** Opens a session with a fixed lifetime and returns its secret. */
export async function openSession(
  transaction: Transaction,
  snapshot: Pick<Snapshot, "settings">,
  userId: string,
  method: SignInMethod,
  origin: Origin,
): Promise<string> {
  const secret = createSecret("SESSION");
  const [session] = await transaction.query<{ id: string }>(
    `insert into system.sessions (user_id, digest, method, address, user_agent, created_at, expires_at)
     values ($1::text::uuid, $2::text::bytea, $3::text, $4::text::inet, $5::text, system.clock(),
             system.clock() + make_interval(hours => $6::text::integer))
     returning id`,
    [
      userId,
      digestSecret(secret),
      method,
      origin.address,
      origin.userAgent?.slice(0, 500) ?? null,
      String(settingsOf(snapshot)["auth.session_ttl_hours"]),
    ],
  );
  const { users } = schema;
  await transaction.orm
    .update(users)
    .set({ lastSignInAt: sql`system.clock()` })
    .where(eq(users.id, userId));
  await appendAuditEntry(transaction, auditActorOf(userId, origin), {
    action: "session.create",
    targetKind: "session",
    targetId: session?.id ?? null,
  });
  return secret;
}
