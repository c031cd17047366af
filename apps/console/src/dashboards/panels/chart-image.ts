/** The properties of a drawing that its styles decide. */
const drawnBy = [
  ...(["fill", "fill-opacity", "stroke", "stroke-width", "stroke-dasharray"] as const),
  ...(["font-family", "font-size", "font-weight", "text-anchor", "opacity"] as const),
];

const padding = 16;
const titleHeight = 28;
const legendLine = 20;
/** Pixels of the image for each pixel of the page. */
const scale = 2;

interface LegendEntry {
  readonly color: string;
  readonly text: string;
}

/**
 * Draws a chart with its title and its colors into a PNG file. The drawing passes through an image of a `blob:` address,
 * which the content policy of the pages admits.
 */
export async function chartImage(
  drawing: SVGSVGElement,
  title: string,
  legend: readonly LegendEntry[],
): Promise<Blob> {
  const { width, height } = drawing.getBoundingClientRect();
  const picture = await loadPicture(drawing, width, height);
  const canvas = document.createElement("canvas");
  const context = canvas.getContext("2d");
  if (context === null) throw new TypeError("The browser draws no images");
  const page = getComputedStyle(document.documentElement);
  const font = getComputedStyle(document.body).fontFamily;
  context.font = `12px ${font}`;
  const places = placeLegend(legend, width, (text) => context.measureText(text).width);
  const legendHeight = (places.at(-1)?.line ?? -1) * legendLine + legendLine;
  canvas.width = (width + 2 * padding) * scale;
  canvas.height = (height + titleHeight + legendHeight + 2 * padding) * scale;
  context.scale(scale, scale);
  context.fillStyle = page.getPropertyValue("--surface");
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.fillStyle = page.getPropertyValue("--ink");
  context.font = `600 14px ${font}`;
  context.fillText(title, padding, padding + 14, width);
  context.font = `12px ${font}`;
  for (const { entry, x, line } of places) {
    const y = padding + titleHeight + line * legendLine;
    context.fillStyle = entry.color;
    context.fillRect(padding + x, y, 10, 10);
    context.fillStyle = page.getPropertyValue("--ink-2");
    context.fillText(entry.text, padding + x + 16, y + 9, width - 16);
  }
  const top = padding + titleHeight + legendHeight;
  context.drawImage(picture, 0, top, width + 2 * padding, height);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => {
      if (blob === null) reject(new TypeError("The image is too large"));
      else resolve(blob);
    }, "image/png");
  });
}

/** Returns a drawing as an image. Its styles become attributes, since an image has no access to those of the page. */
async function loadPicture(
  drawing: SVGSVGElement,
  width: number,
  height: number,
): Promise<HTMLImageElement> {
  const copy = drawing.cloneNode(true) as SVGSVGElement;
  const from = [drawing, ...drawing.querySelectorAll("*")];
  for (const [index, element] of [copy, ...copy.querySelectorAll("*")].entries()) {
    const source = from[index];
    if (source === undefined) continue;
    const style = getComputedStyle(source);
    for (const name of drawnBy) element.setAttribute(name, style.getPropertyValue(name));
    element.removeAttribute("style");
    element.removeAttribute("class");
  }
  // The letters of an image may be wider than those of the page.
  const whole = width + 2 * padding;
  copy.setAttribute("viewBox", `${-padding} 0 ${whole} ${height}`);
  copy.setAttribute("width", String(whole));
  copy.setAttribute("height", String(height));
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  const text = new XMLSerializer().serializeToString(copy);
  const url = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
  try {
    const picture = new Image();
    picture.src = url;
    await picture.decode();
    return picture;
  } finally {
    URL.revokeObjectURL(url);
  }
}

function placeLegend(
  legend: readonly LegendEntry[],
  width: number,
  measure: (text: string) => number,
): readonly { readonly entry: LegendEntry; readonly x: number; readonly line: number }[] {
  let x = 0;
  let line = 0;
  return legend.map((entry) => {
    const own = Math.min(measure(entry.text), width - 16) + 32;
    if (x > 0 && x + own > width) {
      x = 0;
      line += 1;
    }
    const place = { entry, x, line };
    x += own;
    return place;
  });
}
