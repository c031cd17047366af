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
import { grant } from "./engine.ts";
import { createExporter, readCsv } from "./exporter.ts";
import { createImporter } from "./importer.ts";

let test: TestDatabase;
let exporter: ReturnType<typeof createExporter>;
let importer: ReturnType<typeof createImporter>;
/** Reads every patient. */
let clerk: TestUser;
/** Reads the patients of the north. */
let guest: TestUser;
let guests: string;

beforeAll(async () => {
  test = await createTestDatabase();
  await loadClinic(test.database);
  await test.database.query("update clinic.patient set home_site = 'NORD' where pid < 4");
  exporter = createExporter(test.database);
  importer = createImporter(test.database);
  const clerks = await createRole(test.database, "Clerks");
  guests = await createRole(test.database, "Guests");
  clerk = await createUser(test.database, "clerk@example.com", "Clerks");
  guest = await createUser(test.database, "guest@example.com", "Guests");
  for (const name of [
    "appointment_item",
    "patient",
    "staff",
    "room",
    "site",
    "appointment",
    "vaccination",
    "vaccine",
  ]) {
    await expose(test.database, "clinic", name, "GET", "POST");
    const isPatient = name === "patient";
    for (const role of [clerks, guests]) {
      await grant(test.database, exporter.snapshots, role, `clinic/${name}`, {
        action: "READ",
        ...(isPatient && role === guests ? { rowFilter: { home_site: { _eq: "NORD" } } } : {}),
      });
      await grant(test.database, exporter.snapshots, role, `clinic/${name}`, { action: "CREATE" });
    }
  }
  await test.database.query(
    `insert into system.resource_columns (resource_id, attribute_number, column_name, label, title_part)
     select r.id, a.attnum, a.attname, l.label, l.part::jsonb from (values ('vaccination', 'pat', 'Patient', null),
       ('vaccination', 'given_on', 'Day', null), ('vaccination', 'vaccine', 'id', null),
       ('patient', 'given', null, '{"place":0,"before":"","after":""}'), ('patient', 'family', null, '{"place":1,"before":" ","after":""}'),
       ('staff', 'given', null, '{"place":0,"before":"","after":""}'), ('staff', 'family', null, '{"place":1,"before":" ","after":""}'),
       ('vaccine', 'name', null, '{"place":0,"before":"","after":""}'), ('site', 'name', null, '{"place":0,"before":"","after":""}'),
       ('room', 'kind', null, '{"place":0,"before":"","after":""}')) l (t, c, label, part)
     join system.resources r on r.schema_name = 'clinic' and r.relation_name = l.t
     join pg_attribute a on a.attrelid = r.relation_oid and a.attname = l.c`,
  );
});
afterAll(() => test.drop());

const csv = async (query: string, user = clerk, name = "clinic/vaccination") => {
  const file = await exporter.csv(user, name, query);
  return typeof file === "string" ? readCsv(file) : file;
};
const load = (name: string, lines: readonly string[], query: string, user = clerk) =>
  importer.csv(user, `clinic/${name}`, lines.map((line) => `${line}\r\n`).join(""), { query });
const faultsOf = ({ body }: { readonly body: unknown }) =>
  (body as { errors: readonly { path?: string; message: string; details?: object }[] }).errors.map(
    ({ path, message, details }) => ({ path, message, details }),
  );
const inserted = (count: number) => ({
  status: 201,
  body: { data: { inserted: count, updated: 0, skipped: 0 }, meta: { dryRun: false } },
});

describe("an export with titles", () => {
  const one = "fields=id,pat,vaccine,given_on&where[id][_eq]=1&limit=1";

  it("gives keys, titles in their place, or both", async () => {
    expect(await csv(one)).toEqual([
      ["id", "pat", "vaccine", "given_on"],
      ["1", "1", "TDAP", "2026-11-15"],
    ]);
    expect(await csv(`${one}&references=title`)).toEqual([
      ["id", "pat", "vaccine", "given_on"],
      ["1", "Lea Novak", "Tetanus, diphtheria, pertussis", "2026-11-15"],
    ]);
    expect(await csv(`${one}&references=both`)).toEqual([
      ["id", "pat", "pat (title)", "vaccine", "vaccine (title)", "given_on"],
      ["1", "1", "Lea Novak", "TDAP", "Tetanus, diphtheria, pertussis", "2026-11-15"],
    ]);
  });

  it("has labels as heads, but none that is the name of another column", async () => {
    const [heads] = (await csv(`${one}&references=both&heads=label`)) as string[][];
    expect(heads).toEqual([
      "id",
      "Patient",
      "Patient (title)",
      "vaccine",
      "vaccine (title)",
      "Day",
    ]);
  });

  it("keeps the columns of a composite key, and has its title beside them", async () => {
    const query = "fields=id,room_site,room_no,seen_by&where[id][_eq]=1";
    expect(await csv(`${query}&references=title`, clerk, "clinic/appointment")).toEqual([
      ["id", "room_site", "room_no", "seen_by"],
      ["1", "SUED", "2", "Omar Haddad"],
    ]);
    expect(await csv(`${query}&references=both`, clerk, "clinic/appointment")).toEqual([
      ["id", "room_site", "room_no", "room (title)", "seen_by", "seen_by (title)"],
      ["1", "SUED", "2", "Treatment", "2", "Omar Haddad"],
    ]);
  });

  it("shows the title of a related row's own reference", async () => {
    const query = "fields=id,pat.family,pat.home_site&where[id][_eq]=1&references=title";
    expect(await csv(query)).toEqual([
      ["id", "pat.family", "pat.home_site"],
      ["1", "Novak", "Clinic North"],
    ]);
  });

  it("shows a row that names only others by their titles, and finds it by them", async () => {
    const query = "fields=appt,code&order_by=appt&limit=1&references=title";
    const [, row] = (await csv(query, clerk, "clinic/appointment_item")) as string[][];
    expect(row).toEqual(["Appointment · Jan Weber · 2026-11-02 07:45", "ECG"]);
    const lines = ["appt,code", `${row?.[0]?.toLowerCase()},XRAY`];
    expect(await load("appointment_item", lines, "references=title")).toEqual(inserted(1));
    expect(
      await test.database.query(
        "delete from clinic.appointment_item where code = 'XRAY' returning appt",
      ),
    ).toEqual([{ appt: 1 }]);
  });

  it("shows no title of a row that the reader may not see, from the next request on", async () => {
    const query = "fields=pat&where[id][_eq]=5&references=both";
    expect(await csv(query)).toEqual([
      ["pat", "pat (title)"],
      ["5", "Mia Ostrowski5"],
    ]);
    expect(await csv(query, guest)).toEqual([
      ["pat", "pat (title)"],
      ["5", null],
    ]);
    expect(await csv(query.replace("both", "title"), guest)).toEqual([["pat"], ["5"]]);
    await test.database.query("update clinic.patient set home_site = 'NORD' where pid = 5");
    expect(await csv(query.replace("both", "title"), guest)).toEqual([["pat"], ["Mia Ostrowski5"]]);
    await test.database.query("update clinic.patient set home_site = 'WEST' where pid = 5");
    // Without the grant, the reference has no title.
    const taken = await test.database.query<{ id: string }>(
      `delete from system.grants g using system.resources r
       where r.id = g.resource_id and r.relation_name = 'patient' and g.role_id = $1::text::uuid and g.action = 'READ' returning g.id`,
      [guests],
    );
    expect(taken).toHaveLength(1);
    expect(await csv("fields=pat&where[id][_eq]=1&references=both", guest)).toEqual([
      ["pat"],
      ["1"],
    ]);
    await grant(test.database, exporter.snapshots, guests, "clinic/patient", {
      ...{ action: "READ", rowFilter: { home_site: { _eq: "NORD" } } },
    });
  });

  it("refuses another form, groups and NDJSON", async () => {
    expect(await csv("references=name&heads=names")).toMatchObject({
      status: 400,
      errors: [
        { code: "QUERY_INVALID", path: "references" },
        { code: "QUERY_INVALID", path: "heads" },
      ],
    });
    expect(await csv("aggregate=count&group_by=pat&references=title")).toMatchObject({
      status: 400,
    });
    expect(await exporter.ndjson(clerk, "clinic/vaccination", "heads=label")).toMatchObject({
      status: 400,
      errors: [{ path: "heads", message: "heads applies to CSV only" }],
    });
  });
});

describe("an import with titles", () => {
  const heads = "pat,vaccine,given_on";

  it("reads titles and keys, whatever their case and blanks", async () => {
    const lines = [
      heads,
      "Lea Novak,Influenza,2026-01-01",
      "  lea   NOVAK ,FLU,2026-01-01",
      "4,influenza,2026-01-01",
    ];
    expect(await load("vaccination", lines, "references=title")).toEqual(inserted(3));
    const rows = await test.database.query(
      "delete from clinic.vaccination where given_on = '2026-01-01' returning pat, vaccine",
    );
    expect(rows).toEqual([
      { pat: 1, vaccine: "FLU" },
      { pat: 1, vaccine: "FLU" },
      { pat: 4, vaccine: "FLU" },
    ]);
  });

  it("names the rows of an ambiguous title, an unknown one, and the other faults of the file at row and column", async () => {
    const lines = [
      heads,
      "Jan Weber,FLU,2026-01-01",
      "Lea Nowak,FLU,2026-01-01",
      "Lea Novak,FLU,2026-02-30",
      "999,FLU,2026-01-01",
      "Lea Novak,,2026-01-01",
    ];
    const answer = await load("vaccination", lines, "references=title");
    expect(answer.status).toBe(400);
    expect(faultsOf(answer)).toMatchObject([
      {
        path: "/0/pat",
        message: "“Jan Weber” can be 2 rows of patient: 2, 3",
        details: { line: 2, column: "pat", reason: "AMBIGUOUS_TITLE", candidates: [["2"], ["3"]] },
      },
      {
        path: "/1/pat",
        message: "No row of patient is “Lea Nowak”",
        details: { line: 3, column: "pat", reason: "UNKNOWN_TITLE" },
      },
      { path: "/2/given_on", details: { line: 4 } },
      { path: "/3/pat", details: { line: 5, column: "pat" } },
      { path: "/4/vaccine", details: { line: 6 } },
    ]);
    expect(answer.body).toMatchObject({ meta: { faults: { count: 5, complete: true } } });
  });

  it("finds only rows that the caller may read", async () => {
    const lines = [heads, "Mia Ostrowski5,FLU,2026-01-01"];
    expect(faultsOf(await load("vaccination", lines, "references=title", guest))).toMatchObject([
      { message: "No row of patient is “Mia Ostrowski5”" },
    ]);
    expect(await load("vaccination", lines, "references=title&dry_run=true")).toMatchObject({
      status: 200,
    });
  });

  it("reads a file with keys and titles, and refuses a title that is not that of its key", async () => {
    const both = "pat,pat (title),vaccine (title),given_on";
    const good = [both, "2,Jan Weber,Influenza,2026-01-01", ",Lea Novak,Influenza,2026-01-01"];
    expect(await load("vaccination", good, "references=both")).toEqual(inserted(2));
    const bad = [both, "1,Jan Weber,Influenza,2026-01-01"];
    expect(faultsOf(await load("vaccination", bad, "references=both"))).toMatchObject([
      { path: "/0/pat", message: "The key is not that of patient “Jan Weber”" },
    ]);
    await test.database.query("delete from clinic.vaccination where given_on = '2026-01-01'");
  });

  it("names the columns by their labels", async () => {
    const lines = ["Patient,vaccine,Day", "Lea Novak,Influenza,2026-01-01"];
    expect(await load("vaccination", lines, "references=title&heads=label")).toEqual(inserted(1));
    expect(await load("vaccination", lines, "references=title")).toMatchObject({ status: 400 });
    await test.database.query("delete from clinic.vaccination where given_on = '2026-01-01'");
  });

  it("finds the room of a composite key by its title", async () => {
    await test.database.query(
      "update clinic.room set kind = 'Attic' where site = 'WEST' and no = 3",
    );
    const rows = "pat,room (title),starts,ends";
    const when = "2027-01-01T08:00:00Z,2027-01-01T09:00:00Z";
    expect(
      await load("appointment", [rows, `Lea Novak,Attic,${when}`], "references=title"),
    ).toEqual(inserted(1));
    const [row] = await test.database.query(
      "delete from clinic.appointment where starts = '2027-01-01T08:00:00Z' returning room_site, room_no",
    );
    expect(row).toEqual({ room_site: "WEST", room_no: 3 });
    expect(
      faultsOf(
        await load("appointment", [rows, `Lea Novak,Laboratory,${when}`], "references=title"),
      ),
    ).toMatchObject([{ path: "/0", details: { fields: ["room_site", "room_no"] } }]);
  });

  it.each(["title", "both"])("reads an export with references=%s back", async (references) => {
    const fields = "fields=pat,vaccine,given_on,given_by&order_by=id&where[pat][_nin]=2,3";
    const query = `references=${references}&heads=label`;
    const file = await exporter.csv(clerk, "clinic/vaccination", `${fields}&${query}`);
    const before = await exporter.csv(clerk, "clinic/vaccination", fields);
    await test.database.query("delete from clinic.vaccination where pat not in (2, 3)");
    expect(await importer.csv(clerk, "clinic/vaccination", String(file), { query })).toMatchObject({
      status: 201,
    });
    expect(await exporter.csv(clerk, "clinic/vaccination", fields)).toBe(before);
  });

  it("has a head for each column once, and no form for NDJSON", async () => {
    const twice = ["pat,pat (title)", "1,Lea Novak"];
    expect(await load("vaccination", twice, "references=title")).toMatchObject({ status: 400 });
    expect(await load("vaccination", ["pat (title)", "Lea Novak"], "")).toMatchObject({
      status: 400,
      body: { errors: [{ code: "FIELD_UNKNOWN", path: "/pat (title)" }] },
    });
    expect(
      await importer.ndjson(clerk, "clinic/vaccination", "{}", { query: "references=title" }),
    ).toMatchObject({ status: 400, body: { errors: [{ path: "references" }] } });
  });
});
