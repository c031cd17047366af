import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { countGroup, type Naming } from "./kinds.ts";
import type { Shape } from "./shape.ts";
import type { Sizes } from "./sizes.ts";
import type { WalkMeasures } from "./walk.ts";

type Counts = Readonly<Record<string, number>>;

/** The measures of the last change that landed. Those that are 0 are left out. */
export type Ratchet = {
  readonly whole: Counts;
  /** Measured by a test. */
  readonly walks: Readonly<Record<string, WalkMeasures>>;
  /** Files of the sources and the console's words that name a kind or its field. */
  readonly kinds: Counts;
  /** Files of each folder that has more than 14. */
  readonly wideFolders: Counts;
  /** Lines of the sources of each package. They may grow by `lineGrowthMax`. */
  readonly lines: Counts;
};

/** What `structure` measures of the repository. */
export type Measured = {
  readonly shape: Shape;
  readonly sizes: Pick<Sizes, "longFunctions">;
  readonly namings: readonly Naming[];
};

/** Where the ratchet is stored, relative to the repository. */
export const ratchetPath = "infra/checks/ratchet.json";

/** By how many lines a package may differ from the record. A feature exceeds it: its commit shows the new number. */
const lineGrowthMax = 300;

/** The groups whose numbers only fall, with what they count and what to do about one that has grown. */
const falling = {
  whole: ["", "merge, split, move or rename what this change has added"],
  kinds: [
    "files that name",
    "derive it from the description of the kind; `structure FIELD` lists the files",
  ],
  wideFolders: ["files in", "put the new file into a folder"],
} as const satisfies Partial<Record<keyof Ratchet, readonly [string, string]>>;
const groups = Object.keys(falling) as (keyof typeof falling)[];

/** A ratchet without measures. */
export const emptyRatchet: Ratchet = {
  ...{ whole: {}, walks: {}, kinds: {}, wideFolders: {}, lines: {} },
};

/** Reads the stored ratchet; undefined without one. */
export function readRatchet(root: string): Ratchet | undefined {
  const path = join(root, ratchetPath);
  return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as Ratchet) : undefined;
}

/** Returns the ratchet that measures and walks leave. */
export function ratchetOf({ shape, sizes, namings }: Measured, walks: Ratchet["walks"]): Ratchet {
  const { circles } = shape;
  return {
    whole: countsOf([
      ["names that several packages declare", shape.sharedNames.length],
      ["files below 50 lines with one importer", shape.whole.fragments],
      ["functions of more than 100 lines", sizes.longFunctions.length],
      ["circles of folders", circles.length],
      ["imports in circles of folders", circles.reduce((sum, { imports }) => sum + imports, 0)],
    ]),
    walks,
    kinds: countsOf(
      namings.map((each) => [each.of, countGroup(each, "source") + countGroup(each, "words")]),
    ),
    wideFolders: countsOf(shape.wideFolders.map(({ folder, files }) => [folder, files])),
    lines: countsOf(shape.packages.map(({ folder, lines }) => [folder, lines])),
  };
}

function countsOf(entries: readonly (readonly [string, number])[]): Counts {
  return Object.fromEntries(
    entries.filter(([, count]) => count > 0).sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}

/** Returns the lower of two numbers for each measure, and the current lines. */
export function lowerRatchet(stored: Ratchet, current: Ratchet): Ratchet {
  const lower = (group: keyof typeof falling): Counts =>
    countsOf(
      Object.entries(stored[group]).map(([key, count]) => [
        key,
        Math.min(count, current[group][key] ?? 0),
      ]),
    );
  return {
    ...current,
    ...Object.fromEntries(groups.map((group) => [group, lower(group)])),
  };
}

/** The stored form of a ratchet. */
export function renderRatchet(ratchet: Ratchet): string {
  const { whole, walks, kinds, wideFolders, lines } = ratchet;
  return `${JSON.stringify({ whole, walks, kinds, wideFolders, lines }, null, 2)}\n`;
}

/** One sentence for each number of a walk that has grown. */
export function findWalkFaults(stored: Ratchet["walks"], walks: Ratchet["walks"]): string[] {
  return Object.entries(walks).flatMap(([walk, measures]) =>
    Object.entries(measures).flatMap(([name, now]: [string, number]) => {
      const before = stored[walk]?.[name as keyof WalkMeasures] ?? now;
      return now > before
        ? [
            grown(
              `${name} of the walk ${walk}`,
              now,
              before,
              "move what the request meets on the way",
            ),
          ]
        : [];
    }),
  );
}

function grown(what: string, now: number, before: number, remedy: string): string {
  return `${what}: ${now}, before ${before}; ${remedy}, or raise the number in ${ratchetPath} and give the reason in the commit`;
}

/** One sentence for each measure that has grown, and one if the stored ratchet permits more than there is. */
export function findRatchetFaults(stored: Ratchet | undefined, measured: Measured): string[] {
  if (stored === undefined) return [`${ratchetPath}: run \`pnpm structure --write\``];
  const current = ratchetOf(measured, stored.walks);
  const faults = [
    ...groups.flatMap((group) => {
      const [what, remedy] = falling[group];
      return Object.entries(current[group]).flatMap(([key, now]) => {
        const before = stored[group][key] ?? 0;
        return now > before ? [grown(`${what} ${key}`.trim(), now, before, remedy)] : [];
      });
    }),
    ...Object.entries(current.lines).flatMap(([folder, now]) => {
      const before = stored.lines[folder] ?? 0;
      return now - before > lineGrowthMax
        ? [
            `lines of ${folder}: ${now}, before ${before}; shorten it, or record a feature with \`pnpm structure --write\``,
          ]
        : [];
    }),
  ];
  // A few lines fewer are recorded with the next measure that has fallen.
  const { lines, ...falls } = lowerRatchet(stored, current);
  const isCurrent =
    renderRatchet({ ...falls, lines: stored.lines }) === renderRatchet(stored) &&
    Object.entries(stored.lines).every(
      ([key, count]) => count - (lines[key] ?? 0) <= lineGrowthMax,
    );
  return faults.length > 0 || isCurrent
    ? faults
    : [`${ratchetPath}: run \`pnpm structure --write\``];
}
