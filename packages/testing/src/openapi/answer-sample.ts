/** Decides which responses are compared with a document. */
export interface AnswerSample {
  /**
   * Returns whether the next response of a kind is compared.
   *
   * @param kind what the responses have in common, such as operation, status and schema
   */
  includes(kind: string): boolean;
}

const oneIn = 8;

/** A sample of every response. */
export const everyAnswer: AnswerSample = { includes: () => true };

/**
 * Creates a sample of the first response of each kind and, at random, of about one in eight of the others. The same
 * seed selects the same responses of a kind, whatever responses of other kinds arrive between them.
 */
export function createSample(seed: number): AnswerSample {
  const generators = new Map<string, () => number>();
  return {
    includes: (kind) => {
      const next = generators.get(kind);
      if (next !== undefined) return next() < 1 / oneIn;
      generators.set(kind, createGenerator(seed ^ hashOf(kind)));
      return true;
    },
  };
}

/**
 * Reads the sample that the tests of this process use: `ROWHOUSE_CHECK_ANSWERS` is `every`, the default, or `sampled`;
 * `ROWHOUSE_FUZZ_SEED` is the seed.
 *
 * @throws Error for another value
 */
export function readSample({
  ROWHOUSE_CHECK_ANSWERS: mode = "",
  ROWHOUSE_FUZZ_SEED: seed = "20240331",
}: Readonly<Record<string, string | undefined>>): AnswerSample {
  if (mode === "" || mode === "every") return everyAnswer;
  if (mode === "sampled") return createSample(Number(seed));
  throw new Error(`ROWHOUSE_CHECK_ANSWERS must be "every" or "sampled", not "${mode}"`);
}

/** The sample of this process, which all its test files share. */
export const chosenSample = readSample(process.env);

/** Mulberry32: numbers from 0 up to 1. */
function createGenerator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** FNV-1a, 32 bits. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const character of text) {
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  }
  return hash;
}
