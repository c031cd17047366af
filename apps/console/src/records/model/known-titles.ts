import { titleIn } from "../values/value-kind.ts";
import type { Row } from "./resource.ts";

const known = Symbol("titles");

/** Titles of rows by the text of the value that refers to them, for each field that refers to rows. */
type KnownTitles = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Returns a row that knows the titles of what it refers to. They are no values: only a copy of the whole row has them. */
export function withTitles(row: Row, titles: KnownTitles): Row {
  return Object.keys(titles).length === 0 ? row : { ...row, [known]: titles };
}

/** Returns the title of the row that a value refers to, if the service has answered it with the row. */
export function knownTitle(row: Row, name: string, value: unknown): string | undefined {
  const titles = (row as { readonly [known]?: KnownTitles })[known]?.[name];
  return titleIn({ titles }, value);
}
