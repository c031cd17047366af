const svgNamespace = "http://www.w3.org/2000/svg";

/** Attributes that only the page needs. */
const pageAttributes = /^(?:class|dir|href|tabindex|draggable|data-.*|aria-.*)$/;

/** The fonts by their names, for programs that do not have those of the page. */
const fonts = "Inter, system-ui, sans-serif";

/** Returns a drawing of the page as an SVG file that needs nothing else: colors are resolved, and names are text. */
export function svgFile(drawing: SVGSVGElement): Blob {
  const copy = drawing.cloneNode(true) as SVGSVGElement;
  const { width, height } = drawing.viewBox.baseVal;
  const background = document.createElementNS(svgNamespace, "rect");
  background.setAttribute("width", "100%");
  background.setAttribute("height", "100%");
  background.setAttribute("fill", "var(--canvas)");
  copy.prepend(background);
  for (const element of [copy, ...copy.querySelectorAll("*")]) finishElement(element);
  copy.setAttribute("width", String(width));
  copy.setAttribute("height", String(height));
  copy.setAttribute("font-family", fonts);
  return new Blob([new XMLSerializer().serializeToString(copy)], { type: "image/svg+xml" });
}

function finishElement(element: Element): void {
  for (const { name, value } of [...element.attributes]) {
    const color = /^var\((--[\w-]+)\)$/.exec(value)?.[1];
    if (pageAttributes.test(name)) element.removeAttribute(name);
    else if (color !== undefined) element.setAttribute(name, colorOf(color));
  }
  for (const node of element.childNodes) {
    // XML has no way to write other control characters.
    if (node.nodeType === Node.TEXT_NODE) {
      node.nodeValue = (node.nodeValue ?? "").replace(
        /(?![\t\n\r])\p{Cc}|[\uFFFE\uFFFF]/gu,
        "\uFFFD",
      );
    }
  }
}

/** Returns a color of the page as `#rrggbb`, which every program that reads SVG knows. */
function colorOf(token: string): string {
  const context = document.createElement("canvas").getContext("2d");
  if (context === null) return "black";
  context.fillStyle = getComputedStyle(document.documentElement).getPropertyValue(token);
  context.fillRect(0, 0, 1, 1);
  const parts = [...context.getImageData(0, 0, 1, 1).data.slice(0, 3)];
  return `#${parts.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
}
