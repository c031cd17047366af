import type { Action } from "./access-queries.ts";

export const accessPath = "/admin/access";

/** Returns the address of a grant's page. */
export function grantPath(id: string): string {
  return `${accessPath}/grants/${encodeURIComponent(id)}`;
}

/** Returns the address at which a grant is created. */
export function newGrantPath(given: {
  readonly role?: string | undefined;
  readonly resource?: string | undefined;
  readonly action?: Action | undefined;
}): string {
  return withQuery(grantPath("new"), given);
}

function withQuery(path: string, given: Readonly<Record<string, string | undefined>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(given)) {
    if (value !== undefined) query.set(name, value);
  }
  return query.size === 0 ? path : `${path}?${query}`;
}
