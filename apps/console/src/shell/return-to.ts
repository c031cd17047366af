import { normalizeReturnPath } from "@rowhouse/accounts/return-path";

/** Returns the address of a page of this installation; undefined for anything else, such as another origin. */
export function pageAddress(text: unknown): string | undefined {
  const path = typeof text === "string" ? normalizeReturnPath(text) : undefined;
  const isPage = path !== undefined && /^\/(?:app|admin)(?:[/?#]|$)/.test(path);
  return isPage && !/^\/(?:app|admin)\/api(?:[/?#]|$)/.test(path) ? path : undefined;
}
