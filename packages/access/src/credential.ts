import { createHash, randomInt } from "node:crypto";
import { crc32 } from "node:zlib";

/**
 * The two credential kinds (spec §5.4). Both are a prefix, 30 random base62 characters and 6 base62 characters of a
 * CRC32 over what precedes them: a typo is refused without asking the database, and a secret scanner can recognise
 * a leaked one.
 */
export type CredentialKind = "SESSION" | "TOKEN";

const prefixes: Readonly<Record<CredentialKind, string>> = { SESSION: "rhs_", TOKEN: "rhp_" };
const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const randomLength = 30;
const checksumLength = 6;
const shape = /^(rhs|rhp)_[0-9A-Za-z]{36}$/;

/** A credential as it was sent: only its digest is ever looked up, compared or stored. */
export interface Credential {
  readonly kind: CredentialKind;
  /** SHA-256 of the secret, as Postgres writes a bytea (`\x…`). */
  readonly digest: string;
}

/** A new secret. 30 base62 characters hold 178 bits. */
export function createSecret(kind: CredentialKind): string {
  let secret = prefixes[kind];
  for (let index = 0; index < randomLength; index += 1) secret += alphabet[randomInt(62)];
  return secret + checksum(secret);
}

/** The digest under which a secret is stored, as Postgres writes a bytea. */
export function digestSecret(secret: string): string {
  return `\\x${createHash("sha256").update(secret).digest("hex")}`;
}

/** Reads an `Authorization` header; undefined for anything but a well-formed bearer credential of ours. */
export function parseAuthorization(header: string | null | undefined): Credential | undefined {
  if (header == null) return undefined;
  const space = header.indexOf(" ");
  if (space !== 6 || header.slice(0, 6).toLowerCase() !== "bearer") return undefined;
  return parseSecret(header.slice(7).trim());
}

/** Checks form and checksum of a secret. */
export function parseSecret(secret: string): Credential | undefined {
  if (!shape.test(secret)) return undefined;
  const body = secret.slice(0, -checksumLength);
  if (checksum(body) !== secret.slice(-checksumLength)) return undefined;
  return { kind: secret.startsWith("rhs_") ? "SESSION" : "TOKEN", digest: digestSecret(secret) };
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
