import { domainToUnicode } from "node:url";
import { isLoopbackRedirect } from "./redirect-uri.ts";

/** For each letter, the characters that look like it, in lower case and after the decomposition of NFKD. */
const lookalikes: Readonly<Record<string, string>> = {
  a: "аαɑᴀ4@",
  b: "вβьʙ8",
  c: "сϲᴄ",
  d: "ԁɗᴅ",
  e: "еεєҽᴇə3",
  f: "ғϝꜰ",
  g: "ɡցɢ",
  h: "һнηհʜħ",
  j: "јʝ",
  k: "кκᴋ",
  l: "1iıіιӏɩɪʟł|!",
  m: "мᴍ",
  n: "пոռɴ",
  o: "0оοօσөᴏø",
  p: "рρᴘ",
  q: "ԛ",
  r: "гʀᴦɾ",
  s: "ѕꜱʂ5$",
  t: "тτᴛ7",
  u: "υսʋᴜμ",
  v: "νѵᴠ",
  w: "ѡԝωшաᴡɯ",
  x: "хχ",
  y: "уγүʏ",
  z: "ζᴢ2",
};
const letterOf = new Map(
  Object.entries(lookalikes).flatMap(([letter, texts]) =>
    [...texts].map((text) => [text, letter] as const),
  ),
);
const pairs: Readonly<Record<string, string>> = { vv: "w", rn: "m" };

/** Texts that a person may take for each other have one skeleton: letters, and periods for periods and hyphens. */
function skeletonOf(text: string): string {
  const letters = [...text.normalize("NFKD").toLowerCase()].map((one) => letterOf.get(one) ?? one);
  return letters
    .join("")
    .replaceAll("-", ".")
    .replaceAll(/[^a-z0-9.]/g, "")
    .replaceAll(/vv|rn/g, (pair) => pairs[pair] ?? pair);
}

const product = skeletonOf("rowhouse");

/** Whether a person may take this text for the name of this product. */
export function imitatesProduct(text: string): boolean {
  return skeletonOf(text).replaceAll(".", "").includes(product);
}

/**
 * Whether a person may take the host of an address for this installation or this product. Hosts below the one of the
 * installation belong to its owner, and a loopback address to the person.
 *
 * @param publicUrl the base URL of the installation; null if it is not known
 */
export function imitatesHost(address: string, publicUrl: string | null): boolean {
  if (isLoopbackRedirect(address)) return false;
  const { protocol, hostname } = new URL(address);
  if (protocol !== "https:" && protocol !== "http:") return imitatesProduct(protocol);
  const own = publicUrl === null ? null : new URL(publicUrl).hostname;
  if (own !== null && hostname.endsWith(`.${own}`)) return false;
  const shown = readable(hostname);
  if (own === null) return imitatesProduct(shown);
  return imitatesProduct(shown) || labelsOf(shown).includes(labelsOf(readable(own)));
}

function labelsOf(host: string): string {
  return `.${skeletonOf(host)}.`;
}

/** A host as an address bar may show it. */
function readable(hostname: string): string {
  return domainToUnicode(hostname) || hostname;
}
