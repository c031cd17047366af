import { enter } from "./people.ts";
import type { BrowserService } from "./service.ts";

/** A shop with orders of two regions, an administrator, and a person who may read the orders of one region. */
export type Shop = Awaited<ReturnType<typeof prepareShop>>;

interface Resource {
  readonly id: string;
  readonly name: string;
}

/** Creates the tables of a shop with orders of two years, and its people. */
export async function prepareShop(service: BrowserService) {
  const { administer } = service;
  await service.test.database.query(`
    create schema shop;
    create type shop.order_state as enum ('OPEN', 'PAID', 'SENT', 'RETURNED');
    create table shop.customers (id int primary key, name text not null, country text not null);
    create table shop.orders (
      id int primary key,
      customer_id int not null references shop.customers,
      state shop.order_state not null,
      region text not null,
      total numeric(10, 2) not null,
      margin numeric(10, 2) not null,
      gift boolean not null,
      placed_at timestamptz not null
    );
    insert into shop.customers select n, 'Customer ' || n, (array['Norway', 'Germany', 'Chile'])[n % 3 + 1]
      from generate_series(1, 30) n;
    insert into shop.orders select n, n % 30 + 1, (enum_range(null::shop.order_state))[n % 4 + 1],
      case when n % 5 = 0 then 'canary-south' else 'north' end, (n * 37 % 500) + 0.5, n % 90, n % 7 = 0,
      now() - interval '1 day' * (n * 1.2) from generate_series(1, 600) n;
  `);
  const list = (await administer("GET", "/resources?schema=shop&limit=1000")) as Resource[];
  const idOf = (name: string) => list.find((one) => one.name === name)?.id ?? "";
  for (const { id } of list) {
    await administer("PATCH", `/resources/${id}`, { exposedMethods: ["GET"] });
  }
  const sales = (await administer("POST", "/roles", { name: "Sales" })) as { id: string };
  await administer("POST", "/grants", {
    roleId: sales.id,
    resourceId: idOf("orders"),
    action: "READ",
    fields: ["id", "customer_id", "state", "region", "total", "gift", "placed_at"],
    rowFilter: { region: { _eq: "north" } },
  });
  const roles = (await administer("GET", "/roles?search=administrators")) as Resource[];
  const seller = await enter(service, "sanna@example.com", "Sanna Berg", sales.id);
  const [person] = (await administer("GET", "/users?search=sanna@example.com")) as Resource[];
  return {
    administrator: await enter(service, "owner@example.com", "Odd Vik", roles[0]?.id ?? ""),
    seller,
    sellerId: person?.id ?? "",
    salesId: sales.id,
    ordersId: idOf("orders"),
    customersId: idOf("customers"),
    /** Creates a dashboard, and returns its id. */
    createBoard: async (data: object) =>
      ((await administer("POST", "/dashboards", data)) as Resource).id,
    readBoard: async (id: string) => (await administer("GET", `/dashboards/${id}`)) as StoredBoard,
  };
}

/** The parts of a stored dashboard that tests read. */
export interface StoredBoard {
  readonly name: string;
  readonly roleIds: readonly string[];
  readonly parameters: readonly { readonly name: string; readonly kind: string }[];
  readonly panels: readonly {
    readonly id: string;
    readonly title: string;
    readonly kind: string;
    readonly layout: {
      readonly x: number;
      readonly y: number;
      readonly w: number;
      readonly h: number;
    };
    readonly definition: Readonly<Record<string, unknown>>;
    readonly presentation: Readonly<Record<string, unknown>>;
  }[];
}

/** A board with a panel of every kind. */
export function shopBoard({ ordersId, salesId }: Shop, name: string) {
  const panel = (
    id: string,
    kind: string,
    layout: readonly [number, number, number, number],
    parts: object,
  ) => ({
    ...{ id, kind, title: `${kind.charAt(0)}${kind.slice(1).toLowerCase()} of orders` },
    layout: { x: layout[0], y: layout[1], w: layout[2], h: layout[3] },
    ...(kind === "TEXT"
      ? {}
      : {
          resourceId: ordersId,
          bindings: [{ parameter: "period", field: "placed_at" }],
        }),
    ...parts,
  });
  return {
    ...{ name, icon: "gauge", roleIds: [salesId], refreshSeconds: 60 },
    parameters: [{ name: "period", label: "Period", kind: "PERIOD", default: "LAST_12_MONTHS" }],
    panels: [
      panel("count", "FIGURE", [0, 0, 3, 3], {
        definition: {
          aggregate: ["count"],
          time: { field: "placed_at" },
          ...{ comparison: true, sparkline: true },
        },
        presentation: { version: 1, goodWhen: "UP" },
      }),
      panel("months", "CHART", [3, 0, 9, 6], {
        definition: { aggregate: ["sum(total)"], groupBy: ["date_trunc(month,placed_at)"] },
        presentation: { version: 1, chart: "line" },
      }),
      panel("text", "TEXT", [0, 3, 3, 3], {
        definition: { markdown: "## Orders\n\nAll orders of **both** regions." },
      }),
      panel("states", "CHART", [0, 6, 4, 6], {
        definition: { aggregate: ["count"], groupBy: ["state"] },
        presentation: { version: 1, chart: "donut" },
      }),
      panel("pivot", "PIVOT", [4, 6, 8, 6], {
        definition: { aggregate: ["count"], rows: ["state"], columns: ["gift"] },
        presentation: { version: 1, totals: true },
      }),
      panel("list", "LIST", [0, 12, 12, 6], {
        definition: { fields: ["id", "state", "total", "placed_at"], limit: 10 },
      }),
    ],
  };
}
