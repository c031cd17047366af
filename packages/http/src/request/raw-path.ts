/**
 * Returns the path of a request exactly as received. Routes match on it: Hono's own `getPath` decodes first, so that
 * `/%61dmin` would match the route of `/admin`. A handler decodes the segments that it uses.
 */
export function rawPath(request: Request): string {
  const { url } = request;
  const start = url.indexOf("/", 8);
  const query = url.indexOf("?", start);
  const whole = query < 0 ? url.slice(start) : url.slice(start, query);
  const fragment = whole.indexOf("#");
  return fragment < 0 ? whole : whole.slice(0, fragment);
}

/** Splits a URL, or a path with a query, before its question mark; the query is empty without one. */
export function splitQuery(url: string): [path: string, query: string] {
  const mark = url.indexOf("?");
  return mark < 0 ? [url, ""] : [url.slice(0, mark), url.slice(mark + 1)];
}
