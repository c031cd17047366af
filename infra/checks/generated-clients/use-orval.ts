import {
  type ShopFloorOrdersFilter,
  type ShopFloorOrdersNew,
  shopFloorOpenOrdersList,
  shopFloorOrderLinesCreate,
  shopFloorOrdersCreate,
  shopFloorOrdersList,
  shopFloorOrdersRead,
  shopFloorOrdersUpdate,
  shopFloorOrdersUpdateMany,
} from "./orval.js";

// The program of a user with orval, whose base URL is part of the generated file.

const [, token = ""] = process.argv.slice(2);
const options = { headers: { Authorization: `Bearer ${token}` } };

const rush: ShopFloorOrdersNew = {
  ...{ tenant: 7, no: 1, tags: ["a,b", "c"], facts: { seats: 4 }, price: "12.50" },
};
const created = await shopFloorOrdersCreate({ data: rush }, {}, options);
const two: ShopFloorOrdersNew[] = [
  { tenant: 7, no: 2, state: "in progress", facts: { seats: 2 }, price: "1.20" },
  { tenant: 8, no: 1, facts: { seats: 5 }, price: "3" },
];
const more = await shopFloorOrdersCreate({ data: two }, {}, options);
const line = await shopFloorOrderLinesCreate(
  { data: { tenant: 7, no: 1, "2nd name": "bolt & nut" } },
  options,
);

const where: ShopFloorOrdersFilter = {
  state: { _in: ["open", "in progress"] },
  _or: [{ facts: { _path: { seats: { _gte: 4 } } } }, { tags: { _has: "a,b" } }],
};
const listed = await shopFloorOrdersList(
  {
    where: JSON.stringify(where),
    fields: ["tenant", "no", "tags", "order_lines.*"],
    order_by: ["-tenant", "no"],
    deep: JSON.stringify({ order_lines: { limit: 1, where: { "2nd name": { _contains: "&" } } } }),
    count: "exact",
  },
  options,
);
const grouped = await shopFloorOrdersList(
  {
    aggregate: ["count", "sum(price)"],
    group_by: ["state"],
    having: JSON.stringify({ count: { _gte: 2 } }),
  },
  options,
);
const changed = await shopFloorOrdersUpdate([7, 1], { data: { state: "done!" } }, options);
const read = await shopFloorOrdersRead([7, 1], { fields: ["state"] }, options);
const all = await shopFloorOrdersUpdateMany(
  { data: { price: "4.75" } },
  { where: JSON.stringify({ tenant: { _eq: 8 } }), max_affected: 1 },
  options,
);
const viewed = await shopFloorOpenOrdersList(
  { where: JSON.stringify({ tenant: { _neq: 8 } }) },
  options,
);
const wrong = await shopFloorOrdersList({ where: "{state: open}" }, options);

console.log(
  JSON.stringify({
    created: created.status === 201 ? created.data.data : undefined,
    more: more.status === 201 ? [more.data.data].flat().map((row) => row.no) : undefined,
    line: line.status,
    listed: listed.status === 200 ? listed.data : undefined,
    grouped: grouped.status === 200 ? grouped.data.data : undefined,
    changed: changed.status === 200 ? changed.data.data.state : undefined,
    read: read.status === 200 ? read.data.data : undefined,
    all: all.status === 200 ? all.data.meta.count : undefined,
    viewed: viewed.status === 200 ? viewed.data.data.map((row) => row.no) : undefined,
    wrong:
      wrong.status === 400
        ? wrong.data.errors.map(({ code, path }) => `${code} ${path}`)
        : undefined,
  }),
);
