/** The kinds of triggers in the order of their choice. */
export const triggerKinds = ["webhook", "schedule", "databaseEvent", "manual"] as const;

export type TriggerKind = (typeof triggerKinds)[number];

/** The kind of a definition's trigger; undefined for one that these pages do not know. */
export function triggerKindOf(definition: unknown): TriggerKind | undefined {
  const kind = (definition as { readonly trigger?: { readonly kind?: unknown } } | null)?.trigger
    ?.kind;
  return triggerKinds.find((one) => one === kind);
}
