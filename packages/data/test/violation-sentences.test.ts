import {
  createRole,
  createTestDatabase,
  createUser,
  expose,
  loadClinic,
  type TestDatabase,
  type TestUser,
} from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createClient, grant } from "./engine.ts";
import { createImporter } from "./importer.ts";

let test: TestDatabase;
let client: ReturnType<typeof createClient>;
/** May do everything. */
let doctor: TestUser;
/** May not read rooms and patients, and of vaccinations only those of the flu. */
let temp: TestUser;

const actions = ["READ", "CREATE", "UPDATE", "DELETE"] as const;

beforeAll(async () => {
  test = await createTestDatabase();
  await loadClinic(test.database);
  client = createClient(test.database);
  const doctors = await createRole(test.database, "Doctors");
  const temps = await createRole(test.database, "Temps");
  doctor = await createUser(test.database, "doctor@example.com", "Doctors");
  temp = await createUser(test.database, "temp@example.com", "Temps");
  for (const name of [
    "patient",
    "staff",
    "room",
    "site",
    "appointment",
    "vaccination",
    "vaccine",
  ]) {
    await expose(test.database, "clinic", name, "GET", "POST", "PATCH", "DELETE");
    for (const action of actions) {
      await grant(test.database, client.snapshots, doctors, `clinic/${name}`, { action });
      if (action === "READ" && ["patient", "room"].includes(name)) continue;
      const isFlu = action === "READ" && name === "vaccination";
      await grant(test.database, client.snapshots, temps, `clinic/${name}`, {
        action,
        ...(isFlu ? { rowFilter: { vaccine: { _eq: "FLU" } } } : {}),
      });
    }
  }
});
afterAll(() => test.drop());

const faultOf = ({ body }: { readonly body: unknown }) => {
  const [fault] = (
    body as { errors: readonly { path?: string; message: string; details?: object }[] }
  ).errors;
  return [fault?.message, fault?.path, fault?.details];
};
const visit = {
  ...{ room_site: "NORD", room_no: 1, pat: 1 },
  ...{ starts: "2027-01-01T08:00:00Z", ends: "2027-01-01T09:00:00Z" },
};
const create = (row: object, user = doctor) =>
  client.create(user, "clinic/appointment", { ...visit, ...row });

describe("a missing row that a value refers to", () => {
  it("is named with its table and its key", async () => {
    expect(faultOf(await create({ pat: 999 }))).toEqual([
      "patient 999 does not exist",
      "/data/pat",
      { reason: "MISSING", schema: "clinic", table: "patient", label: "patient", key: "999" },
    ]);
    expect(faultOf(await create({ room_no: 9 }))).toEqual([
      "room (NORD, 9) does not exist",
      "/data",
      {
        ...{ reason: "MISSING", schema: "clinic", table: "room", label: "room", key: "NORD, 9" },
        fields: ["room_site", "room_no"],
      },
    ]);
    const list = await client.create(doctor, "clinic/appointment", [visit, { ...visit, pat: 998 }]);
    expect(faultOf(list).slice(0, 2)).toEqual(["patient 998 does not exist", "/data/1/pat"]);
    expect(
      faultOf(await client.update(doctor, "clinic/appointment", "1", { seen_by: 77 })).slice(0, 2),
    ).toEqual(["staff 77 does not exist", "/data/seen_by"]);
  });

  it("is not named to a caller who may not read its table", async () => {
    expect(faultOf(await create({ pat: 999 }, temp))).toEqual([
      "The referenced row does not exist",
      "/data/pat",
      { reason: "MISSING" },
    ]);
  });

  it("is named at the row and the column of a file", async () => {
    const file = "pat,vaccine,given_on\r\n1,FLU,2026-01-01\r\n997,FLU,2026-01-01\r\n";
    const { body } = await createImporter(test.database).csv(doctor, "clinic/vaccination", file);
    expect(faultOf({ body })).toEqual([
      "patient 997 does not exist",
      "/1/pat",
      {
        ...{ line: 3, column: "pat" },
        ...{ reason: "MISSING", schema: "clinic", table: "patient", label: "patient", key: "997" },
      },
    ]);
  });
});

describe("a row that is in use", () => {
  it("says how many rows refer to it, as far as the caller sees them", async () => {
    expect(faultOf(await client.remove(doctor, "clinic/vaccine", "FLU"))).toEqual([
      "17 rows of vaccination refer to this row",
      undefined,
      { reason: "IN_USE", schema: "clinic", table: "vaccination", label: "vaccination", count: 17 },
    ]);
    await client.create(doctor, "clinic/vaccine", { code: "ONE", name: "Once" });
    const one = { pat: 1, vaccine: "ONE", given_on: "2026-01-01" };
    await client.create(doctor, "clinic/vaccination", one);
    expect(faultOf(await client.remove(doctor, "clinic/vaccine", "ONE"))[0]).toBe(
      "1 row of vaccination refers to this row",
    );
    // Someone who may see none of them.
    expect(faultOf(await client.remove(temp, "clinic/vaccine", "ONE"))).toEqual([
      "Other rows refer to this row",
      undefined,
      { reason: "IN_USE" },
    ]);
    expect(faultOf(await client.remove(temp, "clinic/vaccine", "FLU"))[0]).toBe(
      "17 rows of vaccination refer to this row",
    );
  });

  it("is not taken for a missing one when its key changes", async () => {
    expect(faultOf(await client.update(doctor, "clinic/vaccine", "FLU", { code: "XX" }))).toEqual([
      "17 rows of vaccination refer to this row",
      "/data/code",
      { reason: "IN_USE", schema: "clinic", table: "vaccination", label: "vaccination", count: 17 },
    ]);
  });
});

describe("a check", () => {
  it("names its columns, in a row and in a file", async () => {
    expect(faultOf(await create({ ends: visit.starts, starts: visit.ends }))).toEqual([
      "The check of ends and starts failed",
      "/data",
      { fields: ["ends", "starts"] },
    ]);
    const file = `room_site,room_no,pat,starts,ends\r\nNORD,1,1,${visit.ends},${visit.starts}\r\n`;
    const { body } = await createImporter(test.database).csv(doctor, "clinic/appointment", file);
    expect(faultOf({ body })).toEqual([
      "The check of ends and starts failed",
      "/0",
      { line: 2, fields: ["ends", "starts"] },
    ]);
  });
});
