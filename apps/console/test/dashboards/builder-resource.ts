import { fieldsOf } from "../../src/dashboards/builder/fields.ts";
import type { NavigationColumn, NavigationResource } from "../../src/shell/navigation.ts";

function column(
  name: string,
  baseType: string,
  parts: Partial<NavigationColumn> = {},
): NavigationColumn {
  return {
    ...{ name, baseType, dataType: baseType, array: false, values: null, label: null },
    ...{ description: null, format: null, colors: null, lengthMax: null, hasDefault: false },
    ...{ generated: false, nullable: false, readable: true, creatable: true, updatable: true },
    required: false,
    ...parts,
  } as NavigationColumn;
}

function resource(
  name: string,
  columns: readonly NavigationColumn[],
  relations: NavigationResource["relations"] = [],
): NavigationResource {
  return {
    ...{ id: name, schema: "shop", name, kind: "TABLE", path: `/api/shop/table/${name}` },
    ...{ label: null, description: null, primaryKey: ["id"], actions: ["READ"], history: false },
    ...{ relations, columns, title: [] },
  };
}

const customers = resource("customers", [
  column("id", "integer"),
  column("name", "text"),
  column("country", "text"),
]);

/** Orders of customers, with a column of every role. */
const orders = resource(
  "orders",
  [
    column("id", "integer"),
    column("customer_id", "integer"),
    column("status", "enum", { values: ["OPEN", "PAID", "SENT"] }),
    column("paid", "boolean"),
    column("city", "text"),
    column("total", "numeric"),
    column("items", "integer"),
    column("placed_at", "timestamp with time zone"),
    column("updated_at", "timestamp with time zone"),
    column("notes", "jsonb"),
    column("a,b", "numeric"),
  ],
  [
    {
      ...{ name: "customer", kind: "ONE", foreignKey: "OWN", inverse: "orders" },
      ...{ resource: { id: "customers" }, columns: [{ from: "customer_id", to: "id" }] },
    } as unknown as NavigationResource["relations"][number],
  ],
);

/** The fields that panels of orders may use. */
export const orderFields = fieldsOf(orders, [orders, customers]);

/** Returns fields by their paths. */
export function fieldsAt(...paths: readonly string[]) {
  return paths.map((path) => {
    const found = orderFields.find((field) => field.path === path);
    if (found === undefined) throw new Error(`No field ${path}`);
    return found;
  });
}
