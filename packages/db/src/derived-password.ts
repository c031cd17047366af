import { createHash, createHmac, hkdfSync, pbkdf2Sync } from "node:crypto";

/**
 * Derives the password of a login; every process with the secret derives the same one.
 *
 * @param use names the login, so that each has its own
 */
export function derivePassword(secret: string, use: string): string {
  return derive(secret, use, "password").toString("base64url");
}

/**
 * Computes the form in which PostgreSQL stores a password, so that the password itself appears in no statement and no
 * log (RFC 5803, and https://www.postgresql.org/docs/18/catalog-pg-authid.html).
 */
export function passwordVerifier(secret: string, use: string): string {
  const salt = derive(secret, use, "salt").subarray(0, 16);
  const salted = pbkdf2Sync(derivePassword(secret, use), salt, iterations, 32, "sha256");
  const sign = (text: string) => createHmac("sha256", salted).update(text).digest();
  const stored = createHash("sha256").update(sign("Client Key")).digest();
  const [saltText, storedText, serverText] = [salt, stored, sign("Server Key")].map((part) =>
    part.toString("base64"),
  );
  return `SCRAM-SHA-256$${iterations}:${saltText}$${storedText}:${serverText}`;
}

const iterations = 4096;

function derive(secret: string, use: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync("sha256", secret, "", `rowhouse ${use} ${purpose} v1`, 32));
}
