/** The page that asks a person whether a program may act in their name. */
export const authorizationPath = "/admin/auth/authorize";

/**
 * Puts the query of an authorization request into one parameter, exactly as the program wrote it. The router reads
 * values as JSON and writes them anew, which changes a state such as `1e5`. Called before the router starts.
 */
export function keepAuthorizationQuery(): void {
  const { pathname, search, hash } = location;
  if (pathname !== authorizationPath || /^(?:\?request=|\??$)/.test(search)) return;
  const kept = new URLSearchParams({ request: search.slice(1) });
  history.replaceState(history.state, "", `${pathname}?${kept}${hash}`);
}
