import type { Reading } from "@rowhouse/data";
import type { Panel } from "@rowhouse/saved-views";

/** The definition of a panel; each kind has some of the parts. */
interface PanelDefinition {
  readonly fields?: readonly string[] | null;
  readonly where?: unknown;
  readonly having?: unknown;
  readonly aggregate?: readonly string[];
  readonly groupBy?: readonly string[];
  readonly orderBy?: readonly string[];
  readonly limit?: number | null;
}

/** Returns the reading of a panel. */
export function readingOfPanel(panel: Pick<Panel, "kind" | "definition">): Reading {
  const definition = panel.definition as PanelDefinition;
  const { fields = null, where = null, having = null, limit = null } = definition;
  const { aggregate = [], groupBy = [], orderBy = [] } = definition;
  return panel.kind === "LIST"
    ? { kind: "LIST", fields, where, orderBy, limit }
    : { kind: "AGGREGATE", aggregate, groupBy, where, having, orderBy, limit };
}
