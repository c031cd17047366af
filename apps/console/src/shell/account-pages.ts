/** The pages of one's own account. */
export const accountPages = ["profile", "security", "sessions", "tokens"] as const;

/** A page of one's own account. */
type AccountPage = (typeof accountPages)[number];

/** Returns the address of a page of one's own account. */
export function accountPath(page: AccountPage): string {
  return `/app/account/${page}`;
}
