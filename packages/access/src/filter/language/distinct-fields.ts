import { writeName } from "./written-name.ts";

/** A field that is read beside others. */
export interface DistinctField {
  /** Its term in `fields`. */
  readonly term: string;
  /** The names of the members that lead from a row to its value. */
  readonly members: readonly string[];
}

/**
 * Returns the terms under which a row has the value of every field. A relation whose own name is also a field of the list
 * (`ship_via` beside `ship_via.name`, with a column that does not end in `_id`) has an alias: `ship_via_row`. The same list
 * always gives the same aliases, so a response is read with its list of fields alone.
 *
 * @param paths each with the names of its relations and of its column
 */
export function distinctFields(paths: readonly (readonly string[])[]): readonly DistinctField[] {
  const fields = new Set(paths.map(keyOf));
  const relations = new Set(paths.flatMap((path) => path.slice(1).map((_, at) => keyTo(path, at))));
  return paths.map((path) => {
    const members = path.map((name, at) => {
      if (at === path.length - 1 || !fields.has(keyTo(path, at))) return name;
      const isTaken = (other: string) => {
        const key = keyOf([...path.slice(0, at), other]);
        return fields.has(key) || relations.has(key);
      };
      let alias = `${name}_row`;
      while (isTaken(alias)) alias += "_";
      return alias;
    });
    const term = path.map((name, at) => {
      const member = members[at] ?? name;
      return member === name ? writeName(name) : `${writeName(member)}:${writeName(name)}`;
    });
    return { term: term.join("."), members };
  });
}

/** Identifies a path by its names, which can contain dots. */
function keyOf(path: readonly string[]): string {
  return JSON.stringify(path);
}

/** The same for the path to the name at a position. */
function keyTo(path: readonly string[], at: number): string {
  return keyOf(path.slice(0, at + 1));
}
