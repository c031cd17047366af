const measure = document.createElement("canvas").getContext("2d");

/** Returns the width of a text in pixels. */
export function textWidth(text: string, font: string): number {
  if (measure === null) return text.length * 8;
  measure.font = font;
  return measure.measureText(text).width;
}

/** Returns a text, or its beginning if it is wider than the pixels given. */
export function fitText(text: string, font: string, width: number): string {
  if (textWidth(text, font) <= width) return text;
  const letters = [...text];
  let [fits, tooLong] = [0, letters.length];
  while (tooLong - fits > 1) {
    const half = (fits + tooLong) >> 1;
    if (textWidth(`${letters.slice(0, half).join("")}…`, font) <= width) fits = half;
    else tooLong = half;
  }
  return `${letters.slice(0, fits).join("")}…`;
}
