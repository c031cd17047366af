import createClient from "openapi-fetch";
import type { components, paths } from "./openapi-typescript.js";

// The program of a user with openapi-typescript and openapi-fetch. The other two do the same with their generators.

const [baseUrl = "", token = ""] = process.argv.slice(2);
const client = createClient<paths>({
  baseUrl,
  headers: { Authorization: `Bearer ${token}` },
  /** Lists are `a,b,c`. */
  querySerializer: { array: { style: "form", explode: false } },
});
const orders = "/api/Shop%20floor/table/orders";
type Filter = components["schemas"]["Shop_floor.orders.Filter"];
type NewOrder = components["schemas"]["Shop_floor.orders.New"];

const rush: NewOrder = {
  tenant: 7,
  no: 1,
  tags: ["a,b", "c"],
  facts: { seats: 4 },
  price: "12.50",
};
const created = await client.POST(orders, { body: { data: rush } });
const two: NewOrder[] = [
  { tenant: 7, no: 2, state: "in progress", facts: { seats: 2 }, price: "1.20" },
  { tenant: 8, no: 1, facts: { seats: 5 }, price: "3" },
];
const more = await client.POST(orders, { body: { data: two } });
const line = await client.POST("/api/Shop%20floor/table/order_lines", {
  body: { data: { tenant: 7, no: 1, "2nd name": "bolt & nut" } },
});

const where: Filter = {
  state: { _in: ["open", "in progress"] },
  _or: [{ facts: { _path: { seats: { _gte: 4 } } } }, { tags: { _has: "a,b" } }],
};
const listed = await client.GET(orders, {
  params: {
    query: {
      where: JSON.stringify(where),
      fields: ["tenant", "no", "tags", "order_lines.*"],
      order_by: ["-tenant", "no"],
      deep: JSON.stringify({
        order_lines: { limit: 1, where: { "2nd name": { _contains: "&" } } },
      }),
      count: "exact",
    },
  },
});
const grouped = await client.GET(orders, {
  params: {
    query: {
      aggregate: ["count", "sum(price)"],
      group_by: ["state"],
      having: JSON.stringify({ count: { _gte: 2 } }),
    },
  },
});
const path = { id: [7, 1] };
const changed = await client.PATCH(`${orders}/{id}`, {
  params: { path },
  body: { data: { state: "done!" } },
});
const read = await client.GET(`${orders}/{id}`, { params: { path, query: { fields: ["state"] } } });
const all = await client.PATCH(orders, {
  params: { query: { where: JSON.stringify({ tenant: { _eq: 8 } }), max_affected: 1 } },
  body: { data: { price: "4.75" } },
});
const viewed = await client.GET("/api/Shop%20floor/view/open_orders", {
  params: { query: { where: JSON.stringify({ tenant: { _neq: 8 } }) } },
});
const wrong = await client.GET(orders, { params: { query: { where: "{state: open}" } } });

console.log(
  JSON.stringify({
    created: created.data?.data,
    more: [more.data?.data ?? []].flat().map((row) => row.no),
    line: line.response.status,
    listed: listed.data,
    grouped: grouped.data?.data,
    changed: changed.data?.data.state,
    read: read.data?.data,
    all: all.data?.meta.count,
    viewed: viewed.data?.data.map((row) => row.no),
    wrong: wrong.error?.errors.map(({ code, path: place }) => `${code} ${place}`),
  }),
);
