/**
 * Ids in place of names, for a check that requires ids. A document has the names; the ids that it will have are known when
 * it is applied.
 */
export class Placeholders {
  readonly #names: string[] = [];

  idOf(name: string): string {
    this.#names.push(name);
    return `${prefix}${(this.#names.length - 1).toString(16).padStart(12, "0")}`;
  }

  /** Returns the name in whose place an id stands; undefined for any other text. */
  nameOf(id: string): string | undefined {
    return id.startsWith(prefix)
      ? this.#names[Number.parseInt(id.slice(prefix.length), 16)]
      : undefined;
  }
}

const prefix = "00000000-0000-4000-8000-";
