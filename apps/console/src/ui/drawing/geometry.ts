/** A place in a drawing, in pixels at full size. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** A width and a height. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** A rectangle in a drawing. */
export interface Box extends Point, Size {}
