import type { Action, Method } from "./grant-queries.ts";

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

/** Returns the address that explains a request of a person. */
export function explainPath(given: {
  readonly user?: string | undefined;
  readonly method?: Method | undefined;
  readonly path?: string | undefined;
}): string {
  return withQuery(`${accessPath}/explain`, given);
}

/** Returns the address that shows what a person or a set of roles receives. */
export function viewAsPath(given: {
  readonly user?: string | undefined;
  /** Ids of roles, with commas between them. */
  readonly roles?: string | undefined;
  readonly path?: string | undefined;
}): string {
  return withQuery(`${accessPath}/view-as`, given);
}

function withQuery(path: string, given: Readonly<Record<string, string | undefined>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(given)) {
    if (value !== undefined) query.set(name, value);
  }
  return query.size === 0 ? path : `${path}?${query}`;
}
