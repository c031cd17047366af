import { CsvReader, type CsvRecord } from "@rowhouse/wire";

/** Encodings of files, by the names that browsers have for them. */
export type Encoding = "utf-8" | "windows-1252" | "utf-16le" | "utf-16be";

/**
 * Returns the encodings that a file can have, the likely one first: UTF-16 by its byte order mark, UTF-8 if the whole
 * file is valid UTF-8.
 */
export async function possibleEncodings(file: Blob): Promise<readonly Encoding[]> {
  const [first, second] = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  if (first === 0xff && second === 0xfe) return ["utf-16le"];
  if (first === 0xfe && second === 0xff) return ["utf-16be"];
  const others = ["windows-1252", "utf-16le", "utf-16be"] as const;
  return (await isUtf8(file)) ? ["utf-8", ...others] : others;
}

async function isUtf8(file: Blob): Promise<boolean> {
  const reader = file.stream().getReader();
  const decoder = new TextDecoder("utf-8", { fatal: true });
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      decoder.decode(value, { stream: true });
    }
    decoder.decode();
    return true;
  } catch {
    return false;
  } finally {
    await reader.cancel();
  }
}

/** Yields the text of a file in parts, as it is read. The byte order mark is left out. */
export async function* textOf(file: Blob, encoding: Encoding = "utf-8"): AsyncGenerator<string> {
  const reader = file.stream().getReader();
  const decoder = new TextDecoder(encoding);
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      yield decoder.decode(value, { stream: true });
    }
    yield decoder.decode();
  } finally {
    await reader.cancel();
  }
}

/** A CSV file, and how it is written. */
export interface CsvFile {
  readonly file: Blob;
  readonly separator: string;
  readonly encoding: Encoding;
}

/** Yields the records of a CSV file, its header first, in the parts in which it is read. */
export async function* csvRecords({
  file,
  separator,
  encoding,
}: CsvFile): AsyncGenerator<CsvRecord[]> {
  const reader = new CsvReader(separator);
  for await (const part of textOf(file, encoding)) yield reader.push(part, false);
  yield reader.push("", true);
}

/** A line of an NDJSON file. */
interface FileLine {
  /** Counted from 1. */
  readonly line: number;
  readonly text: string;
}

/** Yields the lines of an NDJSON file that are not empty, in the parts in which it is read. */
export async function* fileLines(file: Blob): AsyncGenerator<FileLine[]> {
  let rest = "";
  let line = 0;
  const linesOf = (texts: readonly string[]): FileLine[] =>
    texts.flatMap((text) => {
      line += 1;
      return text.trim() === "" ? [] : { line, text };
    });
  for await (const part of textOf(file)) {
    const texts = (rest + part).split("\n");
    rest = texts.pop() ?? "";
    yield linesOf(texts);
  }
  yield linesOf([rest]);
}
