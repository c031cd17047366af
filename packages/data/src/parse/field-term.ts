import { argumentEnd, readName, readPath } from "@rowhouse/access";

/** A term of `fields`: a path, or a path with aliases. Paths are as `readPath` returns them. */
export type FieldTerm = string | AliasedTerm;

export interface AliasedTerm {
  /** The whole text as a path: a name that contains a colon takes precedence over an alias. */
  readonly path: string;
  /** The path in parts, of which all but the first begin with an alias. */
  readonly parts: readonly FieldPart[];
}

export interface FieldPart {
  /** Renames the first name of the path. */
  readonly alias: string | null;
  readonly path: string;
}

const quotedName = /"(?:[^"]|"")*"(?=$|[,.:)])/y;

/** Reads a term of `fields`: `plate`, `driver.name`, `number:plate`, `long:trips.id`, `vehicles.long:trips.id`. */
export function readFieldTerm(written: string): FieldTerm {
  const path = readPath(written);
  if (!written.includes(":")) return path;
  const parts: FieldPart[] = [];
  let alias: string | null = null;
  let partStart = 0;
  let nameStart = 0;
  let isAliased = false;
  let depth = 0;
  for (let at = 0; at < written.length; at += 1) {
    const character = written[at];
    if (character === '"' && depth > 0) {
      at = (argumentEnd(written, at) ?? at + 1) - 1;
    } else if (character === '"' && (at === nameStart || ",.".includes(written[at - 1] ?? " "))) {
      quotedName.lastIndex = at;
      if (quotedName.test(written)) at = quotedName.lastIndex - 1;
    } else if (character === "(") depth += 1;
    else if (character === ")") depth -= 1;
    else if (character === "." && depth === 0) {
      nameStart = at + 1;
      isAliased = false;
    } else if (character === ":" && depth === 0 && !isAliased && at > nameStart) {
      // `sum(price*quantity):revenue` has its name at the end.
      if (written[at - 1] === ")") continue;
      if (nameStart > 0)
        parts.push({ alias, path: readPath(written.slice(partStart, nameStart - 1)) });
      alias = readName(written.slice(nameStart, at));
      isAliased = true;
      partStart = at + 1;
      nameStart = at + 1;
    }
  }
  if (alias === null) return path;
  return { path, parts: [...parts, { alias, path: readPath(written.slice(partStart)) }] };
}
