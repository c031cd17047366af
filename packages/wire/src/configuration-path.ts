/**
 * Paths of configuration documents and of their files. A document's path has one part for each name, as `encodeName` writes
 * it. The path of its file differs only where a file system would refuse, change or confuse a name.
 */

/** The parts of a configuration. Each is a folder; the settings are one file. */
export const partNames = [
  "settings",
  "types",
  "sql",
  "tables",
  "views",
  "roles",
  "templates",
  "providers",
  "workflows",
  "data-views",
  "dashboards",
] as const;
export type PartName = (typeof partNames)[number];

const rootFiles: ReadonlySet<string> = new Set(["rowhouse.yaml", "settings.yaml"]);
const folders: ReadonlySet<string> = new Set([
  "environments",
  ...partNames.filter((name) => name !== "settings"),
]);

const safe = /^[\p{L}\p{N}_ -]$/u;
const extension = /\.(?:yaml|sql|(?:text\.|html\.)?liquid)$/;
/** Characters that no name has raw after a file system or an archive has decomposed it. */
const decomposed = /[\p{M}\u1100-\u11ff]/u;
/** Names that Windows gives to devices, with any extension. */
const device = /^(?:con|prn|aux|nul|(?:com|lpt)[0-9\u00b9\u00b2\u00b3])(?:\.|$)/i;
/** A character, or the escape of a byte. */
const token = /%[0-9A-F]{2}|[\s\S]/gu;
const nameBytesMax = 255;
const pieceLength = 200;

/** Returns one part of a path: a name without `/`, `.`, `%` and control characters, which become `%2E` and the like. */
export function encodeName(name: string): string {
  const text = Array.from(name, (character) =>
    safe.test(character) ? character : percentOf(character),
  ).join("");
  return withoutOuterSpaces(text);
}

/** Returns the part of a configuration to which a path belongs: its first folder, or the name of a file outside of folders. */
export function partOfPath(path: string): string {
  return (path.split("/", 1)[0] ?? path).replace(/\.yaml$/, "");
}

/**
 * Whether a path is in a folder of a configuration and has an ending of its files, or is one of its files outside of
 * folders. `.yml` counts, so that the service can refuse it: it is a slip.
 */
export function isConfigurationPath(path: string): boolean {
  const [first = "", ...rest] = path.split("/");
  return rest.length === 0
    ? rootFiles.has(first)
    : folders.has(first) && /\.(?:ya?ml|sql|liquid)$/.test(path);
}

/** Whether a path is one that `filePathsOf` returns, so that writing it stays in the folder on every file system. */
export function isPortablePath(path: string): boolean {
  const names = path.split("/");
  const isNamed = names.every(
    (name, index) =>
      /^[\p{L}\p{N}_%-][\p{L}\p{N}_ .%-]*$/u.test(name) &&
      !/[ .]$/.test(name) &&
      (index === names.length - 1 || !name.includes(".")) &&
      !device.test(name) &&
      byteLength(name) <= nameBytesMax,
  );
  return isNamed && isConfigurationPath(path) && extension.test(path);
}

/** Returns a text that is the same for names that a file system may not tell apart. */
export function foldPath(path: string): string {
  return path.normalize("NFD").toUpperCase().toLowerCase().normalize("NFD");
}

/** Returns the path without its extension, which a document and the texts beside it have in common. */
export function pathStem(path: string): string {
  return path.replace(extension, "");
}

/** Returns the path of the document, or of the text beside one, that a file holds. */
export function documentPathOf(file: string): string {
  const path = decomposed.test(file) ? file.normalize("NFC") : file;
  const stem = pathStem(path);
  const names = stem.replaceAll("%/", "").split("/");
  return names.map(unescapeName).join("/") + path.slice(stem.length);
}

/**
 * Returns the paths of the files of documents and of the texts beside them. A name is escaped if Windows reserves it, if
 * its Unicode form is not NFC, or if another one beside it is equal but for case. A name that is too long continues in
 * a folder.
 */
export function filePathsOf(documents: Iterable<string>): ReadonlyMap<string, string> {
  const paths = [...documents];
  const beside = new Map<string, Set<string>>();
  const groupOf = (names: readonly string[], index: number) =>
    `${names.slice(0, index).join("/")}/${foldPath(names[index] ?? "")}/${index === names.length - 1}`;
  const split = paths.map((path) => [path, pathStem(path).split("/")] as const);
  for (const [, names] of split) {
    for (const [index, name] of names.entries()) {
      const group = groupOf(names, index);
      beside.set(group, (beside.get(group) ?? new Set()).add(name));
    }
  }
  return new Map(
    split.map(([path, names]) => {
      const written = names.map((name, index) =>
        fileNameOf(name, (beside.get(groupOf(names, index))?.size ?? 0) > 1),
      );
      return [path, written.join("/") + path.slice(pathStem(path).length)];
    }),
  );
}

function fileNameOf(name: string, isShared: boolean): string {
  const isPlain = !isShared && !device.test(name) && name === name.normalize("NFC");
  const text = isPlain ? name : escapeName(name);
  if (byteLength(text) + ".yaml".length <= nameBytesMax) return text;
  // Pieces of lower case differ on every file system.
  const tokens = escapeName(name).match(token) ?? [];
  const pieces = [""];
  for (const one of tokens) {
    const last = pieces.length - 1;
    if ((pieces[last]?.length ?? 0) + one.length > pieceLength) pieces.push(one);
    else pieces[last] += one;
  }
  return pieces.join("%/");
}

/** Leaves only small letters, digits, `_`, `-`, `.` and what is escaped already; never the name of a device. */
function escapeName(name: string): string {
  const text = name.replace(token, (one) =>
    safe.test(one) && !/[a-z0-9_-]/.test(one) ? percentOf(one) : one,
  );
  return device.test(text) ? percentOf(text.charAt(0)) + text.slice(1) : text;
}

/** `encodeName` leaves these characters raw, so one that is escaped was escaped by `escapeName`. */
function unescapeName(text: string): string {
  const name = text.replace(/(?:%[0-9A-F]{2})+/g, (escaped) => {
    try {
      return Array.from(decodeURIComponent(escaped), (character) =>
        safe.test(character) ? character : percentOf(character),
      ).join("");
    } catch {
      return escaped;
    }
  });
  return withoutOuterSpaces(name);
}

/** Windows drops spaces at the end, and shells split at those at the start. */
function withoutOuterSpaces(text: string): string {
  return text.replace(/^ | $/g, "%20");
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}

function percentOf(character: string): string {
  return Array.from(
    new TextEncoder().encode(character),
    (byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`,
  ).join("");
}
