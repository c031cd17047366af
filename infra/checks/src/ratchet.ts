import type { Shape } from "./measures.ts";
import type { WalkMeasures } from "./walk.ts";

/** The measures of the last change that landed; none may grow. Rooms without fragments and wide folders are left out. */
export type Ratchet = {
  readonly sharedNames: number;
  /** Measured by a test. */
  readonly walks: Readonly<Record<string, WalkMeasures>>;
  readonly rooms: Readonly<
    Record<string, { readonly fragments: number; readonly wideFolders: number }>
  >;
};

/** Where the ratchet is stored, relative to the repository. */
export const ratchetPath = "infra/checks/ratchet.json";

/** Returns the ratchet that a shape and walks leave. */
export function ratchetOf({ rooms, sharedNames }: Shape, walks: Ratchet["walks"]): Ratchet {
  return {
    sharedNames: sharedNames.length,
    walks,
    rooms: Object.fromEntries(
      rooms
        .filter(({ fragments, wideFolders }) => fragments + wideFolders > 0)
        .map(({ room, fragments, wideFolders }) => [room, { fragments, wideFolders }]),
    ),
  };
}

/** The stored form of a ratchet. */
export function renderRatchet({ sharedNames, walks, rooms }: Ratchet): string {
  return `${JSON.stringify({ sharedNames, walks, rooms }, null, 2)}\n`;
}

/** One sentence for each measure that has grown, and one if the stored ratchet permits more than there is. */
export function findRatchetFaults(stored: Ratchet, shape: Shape): string[] {
  const current = ratchetOf(shape, stored.walks);
  const grown = (what: string, now: number, before: number) =>
    now > before ? [`${what}: ${now}, before ${before}`] : [];
  const faults = [
    ...grown("names that several packages declare", current.sharedNames, stored.sharedNames),
    ...Object.entries(current.rooms).flatMap(([room, { fragments, wideFolders }]) => {
      const before = stored.rooms[room];
      return [
        ...grown(
          `${room}, files below 50 lines with one importer`,
          fragments,
          before?.fragments ?? 0,
        ),
        ...grown(`${room}, folders of more than 14 files`, wideFolders, before?.wideFolders ?? 0),
      ];
    }),
  ];
  const isCurrent = renderRatchet(current) === renderRatchet(stored);
  return faults.length > 0 || isCurrent
    ? faults
    : [`${ratchetPath}: run \`pnpm structure --write\``];
}
