import { randomBytes } from "node:crypto";

/** The prefixes of all objects: those of files, and those of the parts of resumable uploads. */
export const storagePrefixes = ["objects/", "segments/"] as const;

const keyForm = /^[a-z]+(?:\/[a-z0-9-]+){1,4}$/;
const keyLengthMax = 200;

/** Creates the key of a new object: `objects/`, two digits of the name, and the name of 32 hexadecimal digits. */
export function createStorageKey(): string {
  const name = randomBytes(16).toString("hex");
  return `objects/${name.slice(0, 2)}/${name}`;
}

const ownForm = /^(?:objects\/[0-9a-f]{2}\/[0-9a-f]{32}|segments\/[0-9a-f-]{36}\/[0-9a-z-]+)$/;

/** Returns whether this package has created the key; others may store objects in the same folder or bucket. */
export function isOwnKey(key: string): boolean {
  return ownForm.test(key);
}

/**
 * Checks a key before it becomes a path or an address. A key has no dots, so it cannot leave the storage.
 *
 * @throws Error for a key that this package does not create
 */
export function checkStorageKey(key: string): string {
  if (key.length > keyLengthMax || !keyForm.test(key)) {
    throw new Error(`${JSON.stringify(key.slice(0, keyLengthMax))} is not the key of an object`);
  }
  return key;
}
