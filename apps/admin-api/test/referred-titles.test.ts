import { createUser, expose, loadClinic, type TestUser } from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openTestEnvironment, type TestEnvironment } from "./test-environment.ts";

// A clinic: the doctor reads everything, the clerk no patients at first, and the nurse only those of the north.

let api: TestEnvironment;
const users: Record<string, TestUser> = {};
const ids: Record<string, string> = {};

const tables = ["appointment", "appointment_item", "patient", "service_item", "vaccination"];
const roles = ["Doctor", "Clerk", "Nurse"];

beforeAll(async () => {
  api = await openTestEnvironment();
  const { database } = api.test;
  await loadClinic(database);
  for (const role of roles) {
    await database.query("insert into system.roles (name) values ($1)", [role]);
    users[role] = await createUser(database, `${role.toLowerCase()}@example.com`, role);
  }
  for (const table of tables) await expose(database, "clinic", table, "GET");
  const found = await database.query<{ name: string; id: string }>(
    `select name, id from system.roles union all
     select relation_name, id from system.resources where schema_name = 'clinic'`,
  );
  for (const { name, id } of found) ids[name] = id;
  for (const role of roles) {
    for (const table of tables) {
      if (role === "Clerk" && table === "patient") continue;
      const isLimited = role === "Nurse" && table === "patient";
      await grant(role, table, isLimited ? { rowFilter: { home_site: { _eq: "NORD" } } } : {});
    }
  }
});
afterAll(() => api.test.drop());

async function grant(role: string, table: string, terms: object = {}): Promise<string> {
  const data = { roleId: ids[role], resourceId: ids[table], action: "READ", ...terms };
  const answer = await api.ask("POST", "/grants", data);
  expect(answer.faults).toEqual([]);
  return answer.body.data.id;
}

const secretOf = (role: string) => users[role]?.secret ?? "";

/** The response that a person receives from the Data API. */
async function read(role: string, path: string) {
  const data = { userId: users[role]?.id, path };
  return (await api.ask("POST", "/permissions/preview", data)).body.data;
}

/** The title of a table in a person's navigation, with what it names of other rows. */
async function titleOf(role: string, table: string) {
  const { resources } = (await api.app("/navigation", secretOf(role))).body.data;
  return resources.find(({ name }: { name: string }) => name === table)?.title;
}

const given = [
  { field: "given", before: "", after: "" },
  { field: "family", before: " ", after: "" },
];

describe("the title of a row that names only others", () => {
  it("is made of the other row's own title and a date", async () => {
    expect(await titleOf("Doctor", "vaccination")).toEqual([
      {
        ...{ field: "pat", before: "Vaccination · ", after: "" },
        reference: { relation: "pat", title: given },
      },
      { field: "given_on", before: " · ", after: "" },
    ]);
  });

  it("names no table and no column that its reader may not read", async () => {
    const title = JSON.stringify(await titleOf("Clerk", "vaccination"));
    expect(title).not.toMatch(/relation":"pat|family/);
    const fields = "fields=id,pat_row:pat.family";
    expect((await read("Clerk", `/api/clinic/table/vaccination?${fields}`)).status).toBe(400);
  });

  it("appears and disappears with the grant, on the next request", async () => {
    const id = await grant("Clerk", "patient", { fields: ["pid", "given", "family"] });
    expect(JSON.stringify(await titleOf("Clerk", "vaccination"))).toContain("family");
    await api.ask("PATCH", `/grants/${id}`, { fields: ["pid", "family"] });
    expect((await titleOf("Clerk", "vaccination"))[0].reference.title).toEqual([
      { field: "family", before: "", after: "" },
    ]);
    expect((await api.ask("DELETE", `/grants/${id}`)).status).toBe(204);
    expect(JSON.stringify(await titleOf("Clerk", "vaccination"))).not.toContain("family");
  });

  it("is shown with one request for all rows of a list, the key standing for a hidden row", async () => {
    const fields = "fields=id,pat,pat_row:pat.given,pat_row:pat.family&order_by=id&limit=6";
    const answer = await read("Nurse", `/api/clinic/table/vaccination?${fields}`);
    const rows = JSON.parse(answer.body).data as { pat: number; pat_row: unknown }[];
    // The patients of the north are those whose number 3 divides.
    expect(rows.map(({ pat_row }) => pat_row === null)).toEqual(
      rows.map(({ pat }) => pat % 3 !== 0),
    );
  });

  it("may be set by an administrator with columns that refer to rows", async () => {
    const path = `/resources/${ids.appointment}`;
    expect((await api.ask("PATCH", path, { title: "{state}: {pat}" })).status).toBe(200);
    expect((await titleOf("Doctor", "appointment"))[1]).toEqual({
      ...{ field: "pat", before: ": ", after: "" },
      reference: { relation: "pat", title: given },
    });
    expect((await titleOf("Clerk", "appointment"))[1]).toEqual({
      ...{ field: "pat", before: ": ", after: "" },
    });
    await api.ask("PATCH", path, { title: null });
  });
});

describe("a reading that refers to a row that names only others", () => {
  let view: string;

  beforeAll(async () => {
    const made = await api.ask("POST", "/data-views", {
      ...{ name: "Items", resourceId: ids.appointment_item, orderBy: ["appt"], limit: 3 },
      roleIds: roles.map((role) => ids[role]),
      fields: ["appt", "code"],
    });
    expect(made.faults).toEqual([]);
    view = made.body.data.id;
  });

  const titlesFor = async (role: string) => {
    const { fields } = (await api.app(`/data-views/${view}`, secretOf(role))).body.data;
    return Object.fromEntries(
      fields.map(({ name, titles }: { name: string; titles?: object }) => [name, titles]),
    );
  };

  it("has titles with the names and the minute, as far as each reader may read them", async () => {
    const names = await api.test.database.query<{ id: number; name: string; site: string }>(
      `select a.id, p.given || ' ' || p.family as name, p.home_site as site, p.pid
       from clinic.appointment a join clinic.patient p on p.pid = a.pat where a.id <= 3 order by a.id`,
    );
    const doctor = await titlesFor("Doctor");
    expect(Object.keys(doctor.appt)).toEqual(["1", "2", "3"]);
    for (const { id, name } of names) {
      expect(doctor.appt[id]).toMatch(
        new RegExp(`^Appointment · ${name} · 2026-11-02 \\d\\d:\\d\\d$`),
      );
    }
    expect(doctor.code.CONS ?? doctor.code.ECG).toMatch(/^(?:CONS Consultation|ECG Electro)/);
    const nurse = await titlesFor("Nurse");
    const clerk = await titlesFor("Clerk");
    for (const { id, name, site } of names) {
      expect(JSON.stringify(clerk)).not.toContain(name);
      expect(nurse.appt[id].includes(name)).toBe(site === "NORD");
    }
  });
});
