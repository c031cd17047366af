import { RowhouseError } from "@rowhouse/client";

/** Returns a failed request in the form in which panels have their errors. */
export function asFault(error: unknown): { readonly code: string; readonly message: string } {
  if (!(error instanceof RowhouseError)) return { code: "INTERNAL_ERROR", message: "" };
  return { code: error.code, message: error.message };
}
