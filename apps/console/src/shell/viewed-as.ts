import { currentSession, onSessionChange } from "./session.ts";

/** Whom an administrator views the workspace as. */
interface ViewedAs {
  /** A person; else somebody with the roles. */
  readonly userId?: string;
  readonly roleIds?: readonly string[];
  /** The name of the person or of the roles. */
  readonly name: string;
}

const key = "rowhouse.viewed-as";

/** Of this tab alone, so that another one stays the administrator's own. */
const current = read();

/** Whom this tab views the workspace as; null for its own person. */
export function viewedAs(): ViewedAs | null {
  return current;
}

/** Opens the workspace as somebody else. Nothing of the own one remains in memory. */
export function viewAs(somebody: ViewedAs): void {
  sessionStorage.setItem(key, JSON.stringify(somebody));
  location.assign("/app");
}

/** Returns to the own administration. */
export function stopViewing(): void {
  sessionStorage.removeItem(key);
  location.assign("/admin");
}

// Who signs in next in this tab sees their own workspace.
onSessionChange(() => {
  if (currentSession() === null) sessionStorage.removeItem(key);
});

function read(): ViewedAs | null {
  const kept = sessionStorage.getItem(key);
  return kept === null ? null : (JSON.parse(kept) as ViewedAs);
}

interface Previewed {
  readonly data: {
    readonly status: number;
    readonly contentType: string | null;
    readonly body: string;
  };
}

const sentHeaders = ["Accept", "Prefer", "X-Service-Timezone"];

/**
 * Returns the response that the viewed person would receive: a read runs as them, and anything else is refused here.
 * Returns undefined for a request that the administrator makes as themselves.
 */
export function answerViewing(url: string, init: RequestInit): Promise<Response> | undefined {
  const { pathname, search } = new URL(url);
  const isData = pathname.startsWith("/api/") && !pathname.startsWith("/api/auth/");
  if (current === null || !(isData || pathname.startsWith("/app/api/"))) return undefined;
  if ((init.method ?? "GET") !== "GET") return Promise.resolve(refusal());
  return preview(current, `${pathname}${search}`, init);
}

async function preview({ userId, roleIds }: ViewedAs, path: string, init: RequestInit) {
  const given = new Headers(init.headers);
  const headers = Object.fromEntries(
    sentHeaders.flatMap((name) => {
      const value = given.get(name);
      return value === null ? [] : [[name, value]];
    }),
  );
  const caller = userId === undefined ? { roleIds } : { userId };
  const answer = await fetch("/admin/api/permissions/preview", {
    method: "POST",
    headers: {
      Authorization: given.get("authorization") ?? "",
      "Content-Type": "application/json",
    },
    body: JSON.stringify({ data: { ...caller, path, headers } }),
    credentials: "omit",
    referrerPolicy: "no-referrer",
    signal: init.signal ?? null,
  });
  if (!answer.ok) return answer;
  const { data } = (await answer.json()) as Previewed;
  // A person without access to the API gets 401, which is not about the session of this tab.
  const status = data.status === 401 ? 403 : data.status;
  return new Response(data.body, {
    status,
    headers: data.contentType === null ? {} : { "Content-Type": data.contentType },
  });
}

/** The error of the contract. The pages have words of their own for its code. */
function refusal(): Response {
  const errors = [{ code: "ACTION_DENIED", message: "A viewed workspace is read-only" }];
  const body = JSON.stringify({ errors, meta: { requestId: "" } });
  return new Response(body, { status: 403, headers: { "Content-Type": "application/json" } });
}
