import { hash, verify } from "@node-rs/argon2";
import { createError } from "@rowhouse/errors";
import PQueue from "p-queue";

/** The argon2id parameters of OWASP's password storage cheat sheet: 19 MiB, two passes, one lane. */
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
/** A hash occupies a thread of libuv's pool and 19 MiB; more at once would starve other work of both. */
const hashesAtOnceMax = 3;
/** A longer queue would mean a wait of seconds; an immediate error is better for the caller and cheaper. */
const hashesWaitingMax = 200;

const hashes = new PQueue({ concurrency: hashesAtOnceMax });

/**
 * Hashes a password in NFC, because keyboards and systems differ in the form that they send; the result is in PHC
 * format. Hashes run outside the event loop, a few at once.
 *
 * @throws AppError RATE_LIMIT_EXCEEDED if the queue is full
 */
export async function hashPassword(password: string): Promise<string> {
  return enqueue(() => hash(password.normalize("NFC"), parameters));
}

export interface PasswordMatch {
  readonly isRight: boolean;
  /** Whether the right password needs a new hash: the old one has weaker parameters, or not the normalized text. */
  readonly isOutdated: boolean;
}

/**
 * Compares a password with its hash, normalized and, for a hash of earlier versions, as typed. The work depends on the
 * typed text alone: with `null` (no account, no password set) and after a match it is the same.
 *
 * @throws AppError RATE_LIMIT_EXCEEDED if the queue is full
 */
export async function verifyPassword(
  hashed: string | null,
  password: string,
): Promise<PasswordMatch> {
  const normalized = password.normalize("NFC");
  const matches = async (form: string): Promise<boolean> => {
    if (hashed !== null) return enqueue(() => verify(hashed, form));
    await hashPassword(form);
    return false;
  };
  const isCurrent = await matches(normalized);
  const isAsTyped = normalized !== password && (await matches(password));
  return {
    isRight: isCurrent || isAsTyped,
    isOutdated: hashed !== null && (!isCurrent || hasWeakerParameters(hashed)),
  };
}

function hasWeakerParameters(hashed: string): boolean {
  const match = /^\$argon2id\$v=\d+\$m=(\d+),t=(\d+),p=(\d+)\$/.exec(hashed);
  if (match === null) return true;
  return Number(match[1]) < parameters.memoryCost || Number(match[2]) < parameters.timeCost;
}

async function enqueue<Result>(work: () => Promise<Result>): Promise<Result> {
  if (hashes.size >= hashesWaitingMax) {
    throw createError("RATE_LIMIT_EXCEEDED", { headers: { "Retry-After": "5" } });
  }
  return hashes.add(work);
}
