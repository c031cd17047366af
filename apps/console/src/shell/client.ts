import { createClient } from "@rowhouse/client";
import { askForSession } from "./renewal.ts";
import { currentSession, endSession, onSessionChange } from "./session.ts";
import { browserZone } from "./time/time-text.ts";
import { answerViewing } from "./viewed-as.ts";

/** The one client of the pages. It sends the session of this tab. */
export const client = createClient({
  url: location.origin,
  timeZone: browserZone(),
  // A person waits: a longer `Retry-After` is shown instead.
  retryAfterMaxSeconds: 2,
  // No page of another origin learns the addresses of the pages, and no request needs a cookie, except that linking a
  // provider sets the one that binds its flow to this browser.
  fetch: (url, init) => {
    const viewed = answerViewing(url, init);
    if (viewed !== undefined) return viewed;
    const credentials = /\/api\/auth\/oauth\/[^/]+\/link$/.test(url) ? "same-origin" : "omit";
    // A sign-out reaches the service although its tab is closed at once.
    const keepalive = url.endsWith("/api/auth/logout");
    return fetch(url, { ...init, credentials, keepalive, referrerPolicy: "no-referrer" });
  },
  onUnauthorized: askForSession,
});

/** What a response has: values that no page changes. */
export type Received<Value> = Value extends readonly (infer Item)[]
  ? readonly Received<Item>[]
  : Value extends object
    ? { readonly [Key in keyof Value]: Received<Value[Key]> }
    : Value;

function takeSession(): void {
  client.auth.session = currentSession()?.token ?? null;
}
// The session may be older than this module, which loads with the first page.
takeSession();
onSessionChange(takeSession);

/** Ends the session at the service and in every tab; offline, the tabs forget it all the same. */
export async function signOut(): Promise<void> {
  // The request takes the session before the tabs forget it.
  const ended = client.auth.signOut().catch(() => {});
  endSession();
  await ended;
}
