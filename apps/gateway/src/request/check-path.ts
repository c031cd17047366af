/**
 * Whether the path of a request target is in normal form. Any other spelling is rejected here, so that no two parsers
 * (a proxy in front, the routers behind) can select different routes for it.
 *
 * Percent-encoded characters, including the slash, are allowed in the value of a route parameter
 * (`/api/fleet/table/trips/a%2Fb`): no router decodes before it has selected a route. An encoded NUL and an encoded
 * dot segment are never allowed.
 *
 * @param path the raw path, without the query
 */
export function isNormalPath(path: string): boolean {
  if (plain.test(path) || path === "/") return true;
  if (!path.startsWith("/") || forbidden.test(path)) return false;
  return path.split("/").slice(1).every(isNormalSegment);
}

// The fast path of almost all requests: no escape, no empty segment, no segment that begins with a dot.
const plain = /^(?:\/[A-Za-z0-9_~-][A-Za-z0-9._~,:@!$&'()*+=-]*)+$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it looks for.
const forbidden = /[\\;\u0000-\u0020\u007f-\uffff]|%00|%(?![0-9A-Fa-f]{2})/;

const page = /^(\/(?:admin|app)(?:\/(?!api(?:\/|$)).*)?)\/$/s;

/** Returns the path of a page that a person wrote with a slash at its end; undefined for any other path. */
export function pageWithoutSlash(path: string): string | undefined {
  const [, own] = page.exec(path) ?? [];
  return own !== undefined && isNormalPath(own) ? own : undefined;
}

function isNormalSegment(segment: string): boolean {
  if (segment === "") return false;
  const dots = segment.replaceAll(/%2e/gi, ".");
  return dots !== "." && dots !== "..";
}

/** Returns the path of a request target: everything before the query. */
export function pathOfTarget(target: string): string {
  const query = target.indexOf("?");
  return query === -1 ? target : target.slice(0, query);
}
