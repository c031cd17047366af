import { compareValues } from "./values.ts";

/** An expected number that a response must equal in value, whatever its number of digits. */
export class Decimal {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  equals(json: unknown): boolean {
    return typeof json === "string" && compareValues("numeric", json, this.text) === 0;
  }
}
