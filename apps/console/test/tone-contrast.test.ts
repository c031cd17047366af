import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";

const css = await readFile(new URL("../src/ui/tokens.css", import.meta.url), "utf8");
const [light = "", dark = ""] = css.split('[data-theme="dark"]');

/** Returns the relative luminance of an OKLCH color in sRGB (WCAG 2.2, and https://bottosson.github.io/posts/oklab). */
function luminance(lightness: number, chroma: number, hue: number): number {
  const angle = (hue * Math.PI) / 180;
  const [a, b] = [chroma * Math.cos(angle), chroma * Math.sin(angle)];
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const clip = (part: number) => Math.min(1, Math.max(0, part));
  const red = clip(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s);
  const green = clip(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s);
  const blue = clip(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function tokenIn(theme: string, name: string): number {
  const match = new RegExp(`--${name}: oklch\\(([\\d.]+)% ([\\d.]+) ([\\d.]+)\\)`).exec(theme);
  if (match === null) throw new Error(`The theme has no ${name}`);
  const [lightness = 0, chroma = 0, hue = 0] = match.slice(1).map(Number);
  return luminance(lightness / 100, chroma, hue);
}

function contrast(one: number, other: number): number {
  return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
}

const names = [...light.matchAll(/--tone-([a-z]+):/g)].map((match) => match[1] ?? "");

describe.each([
  ["light", light],
  ["dark", dark],
])("in the %s theme", (_name, theme) => {
  it("every color of values holds 4.5:1 on its ground", () => {
    expect(names).toHaveLength(13);
    for (const name of names) {
      const pair = contrast(tokenIn(theme, `tone-${name}`), tokenIn(theme, `tone-${name}-soft`));
      expect([name, pair >= 4.5]).toEqual([name, true]);
    }
  });
});
