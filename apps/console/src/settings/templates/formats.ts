import type { DocumentFormat } from "./template-parts.ts";

/** The formats of documents. */
export const formats: readonly DocumentFormat[] = ["HTML", "TEXT", "CSV"];

/** The source that a new document begins with. */
export const firstSources: Readonly<Record<DocumentFormat, string>> = {
  HTML: "<!doctype html>\n<h1>{{ title }}</h1>\n",
  TEXT: "{{ title }}\n",
  CSV: "title\r\n{{ title }}\r\n",
};
