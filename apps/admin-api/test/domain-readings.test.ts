import { createUser, expose, type TestUser } from "@rowhouse/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openTestEnvironment, type TestEnvironment } from "./test-environment.ts";

// Codes are a domain over varchar(3), prices one over numeric(5,2), states one over char(1): a cast would cut a value.

let environment: TestEnvironment;
let clerk: TestUser;
let goods: string;
let roleIds: string[];

const query = (text: string) => environment.test.database.query<Record<string, string>>(text);

beforeAll(async () => {
  environment = await openTestEnvironment();
  await query(
    `create schema shop;
     create domain shop.code as varchar(3); create domain shop.price as numeric(5,2); create domain shop.state as char(1);
     create table shop.states (state shop.state primary key, name text);
     create table shop.goods (id int primary key, code shop.code, price shop.price, state shop.state references shop.states);
     insert into shop.states values ('o', 'open'), ('s', 'sold');
     insert into shop.goods values (1, 'abc', 5, 'o'), (2, 'abd', 6, 's')`,
  );
  await query("insert into system.roles (name) values ('Clerks')");
  clerk = await createUser(environment.test.database, "clerk@example.com", "Clerks");
  const idOf = async (sql: string) => (await query(sql))[0]?.id ?? "";
  roleIds = [await idOf("select id from system.roles where name = 'Clerks'")];
  for (const name of ["goods", "states"]) {
    await expose(environment.test.database, "shop", name, "GET");
    const resourceId = await idOf(
      `select id from system.resources where relation_name = '${name}'`,
    );
    const grant = { roleId: roleIds[0], resourceId, action: "READ" };
    expect((await environment.ask("POST", "/grants", grant)).faults).toEqual([]);
    if (name === "goods") goods = resourceId;
  }
});
afterAll(() => environment.test.drop());

async function made(path: string, input: object): Promise<string> {
  const answer = await environment.ask("POST", path, { name: "Goods", roleIds, ...input });
  expect(answer.faults).toEqual([]);
  return `${path}/${answer.body.data.id}`;
}

it("parameters of a dashboard are compared whole with a column of a domain", async () => {
  const fields = ["code", "price", "state"];
  const path = await made("/dashboards", {
    parameters: [
      ...fields.map((field) => ({
        ...{ name: field, label: field, kind: "VALUE", resourceId: goods, field },
      })),
      ...fields.map((field) => ({
        ...{ name: `${field}s`, label: field, kind: "VALUE", resourceId: goods, field },
        multiple: true,
      })),
    ],
    panels: [
      {
        ...{ id: "all", kind: "FIGURE", resourceId: goods, definition: { aggregate: ["count"] } },
        bindings: fields.flatMap((field) => [
          { parameter: field, field },
          { parameter: `${field}s`, field },
        ]),
      },
    ],
  });
  const figure = async (values: object) => {
    const given = `parameters=${encodeURIComponent(JSON.stringify(values))}`;
    const answer = await environment.app(`${path}/panels/all?${given}`, clerk.secret);
    return answer.body.data?.figure.value ?? answer.faults;
  };
  expect(await figure({})).toBe(2);
  for (const [name, fits, cut] of [
    ["code", "abc", "abcZZ"],
    ["price", "5.00", "5.004"],
    ["state", "o", "open"],
  ] as const) {
    expect([name, await figure({ [name]: fits })]).toEqual([name, 1]);
    expect([name, await figure({ [name]: cut })]).toEqual([name, 0]);
    expect([name, await figure({ [`${name}s`]: [fits, cut] })]).toEqual([name, 1]);
    expect([name, await figure({ [`${name}s`]: [cut] })]).toEqual([name, 0]);
  }
});

it("conditions of a DataView and the groups of its board are compared whole with a column of a domain", async () => {
  const kanban = { version: 1, layout: "kanban", group: "state", title: "code" };
  const path = await made("/data-views", { resourceId: goods, presentation: kanban });
  const ids = async (where: object) => {
    const text = `where=${encodeURIComponent(JSON.stringify(where))}`;
    const answer = await environment.app(`${path}?${text}`, clerk.secret);
    expect(answer.faults).toEqual([]);
    return answer.body.data.rows.map(({ id }: { readonly id: number }) => id);
  };
  expect(await ids({ state: { _eq: "o" } })).toEqual([1]);
  expect(await ids({ state: { _eq: "open" } })).toEqual([]);
  expect(await ids({ state: { _in: ["open", "s"] } })).toEqual([2]);
  expect(await ids({ code: { _eq: "abcZZ" } })).toEqual([]);
  expect(await ids({ price: { _lt: "5.004" } })).toEqual([1]);
});
