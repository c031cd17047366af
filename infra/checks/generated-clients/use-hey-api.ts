import { client } from "./hey-api/client.gen.js";
import {
  shopFloorOpenOrdersList,
  shopFloorOrderLinesCreate,
  shopFloorOrdersCreate,
  shopFloorOrdersList,
  shopFloorOrdersRead,
  shopFloorOrdersUpdate,
  shopFloorOrdersUpdateMany,
} from "./hey-api/sdk.gen.js";
import type { ShopFloorOrdersFilter, ShopFloorOrdersNew } from "./hey-api/types.gen.js";

// The program of a user with @hey-api/openapi-ts.

const [baseUrl = "", token = ""] = process.argv.slice(2);
client.setConfig({ baseUrl, auth: () => token });

const rush: ShopFloorOrdersNew = {
  ...{ tenant: 7, no: 1, tags: ["a,b", "c"], facts: { seats: 4 }, price: "12.50" },
};
const created = await shopFloorOrdersCreate({ body: { data: rush } });
const two: ShopFloorOrdersNew[] = [
  { tenant: 7, no: 2, state: "in progress", facts: { seats: 2 }, price: "1.20" },
  { tenant: 8, no: 1, facts: { seats: 5 }, price: "3" },
];
const more = await shopFloorOrdersCreate({ body: { data: two } });
const line = await shopFloorOrderLinesCreate({
  body: { data: { tenant: 7, no: 1, "2nd name": "bolt & nut" } },
});

const where: ShopFloorOrdersFilter = {
  state: { _in: ["open", "in progress"] },
  _or: [{ facts: { _path: { seats: { _gte: 4 } } } }, { tags: { _has: "a,b" } }],
};
const listed = await shopFloorOrdersList({
  query: {
    where: JSON.stringify(where),
    fields: ["tenant", "no", "tags", "order_lines.*"],
    order_by: ["-tenant", "no"],
    deep: JSON.stringify({ order_lines: { limit: 1, where: { "2nd name": { _contains: "&" } } } }),
    count: "exact",
  },
});
const grouped = await shopFloorOrdersList({
  query: {
    aggregate: ["count", "sum(price)"],
    group_by: ["state"],
    having: JSON.stringify({ count: { _gte: 2 } }),
  },
});
const changed = await shopFloorOrdersUpdate({
  path: { id: [7, 1] },
  body: { data: { state: "done!" } },
});
const read = await shopFloorOrdersRead({ path: { id: [7, 1] }, query: { fields: ["state"] } });
const all = await shopFloorOrdersUpdateMany({
  query: { where: JSON.stringify({ tenant: { _eq: 8 } }), max_affected: 1 },
  body: { data: { price: "4.75" } },
});
const viewed = await shopFloorOpenOrdersList({
  query: { where: JSON.stringify({ tenant: { _neq: 8 } }) },
});
const wrong = await shopFloorOrdersList({ query: { where: "{state: open}" } });

console.log(
  JSON.stringify({
    created: created.data?.data,
    more: [more.data?.data ?? []].flat().map((row) => row.no),
    line: line.response?.status,
    listed: listed.data,
    grouped: grouped.data?.data,
    changed: changed.data?.data.state,
    read: read.data?.data,
    all: all.data?.meta.count,
    viewed: viewed.data?.data.map((row) => row.no),
    wrong: wrong.error?.errors.map(({ code, path }) => `${code} ${path}`),
  }),
);
