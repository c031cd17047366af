import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import subsetFont from "subset-font";

/** The fonts of the pages. */
const fonts = ["inter", "jetbrains-mono"];

/** The weights that `ui/tokens.css` and Tailwind's classes name. */
const weights = { wght: { min: 400, max: 700 } };

/**
 * Features of OpenType that stay: kerning, composed accents, digits of one width. Ligatures go, because stored text such as
 * `!=` and `->` is shown as it is.
 */
const keepFeatures = ["kern", "ccmp", "locl", "mark", "mkmk", "tnum"];

/** Copyright, license and its address: the license of the fonts demands them. */
const preserveNameIds = [0, 13, 14];

/**
 * Reduces the Latin part of each font to what the pages use, about half its size, because every first visit loads it.
 *
 * @returns the files of `src/ui/fonts` by their names
 */
export async function fontFiles(): Promise<Map<string, Uint8Array | string>> {
  const files = new Map<string, Uint8Array | string>();
  const faces: string[] = [];
  for (const font of fonts) {
    const place = new URL(import.meta.resolve(`@fontsource-variable/${font}/wght.css`));
    const style = await readFile(fileURLToPath(place), "utf8");
    const [, source = "", ranges = ""] =
      /url\((\.\/files\/[\w-]+-latin-wght-normal\.woff2)\)[^}]*unicode-range: ([^;]+);/.exec(
        style,
      ) ?? [];
    const name = `${font}-latin.woff2`;
    const original = await readFile(fileURLToPath(new URL(source, place)));
    const options = {
      targetFormat: "woff2",
      variationAxes: weights,
      keepFeatures,
      preserveNameIds,
    } as const;
    files.set(name, await subsetFont(original, charactersOf(ranges), options));
    faces.push(
      style
        .replace(source, `./${name}`)
        .replaceAll("./files/", `@fontsource-variable/${font}/files/`),
    );
  }
  return files.set(
    "faces.generated.css",
    `/* Written by \`npm run fonts\`. */\n${faces.join("\n")}`,
  );
}

/** The characters of a `unicode-range` of CSS. */
function charactersOf(ranges: string): string {
  return ranges
    .split(",")
    .flatMap((range) => {
      const [from = "", to = from] = range.trim().replace("U+", "").split("-");
      const first = Number.parseInt(from, 16);
      const count = Number.parseInt(to, 16) - first + 1;
      return Array.from({ length: count }, (_, index) => String.fromCodePoint(first + index));
    })
    .join("");
}
