import { functionBodiesIn } from "../read/source-file.ts";
import { roomOf } from "./shape.ts";

/** What a person meets who follows one request through the code. */
export type WalkMeasures = {
  readonly places: number;
  readonly rooms: number;
  readonly returns: number;
  /** Each file as often as the request enters it from another one. */
  readonly visits: number;
  /** Visits in a room that the request was in before, after a visit to another room. */
  readonly returnsByVisit: number;
};

/**
 * The places of a request: each file once, in the order in which the request first enters a function of five or more lines
 * in it; packages of the levels 0 and 1 are left out. A return is a place in a room that the walk was in before, after a place of
 * another room.
 */
export type Walk = readonly { readonly path: string; readonly isReturn: boolean }[];

/** A shorter function is read where it is called. */
const minLines = 5;

/** The global function that receives the path of a file whenever one of its functions is entered. */
export const entryReporter = "reportEntry";

/** Adds the report to each function of a source text that is long enough. Its lines remain where they are. */
export function reportEntries(path: string, text: string): string {
  const report = `globalThis.${entryReporter}?.(${JSON.stringify(path)})`;
  return functionBodiesIn(path, text)
    .filter(({ lines }) => lines >= minLines)
    .flatMap(({ start, end, isExpression }): [number, string][] =>
      isExpression
        ? [
            [start, `(${report},`],
            [end, ")"],
          ]
        : [[start + 1, `${report};`]],
    )
    .sort(([a], [b]) => b - a)
    .reduce((done, [at, more]) => done.slice(0, at) + more + done.slice(at), text);
}

/** @param entries paths in the order of the entries, any number of times */
export function walkOf(entries: readonly string[]): Walk {
  return markReturns([...new Set(entries)]);
}

/** @param entries as of `walkOf` */
export function measureWalk(entries: readonly string[]): WalkMeasures {
  const places = walkOf(entries);
  const visits = markReturns(entries.filter((path, index) => path !== entries[index - 1]));
  const countReturns = (walk: Walk) => walk.filter(({ isReturn }) => isReturn).length;
  return {
    places: places.length,
    rooms: new Set(places.map(roomOf)).size,
    returns: countReturns(places),
    visits: visits.length,
    returnsByVisit: countReturns(visits),
  };
}

function markReturns(paths: readonly string[]): Walk {
  const known = new Set<string>();
  let last = "";
  return paths.map((path) => {
    const room = roomOf({ path });
    const isReturn = room !== last && known.has(room);
    known.add(room);
    last = room;
    return { path, isReturn };
  });
}
