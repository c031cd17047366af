/**
 * Whether a request target's path is in its one normal form. Any other spelling of a path is unknown here, so that
 * no two readers of it (a proxy in front, the routers behind) can come to different routes.
 *
 * Percent-encoded characters, the slash among them, are fine in what a route takes as a value (`/api/fleet/table/trips/a%2Fb`):
 * no router decodes before it has chosen a route. An encoded NUL and an encoded dot segment never are.
 *
 * @param path the raw path, without the query
 */
export function isNormalPath(path: string): boolean {
  if (plain.test(path)) return true;
  if (!path.startsWith("/") || forbidden.test(path)) return false;
  return path.split("/").slice(1).every(isNormalSegment);
}

// Nearly every request: no escape, no empty segment, no segment that begins with a dot.
const plain = /^(?:\/[A-Za-z0-9_~-][A-Za-z0-9._~,:@!$&'()*+=-]*)+$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it looks for.
const forbidden = /[\\;\u0000-\u0020\u007f-\uffff]|%00|%(?![0-9A-Fa-f]{2})/;

function isNormalSegment(segment: string): boolean {
  if (segment === "") return false;
  const dots = segment.replaceAll(/%2e/gi, ".");
  return dots !== "." && dots !== "..";
}

/** The path of a request target: everything before the query. */
export function pathOf(target: string): string {
  const query = target.indexOf("?");
  return query === -1 ? target : target.slice(0, query);
}
