const dayMs = 86_400_000;

/** The share of a token's lifetime from which it counts as expiring. A fresh token of a week is not news. */
const lastShare = 0.2;

/** Whether at most a fifth of a token's lifetime is left. */
export function isNearEnd(
  token: { readonly expiresAt: string; readonly lifetime: number },
  now = Date.now(),
): boolean {
  return Date.parse(token.expiresAt) - now <= lastShare * token.lifetime * dayMs;
}

/** The whole days until a token expires. */
export function daysLeft({ expiresAt }: { readonly expiresAt: string }): number {
  return Math.max(0, Math.ceil((Date.parse(expiresAt) - Date.now()) / dayMs));
}
