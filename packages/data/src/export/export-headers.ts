import type { ExportFormat } from "../parse/headers.ts";

/** Returns the headers of the file of a relation. */
export function exportHeadersOf(format: ExportFormat, name: string): Record<string, string> {
  if (format === "NDJSON") return { "Content-Type": "application/x-ndjson; charset=utf-8" };
  return {
    "Content-Type": "text/csv; charset=utf-8; header=present",
    "Content-Disposition": attachment(`${name}.csv`),
  };
}

/** RFC 6266: an ASCII name for every client, and the exact name if it differs. */
function attachment(fileName: string): string {
  const plain = fileName.replaceAll(/[^A-Za-z0-9._ -]/g, "_");
  if (plain === fileName) return `attachment; filename="${plain}"`;
  const encoded = encodeURIComponent(fileName).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}
