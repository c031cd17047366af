import { type CsvRecord, CsvSplitter, type Separator } from "./csv-splitter.ts";
import type { Encoding } from "./file-encoding.ts";

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
  readonly separator: Separator;
  readonly encoding: Encoding;
}

/** Yields the records of a CSV file, its header first, in the parts in which it is read. */
export async function* csvRecords({
  file,
  separator,
  encoding,
}: CsvFile): AsyncGenerator<CsvRecord[]> {
  const splitter = new CsvSplitter(separator);
  for await (const part of textOf(file, encoding)) yield splitter.push(part, false);
  yield splitter.push("", true);
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
