import {
  type CompactVerifyGetKey,
  compactVerify,
  createLocalJWKSet,
  decodeProtectedHeader,
  errors,
  type JSONWebKeySet,
} from "jose";

/** The keys with which one provider signs. */
export interface SigningKeys {
  /**
   * Verifies the signature of a token, not its claims. Keys are cached for five minutes; a token that they do not
   * verify loads them again, so that a key is usable as soon as the provider signs with it.
   *
   * @throws if none of the provider's keys signed the token, and if the keys cannot be loaded
   */
  verify(token: string): Promise<void>;
}

const keepMs = 5 * 60_000;
/** Each unknown key id loads the keys once in this time; more ids than the maximum load nothing. */
const unknownMs = 60_000;
const unknownMax = 10;

type Loading = Promise<CompactVerifyGetKey>;

/**
 * Opens the keys of a provider. `openid-client` loads them again only a minute after the last time, and by then the code
 * of the sign-in is used.
 *
 * @param load requests the key set of the provider
 * @param now returns milliseconds
 */
export function openSigningKeys(
  load: () => Promise<JSONWebKeySet>,
  now: () => number,
): SigningKeys {
  let current: { readonly keys: Loading; readonly until: number } | undefined;
  const unknown = new Map<string, { readonly keys: Loading; readonly at: number }>();

  const start = (): Loading => {
    const keys = load().then(createLocalJWKSet);
    current = { keys, until: now() + keepMs };
    // A failed load is not cached.
    keys.catch(() => {
      if (current?.keys === keys) current = undefined;
    });
    return keys;
  };
  const reloadFor = (keyId: string): Loading | undefined => {
    for (const [id, { at }] of unknown) if (at <= now() - unknownMs) unknown.delete(id);
    const found = unknown.get(keyId);
    if (found !== undefined) return found.keys;
    if (unknown.size >= unknownMax) return undefined;
    const keys = start();
    unknown.set(keyId, { keys, at: now() });
    keys.catch(() => unknown.delete(keyId));
    return keys;
  };

  return {
    verify: async (token) => {
      const cached = current !== undefined && current.until > now() ? current.keys : undefined;
      try {
        await compactVerify(token, await (cached ?? start()));
      } catch (error) {
        const isOtherKey =
          error instanceof errors.JWKSNoMatchingKey ||
          error instanceof errors.JWSSignatureVerificationFailed;
        if (!isOtherKey || cached === undefined) throw error;
        const { kid = "" } = decodeProtectedHeader(token);
        const reloaded = reloadFor(kid);
        if (reloaded === undefined) throw error;
        await compactVerify(token, await reloaded);
        unknown.delete(kid);
      }
    },
  };
}
