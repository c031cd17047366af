import { hash, verify } from "@node-rs/argon2";
import { createError, createFault, type Fault } from "@rowhouse/errors";
import { isCommonPassword, isMadeOf } from "./refused-passwords.ts";

/** argon2id of OWASP's password storage cheat sheet: 19 MiB, two passes, one lane. */
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
const lengthMin = 12;
const lengthMax = 256;
/** A hash takes a thread of libuv's pool and 19 MiB; more at once would starve everything else of both. */
const hashesAtOnceMax = 3;
/** Whoever comes after these would wait for seconds; an answer at once is kinder, and cheaper. */
const hashesWaitingMax = 200;

let running = 0;
const waiting: (() => void)[] = [];

/**
 * A hash of a password, in PHC form. Hashing happens off the event loop, a few at once.
 *
 * @throws AppError RATE_LIMIT_EXCEEDED where too many wait already
 */
export async function hashPassword(password: string): Promise<string> {
  return withHashSlot(() => hash(password, parameters));
}

/**
 * Whether `password` is the one that was hashed. With `null` (no such account, no password set) it does the same work
 * and answers false.
 *
 * @throws AppError RATE_LIMIT_EXCEEDED where too many wait already
 */
export async function verifyPassword(hashed: string | null, password: string): Promise<boolean> {
  if (hashed === null) {
    await hashPassword(password);
    return false;
  }
  return withHashSlot(() => verify(hashed, password));
}

/** Whether a hash was made with weaker parameters than today's. */
export function needsRehash(hashed: string): boolean {
  const match = /^\$argon2id\$v=\d+\$m=(\d+),t=(\d+),p=(\d+)\$/.exec(hashed);
  if (match === null) return true;
  return Number(match[1]) < parameters.memoryCost || Number(match[2]) < parameters.timeCost;
}

/**
 * What is wrong with a new password.
 *
 * @param path where it stands in the body
 * @param about addresses and names of its account, which it must not be made of
 */
export function checkPassword(
  password: string,
  path: string,
  about: readonly string[] = [],
): Fault[] {
  const length = [...password].length;
  if (length < lengthMin || length > lengthMax) {
    const message = `A password has ${lengthMin} to ${lengthMax} characters`;
    return [createFault("BODY_INVALID", { path, message })];
  }
  if (isCommonPassword(password)) {
    return [createFault("BODY_INVALID", { path, message: "This password is too common" })];
  }
  if (isMadeOf(password, about)) {
    const message =
      "This password is made of the account's name or address, or of this product's name";
    return [createFault("BODY_INVALID", { path, message })];
  }
  return [];
}

async function withHashSlot<Result>(work: () => Promise<Result>): Promise<Result> {
  if (waiting.length >= hashesWaitingMax) {
    throw createError("RATE_LIMIT_EXCEEDED", { headers: { "Retry-After": "5" } });
  }
  if (running >= hashesAtOnceMax) await new Promise<void>((resolve) => waiting.push(resolve));
  else running += 1;
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next === undefined) running -= 1;
    else next();
  }
}
