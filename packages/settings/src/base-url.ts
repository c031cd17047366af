/** Returns a base URL without slashes at its end, so that a path can follow. */
export function withoutTrailingSlashes(base: string): string {
  return base.replace(/(?<!\/)\/+$/, "");
}
