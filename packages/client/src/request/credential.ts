import type { ClientOptions } from "./client-options.ts";
import { unlessAborted } from "./repeat.ts";

type CredentialOptions = Pick<ClientOptions, "session" | "token" | "onUnauthorized">;

/** The credential of a client, and its renewal after a 401. */
export class ClientCredential {
  #secret: string | null;
  #period = 0;
  #renewal: Promise<string | null> | undefined;
  readonly #renew: (() => Promise<string | null>) | undefined;

  /** @throws TypeError for a secret that is empty or cannot stand in a header */
  constructor({ session, token, onUnauthorized }: CredentialOptions) {
    const permanent = checked("token", token);
    this.#secret = checked("session", session) ?? permanent;
    this.#renew = onUnauthorized;
  }

  get secret(): string | null {
    return this.#secret;
  }

  /** @throws TypeError for a secret that is empty or cannot stand in a header */
  set secret(secret: string | null) {
    this.#secret = checked("session", secret);
    if (secret === null) this.#period += 1;
  }

  /** The number of times that the client was left without a secret. */
  get period(): number {
    return this.#period;
  }

  /**
   * Returns the secret that replaces one that was rejected; null without one. Callers that arrive during a renewal share
   * it.
   *
   * @param period the period in which the request began. After a sign-out there is no replacement: the next secret may be
   * another person's.
   * @param signal ends the wait of this caller alone, with its reason
   */
  async renewed(
    rejected: string | null,
    period: number,
    signal: AbortSignal | undefined,
  ): Promise<string | null> {
    if (period !== this.#period) return null;
    if (this.#secret !== rejected) return this.#secret;
    const renew = this.#renew;
    if (renew === undefined) return null;
    // The function begins after this statement, so that one which throws at once is shared and forgotten like the others.
    this.#renewal ??= Promise.resolve()
      .then(() => renew())
      .finally(() => {
        this.#renewal = undefined;
      });
    const secret = (await unlessAborted(this.#renewal, signal)) ?? null;
    if (secret === null || secret === rejected || period !== this.#period) return null;
    this.secret = secret;
    return secret;
  }
}

// `fetch` would reject it as well, with a message that contains the secret.
function checked(name: "session" | "token", secret: string | null | undefined): string | null {
  if (secret === undefined || secret === null) return null;
  if (secret === "") {
    throw new TypeError(`${name} is empty; omit it or use null`);
  }
  if (!/^[\x21-\x7e]+$/.test(secret)) {
    throw new TypeError("A token or session must have visible ASCII characters only");
  }
  return secret;
}
