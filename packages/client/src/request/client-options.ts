/** A function with the form of the standard `fetch`. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** What `createClient` takes. */
export type ClientOptions = {
  /** Address of the service, such as `https://rows.example.com`. */
  readonly url: string;
  /** A personal access token (`rhp_…`). */
  readonly token?: string | undefined;
  /** The secret of a session (`rhs_…`); `auth.signIn` sets it as well. */
  readonly session?: string | undefined;
  /** Replaces the standard `fetch`. */
  readonly fetch?: Fetch | undefined;
  /** IANA time zone in which days begin, if neither the user nor the instance has one. */
  readonly timeZone?: string | undefined;
  /** How often a request is repeated after a failure that may pass, by default 2. */
  readonly repeats?: number | undefined;
  /** The longest `Retry-After` that a request waits for, by default 30; a longer one is an error at once. */
  readonly retryAfterMaxSeconds?: number | undefined;
  /**
   * Returns a new session or token after a 401, or null. Requests that fail at the same time share one call, and each is
   * repeated once with the result.
   */
  readonly onUnauthorized?: (() => Promise<string | null>) | undefined;
};

/** Options of every method that sends a request. */
export type CallOptions = {
  /** Cancels the request and its repeats. */
  readonly signal?: AbortSignal | undefined;
};

/** Options of the operations of an API by method and path. */
export type AreaCallOptions = CallOptions & {
  /** An entity tag that the target must have, as the service returned it; otherwise the error is `PRECONDITION_FAILED`. */
  readonly ifMatch?: string | undefined;
  /** Requests the entity tag of each row of a list, where the operation has them: `meta.etags`. */
  readonly etags?: boolean | undefined;
};

/**
 * Returns the address of the service without a slash at its end.
 *
 * @throws TypeError for anything but an `http:` or `https:` URL without user, query and fragment
 */
export function readBaseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isPlain = url?.username === "" && url.password === "" && url.search === "";
  if (url === undefined || !isPlain || url.hash !== "" || !/^https?:$/.test(url.protocol)) {
    // The text is not repeated, because it may have a password.
    throw new TypeError("url must be an http or https URL without user, query and fragment");
  }
  return url.href.replace(/\/$/, "");
}
