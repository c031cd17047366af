import type { Json } from "./json.ts";

/** Components by kind and name. */
export type Components = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** The components that paths refer to, directly or through one another. */
export function usedComponents<Known extends Components>(
  paths: Readonly<Record<string, Readonly<Record<string, Json>>>>,
  components: Known,
): Known {
  const used = new Set<string>();
  const waiting: unknown[] = [paths];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const reference of referencesIn(next)) {
      if (used.has(reference)) continue;
      used.add(reference);
      const [kind = "", name = ""] = reference.split("/");
      waiting.push(components[kind]?.[name] ?? {});
    }
  }
  return Object.fromEntries(
    Object.entries(components).map(([kind, named]) => [
      kind,
      Object.fromEntries(Object.entries(named).filter(([name]) => used.has(`${kind}/${name}`))),
    ]),
  ) as Known;
}

function* referencesIn(value: unknown): Generator<string> {
  if (typeof value !== "object" || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    if (key === "$ref" && typeof inner === "string") yield inner.slice("#/components/".length);
    else yield* referencesIn(inner);
  }
}
