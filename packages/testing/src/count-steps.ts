import { Session } from "node:inspector/promises";
import { isLongRun } from "./tier.ts";

/** Counts the steps of readers of texts. */
export interface StepCounter {
  /**
   * Returns what takes more than in proportion to its input: the units of which twice as many take more than two and a
   * half times the steps.
   *
   * @param read reads a text; what it throws is ignored
   * @param units texts that are repeated to the length; every fifth one unless this is a long run
   */
  findExcess(read: (text: string) => unknown, units?: readonly string[]): Promise<string[]>;
  close(): Promise<void>;
}

/** Characters of the shorter text. */
const length = 4000;

/**
 * Starts to count how often each block of JavaScript runs, and how many characters the built-in functions of texts, maps and
 * JSON read; a regular expression counts the characters of its match. The counts do not depend on the machine or its
 * load. Functions that ran before have no counters, so it starts before the readers are used. One is open at a time.
 */
export async function openStepCounter(): Promise<StepCounter> {
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
  const takeBlocks = async () => {
    let blocks = 0;
    // A report begins at the previous one.
    for (const { functions } of (await session.post("Profiler.takePreciseCoverage")).result) {
      for (const { ranges } of functions) for (const { count } of ranges) blocks += count;
    }
    return blocks;
  };
  const countSteps = async (run: () => Promise<void>) => {
    await takeBlocks();
    const native = watchNative();
    try {
      await run();
    } finally {
      native.stop();
    }
    return native.characters() + (await takeBlocks());
  };
  // Each reader of a short run gets other units.
  let calls = 0;
  const isChosen = (index: number, count: number) => {
    const step = isLongRun() ? 1 : Math.min(15, count);
    return index % step === calls % step;
  };
  return {
    findExcess: async (read, units = hostileUnits) => {
      calls += 1;
      const attempt = async (text: string) => {
        try {
          await read(text);
        } catch {
          // A refusal.
        }
      };
      // The first call fills caches.
      await attempt("");
      const excess: string[] = [];
      for (const unit of units.filter((_unit, index) => isChosen(index, units.length))) {
        const text = unit.repeat(Math.ceil(length / unit.length));
        const measure = async () => {
          const one = await countSteps(() => attempt(text));
          const two = await countSteps(() => attempt(text + text));
          return two > 2.5 * one + length ? `${one} steps, of twice as many ${two}` : undefined;
        };
        // V8 may lose counts, for example of a function that it has removed from memory meanwhile.
        if ((await measure()) === undefined) continue;
        const again = await measure();
        if (again !== undefined) excess.push(`${JSON.stringify(unit)}: ${again}`);
      }
      return excess;
    },
    close: async () => {
      await session.post("Profiler.stopPreciseCoverage");
      session.disconnect();
    },
  };
}

type Method = (this: unknown, ...input: unknown[]) => unknown;
type Cost = (self: unknown, input: readonly unknown[], output: unknown) => number;

const wholeText: Cost = (self) => String(self).length;
const search: Cost = (self, [, from = 0], output) =>
  Math.abs((output === -1 ? String(self).length : Number(output)) - Number(from));
const backwards: Cost = (self, [, from], output) =>
  Math.abs(
    Math.min(Number(from ?? Number.POSITIVE_INFINITY), String(self).length) - Number(output),
  );
const key: Cost = (_self, [name]) => (typeof name === "string" ? name.length : 0);
const result: Cost = (_self, _input, output) => (typeof output === "string" ? output.length : 0);
const input: Cost = (_self, [text]) => (typeof text === "string" ? text.length : 0);

const costs: readonly [object, Readonly<Record<string, Cost>>][] = [
  [
    String.prototype,
    {
      indexOf: search,
      lastIndexOf: backwards,
      ...Object.fromEntries(
        ["split", "replace", "replaceAll", "trim", "trimEnd", "trimStart", "toLowerCase"]
          .concat(["toUpperCase", "normalize", "isWellFormed", "match", "search", "includes"])
          .map((name) => [name, wholeText]),
      ),
    },
  ],
  [Map.prototype, { get: key, has: key, set: key }],
  [Set.prototype, { add: key, has: key }],
  [JSON, { parse: input, stringify: result }],
  [
    RegExp.prototype,
    {
      exec: (self, [text], output) => {
        const { sticky, lastIndex } = self as RegExp;
        if (output !== null) return (output as RegExpExecArray)[0].length;
        return sticky ? 1 : String(text).length - lastIndex;
      },
    },
  ],
  [
    Array.prototype,
    {
      includes: (self) => (self as unknown[]).length,
      indexOf: (self) => (self as unknown[]).length,
    },
  ],
];

/** Adds the characters that built-in functions read until it stops. */
function watchNative(): { characters(): number; stop(): void } {
  let characters = 0;
  const restored: (() => void)[] = [];
  for (const [owner, methods] of costs) {
    for (const [name, cost] of Object.entries(methods)) {
      const methodsOf = owner as Record<string, Method>;
      const original = methodsOf[name] as Method;
      methodsOf[name] = function (this: unknown, ...input: unknown[]) {
        const output = Reflect.apply(original, this, input);
        characters += cost(this, input, output);
        return output;
      };
      restored.push(() => {
        methodsOf[name] = original;
      });
    }
  }
  return {
    characters: () => characters,
    stop: () => {
      for (const restore of restored) restore();
    },
  };
}

/** Texts that a reader may try in several ways: each is repeated. */
export const hostileUnits: readonly string[] = [
  "a.",
  ".",
  "a:",
  ":",
  "a,",
  ",",
  '"',
  '".',
  '."',
  '".""x',
  '.""x',
  '"a".',
  "(",
  "a(",
  ".a(",
  '".a(',
  ")",
  "()",
  "sum(",
  "sum(a.",
  "a)",
  "-",
  " ",
  " a",
  "\t",
  "\n",
  "[",
  "]",
  "a[",
  "[a]",
  "{",
  "}",
  "{{",
  "}}",
  "{{a",
  "*",
  "%",
  "\\",
  '\\"',
  "'",
  "$",
  "$a",
  "$FIELD.a.",
  "1",
  "0",
  "1.",
  "a",
  "é",
  "/",
  ";",
  "=",
  "&",
  "|",
  "+",
  "#",
  "@",
  "<",
  "<!--",
  "W/",
];
