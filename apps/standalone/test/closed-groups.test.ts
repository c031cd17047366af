// Tiers: usual, topologies.
import { createRole, createUser, expose, type TestUser } from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openTestEnvironment, type TestEnvironment } from "./test-environment.ts";

// A kanban shows a column closed before somebody tries to move a card there. The Data API is the judge.

let environment: TestEnvironment;
let worker: TestUser;
const ids: Record<string, string> = {};

const administer = (method: string, path: string, data: unknown) =>
  environment.ask(method, `/admin/api${path}`, { as: environment.admin.secret, body: { data } });

beforeAll(async () => {
  environment = await openTestEnvironment();
  const { database } = environment.test;
  await database.query(`
    create type public.stage as enum ('TODO', 'DOING', 'DONE', 'DROPPED');
    create table public.boxes (id int primary key, name text);
    create table public.cards (id int primary key, title text, stage public.stage, urgent boolean not null,
      box_id int references public.boxes (id), note text);
    insert into public.boxes values (1, 'One'), (2, 'Two');
    insert into public.cards values (1, 'Card', 'TODO', false, 1, 'x')`);
  await expose(database, "public", "cards", "GET", "PATCH");
  await expose(database, "public", "boxes", "GET");
  await createRole(database, "Workers");
  worker = await createUser(database, "worker@example.com", "Workers");
  const rows = await database.query<{ name: string; id: string }>(
    `select relation_name as name, id from system.resources where relation_name in ('cards', 'boxes')
     union all select name, id from system.roles`,
  );
  for (const { name, id } of rows) ids[name] = id;
  for (const resource of ["cards", "boxes"]) {
    const data = { roleId: ids.Workers, resourceId: ids[resource], action: "READ" };
    expect((await administer("POST", "/grants", data)).status).toBe(201);
  }
});
afterAll(() => environment.stop());

/** Grants under which columns beside the group decide. */
const byNote = {
  check: { _or: [{ stage: { _eq: "DONE" }, note: { _eq: "y" } }, { stage: { _null: true } }] },
};

const byBox = { check: { box_id: { _in: [2] } } };

const updates: readonly object[] = [
  {},
  { fields: ["title"] },
  { check: { stage: { _in: ["TODO", "DOING"] } } },
  { check: { stage: { _neq: "DONE" }, urgent: { _eq: false }, box_id: { _nin: [2, 3] } } },
  { check: { _not: { _or: [{ stage: { _eq: "DROPPED" } }, { box_id: { _eq: 2 } }] } } },
  byNote,
  byBox,
  { check: { urgent: { _neq: true } } },
  { fields: ["stage", "urgent"], rowFilter: { stage: { _neq: "DONE" } } },
  { presets: { stage: "DOING" } },
];

describe("a closed column of a kanban", () => {
  it.each(updates)(
    "refuses the card under the grant %j, and an open one takes it unless other columns decide",
    async (terms) => {
      const grant = { roleId: ids.Workers, resourceId: ids.cards, action: "UPDATE", ...terms };
      const made = await administer("POST", "/grants", grant);
      expect([made.text, made.status]).toEqual([made.text, 201]);
      for (const group of ["stage", "urgent", "box_id"]) {
        const presentation = { version: 1, layout: "kanban", group, title: "title" };
        const view = { name: group, resourceId: ids.cards, roleIds: [ids.Workers], presentation };
        const { id } = (await administer("POST", "/data-views", view)).body.data;
        const { groups } = (
          await environment.ask("GET", `/app/api/data-views/${id}`, { as: worker.secret })
        ).body.data;
        expect(groups.length).toBeGreaterThan(1);
        for (const { value, closed } of groups) {
          const moved = await environment.ask("PATCH", "/api/public/table/cards/1", {
            as: worker.secret,
            body: { data: { [group]: value } },
          });
          const label = `${JSON.stringify(terms)} ${group} ${value} ${closed} ${moved.text}`;
          if (closed || (terms !== byNote && terms !== byBox))
            expect(moved.status === 200, label).toBe(!closed);
          if (moved.status === 200) {
            await environment.test.database.query(
              "update public.cards set stage = 'TODO', urgent = false, box_id = 1 where id = 1",
            );
          }
        }
        await administer("DELETE", `/data-views/${id}`, undefined);
      }
      await environment.test.database.query("delete from system.grants where id = $1::text::uuid", [
        made.body.data.id,
      ]);
    },
  );
});
