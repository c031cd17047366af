import { RunFault } from "../base/run-fault.ts";
import type { SecretValues } from "./secret-reader.ts";

/** The position of a secret in a text. */
export interface SecretPart {
  readonly name: string;
  /** Encodes the value for that position. */
  readonly write: (value: string) => string;
}

/**
 * A text whose secrets are still names. Templates return it instead of a string, and only the code that sends a
 * request asks for the values. A stored step input therefore never contains them; as JSON, each is `[redacted]`.
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

/** Replaces a secret in stored values. */
export const redacted = "[redacted]";

function secretUnavailable(name: string): RunFault {
  return new RunFault(
    "SECRET_UNAVAILABLE",
    `The secret ${name} does not exist, or it was encrypted under another ROWHOUSE_SECRET`,
  );
}
