/** The credential of a client, and its renewal after a 401. */
export class ClientCredential {
  #secret: string | null;
  #period = 0;
  #renewal: Promise<string | null> | undefined;
  readonly #renew: (() => Promise<string | null>) | undefined;

  /** @throws TypeError for a secret that cannot stand in a header */
  constructor(secret: string | null, renew: (() => Promise<string | null>) | undefined) {
    this.#secret = checked(secret);
    this.#renew = renew;
  }

  get secret(): string | null {
    return this.#secret;
  }

  /** @throws TypeError for a secret that cannot stand in a header */
  set secret(secret: string | null) {
    this.#secret = checked(secret);
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
   */
  async renewed(rejected: string | null, period: number): Promise<string | null> {
    if (period !== this.#period) return null;
    if (this.#secret !== rejected) return this.#secret;
    if (this.#renew === undefined) return null;
    this.#renewal ??= this.#renew().finally(() => {
      this.#renewal = undefined;
    });
    const secret = await this.#renewal;
    if (secret === null || secret === rejected || period !== this.#period) return null;
    this.secret = secret;
    return secret;
  }
}

// `fetch` would reject it as well, with a message that contains the secret.
function checked(secret: string | null): string | null {
  if (secret !== null && !/^[\x21-\x7e]+$/.test(secret)) {
    throw new TypeError("A token or session must have visible ASCII characters only");
  }
  return secret;
}
