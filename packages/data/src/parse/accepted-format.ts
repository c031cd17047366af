/** The format of an export. */
export type ExportFormat = "CSV" | "NDJSON";

/** Formats that a media range selects; a wildcard selects JSON. */
const formats: ReadonlyMap<string, ExportFormat | "JSON"> = new Map([
  ["text/csv", "CSV"],
  ["application/x-ndjson", "NDJSON"],
  ["application/json", "JSON"],
  ["application/*", "JSON"],
  ["*/*", "JSON"],
]);

/**
 * Returns the format that a caller prefers to the JSON of a list, by the `Accept` header (RFC 9110 §12.5.1): among
 * equal ranges the one that names its type, then the first. Returns undefined unless the header names CSV or NDJSON.
 */
export function exportFormatOf(accept: string | null): ExportFormat | undefined {
  if (accept === null || !/csv|ndjson/i.test(accept)) return undefined;
  const ranges = accept
    .toLowerCase()
    .split(",")
    .flatMap((range) => {
      const [type = "", ...parameters] = range.split(";").map((part) => part.trim());
      const format = formats.get(type);
      const quality = qualityOf(parameters);
      return format === undefined || quality === 0 ? [] : [{ type, format, quality }];
    });
  const isNamed = ({ type }: { readonly type: string }) => Number(!type.endsWith("*"));
  ranges.sort((a, b) => b.quality - a.quality || isNamed(b) - isNamed(a));
  const format = ranges[0]?.format;
  return format === "JSON" ? undefined : format;
}

function qualityOf(parameters: readonly string[]): number {
  const written = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2);
  if (written === undefined) return 1;
  return /^(?:0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?)$/.test(written) ? Number(written) : 0;
}
