/** Names of types for resources, unique within a file. */
export class TypeNames {
  readonly #names = new Map<string, string>();
  readonly #taken: Set<string>;

  /** @param reserved names that the file uses itself */
  constructor(reserved: readonly string[]) {
    this.#taken = new Set(reserved);
  }

  /** Returns the name for a resource; the same on each call. */
  of(resource: string): string {
    const known = this.#names.get(resource);
    if (known !== undefined) return known;
    const plain = pascalCase(resource);
    let name = plain;
    for (let count = 2; this.#taken.has(name); count += 1) name = `${plain}${count}`;
    this.#taken.add(name);
    this.#names.set(resource, name);
    return name;
  }
}

function pascalCase(text: string): string {
  const words = text.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== "");
  const joined = words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join("");
  return /^[\p{L}]/u.test(joined) ? joined : `Resource${joined}`;
}
