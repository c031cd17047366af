import type { Relation } from "@rowhouse/db";

/** Names relations as components of the document. A component name permits letters, digits, `.`, `-` and `_` only. */
export class ComponentNames {
  readonly #byOid = new Map<number, string>();
  readonly #taken = new Set<string>();

  /** Returns a name that is unique to the relation and equal on each call. */
  of(relation: Relation): string {
    const known = this.#byOid.get(relation.oid);
    if (known !== undefined) return known;
    const plain = `${plainName(relation.schema)}.${plainName(relation.name)}`;
    let name = plain;
    for (let count = 2; this.#taken.has(name); count += 1) name = `${plain}-${count}`;
    this.#taken.add(name);
    this.#byOid.set(relation.oid, name);
    return name;
  }
}

function plainName(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9_]/g, "_");
}
