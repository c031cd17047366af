import { hash, randomInt } from "node:crypto";
import { crc32 } from "node:zlib";

/**
 * The two credential kinds (spec §5.4). Both are a prefix, 30 random base62 characters and 6 base62 characters of a
 * CRC32 over what precedes them: a typo is refused without asking the database, and a secret scanner can recognise
 * a leaked one.
 */
export type CredentialKind = "SESSION" | "TOKEN";

/** A secret in the same form that is no credential: the part of a link that a mail carries, or a code in an address. */
export type SecretKind = CredentialKind | "LINK";

const prefixes: Readonly<Record<SecretKind, string>> = {
  SESSION: "rhs_",
  TOKEN: "rhp_",
  LINK: "rhl_",
};
const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const randomLength = 30;
const checksumLength = 6;
const shape = /^(?:rhs|rhp|rhl)_[0-9A-Za-z]{36}$/;

/** A credential as it was sent: only its digest is ever looked up, compared or stored. */
export interface Credential {
  readonly kind: CredentialKind;
  /** SHA-256 of the secret, as Postgres writes a bytea (`\x…`). */
  readonly digest: string;
}

/** A new secret. 30 base62 characters hold 178 bits. */
export function createSecret(kind: SecretKind): string {
  let secret = prefixes[kind];
  for (let index = 0; index < randomLength; index += 1) secret += alphabet[randomInt(62)];
  return secret + checksum(secret);
}

/** The digest under which a secret is stored, as Postgres writes a bytea. */
export function digestSecret(secret: string): string {
  return `\\x${hash("sha256", secret)}`;
}

/** Reads an `Authorization` header; undefined for anything but a well-formed bearer credential of ours. */
export function parseAuthorization(header: string | null | undefined): Credential | undefined {
  if (header == null) return undefined;
  const space = header.indexOf(" ");
  if (space !== 6 || header.slice(0, 6).toLowerCase() !== "bearer") return undefined;
  return parseSecret(header.slice(7).trim());
}

/** A credential out of its secret; undefined for anything without the form and the checksum of one. */
export function parseSecret(secret: string): Credential | undefined {
  if (!isWhole(secret) || secret.startsWith(prefixes.LINK)) return undefined;
  const kind = secret.startsWith(prefixes.SESSION) ? "SESSION" : "TOKEN";
  return { kind, digest: digestSecret(secret) };
}

/** The digest of a link's secret; undefined for anything that cannot be one, so that nothing has to be looked up. */
export function parseLinkSecret(secret: string): string | undefined {
  return isWhole(secret) && secret.startsWith(prefixes.LINK) ? digestSecret(secret) : undefined;
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
