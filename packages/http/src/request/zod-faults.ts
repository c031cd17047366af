import { createFault, type ErrorCode, escapePointer, type Fault } from "@rowhouse/errors";
import type { z } from "zod";

type Issue = z.core.$ZodIssue;

/**
 * Yields the faults of a value that a schema rejected: one for each issue, and one for each unknown key.
 *
 * @param toPath converts the keys of a fault to the path for the caller
 */
export function* faultsOf(
  issues: readonly Issue[],
  code: ErrorCode,
  toPath: (keys: readonly PropertyKey[]) => string,
): Generator<Fault> {
  for (const issue of issues) {
    if (issue.code === "unrecognized_keys") {
      for (const key of issue.keys) {
        yield createFault(code, { message: "Unknown field", path: toPath([...issue.path, key]) });
      }
      continue;
    }
    const branch = issue.code === "invalid_union" ? nearestBranch(issue.errors) : undefined;
    if (branch === undefined) {
      yield createFault(code, { message: issue.message, path: toPath(issue.path) });
    } else {
      yield* faultsOf(branch, code, (keys) => toPath([...issue.path, ...keys]));
    }
  }
}

/** The branch of a union that nearly fits: the one that failed deepest. */
function nearestBranch(branches: readonly (readonly Issue[])[]): readonly Issue[] | undefined {
  const depthOf = (issues: readonly Issue[]) =>
    Math.max(0, ...issues.map((issue) => issue.path.length));
  const deepest = branches.toSorted((a, b) => depthOf(b) - depthOf(a))[0];
  return deepest !== undefined && depthOf(deepest) > 0 ? deepest : undefined;
}

/** Converts keys to a JSON pointer: `/data/columns/0/name`. */
export function toPointer(keys: readonly PropertyKey[]): string {
  return keys.map((key) => `/${escapePointer(String(key))}`).join("");
}
