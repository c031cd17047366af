import type { DashboardBody, Draft, Panel, Parameter, StoredDashboard } from "./draft.ts";
import { settled } from "./layout.ts";

/** Begins to edit a dashboard. Panels that overlap in it, which no builder makes, are moved apart. */
export function draftOf(stored: StoredDashboard): Draft {
  const { name, description, icon, position, refreshSeconds, roleIds } = stored;
  return {
    ...{ name, description, icon, position, refreshSeconds, roleIds },
    // The service has checked both against the same shapes.
    parameters: stored.parameters as readonly Parameter[],
    panels: settled(stored.panels.map((panel) => panelOf(panel as unknown as Panel))),
  };
}

/** Returns a stored panel with the members that may be omitted. */
function panelOf(panel: Panel): Panel {
  if (panel.kind === "TEXT") return panel;
  const { where, ...rest } = panel.definition;
  const definition = {
    ...(panel.kind === "PIVOT" ? { columns: [] } : {}),
    ...rest,
    ...(where == null ? {} : { where }),
  };
  return { ...panel, definition } as Panel;
}

/** Returns the body that stores a draft. */
export function bodyOf(draft: Draft): DashboardBody {
  const panels = draft.panels.map((panel) => {
    const { bindings, ...text } = panel;
    return panel.kind === "TEXT" ? text : panel;
  });
  // The service refuses what its type does not admit, such as a panel without a table.
  return { ...draft, panels } as DashboardBody;
}
