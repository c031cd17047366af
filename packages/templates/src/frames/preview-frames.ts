import { createHash, randomBytes } from "node:crypto";
import type { Queryable } from "@rowhouse/db";
import { createError } from "@rowhouse/errors";

/** The lifetime of a ticket, in seconds. */
const lifetimeS = 60;
export const ticketForm = /^[A-Za-z0-9_-]{43}$/;

/**
 * Pages of one session at most. Several previews run at once while a person types, or has two tabs; a page must stay
 * until the frame that asked for it has loaded it.
 */
const framesMax = 10;

/**
 * Stores HTML that the next request of a frame shows, and returns its ticket. A frame sends no credential, so the
 * ticket is one: for a minute, and as long as the session that it was issued for.
 */
export async function openFrame(
  database: Queryable,
  frame: { readonly sessionId: string; readonly templateId: string; readonly html: string },
): Promise<string> {
  const ticket = randomBytes(32).toString("base64url");
  await database.query(
    `with old as (
       delete from system.template_frames where expires_at <= system.clock() or digest in (
         select digest from system.template_frames where session_id = $1::uuid
         order by expires_at desc offset ${framesMax - 1})
     )
     insert into system.template_frames (session_id, template_id, digest, html, expires_at)
     values ($1::uuid, $2::uuid, decode($3::text, 'hex'), $4::text,
             system.clock() + make_interval(secs => $5::text::integer))`,
    [frame.sessionId, frame.templateId, digestOf(ticket), frame.html, String(lifetimeS)],
    { prepare: true },
  );
  return ticket;
}

/**
 * Returns the HTML of a ticket whose session still belongs to an administrator.
 *
 * @throws AppError NOT_FOUND
 */
export async function readFrame(database: Queryable, ticket: string): Promise<string> {
  const [row] = await database.query<{ html: string }>(
    `select f.html from system.template_frames f
     join system.sessions s on s.id = f.session_id
     join system.users u on u.id = s.user_id
     where f.digest = decode($1::text, 'hex') and f.expires_at > system.clock() and s.expires_at > system.clock()
       and u.active and not u.is_system and system.is_administrator(u.id)`,
    [digestOf(ticket)],
    { prepare: true },
  );
  if (row === undefined) throw createError("NOT_FOUND");
  return row.html;
}

function digestOf(ticket: string): string {
  return createHash("sha256").update(ticket).digest("hex");
}
