import { normalizeReturnPath } from "@rowhouse/accounts/return-path";

/** Where a person works. */
export const homePath = "/app";

/** Returns the address of a page of this installation; undefined for anything else, such as another origin. */
export function pageAddress(text: unknown): string | undefined {
  const path = typeof text === "string" ? normalizeReturnPath(text) : undefined;
  const isPage = path !== undefined && /^\/(?:app|admin)(?:[/?#]|$)/.test(path);
  return isPage && !/^\/(?:app|admin)\/api(?:[/?#]|$)/.test(path) ? path : undefined;
}

/**
 * Where the trial of a provider's sign-in ends. The page that completes a sign-in recognizes it, and starts no session in
 * this browser.
 */
export const trialPath = "/admin/people/providers?trial=done";
