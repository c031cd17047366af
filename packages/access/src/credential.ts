import { hash, randomInt } from "node:crypto";
import { crc32 } from "node:zlib";

/**
 * The two kinds of credentials. Both are a prefix, 30 random base62 characters and 6 base62 characters of a CRC32 over
 * the preceding ones. A typo is rejected without a query, and a secret scanner can recognize a leaked credential.
 */
export type CredentialKind = "SESSION" | "TOKEN";

/**
 * A secret of the same form that is not a credential: part of a mailed link, a code in a URL, or what an OAuth client
 * exchanges for its next access token.
 */
export type SecretKind = CredentialKind | "LINK" | "REFRESH";

const prefixes: Readonly<Record<SecretKind, string>> = {
  SESSION: "rhs_",
  TOKEN: "rhp_",
  LINK: "rhl_",
  REFRESH: "rhr_",
};
const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const randomLength = 30;
const checksumLength = 6;
const shape = /^(?:rhs|rhp|rhl|rhr)_[0-9A-Za-z]{36}$/;

/** A received credential: only its digest is looked up, compared and stored. */
export interface Credential {
  readonly kind: CredentialKind;
  /** SHA-256 of the secret, as a PostgreSQL bytea (`\x…`). */
  readonly digest: string;
}

/** Creates a secret. Its 30 base62 characters hold 178 bits. */
export function createSecret(kind: SecretKind): string {
  let secret = prefixes[kind];
  for (let index = 0; index < randomLength; index += 1) secret += alphabet[randomInt(62)];
  return secret + checksum(secret);
}

/** Returns the digest under which a secret is stored, as a PostgreSQL bytea. */
export function digestSecret(secret: string): string {
  return `\\x${hash("sha256", secret)}`;
}

/** Reads an `Authorization` header; undefined for anything but a well-formed bearer credential of Rowhouse. */
export function parseAuthorization(header: string | null | undefined): Credential | undefined {
  if (header == null) return undefined;
  const space = header.indexOf(" ");
  if (space !== 6 || header.slice(0, 6).toLowerCase() !== "bearer") return undefined;
  return parseSecret(header.slice(7).trim());
}

/** Parses the secret of a credential; undefined if its form or checksum is wrong. */
export function parseSecret(secret: string): Credential | undefined {
  const kind = (["SESSION", "TOKEN"] as const).find((known) => secret.startsWith(prefixes[known]));
  if (kind === undefined || !isWhole(secret)) return undefined;
  return { kind, digest: digestSecret(secret) };
}

/** Returns the digest of a link's secret; undefined if the form or checksum is wrong, so that no query is needed. */
export function parseLinkSecret(secret: string): string | undefined {
  return isWhole(secret) && secret.startsWith(prefixes.LINK) ? digestSecret(secret) : undefined;
}

/** Returns the digest of a refresh token; undefined if the form or checksum is wrong. */
export function parseRefreshSecret(secret: string): string | undefined {
  return isWhole(secret) && secret.startsWith(prefixes.REFRESH) ? digestSecret(secret) : undefined;
}

function isWhole(secret: string): boolean {
  return (
    shape.test(secret) &&
    checksum(secret.slice(0, -checksumLength)) === secret.slice(-checksumLength)
  );
}

function checksum(text: string): string {
  let rest = crc32(text);
  let result = "";
  for (let index = 0; index < checksumLength; index += 1) {
    result = (alphabet[rest % 62] ?? "0") + result;
    rest = Math.floor(rest / 62);
  }
  return result;
}
