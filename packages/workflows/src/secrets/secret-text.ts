import { RunFault } from "../base/run-fault.ts";
import type { SecretValues } from "./secret-reader.ts";

/** Where a secret stands in a text. */
export interface SecretPart {
  readonly name: string;
  /** How its value is written there. */
  readonly write: (value: string) => string;
}

/**
 * A text whose secrets are still names. Templates give it in place of a text; only what sends it asks for the values, so
 * nothing that keeps a step's input comes to hold them. Written as JSON, it is without them.
 */
export class SecretText {
  readonly #parts: readonly (string | SecretPart)[];

  constructor(parts: readonly (string | SecretPart)[]) {
    this.#parts = parts;
  }

  /** @throws RunFault SECRET_UNAVAILABLE */
  reveal(secrets: SecretValues): string {
    return this.#parts
      .map((part) => {
        if (typeof part === "string") return part;
        const value = secrets.get(part.name);
        if (value === undefined) throw secretUnavailable(part.name);
        return part.write(value);
      })
      .join("");
  }

  toJSON(): string {
    return this.#parts.map((part) => (typeof part === "string" ? part : redacted)).join("");
  }
}

/** What stands in place of a secret. */
export const redacted = "[redacted]";

function secretUnavailable(name: string): RunFault {
  return new RunFault(
    "SECRET_UNAVAILABLE",
    `There is no secret ${name}, or it was encrypted under another ROWHOUSE_SECRET`,
  );
}
