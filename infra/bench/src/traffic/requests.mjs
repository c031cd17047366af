// The requests of the mixed load: 15 reads that are 80 of 100 requests, and 5 writes. `#` is a key, `@` the number of a maker.
//
// The service receives `path`; a handwritten handler receives `/traffic/<name>/<value>` and runs `sql`, which computes the
// same answer. A developer would give each use a route of its own. `sql` receives what the caller may read: the columns of
// an order, and a condition on it.
const orders = "/api/bench_traffic/table/orders";
const makers = "/api/bench_traffic/table/makers";
const notes = "/api/bench_traffic/table/notes";

/** Returns the select list of the columns that are both wanted and readable. */
const select = ({ columns }, wanted = Object.keys(columns)) =>
  wanted.flatMap((name) => columns[name] ?? []).join(", ");
export const row = (fields, from) =>
  `select row_to_json(r)::text as json from (select ${fields} from ${from}) r`;
export const rows = (fields, from) =>
  `select coalesce(json_agg(r), '[]')::text as json from (select ${fields} from ${from}) r`;
const table = "bench_traffic.orders o";
const withMaker = `${table} left join bench_traffic.makers m on m.id = o.maker_id`;
const byKey = "o.id = $1::bigint";
const ofMaker = "o.maker_id = $1::integer";
/** Reads one order. */
const one =
  (wanted, from = table, more = "") =>
  (rights) =>
    row(`${select(rights, wanted)}${more}`, `${from} where ${byKey} and ${rights.may}`);
/** Changes an order, and reads it. */
const change =
  (set, answer = (rights) => row(select(rights), "o")) =>
  (rights) => ({
    write: `o as (update ${table} set ${set} where ${byKey} and ${rights.may} returning o.*)`,
    answer: answer(rights),
  });

export const requests = [
  {
    name: "order",
    weight: 14,
    path: `${orders}/#`,
    sql: one(),
  },
  {
    name: "order-status",
    weight: 10,
    path: `${orders}/#?fields=id,status`,
    sql: one(["id", "status"]),
  },
  {
    name: "order-price",
    weight: 8,
    path: `${orders}/#?fields=id,number,quantity,price,created_at`,
    sql: one(["id", "number", "quantity", "price", "created_at"]),
  },
  {
    name: "order-with-maker",
    weight: 6,
    path: `${orders}/#?fields=id,status,maker.name,maker.country`,
    sql: one(
      ["id", "status"],
      withMaker,
      ", json_build_object('name', m.name, 'country', m.country) as maker",
    ),
  },
  {
    name: "maker",
    weight: 6,
    path: `${makers}/@`,
    sql: () => row("m.*", "bench_traffic.makers m where m.id = $1::integer"),
  },
  {
    name: "newest",
    weight: 6,
    value: "",
    path: `${orders}?fields=id,number,status,price&order_by=-id&limit=25`,
    sql: (rights) =>
      rows(
        select(rights, ["id", "number", "status", "price"]),
        `${table} where ${rights.may} order by o.id desc limit 25`,
      ),
  },
  {
    name: "after",
    weight: 5,
    path: `${orders}?where[id][_gt]=#&order_by=id&limit=25`,
    sql: (rights) =>
      rows(
        select(rights),
        `${table} where o.id > $1::bigint and ${rights.may} order by o.id limit 25`,
      ),
  },
  {
    name: "of-maker",
    weight: 5,
    path: `${orders}?where[maker_id][_eq]=@&order_by=-created_at,id&limit=20`,
    sql: (rights) =>
      rows(
        select(rights),
        `${table} where ${ofMaker} and ${rights.may} order by o.created_at desc, o.id limit 20`,
      ),
  },
  {
    name: "several",
    weight: 4,
    value: "#,#,#,#,#",
    path: `${orders}?where[id][_in]=#,#,#,#,#&fields=id,number,status&order_by=id`,
    sql: (rights) =>
      rows(
        select(rights, ["id", "number", "status"]),
        `${table} where o.id = any (string_to_array($1, ',')::bigint[]) and ${rights.may} order by o.id limit 50`,
      ),
  },
  {
    name: "after-with-maker",
    weight: 4,
    path: `${orders}?where[id][_gt]=#&order_by=id&limit=25&fields=id,number,price,maker.name`,
    sql: (rights) =>
      rows(
        `${select(rights, ["id", "number", "price"])}, json_build_object('name', m.name) as maker`,
        `${withMaker} where o.id > $1::bigint and ${rights.may} order by o.id limit 25`,
      ),
  },
  {
    name: "counted",
    weight: 3,
    path: `${orders}?where[maker_id][_eq]=@&fields=id,number,status&order_by=id&limit=10&count=exact`,
    sql: (rights) =>
      `select (${rows(
        select(rights, ["id", "number", "status"]),
        `${table} where ${ofMaker} and ${rights.may} order by o.id limit 10`,
      )}) || ',"count":' || (select count(*) from ${table} where ${ofMaker} and ${rights.may}) as json`,
  },
  {
    name: "maker-with-orders",
    weight: 3,
    path: `${makers}/@?fields=id,name,orders.id,orders.price&deep[orders][limit]=5&deep[orders][order_by]=-id`,
    sql: (rights) =>
      row(
        `m.id, m.name, (${rows(
          select(rights, ["id", "price"]),
          `${table} where o.maker_id = m.id and ${rights.may} order by o.id desc limit 5`,
        )})::json as orders`,
        "bench_traffic.makers m where m.id = $1::integer",
      ),
  },
  {
    name: "second-page",
    weight: 2,
    path: `${orders}?where[maker_id][_eq]=@&fields=id,number,status&order_by=id&limit=10&offset=10`,
    sql: (rights) =>
      rows(
        select(rights, ["id", "number", "status"]),
        `${table} where ${ofMaker} and ${rights.may} order by o.id limit 10 offset 10`,
      ),
  },
  {
    name: "sums",
    weight: 2,
    path: `${orders}?aggregate=count,sum(price)&group_by=status&where[maker_id][_eq]=@`,
    sql: (rights) =>
      rows(
        "o.status, count(*)::text as count, sum(o.price)::text as sum_price",
        `${table} where ${ofMaker} and ${rights.may} group by o.status`,
      ),
  },
  {
    name: "open-or-large",
    weight: 2,
    path: `${orders}?where[_or][0][status][_eq]=OPEN&where[_or][1][quantity][_gt]=900&where[id][_gt]=#&fields=id,number&order_by=id&limit=10`,
    sql: (rights) =>
      rows(
        select(rights, ["id", "number"]),
        `${table} where (o.status = 'OPEN' or o.quantity > 900) and o.id > $1::bigint and ${rights.may} order by o.id limit 10`,
      ),
  },
  {
    name: "set-quantity",
    weight: 7,
    method: "PATCH",
    path: `${orders}/#`,
    data: { quantity: 7 },
    sql: change("quantity = ($2::text::json ->> 'quantity')::integer"),
  },
  {
    name: "set-price",
    weight: 5,
    method: "PATCH",
    path: `${orders}/#`,
    data: { price: "12.50", quantity: 5 },
    sql: change(
      "price = ($2::text::json ->> 'price')::numeric, quantity = ($2::text::json ->> 'quantity')::integer",
    ),
  },
  {
    name: "note",
    weight: 4,
    method: "POST",
    path: notes,
    data: { order_id: "#", author: "$EMAIL", text: "A note on the order" },
    sql: ({ mayWriteAs }) => ({
      write: `n as (insert into bench_traffic.notes (order_id, author, text)
      select d.order_id, d.author, d.text
      from json_to_record($1::text::json) d(order_id bigint, author text, text text) where ${mayWriteAs("d.author")} returning *)`,
      answer: row("n.*", "n"),
    }),
  },
  {
    name: "new-order",
    weight: 3,
    method: "POST",
    path: orders,
    data: {
      owner: "$EMAIL",
      team: "team-0",
      number: "N-#",
      status: "OPEN",
      quantity: 3,
      price: "9.90",
      maker_id: "@",
    },
    sql: (rights) => ({
      write: `o as (insert into bench_traffic.orders (owner, team, number, status, quantity, price, maker_id)
      select d.owner, d.team, d.number, d.status, d.quantity, d.price, d.maker_id
      from json_to_record($1::text::json) d(owner text, team text, number text, status text, quantity integer, price numeric, maker_id integer)
      where ${rights.mayWriteAs("d.owner")} returning *)`,
      answer: row(select(rights), "o"),
    }),
  },
  {
    name: "set-quantity-silently",
    weight: 1,
    method: "PATCH",
    path: `${orders}/#`,
    headers: { Prefer: "return=minimal" },
    data: { quantity: 8 },
    sql: change(
      "quantity = ($2::text::json ->> 'quantity')::integer",
      () => "select '{}' as json from o",
    ),
  },
];

/** Returns a request as the service, or a handwritten handler, receives it. */
export function formOf({ name, weight, method = "GET", path, value, data, headers }, isByHand) {
  const key = value ?? (path.includes("@") ? "@" : "#");
  return {
    ...{ weight, method },
    path: isByHand ? `/traffic/${name}/${key}` : path,
    // A number of a maker is a JSON number.
    body: data && JSON.stringify(isByHand ? data : { data }).replaceAll('"@"', "@"),
    prefer: headers?.Prefer,
  };
}
