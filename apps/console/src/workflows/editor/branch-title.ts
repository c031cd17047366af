/** Returns the title of a list of inner steps; one of several cases has its number. */
export function branchTitle(keys: readonly string[], title: string): string {
  const [name = "", position] = keys;
  const shown = title || name;
  return name === "cases" ? `${shown} ${Number(position) + 1}` : shown;
}
