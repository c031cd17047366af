/** A cell by its row and column; row -1 is the header. */
export interface GridPosition {
  readonly row: number;
  readonly column: number;
}

/** The cells between two corners, which are included. */
export interface GridRange {
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
  readonly right: number;
}

/** The cell with the focus, and the opposite corner of the selection. */
export interface GridSelection {
  readonly active: GridPosition;
  readonly anchor: GridPosition;
}

/** The size of a grid, and of its visible part. */
export interface GridBounds {
  readonly rows: number;
  readonly columns: number;
  /** Number of rows that fit into the window. */
  readonly page: number;
}

/** A key as an event of the keyboard has it. */
interface GridKey {
  readonly key: string;
  readonly isShift: boolean;
  /** Ctrl, or Command on a Mac. */
  readonly isControl: boolean;
}

/** The selection of one cell. */
export function selectCell(active: GridPosition): GridSelection {
  return { active, anchor: active };
}

/** The cells of a selection, without the header. */
export function rangeOf({ active, anchor }: GridSelection): GridRange {
  return {
    top: Math.max(0, Math.min(active.row, anchor.row)),
    bottom: Math.max(active.row, anchor.row),
    left: Math.min(active.column, anchor.column),
    right: Math.max(active.column, anchor.column),
  };
}

/**
 * Returns the selection after a key that moves, or null for any other key. Shift keeps the opposite corner; the header
 * has no ranges.
 */
export function moveSelection(
  selection: GridSelection,
  { key, isShift, isControl }: GridKey,
  bounds: GridBounds,
): GridSelection | null {
  const move = moves[key];
  if (move === undefined) return null;
  const moved = clamp(move(selection.active, bounds, isControl), bounds);
  const isRange = isShift && moved.row >= 0 && selection.anchor.row >= 0;
  return isRange ? { active: moved, anchor: selection.anchor } : selectCell(moved);
}

/** Returns the selection within a grid that has become smaller. */
export function clampSelection(selection: GridSelection, bounds: GridBounds): GridSelection {
  const active = clamp(selection.active, bounds);
  const anchor = clamp(selection.anchor, bounds);
  const isSame =
    active.row === selection.active.row &&
    active.column === selection.active.column &&
    anchor.row === selection.anchor.row &&
    anchor.column === selection.anchor.column;
  return isSame ? selection : { active, anchor };
}

type Move = (from: GridPosition, bounds: GridBounds, isControl: boolean) => GridPosition;

const moves: Readonly<Record<string, Move | undefined>> = Object.assign(Object.create(null), {
  ArrowUp: ({ row, column }, _bounds, isControl) => ({ row: isControl ? 0 : row - 1, column }),
  ArrowDown: ({ row, column }, { rows }, isControl) => ({
    row: isControl ? rows - 1 : row + 1,
    column,
  }),
  ArrowLeft: ({ row, column }, _bounds, isControl) => ({ row, column: isControl ? 0 : column - 1 }),
  ArrowRight: ({ row, column }, { columns }, isControl) => ({
    row,
    column: isControl ? columns - 1 : column + 1,
  }),
  Home: ({ row }, _bounds, isControl) => ({ row: isControl ? 0 : row, column: 0 }),
  End: ({ row }, { rows, columns }, isControl) => ({
    row: isControl ? rows - 1 : row,
    column: columns - 1,
  }),
  PageUp: ({ row, column }, { page }) => ({ row: Math.max(0, row - page), column }),
  PageDown: ({ row, column }, { page }) => ({ row: row + page, column }),
} satisfies Record<string, Move>);

function clamp({ row, column }: GridPosition, { rows, columns }: GridBounds): GridPosition {
  return {
    row: Math.max(-1, Math.min(row, rows - 1)),
    column: Math.max(0, Math.min(column, columns - 1)),
  };
}
