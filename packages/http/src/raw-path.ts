/**
 * The path of a request exactly as it was sent. Routes are chosen by it: Hono's own `getPath` decodes first, and then
 * `/%61dmin` would find the route of `/admin`. A handler decodes the parts it takes.
 */
export function rawPath(request: Request): string {
  const { url } = request;
  const start = url.indexOf("/", 8);
  for (let at = start; at < url.length; at++) {
    const code = url.charCodeAt(at);
    if (code === 0x3f || code === 0x23) return url.slice(start, at);
  }
  return url.slice(start);
}
