import type { Box } from "./geometry.ts";

/** The keys that move to the next table in a direction. */
export const directions = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
} as const;

/** Returns the position of the nearest box in a direction; undefined at the edge of the map. */
export function findNeighbor(
  boxes: readonly Box[],
  from: number,
  key: keyof typeof directions,
): number | undefined {
  const here = boxes[from];
  if (here === undefined) return undefined;
  const [right, down] = directions[key];
  let nearest: { readonly at: number; readonly distance: number } | undefined;
  for (const [at, box] of boxes.entries()) {
    const x = middle(box).x - middle(here).x;
    const y = middle(box).y - middle(here).y;
    const ahead = x * right + y * down;
    const aside = Math.abs(x * down + y * right);
    if (at === from || ahead <= 0) continue;
    // A box ahead is nearer than one of the same distance aside.
    const distance = ahead + 2 * aside;
    if (nearest === undefined || distance < nearest.distance) nearest = { at, distance };
  }
  return nearest?.at;
}

function middle({ x, y, width, height }: Box) {
  return { x: x + width / 2, y: y + height / 2 };
}
