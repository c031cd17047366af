/** Codes of a disk or a quota without space: of a file system, and of PostgreSQL. */
const codes: ReadonlySet<unknown> = new Set(["ENOSPC", "EDQUOT", "53100"]);

/** Returns whether an error, or one of its causes, is of a disk without space. */
export function isDiskFull(error: unknown): boolean {
  for (let each = error, depth = 0; each instanceof Error && depth < 5; each = each.cause) {
    if ("code" in each && codes.has(each.code)) return true;
    depth += 1;
  }
  return false;
}
