import { createFault, escapePointer, type Fault, faultsMax, throwFaults } from "@rowhouse/errors";
import { findExcess } from "@rowhouse/wire";
import type { z } from "zod";

/**
 * Validates the arguments of a tool.
 *
 * @throws AppError BODY_INVALID with every fault, as JSON pointers into the arguments
 */
export function parseArguments<Input>(schema: z.ZodType<Input>, input: unknown): Input {
  throwFaults(
    findExcess(schema, input, faultsMax).map(({ path, message }) =>
      createFault("BODY_INVALID", { message, path: toPointer(path) }),
    ),
  );
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  throwFaults(faultsOf(parsed.error.issues));
  throw parsed.error;
}

function* faultsOf(issues: readonly z.core.$ZodIssue[]): Generator<Fault> {
  for (const issue of issues) {
    const keys = issue.code === "unrecognized_keys" ? issue.keys : null;
    for (const key of keys ?? [null]) {
      const message = key === null ? issue.message : "Unknown field";
      const path = toPointer(key === null ? issue.path : [...issue.path, key]);
      yield createFault("BODY_INVALID", { message, path });
    }
  }
}

function toPointer(keys: readonly PropertyKey[]): string {
  return keys.map((key) => `/${escapePointer(String(key))}`).join("");
}
