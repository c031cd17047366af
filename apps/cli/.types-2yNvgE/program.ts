import { createClient } from "@rowhouse/client";
import type { Resources } from "./resources.ts";

const [url = "", token = ""] = process.argv.slice(2);
const client = createClient<Resources>({ url, token });
const cars = client.from("yard.cars");
const page = await cars.list({
  fields: ["id", "plate", "owner.name", "owner.boss.name", "parts"],
  where: { owner: { boss: { name: { _eq: "Ada" } } }, price: { _gt: 12n }, parts: { _none: {} } },
});
const [car] = page.rows;
const price: string | undefined = (await cars.list()).rows[0]?.price;
const boss: string | undefined = car?.owner?.boss?.name;
const numbers: number[] = (car?.parts ?? []).map((part) => part.number);
// @ts-expect-error: not selected
car?.price;
// @ts-expect-error: no such field
cars.list({ fields: ["id", "colour"] }).catch(() => null);
// @ts-expect-error: no such field of the related row
cars.list({ fields: ["owner.nam"] }).catch(() => null);
// @ts-expect-error: no such label
cars.list({ where: { state: { _eq: "OLD" } } }).catch(() => null);
// @ts-expect-error: a required field is missing
cars.create({ plate: "B" }).catch(() => null);
// @ts-expect-error: a generated column
cars.update(1, { id: 2 }).catch(() => null);
// @ts-expect-error: no such table
(() => client.from("yard.people2"))();
// @ts-expect-error: a view without its kind
(() => client.from("yard.prices"))();
// @ts-expect-error: no key
client
  .from("yard.log")
  .get(1)
  .catch(() => null);
const prices = await client.from("yard.prices", "view").list({ fields: ["price"] });
// @ts-expect-error: a view is not written
client
  .from("yard.prices", "view")
  .create({ price: "1" })
  .catch(() => null);
const made = await cars.create({ plate: "B", price: 3, state: 'SOLD "as is"', tags: ["x"] });
const state: "NEW" | 'SOLD "as is"' | undefined = made.row?.state;
const part = await client.from("yard.parts").create({ car_id: made.row?.id ?? 0, number: 7 });
const read = await client
  .from("yard.parts")
  .get([part.row?.car_id ?? 0, 7], { fields: ["car.plate"] });
const noted = (await cars.list({ fields: ["id", "notes.size.w", "notes.color"] })).rows[0]?.notes;
const size: unknown = noted?.size;
// @ts-expect-error: a text has no parts
cars.list({ fields: ["plate.x"] }).catch(() => null);
const odd = client.from('yard."a.b""; export const y = 1; //"');
const oddRow = (await odd.create({ constructor: 1, ["__proto__"]: "p", "x y": 2 })).row;
const proto: string | null | undefined = (await odd.get(1)).row.__proto__;
const sums = await cars.aggregate({ aggregate: ["count", "sum(price)"], groupBy: ["state"] });
const count: number = sums.rows[0]?.count ?? 0;
console.log(
  JSON.stringify({
    price,
    boss,
    numbers,
    prices: prices.rows,
    state,
    read: read.row,
    size,
    x: oddRow?.["x y"],
    proto,
    count,
  }),
);
