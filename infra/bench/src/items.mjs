// The SQL of a handwritten handler for the table `bench.items`, by the name of its route.
import { row, rows } from "./traffic/requests.mjs";

const columns =
  "i.id::text as id, i.owner, i.title, i.code, i.quantity, i.price::text as price, i.maker_id, i.tags, i.created_at";
const table = "bench.items i";
const after = "i.id > $1::bigint";
const ofMaker = "i.maker_id = $1::integer";
const page = "order by i.id limit 25";

export const itemStatements = {
  item: ({ mayItem }) => row(columns, `${table} where i.id = $1::bigint and ${mayItem}`),
  items: ({ mayItem }) => rows(columns, `${table} where ${after} and ${mayItem} ${page}`),
  "items-with-maker": ({ mayItem }) =>
    rows(
      "i.id::text as id, i.title, i.price::text as price, json_build_object('name', m.name, 'country', m.country) as maker",
      `${table} left join bench.makers m on m.id = i.maker_id where ${after} and ${mayItem} ${page}`,
    ),
  "items-counted": ({ mayItem }) =>
    `select (${rows(columns, `${table} where ${ofMaker} and ${mayItem} ${page}`)}) || ',"count":'
      || (select count(*) from ${table} where ${ofMaker} and ${mayItem}) as json`,
  "new-item": ({ mayWriteAs }) => ({
    write: `i as (insert into bench.items (owner, title, code, quantity, price)
      select $1, $2, $3, $4::integer, $5::numeric where ${mayWriteAs("$1")} returning *)`,
    answer: row(columns, "i"),
  }),
};
