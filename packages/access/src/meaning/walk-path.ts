/** Maximum number of characters of a path, and of names that its dots separate. A name of a column may contain dots. */
export const pathLengthMax = 4096;
export const pathNamesMax = 100;

/** The name of a relation consists of at most four names of PostgreSQL and the words between them. */
const relationNameLengthMax = 300;

/** A relation at the beginning of a path. */
export interface WalkedStep<Step, Node> {
  /** The relations that lead to it, with itself at the end. */
  readonly steps: readonly Step[];
  /** Where the last one leads to. */
  readonly target: Node;
  /** The position after its name: a dot, or the end of the path. */
  readonly end: number;
}

export interface WalkedPath<Step, Node> {
  /** Those with the fewest relations first, of these the shorter names first. */
  readonly found: readonly WalkedStep<Step, Node>[];
  /** Whether the path continues with relations beyond the maximum depth. */
  readonly isTooDeep: boolean;
}

/** Whether a path is within the bounds. The time to walk a path within them has a bound too. */
export function isBoundedPath(path: string): boolean {
  if (path.length <= pathNamesMax) return true;
  if (path.length > pathLengthMax) return false;
  let names = 1;
  for (let dot = path.indexOf("."); dot >= 0; dot = path.indexOf(".", dot + 1)) names += 1;
  return names <= pathNamesMax;
}

/**
 * Finds the relations that a path crosses. The name of a relation may contain dots, so that there may be several ways.
 *
 * @param path within the bounds of `isBoundedPath`
 * @param depthMax maximum number of relations
 * @param stepOf returns the relation of a name, undefined for a name of another kind
 */
export function walkPath<Step extends { readonly target: Node }, Node>(
  path: string,
  from: Node,
  depthMax: number,
  stepOf: (node: Node, name: string) => Step | undefined,
): WalkedPath<Step, Node> {
  const found: WalkedStep<Step, Node>[] = [];
  let isTooDeep = false;
  let level: readonly WalkedStep<Step, Node>[] = [{ steps: [], target: from, end: -1 }];
  while (level.length > 0) {
    const next = new Map<Node, Set<number>>();
    const deeper: WalkedStep<Step, Node>[] = [];
    for (const { steps, target, end } of level) {
      for (const nameEnd of nameEnds(path, end + 1)) {
        const step = stepOf(target, path.slice(end + 1, nameEnd));
        if (step === undefined || !isNew(next, step.target, nameEnd)) continue;
        if (steps.length >= depthMax) isTooDeep = true;
        else deeper.push({ steps: [...steps, step], target: step.target, end: nameEnd });
      }
    }
    found.push(...deeper);
    level = deeper;
  }
  return { found, isTooDeep };
}

/** Returns where a name may end that starts at a position: at each dot, and at the end of the path. */
function* nameEnds(path: string, start: number): Generator<number> {
  if (start > path.length) return;
  const last = Math.min(path.length, start + relationNameLengthMax);
  for (let dot = path.indexOf(".", start); dot >= 0 && dot <= last; ) {
    yield dot;
    dot = path.indexOf(".", dot + 1);
  }
  if (last === path.length) yield last;
}

/** Two ways of one length to the same place differ in nothing that follows. */
function isNew<Node>(seen: Map<Node, Set<number>>, target: Node, end: number): boolean {
  const ends = seen.get(target);
  if (ends === undefined) seen.set(target, new Set([end]));
  else if (ends.has(end)) return false;
  else ends.add(end);
  return true;
}
