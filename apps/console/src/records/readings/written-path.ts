import { readName } from "@rowhouse/access/written-name";

/** Splits a path such as `driver.name` or `driver."a.b"` into its names. */
export function namesOfPath(path: string): readonly string[] {
  const parts = path.match(/(?:"(?:[^"]|"")*"|[^."])(?:[^.])*/g) ?? [path];
  return parts.map(readName);
}
