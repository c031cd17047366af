/** The credential of a client, and its renewal after a 401. */
export class Credential {
  #secret: string | null;
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
  }

  /**
   * Returns whether there is another secret than the one that was rejected. Callers that arrive during a renewal share
   * it.
   */
  async renewed(rejected: string | null): Promise<boolean> {
    if (this.#secret !== rejected) return this.#secret !== null;
    if (this.#renew === undefined) return false;
    this.#renewal ??= this.#renew().finally(() => {
      this.#renewal = undefined;
    });
    const secret = await this.#renewal;
    if (secret === null) return false;
    this.secret = secret;
    return secret !== rejected;
  }
}

// `fetch` would reject it as well, with a message that contains the secret.
function checked(secret: string | null): string | null {
  if (secret !== null && !/^[\x21-\x7e]+$/.test(secret)) {
    throw new TypeError("A token or session must have visible ASCII characters only");
  }
  return secret;
}
