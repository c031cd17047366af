import {
  type Draft,
  type Panel,
  type PanelContentParts,
  type Parameter,
  usualSizes,
} from "./draft.ts";
import { freePlace, heightOf, settled } from "./layout.ts";

/** A panel that is not on a board yet. */
export type NewPanel = PanelContentParts &
  Pick<Panel, "title" | "resourceId"> &
  Partial<Pick<Panel, "bindings">>;

/** Returns the draft with new panels in the first free places, and their ids. */
export function withPanels(
  draft: Draft,
  added: readonly NewPanel[],
): { readonly draft: Draft; readonly ids: readonly string[] } {
  const panels = [...draft.panels];
  const ids = added.map((panel) => {
    const id = freeId(panels, panel.kind.toLowerCase());
    const layout = freePlace(panels, usualSizes[panel.kind]);
    panels.push({ bindings: [], ...panel, id, layout } as Panel);
    return id;
  });
  return { draft: { ...draft, panels }, ids };
}

/**
 * Returns the draft with the first panels of a table: narrowed by a period, if their table has a time, and with the name
 * of the table unless the board has one.
 */
export function withStart(
  draft: Draft,
  start: {
    readonly panels: readonly NewPanel[];
    readonly name: string;
    /** The label of the period, and the column of the panels that it narrows. */
    readonly period: { readonly label: string; readonly field: string } | undefined;
  },
): Draft {
  const { panels, name, period } = start;
  const named = draft.name.trim() === "" ? { ...draft, name } : draft;
  if (period === undefined) return withPanels(named, panels).draft;
  const parameter = freeParameterName(draft, "period");
  const bindings = [{ parameter, field: period.field }];
  const parameters: readonly Parameter[] = [
    ...draft.parameters,
    { name: parameter, label: period.label, kind: "PERIOD", default: null },
  ];
  return withPanels(
    { ...named, parameters },
    panels.map((panel) => ({ ...panel, bindings })),
  ).draft;
}

/** Returns the draft with a copy of a panel in the next free place of its size. */
export function withCopy(
  draft: Draft,
  id: string,
): { readonly draft: Draft; readonly id: string } | undefined {
  const panel = draft.panels.find((one) => one.id === id);
  if (panel === undefined) return undefined;
  const copyId = freeId(draft.panels, panel.kind.toLowerCase());
  const { w, h } = panel.layout;
  const below = { x: panel.layout.x, y: heightOf(draft.panels), w, h };
  const free = freePlace(draft.panels, { w, h });
  const layout = free.y === below.y ? below : free;
  return {
    draft: { ...draft, panels: [...draft.panels, { ...panel, id: copyId, layout }] },
    id: copyId,
  };
}

/** Returns the draft without a panel; the panels below an empty row move up. */
export function withoutPanel(draft: Draft, id: string): Draft {
  return { ...draft, panels: settled(draft.panels.filter((panel) => panel.id !== id)) };
}

/** Returns the draft with another version of a panel. */
export function withPanel(draft: Draft, panel: Panel): Draft {
  return { ...draft, panels: draft.panels.map((one) => (one.id === panel.id ? panel : one)) };
}

/** Returns the draft with another version of a parameter. Bindings follow its name. */
export function withParameter(draft: Draft, index: number, parameter: Parameter): Draft {
  const before = draft.parameters[index];
  if (before === undefined) return draft;
  const parameters = draft.parameters.map((one, at) => (at === index ? parameter : one));
  if (before.name === parameter.name) return { ...draft, parameters };
  const isShared = draft.parameters.some((one, at) => at !== index && one.name === before.name);
  return isShared
    ? { ...draft, parameters }
    : bound({ ...draft, parameters }, (binding) =>
        binding.parameter === before.name ? { ...binding, parameter: parameter.name } : binding,
      );
}

/** Returns the draft without a parameter and its bindings. */
export function withoutParameter(draft: Draft, index: number): Draft {
  const before = draft.parameters[index];
  const parameters = draft.parameters.filter((_, at) => at !== index);
  const isShared = parameters.some(({ name }) => name === before?.name);
  return bound({ ...draft, parameters }, (binding) =>
    binding.parameter === before?.name && !isShared ? undefined : binding,
  );
}

/** Returns the draft with a parameter one place earlier or later. */
export function withParameterAt(draft: Draft, index: number, to: number): Draft {
  const moved = draft.parameters[index];
  if (moved === undefined || to < 0 || to >= draft.parameters.length) return draft;
  const parameters = draft.parameters.filter((_, at) => at !== index);
  parameters.splice(to, 0, moved);
  return { ...draft, parameters };
}

/** Returns a name for a parameter that no other one has. */
export function freeParameterName(draft: Draft, stem: string): string {
  const used = new Set(draft.parameters.map(({ name }) => name));
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? stem : `${stem}_${number}`;
    if (!used.has(name)) return name;
  }
}

/** Returns an id that no other panel has; a deleted panel's may return. */
function freeId(panels: readonly Panel[], stem: string): string {
  const used = new Set(panels.map(({ id }) => id));
  for (let number = 1; ; number += 1) {
    const id = `${stem}-${number}`;
    if (!used.has(id)) return id;
  }
}

function bound(
  draft: Draft,
  change: (binding: Panel["bindings"][number]) => Panel["bindings"][number] | undefined,
): Draft {
  const panels = draft.panels.map((panel) => {
    const bindings = panel.bindings.flatMap((binding) => change(binding) ?? []);
    const isSame = bindings.every((one, at) => one === panel.bindings[at]);
    return isSame && bindings.length === panel.bindings.length ? panel : { ...panel, bindings };
  });
  return { ...draft, panels };
}
