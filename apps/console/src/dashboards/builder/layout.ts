/** The place of a panel on a board of twelve columns; `y` and `h` count rows. */
export interface Place {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

/** A panel with its place. */
export interface Placed {
  readonly id: string;
  readonly layout: Place;
}

export const columnCount = 12;
export const limits = { w: { min: 1, max: columnCount }, h: { min: 1, max: 24 }, yMax: 999 };

/** Whether two places share a cell. */
export function overlap(one: Place, other: Place): boolean {
  return (
    one.x < other.x + other.w &&
    other.x < one.x + one.w &&
    one.y < other.y + other.h &&
    other.y < one.y + one.h
  );
}

/** Returns the nearest place that the board has. A place that is too wide keeps its left edge as far as it can. */
function fitted({ x, y, w, h }: Place): Place {
  const width = between(w, limits.w.min, limits.w.max);
  return {
    x: between(x, 0, columnCount - width),
    y: between(y, 0, limits.yMax),
    w: width,
    h: between(h, limits.h.min, limits.h.max),
  };
}

/** The first row below all panels. */
export function heightOf(panels: readonly Placed[]): number {
  return panels.reduce((most, { layout }) => Math.max(most, layout.y + layout.h), 0);
}

/** Returns panels without overlaps and without empty rows, in their order in the list. */
export function settled<Panel extends Placed>(panels: readonly Panel[]): Panel[] {
  return withPlaces(panels, closeRows(pushDown([], panels)));
}

/**
 * Returns the panels after one of them was moved or resized. A panel in the way goes directly above the moved one if that
 * place is free, else it is pushed down. Empty rows are removed.
 */
export function arranged<Panel extends Placed>(
  panels: readonly Panel[],
  id: string,
  place: Place,
): Panel[] {
  const moved = { id, layout: fitted(place) };
  const others = panels.filter((panel) => panel.id !== id);
  if (others.length === panels.length) return [...panels];
  const lifted = others.map((panel) => lift(panel, moved, others));
  return withPlaces(panels, closeRows(pushDown([moved], lifted)));
}

/**
 * Returns the panels after a step of a panel in a direction. A step that changes nothing is continued: past the panel
 * below, for example. Undefined if no step in that direction changes anything.
 */
export function stepped<Panel extends Placed>(
  panels: readonly Panel[],
  id: string,
  change: Partial<Place>,
): Panel[] | undefined {
  const own = panels.find((panel) => panel.id === id)?.layout;
  if (own === undefined) return undefined;
  const far = Math.max(columnCount, heightOf(panels)) + 1;
  for (let times = 1; times <= far; times += 1) {
    const wanted = {
      x: own.x + times * (change.x ?? 0),
      y: own.y + times * (change.y ?? 0),
      w: own.w + times * (change.w ?? 0),
      h: own.h + times * (change.h ?? 0),
    };
    if (!isOnBoard(wanted)) return undefined;
    const next = arranged(panels, id, wanted);
    if (next.some((panel, index) => !isSamePlace(panel.layout, panels[index]?.layout))) return next;
  }
  return undefined;
}

/** Returns the first free place of a size, from the top. */
export function freePlace(panels: readonly Placed[], size: Pick<Place, "w" | "h">): Place {
  const bottom = heightOf(panels);
  for (let y = 0; y < bottom; y += 1) {
    for (let x = 0; x + size.w <= columnCount; x += 1) {
      const place = { x, y, ...size };
      if (y + size.h <= bottom && panels.every(({ layout }) => !overlap(layout, place))) {
        return place;
      }
    }
  }
  return { x: 0, y: bottom, ...size };
}

/** The panels as they are read: by rows, and within these from the left. */
export function inReadingOrder<Panel extends Placed>(panels: readonly Panel[]): Panel[] {
  return [...panels].sort(
    ({ layout: one }, { layout: other }) => one.y - other.y || one.x - other.x,
  );
}

/** Whether two places are the same. */
export function isSamePlace(one: Place, other: Place | undefined): boolean {
  return (
    other !== undefined &&
    one.x === other.x &&
    one.y === other.y &&
    one.w === other.w &&
    one.h === other.h
  );
}

function isOnBoard(place: Place): boolean {
  return isSamePlace(place, fitted(place));
}

function between(value: number, min: number, max: number): number {
  const whole = Number.isFinite(value) ? Math.round(value) : min;
  return Math.min(max, Math.max(min, whole));
}

/** Moves a panel that is in the way directly above the moved one, if it was below it and that place is free. */
function lift(panel: Placed, moved: Placed, others: readonly Placed[]): Placed {
  const { id, layout } = panel;
  if (!overlap(layout, moved.layout)) return panel;
  const above = { ...layout, y: moved.layout.y - layout.h };
  const isFree =
    above.y >= 0 && others.every((other) => other.id === id || !overlap(other.layout, above));
  return isFree ? { id, layout: above } : panel;
}

/** Places panels in reading order, each below the ones that are in its way. */
function pushDown(first: readonly Placed[], rest: readonly Placed[]): Placed[] {
  const placed: Placed[] = [...first];
  for (const { id, layout } of inReadingOrder(rest)) {
    let place = fitted(layout);
    for (;;) {
      const inTheWay = placed.find((one) => overlap(one.layout, place));
      if (inTheWay === undefined) break;
      place = { ...place, y: inTheWay.layout.y + inTheWay.layout.h };
    }
    placed.push({ id, layout: place });
  }
  return placed;
}

/** Moves panels up by the rows above them in which there is no panel. */
function closeRows(panels: readonly Placed[]): Placed[] {
  let end = 0;
  let empty = 0;
  return inReadingOrder(panels).map(({ id, layout }) => {
    empty += Math.max(0, layout.y - end);
    end = Math.max(end, layout.y + layout.h);
    return { id, layout: { ...layout, y: layout.y - empty } };
  });
}

function withPlaces<Panel extends Placed>(
  panels: readonly Panel[],
  placed: readonly Placed[],
): Panel[] {
  const byId = new Map(placed.map(({ id, layout }) => [id, layout]));
  return panels.map((panel) => {
    const layout = byId.get(panel.id);
    return layout === undefined || isSamePlace(panel.layout, layout) ? panel : { ...panel, layout };
  });
}
