import { hkdfSync } from "node:crypto";
import { createError } from "@rowhouse/errors";
import { decodeJwt, errors, jwtVerify, SignJWT } from "jose";
import type { EdgeContext } from "../request/edge-context.ts";

/** The header that carries the gateway's assertion to a service. */
export const assertionHeader = "x-rowhouse-assertion";

const issuer = "rowhouse-gateway";
const lifetimeS = 60;
// A cached assertion is used for half its lifetime, and is valid from half a lifetime before it was signed: the clocks
// of two machines may differ by that much in either direction.
const skewS = lifetimeS / 2;
const reuseMs = skewS * 1000;
const cachedMax = 10_000;

export interface AssertionSigner {
  /** Returns the assertion for one request to one service. */
  (edge: EdgeContext, audience: string): Promise<string> | string;
  /** Signs a new assertion for a health request to a service. */
  introduce(audience: string): Promise<string>;
}

export interface AssertionVerifier {
  /** Verifies an assertion and returns the caller's address in it. */
  (assertion: string | null | undefined): VerifiedAssertion | Promise<VerifiedAssertion>;
  /**
   * Why the service would reject requests of the gateway that sent this introduction; undefined if it accepts them.
   */
  faultOf(introduction: string): Promise<AssertionFault | undefined>;
}

/** Why a service rejects the assertions of a gateway. */
export type AssertionFault =
  | { readonly kind: "SECRET" }
  | { readonly kind: "SERVICE" }
  /** Seconds by which the service's clock is ahead of the gateway's. */
  | { readonly kind: "CLOCK"; readonly aheadS: number };

/** The content of a valid assertion. */
export type VerifiedAssertion = Pick<EdgeContext, "clientAddress">;

/**
 * Creates a signer of assertions. An assertion proves that the gateway forwarded a request to this service for a
 * caller at this address. It is the same for all requests of one caller, so most requests reuse a signature. The
 * request id, which callers may choose, is sent beside it.
 *
 * @param secret the secret that gateway and services share; during rotation, the one that every service already
 * accepts
 */
export function createAssertionSigner(secret: string): AssertionSigner {
  const key = deriveKey(secret);
  const known = new Map<string, { readonly assertion: string; readonly signedAt: number }>();

  const sign = async (clientAddress: string, audience: string, now: number) =>
    new SignJWT({ address: clientAddress })
      .setProtectedHeader({ alg: "HS256" })
      .setIssuer(issuer)
      .setAudience(audience)
      .setNotBefore(Math.floor(now / 1000) - skewS)
      .setExpirationTime(Math.floor(now / 1000) + lifetimeS)
      .sign(key);
  const signAndKeep = async (cacheKey: string, clientAddress: string, audience: string) => {
    const now = Date.now();
    const assertion = await sign(clientAddress, audience, now);
    makeRoom(known);
    known.set(cacheKey, { assertion, signedAt: now });
    return assertion;
  };

  const signRequest = ({ clientAddress }: EdgeContext, audience: string) => {
    const cacheKey = `${audience} ${clientAddress}`;
    const found = known.get(cacheKey);
    const now = Date.now();
    // An assertion of the future was signed before the clock was set back.
    return found !== undefined && found.signedAt <= now && now < found.signedAt + reuseMs
      ? found.assertion
      : signAndKeep(cacheKey, clientAddress, audience);
  };
  return Object.assign(signRequest, {
    introduce: (audience: string) => sign("", audience, Date.now()),
  });
}

/**
 * Creates a verifier of assertions for one service. Verified assertions are cached until they expire.
 *
 * @param secrets all secrets that a gateway may currently sign with; two during rotation
 * @throws `AUTHENTICATION_REQUIRED` for a request without a valid assertion for `audience`
 */
export function createAssertionVerifier(options: {
  readonly secrets: readonly string[];
  readonly audience: string;
}): AssertionVerifier {
  const keys = options.secrets.map(deriveKey);
  const known = new Map<string, { readonly clientAddress: string; readonly until: number }>();

  const check = async (assertion: string) => {
    const found = await verify(assertion, keys, options.audience);
    makeRoom(known);
    known.set(assertion, found);
    return found;
  };
  const verifyRequest = (assertion: string | null | undefined) => {
    if (assertion === null || assertion === undefined) {
      throw createError("AUTHENTICATION_REQUIRED");
    }
    const found = known.get(assertion);
    return found !== undefined && found.until > Date.now() ? found : check(assertion);
  };
  return Object.assign(verifyRequest, {
    faultOf: (introduction: string) => findFault(introduction, keys, options.audience),
  });
}

/**
 * Checks an introduction, which is always freshly signed. So its clock is checked more strictly than that of a
 * request, whose assertion may be older.
 */
async function findFault(
  introduction: string,
  keys: readonly Uint8Array[],
  audience: string,
): Promise<AssertionFault | undefined> {
  const signedAt = signingTime(introduction);
  for (const key of keys) {
    try {
      const { payload } = await jwtVerify(introduction, key, {
        issuer,
        algorithms: ["HS256"],
        requiredClaims: ["exp", "nbf"],
        currentDate: new Date(signedAt * 1000),
      });
      if (payload.aud !== audience) return { kind: "SERVICE" };
      const aheadS = Math.round(Date.now() / 1000 - signedAt);
      return Math.abs(aheadS) > skewS ? { kind: "CLOCK", aheadS } : undefined;
    } catch (error) {
      if (!(error instanceof errors.JOSEError)) throw error;
    }
  }
  return { kind: "SECRET" };
}

/** The time of signing in seconds; 0 for a text that is not a token. */
function signingTime(introduction: string): number {
  try {
    return (decodeJwt(introduction).nbf ?? 0) + skewS;
  } catch (error) {
    if (error instanceof errors.JOSEError || error instanceof TypeError) return 0;
    throw error;
  }
}

async function verify(assertion: string, keys: readonly Uint8Array[], audience: string) {
  let cause: unknown;
  for (const key of keys) {
    try {
      const { payload } = await jwtVerify<{ address: string }>(assertion, key, {
        issuer,
        audience,
        algorithms: ["HS256"],
        requiredClaims: ["exp", "nbf", "address"],
      });
      return { clientAddress: payload.address, until: (payload.exp ?? 0) * 1000 };
    } catch (error) {
      if (!(error instanceof errors.JOSEError)) throw error;
      cause = error;
    }
  }
  // The header tells the gateway that it was refused, not its caller.
  throw createError("AUTHENTICATION_REQUIRED", {
    cause,
    headers: { [assertionHeader]: "rejected" },
  });
}

function deriveKey(secret: string): Uint8Array {
  return new Uint8Array(hkdfSync("sha256", secret, "", "rowhouse edge assertion v1", 32));
}

/** Removes the oldest entry of a full cache. */
function makeRoom(cache: Map<string, unknown>): void {
  if (cache.size < cachedMax) return;
  const [oldest] = cache.keys();
  if (oldest !== undefined) cache.delete(oldest);
}
