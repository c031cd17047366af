import { isTemporal, readPath, resolveGrantPath } from "@rowhouse/access";
import { faultsOfReading } from "@rowhouse/data";
import type { Column, Relation, Snapshot } from "@rowhouse/db";
import { createFault, type Fault, throwFaults } from "@rowhouse/errors";
import { isScalarOf } from "../dashboard/parameter-value.ts";
import { readPresentation } from "../presentation/presentation.ts";
import { faultsOfPresentation } from "../presentation/presentation-faults.ts";
import type { DashboardInput, Panel } from "../schemas/dashboard-schemas.ts";
import {
  definitionOf,
  groupReadingOf,
  listReadingOf,
  sparklineReadingOf,
} from "../schemas/panel-definition.ts";
import type { Parameter } from "../schemas/parameter-schemas.ts";
import { faultsOf, faultsOfRoles } from "./check-data-view.ts";

const refuse = (path: string, message: string): Fault =>
  createFault("BODY_INVALID", { path, message });

/**
 * Returns the faults of a dashboard before it is stored, regardless of its readers.
 *
 * @param changed the parts that a body gives; the bindings of stored panels are checked against given parameters
 * @param pointer to the dashboard in the body: `/data`
 */
export function faultsOfDashboard(
  snapshot: Snapshot,
  { parameters, panels, roleIds }: Pick<DashboardInput, "parameters" | "panels" | "roleIds">,
  changed: { readonly parameters: boolean; readonly panels: boolean },
  pointer = "/data",
): Fault[] {
  const check = new DashboardCheck(snapshot, parameters);
  return [
    ...(changed.parameters ? check.parameters(`${pointer}/parameters`) : []),
    ...(changed.panels ? check.panels(panels, `${pointer}/panels`) : []),
    ...(changed.parameters && !changed.panels
      ? check.storedBindings(panels, `${pointer}/parameters`)
      : []),
    ...faultsOfRoles(roleIds, snapshot, pointer),
  ];
}

/** @throws AppError with every fault of a dashboard at its path */
export function requireValidDashboard(
  snapshot: Snapshot,
  dashboard: DashboardInput,
  pointer = "/data",
): void {
  const changed = { parameters: true, panels: true };
  throwFaults(faultsOfDashboard(snapshot, dashboard, changed, pointer));
}

class DashboardCheck {
  readonly #snapshot: Snapshot;
  readonly #parameters: readonly Parameter[];

  constructor(snapshot: Snapshot, parameters: readonly Parameter[]) {
    this.#snapshot = snapshot;
    this.#parameters = parameters;
  }

  parameters(pointer: string): Fault[] {
    return this.#parameters.flatMap((parameter, index): Fault[] => {
      const at = `${pointer}/${index}`;
      const { name, kind } = parameter;
      const isFirst = this.#parameters.findIndex((other) => other.name === name) === index;
      const faults = isFirst ? [] : [refuse(`${at}/name`, "Another parameter has this name")];
      if (kind === "PERIOD") return faults;
      if (kind === "PERSON") return [...faults, ...this.#person(parameter, at)];
      const found = this.#column(parameter.resourceId, parameter.field, at);
      if (!("column" in found)) return [...faults, ...found];
      const { type } = found.column;
      if (type.array || type.kind === "COMPOSITE" || !type.ordered) {
        return [...faults, refuse(`${at}/field`, "Must have single values that can be ordered")];
      }
      const { multiple, default: value } = parameter;
      if (value === null) return faults;
      const values = multiple ? (Array.isArray(value) ? value : [null]) : [value];
      const isValid = values.every((item) => isScalarOf(found.column, item));
      return isValid
        ? faults
        : [...faults, createFault("VALUE_INVALID", { path: `${at}/default` })];
    });
  }

  #person(parameter: Extract<Parameter, { kind: "PERSON" }>, at: string): Fault[] {
    const { resourceId, field } = parameter;
    if (resourceId === null && field === null) return [];
    if (resourceId === null || field === null) {
      return [refuse(`${at}/field`, "resourceId and field must be given together")];
    }
    const found = this.#column(resourceId, field, at);
    if (!("column" in found)) return found;
    return isPerson(found.column) ? [] : [refuse(`${at}/field`, "Must have the type uuid")];
  }

  panels(panels: readonly Panel[], pointer: string): Fault[] {
    return panels.flatMap((panel, index): Fault[] => {
      const at = `${pointer}/${index}`;
      const isFirst = panels.findIndex(({ id }) => id === panel.id) === index;
      const faults = isFirst ? [] : [refuse(`${at}/id`, "Another panel has this id")];
      if (panel.kind === "TEXT") return faults;
      const relation = this.#relation(panel);
      return [
        ...faults,
        ...this.#reading(panel, relation, at),
        ...(relation === undefined ? [] : this.#bindings(panel, relation, `${at}/bindings`)),
      ];
    });
  }

  /** Faults of the stored panels that bind parameters: a panel could lose its filter. */
  storedBindings(panels: readonly Panel[], pointer: string): Fault[] {
    return panels.flatMap((panel) => {
      const relation = this.#relation(panel);
      const faults = relation === undefined ? [] : this.#bindings(panel, relation, "");
      return faults.length === 0
        ? []
        : [refuse(pointer, `The panel ${panel.id} binds a parameter that these do not have`)];
    });
  }

  #relation({ resourceId }: Pick<Panel, "resourceId">): Relation | undefined {
    return this.#snapshot.catalogue.relationByResource((resourceId ?? "").toLowerCase());
  }

  #reading(panel: Panel, relation: Relation | undefined, at: string): Fault[] {
    const isList = panel.kind === "LIST";
    const reading = isList ? listReadingOf(panel) : groupReadingOf(panel);
    const faults = faultsOf(
      this.#snapshot,
      panel.resourceId ?? "",
      `${at}/resourceId`,
      reading,
      `${at}/definition`,
    ).map(panel.kind === "PIVOT" ? pivotPath : (fault) => fault);
    if (relation === undefined) return faults;
    if (isList) {
      const presented = { relation, catalogue: this.#snapshot.catalogue };
      const presentation = readPresentation(panel.presentation);
      return [...faults, ...faultsOfPresentation(presentation, presented, `${at}/presentation`)];
    }
    return [...faults, ...this.#time(panel, relation, `${at}/definition`)];
  }

  /** The field in which a figure is compared and divided. */
  #time(panel: Panel, relation: Relation, at: string): Fault[] {
    const { time, comparison = false, sparkline = false } = definitionOf(panel);
    if (time === undefined) {
      const isNeeded = comparison || sparkline;
      return isNeeded ? [refuse(`${at}/time`, "comparison and sparkline require time")] : [];
    }
    const found = this.#field(relation, time.field, `${at}/time/field`);
    if (!("column" in found)) return found;
    if (!isTemporal(found.column.type)) {
      return [refuse(`${at}/time/field`, "Must be a date or a timestamp")];
    }
    const { unit = "day", field } = time;
    const reading = sparklineReadingOf(panel, field, unit, null);
    // The aggregate was reported before.
    return faultsOfReading(reading, relation, this.#snapshot, at).filter(({ path }) =>
      path?.endsWith("/groupBy"),
    );
  }

  #bindings(panel: Panel, relation: Relation, at: string): Fault[] {
    return panel.bindings.flatMap(({ parameter: name, field }, index): Fault[] => {
      const parameter = this.#parameters.find((item) => item.name === name);
      if (parameter === undefined) {
        return [refuse(`${at}/${index}/parameter`, "The dashboard has no such parameter")];
      }
      const path = `${at}/${index}/field`;
      const found = this.#field(relation, field, path);
      if (!("column" in found)) return found;
      return this.#fits(parameter, found.column) ? [] : [refuse(path, misfits[parameter.kind])];
    });
  }

  #fits(parameter: Parameter, column: Column): boolean {
    switch (parameter.kind) {
      case "PERIOD":
        return isTemporal(column.type);
      case "PERSON":
        return isPerson(column);
      case "VALUE": {
        const own = this.#column(parameter.resourceId, parameter.field, "");
        return "column" in own && comparedAs(own.column) === comparedAs(column);
      }
      default:
        return parameter satisfies never;
    }
  }

  #column(resourceId: string, field: string, at: string): Found {
    const relation = this.#relation({ resourceId });
    if (relation === undefined) return [refuse(`${at}/resourceId`, "Unknown resource")];
    if (!relation.resource.exposedMethods.includes("GET")) {
      return [refuse(`${at}/resourceId`, "This resource does not expose GET")];
    }
    return this.#field(relation, field, `${at}/field`);
  }

  #field(relation: Relation, field: string, path: string): Found {
    const found = resolveGrantPath(this.#snapshot.catalogue, relation, readPath(field));
    if (found === undefined) return [createFault("FIELD_UNKNOWN", { path })];
    return found.edges.some(({ kind }) => kind === "MANY")
      ? [refuse(path, "Must not cross a to-many relation")]
      : { column: found.column };
  }
}

type Found = { readonly column: Column } | Fault[];

const misfits: Readonly<Record<Parameter["kind"], string>> = {
  PERIOD: "Must be a date or a timestamp",
  PERSON: "Must have the type uuid",
  VALUE: "Must have the type of the parameter's field",
};

function isPerson({ type }: Column): boolean {
  return type.base === "uuid" && !type.array;
}

const numbers = new Set(["smallint", "integer", "bigint", "numeric", "real", "double precision"]);
const texts = new Set(["text", "character varying", "bpchar", "name"]);

/** Columns of one class take the same values. */
function comparedAs({ type }: Column): string {
  if (type.array) return `${type.name}[]`;
  if (numbers.has(type.base)) return "number";
  return texts.has(type.base) ? "text" : type.labels === null ? type.base : type.name;
}

/** The groups of a pivot table are its rows and columns. */
function pivotPath(fault: Fault): Fault {
  return fault.path?.endsWith("/groupBy") === true
    ? { ...fault, path: fault.path.replace(/\/groupBy$/, "/rows") }
    : fault;
}
