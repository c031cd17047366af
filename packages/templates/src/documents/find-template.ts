import type { Queryable } from "@rowhouse/db";
import type { TextFormat } from "../liquid/render-liquid.ts";

/** The texts of a template in the database. A document has its source in `text`. */
export interface StoredTemplate {
  readonly subject: string;
  readonly text: string;
  readonly html: string | null;
  readonly format: TextFormat | null;
}

/** Reads the template in a language, in its base language (`pt` for `pt-BR`), or in English. */
export async function findTemplate(
  database: Queryable,
  kind: "MAIL" | "DOCUMENT",
  key: string,
  language: string | null,
): Promise<StoredTemplate | undefined> {
  const [row] = await database.query<StoredTemplate>(
    `select subject, text, html, format from system.templates
     where kind = $1::text and key = $2::text
       and system.fold(language) in (system.fold($3::text), system.fold(split_part($3::text, '-', 1)), 'en')
     order by system.fold(language) = system.fold($3::text) desc, system.fold(language) = 'en' limit 1`,
    [kind, key, language ?? "en"],
  );
  return row;
}
