import type { Draft, Panel } from "./draft.ts";

/** Returns a text that is the same as long as a panel reads and shows the same. Its place and title do not matter. */
export function contentKey(draft: Draft, panel: Panel): string {
  const { kind, resourceId, definition, presentation, bindings } = panel;
  const bound = bindings.map(({ parameter }) =>
    draft.parameters.find(({ name }) => name === parameter),
  );
  return JSON.stringify([kind, resourceId, definition, presentation, bindings, bound]);
}

/** Whether a panel has all that its reading needs; the service refuses others. */
export function isComplete({ kind, resourceId, definition }: Panel): boolean {
  if (kind === "TEXT") return true;
  if (resourceId === null) return false;
  if (kind === "CHART") return definition.aggregate.length > 0 && definition.groupBy.length > 0;
  if (kind === "PIVOT") return definition.aggregate.length > 0 && definition.rows.length > 0;
  return kind === "LIST" || definition.aggregate.length > 0;
}

/** Returns the draft with only some panels, and none of their bindings to parameters that are gone. */
export function withOnly(draft: Draft, ids: ReadonlySet<string>): Draft {
  return { ...draft, panels: draft.panels.filter(({ id }) => ids.has(id)) };
}
