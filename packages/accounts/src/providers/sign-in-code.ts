import { createHash } from "node:crypto";
import { digestSecret } from "@rowhouse/access";

/** The challenge of a verifier by the method S256 (RFC 7636, 4.2). */
export function challengeOf(codeVerifier: string): string {
  return createHash("sha256").update(codeVerifier).digest("base64url");
}

/**
 * The digest under which a code is stored. That of a flow with a challenge contains it, so that a wrong verifier, a
 * missing one and a superfluous one find no code.
 */
export function digestOfCode(code: string, codeChallenge: string | null): string {
  return digestSecret(codeChallenge === null ? code : `${code}.${codeChallenge}`);
}
