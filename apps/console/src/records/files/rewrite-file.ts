import { writeJson } from "@rowhouse/client";
import type { Mapping } from "./column-mapping.ts";
import { cellText } from "./csv-text.ts";
import { fileRows, parsedObject, type Source } from "./read-source.ts";

/** Characters after which the written lines become a part that the browser can keep outside of memory. */
const partChars = 1_000_000;

/** Returns a file for the Data API: with commas, the names of the columns, and no value that is not imported. */
export async function rewriteFile(
  source: Source,
  mapping: Mapping,
  signal: AbortSignal,
): Promise<Blob> {
  const { file, format, names, separator, encoding } = source;
  const isWhole = (source.skipped?.size ?? 0) === 0;
  const isSame = isWhole && mapping.every((name, index) => name === names[index]);
  if (isSame && separator === "," && encoding === "utf-8") return file;
  const write = format === "csv" ? csvLines(source, mapping) : jsonLines(source, mapping);
  const parts: Blob[] = [];
  let text = "";
  for await (const lines of write) {
    signal.throwIfAborted();
    text += lines;
    if (text.length < partChars) continue;
    parts.push(new Blob([text]));
    text = "";
  }
  return new Blob([...parts, text]);
}

/** Text beside a quote, which ends with its line. */
const malformed = 'a"\r\n';

async function* csvLines(source: Source, mapping: Mapping) {
  const kept = mapping.flatMap((name, index) => (name === null ? [] : { name, index }));
  yield `${kept.map(({ name }) => cellText(name, ",")).join()}\r\n`;
  for await (const rows of fileRows(source)) {
    const lines = rows.map(({ cells }) => {
      // The service refuses the row, as it would refuse that of the file.
      if (cells === null) return malformed;
      const taken = kept.map(({ index }) => cellText(cells[index] ?? null, ","));
      if (cells.length !== source.names.length) taken.push("");
      // An empty line would be no row.
      return `${taken.join() === "" ? '""' : taken.join()}\r\n`;
    });
    yield lines.join("");
  }
}

async function* jsonLines(source: Source, mapping: Mapping) {
  const { names } = source;
  for await (const rows of fileRows(source)) {
    const written = rows.map(({ text }) => {
      const row = parsedObject(text);
      if (row === undefined) return `${text}\n`;
      const entries = Object.entries(row).flatMap(([name, value]) => {
        const target = names.includes(name) ? mapping[names.indexOf(name)] : name;
        return target === null || target === undefined ? [] : [[target, value] as const];
      });
      return `${writeJson(Object.fromEntries(entries))}\n`;
    });
    yield written.join("");
  }
}
