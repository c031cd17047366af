let parameters = new URLSearchParams();

/**
 * Takes the parameters of the URL's fragment and removes them from the address, the history included. Secrets of links
 * stand there, because a browser sends no fragment. Called before the first request of a page.
 */
export function takeFragment(): void {
  const { hash, pathname, search } = location;
  if (!pathname.startsWith("/admin/auth/") || hash.length < 2) return;
  parameters = new URLSearchParams(hash.slice(1));
  history.replaceState(history.state, "", `${pathname}${search}`);
}

/** A parameter that the address had in its fragment. */
export function fragmentParameter(name: string): string | null {
  return parameters.get(name);
}

/** Forgets the parameters, once a page has used them. */
export function dropFragment(): void {
  parameters = new URLSearchParams();
}
