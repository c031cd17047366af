// Tier: long. One of the longest files; plan.test.ts is in every run.
import { createSnapshotStore } from "@rowhouse/db";
import { describe, expect, it } from "vitest";
import { type Files, readDrift } from "../src/index.ts";
import { expectSameBytes, faultsOf, openConfigurator, root, stepsOf } from "./configuration.ts";

const trips = `columns:
  id: { type: bigint, identity: ALWAYS }
  distance: { type: "numeric(8, 1)" }
  status: { type: text }
  started_at: { type: timestamp with time zone }
  driver_id: { type: uuid }
primaryKey: [id]
exposed: [GET]
`;
const view = `resource: fleet.trips
description: |-
  Trips that
  are long
icon: truck
position: 3
roles:
  - Administrators
  - Clerks
fields:
  - id
  - distance
where:
  distance:
    _gt: "100000000000000000000.50"
  status:
    _in:
      - a
      - "1"
orderBy:
  - -started_at
limit: 50
presentation:
  version: 1
  layout: table
  columns:
    - field: distance
      width: 120
      pinned: true
      summary: sum
`;
const dashboard = `icon: gauge
refreshSeconds: 60
roles:
  - Clerks
parameters:
  - name: period
    label: Period
    kind: PERIOD
    default:
      from: 2026-01-01
      until: 2026-02-01
  - name: status
    label: Status
    kind: VALUE
    resource: fleet.trips
    field: status
    multiple: true
    default:
      - a
  - name: driver
    label: Driver
    kind: PERSON
    resource: fleet.trips
    field: driver_id
    default: ME
  - name: anyone
    label: Anyone
    kind: PERSON
panels:
  - id: text
    kind: TEXT
    layout:
      x: 0
      y: 0
      w: 12
      h: 3
    definition:
      markdown: |
        # Trips
  - id: figure
    kind: FIGURE
    title: "Distance: all"
    resource: fleet.trips
    layout:
      x: 0
      y: 3
      w: 3
      h: 3
    bindings:
      - parameter: period
        field: started_at
      - parameter: status
        field: status
    definition:
      aggregate:
        - sum(distance)
      where:
        status:
          _neq: b
      time:
        field: started_at
        unit: month
      comparison: true
      sparkline: true
    presentation:
      version: 1
      goodWhen: UP
      color: green
  - id: chart
    kind: CHART
    resource: fleet.longest
    layout:
      x: 3
      y: 3
      w: 9
      h: 6
    definition:
      aggregate:
        - count
      groupBy:
        - status
      orderBy:
        - -count
      limit: 10
      fillGaps: false
    presentation:
      version: 1
      chart: donut
  - id: pivot
    kind: PIVOT
    resource: fleet.trips
    layout:
      x: 0
      y: 9
      w: 12
      h: 7
    definition:
      aggregate:
        - count
      rows:
        - status
      columns:
        - driver_id
  - id: list
    kind: LIST
    resource: fleet.trips
    layout:
      x: 0
      y: 16
      w: 12
      h: 7
    definition:
      fields:
        - id
        - status
`;
const plain = "resource: fleet.trips\n";
const wanted: Files = {
  ...root("tables", "views", "roles", "data-views", "dashboards"),
  "tables/fleet/trips.yaml": trips,
  "views/fleet/longest.yaml": "exposed: [GET]\n",
  "views/fleet/longest.sql": "select id, status from fleet.trips where distance > 100",
  "roles/Clerks.yaml": "apiAccess: true\n",
  "data-views/Long trips%3A 1%2F2.yaml": view,
  "data-views/Plain.yaml": plain,
  "dashboards/Fleet ü.yaml": dashboard,
  "dashboards/Empty.yaml": "{}\n",
};

async function open() {
  const own = await openConfigurator();
  await own.set(wanted);
  return own;
}

describe("data views and dashboards", () => {
  it("are the same bytes after an apply to an empty database", { timeout: 60_000 }, async () => {
    const own = await open();
    // A client of the database may store the keys in another order.
    await own.database.query(
      `update system.data_views set presentation = '{"columns":[{"summary":"sum","pinned":true,"width":120,"field":"distance"}],"layout":"table","version":1}'
       where name like 'Long%'`,
    );
    const files = await expectSameBytes(own);
    expect(files["data-views/Long trips%3A 1%2F2.yaml"]).toBe(view);
    expect(files["data-views/Plain.yaml"]).toBe(plain);
    expect(files["dashboards/Fleet ü.yaml"]).toBe(dashboard);
    expect(files["dashboards/Empty.yaml"]).toBe("");
    expect(JSON.stringify(files)).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-/);
  });

  it("show what people changed beside the documents, and follow a renamed column", async () => {
    const own = await open();
    await own.database.query(
      `update system.dashboard_panels set title = 'By hand' where id = 'pivot';
       insert into system.data_view_roles select v.id, r.id from system.data_views v, system.roles r
         where v.name = 'Plain' and r.name = 'Clerks'`,
    );
    const snapshots = createSnapshotStore(own.database);
    const drifted = async () =>
      (await readDrift(own.database, snapshots)).files.map(({ path }) => path);
    expect(await drifted()).toEqual(["dashboards/Fleet ü.yaml", "data-views/Plain.yaml"]);
    expect(stepsOf(await own.set(wanted))).toEqual([
      "data-view.update Plain",
      "dashboard.update Fleet ü",
    ]);
    expect(await drifted()).toEqual([]);
    await own.database.query("alter table fleet.trips rename distance to length");
    expect(await drifted()).toContain("data-views/Long trips%3A 1%2F2.yaml");
    expect((await own.pull())["data-views/Long trips%3A 1%2F2.yaml"]).toContain("field: length");
  });

  it("are saved again if their filters were written for a column of another type, as grants are", async () => {
    const own = await openConfigurator();
    const files: Files = {
      ...root("tables", "roles", "data-views"),
      "tables/fleet/trips.yaml": trips,
      "roles/Clerks.yaml": `apiAccess: true
grants:
  fleet.trips:
    READ:
      filter: { distance: { _lt: 5 } }
    UPDATE: {}
`,
      "data-views/Long trips.yaml": view,
      "data-views/Plain.yaml": plain,
    };
    await own.set(files);
    expect(stepsOf(await own.plan(files))).toEqual([]);
    await own.database.query(
      "alter table fleet.trips alter distance type double precision, alter status type varchar(9)",
    );
    const now = {
      ...files,
      "tables/fleet/trips.yaml": trips
        .replace('"numeric(8, 1)"', "double precision")
        .replace("status: { type: text }", 'status: { type: "character varying(9)" }'),
    };
    expect(stepsOf(await own.set(now))).toEqual([
      "grants.set Clerks: READ fleet.trips",
      "data-view.update Long trips",
    ]);
    expect(stepsOf(await own.plan(now))).toEqual([]);
  });

  it("have a step for each changed record, and are deleted with a consent", async () => {
    const own = await open();
    const { "data-views/Plain.yaml": _, "dashboards/Empty.yaml": __, ...fewer } = wanted;
    const plan = await own.plan({
      ...fewer,
      "data-views/Long trips%3A 1%2F2.yaml": view
        .replace("  - Administrators\n", "")
        .replace("limit: 50", "limit: 51"),
      "dashboards/Fleet ü.yaml": dashboard.replace("id: text", "id: words"),
      "dashboards/New.yaml": "description: New\n",
    });
    expect(stepsOf(plan)).toEqual([
      "data-view.delete Plain",
      "dashboard.delete Empty",
      "data-view.update Long trips: 1/2",
      "dashboard.update Fleet ü",
      "dashboard.create New",
    ]);
    expect(await faultsOf(own.apply(plan))).toEqual([
      "BODY_INVALID -:-:- The plan needs these consents: drop:data-view:Plain, drop:dashboard:Empty",
    ]);
    await own.apply(plan, ["drop:data-view:Plain", "drop:dashboard:Empty"]);
    expect(Object.keys(await own.pull()).filter((path) => path.startsWith("da"))).toEqual([
      "dashboards/Fleet ü.yaml",
      "dashboards/New.yaml",
      "data-views/Long trips%3A 1%2F2.yaml",
    ]);
  });

  it("follow a table and a role that get another name, without a step of their own", async () => {
    const own = await open();
    const { "tables/fleet/trips.yaml": _, "roles/Clerks.yaml": __, ...others } = wanted;
    const renamed = Object.fromEntries(
      Object.entries(others).map(([path, text]) => [
        path,
        text.replaceAll("fleet.trips", "fleet.journeys").replaceAll("- Clerks", "- Staff"),
      ]),
    );
    const files = {
      ...renamed,
      "tables/fleet/journeys.yaml": `renamedFrom: fleet.trips\n${trips}`,
      "roles/Staff.yaml": "renamedFrom: Clerks\napiAccess: true\n",
    };
    const plan = await own.set(files);
    expect(stepsOf(plan)).toContain("table.alter fleet.trips");
    expect(stepsOf(plan).filter((step) => /^(?:data-view|dashboard)\./.test(step))).toEqual([]);
    const pulled = await own.pull();
    expect(pulled["data-views/Plain.yaml"]).toBe("resource: fleet.journeys\n");
    expect(pulled["dashboards/Fleet ü.yaml"]).toContain("- Staff");
    expect(stepsOf(await own.plan(files))).toEqual([]);
  });

  it("with one name are refused, since a document is known by its name", async () => {
    const own = await open();
    await own.database.query("insert into system.dashboards (name) values ('Empty')");
    expect(await faultsOf(own.pull())).toEqual([
      "CONFLICT -:-:- Two records of the kind dashboard have the name Empty; rename one, since a document is known by its name",
    ]);
  });

  it("keep a panel whose table was dropped, until somebody changes the dashboard", async () => {
    const own = await open();
    await own.database.query("drop view fleet.longest");
    const files = await own.pull();
    expect(files["dashboards/Fleet ü.yaml"]).toContain("resource: null");
    expect(stepsOf(await own.plan(files))).toEqual([]);
    const changed = files["dashboards/Fleet ü.yaml"]?.replace("icon: gauge\n", "") ?? "";
    expect(await faultsOf(own.plan({ ...files, "dashboards/Fleet ü.yaml": changed }))).toEqual([
      "BODY_INVALID dashboards/Fleet ü.yaml:70:15 Unknown resource",
    ]);
  });

  it.each<readonly [string, Readonly<Record<string, string | undefined>>, readonly unknown[]]>([
    [
      "unknown keys and values of another form",
      {
        "data-views/Plain.yaml": "name: Other\nresource: trips\n",
        "dashboards/Fleet ü.yaml": dashboard
          .replace("comparison: true", "compare: true")
          .replace("chart: donut", "chart: pie"),
      },
      [
        "VALUE_INVALID dashboards/Fleet ü.yaml:63:7 Unknown key compare",
        expect.stringContaining("VALUE_INVALID dashboards/Fleet ü.yaml:88:14 "),
        "VALUE_INVALID data-views/Plain.yaml:1:1 Unknown key name",
        "VALUE_INVALID data-views/Plain.yaml:2:11 Must be a table or a view: schema.table",
      ],
    ],
    [
      "an unknown role and unknown tables",
      {
        "data-views/Plain.yaml": "resource: fleet.planes\nroles: [Clerks, Clarks]\n",
        "data-views/Long trips%3A 1%2F2.yaml": view.replace("fleet.trips", "fleet.longest"),
      },
      [
        "VALUE_INVALID data-views/Long trips%3A 1%2F2.yaml:1:11 It reads fleet.trips; a DataView of another table needs another name",
        "VALUE_INVALID data-views/Plain.yaml:1:11 There is no table or view fleet.planes",
        "VALUE_INVALID data-views/Plain.yaml:1:11 It reads fleet.trips; a DataView of another table needs another name",
        "VALUE_INVALID data-views/Plain.yaml:2:17 There is no role Clarks",
      ],
    ],
    [
      "a role that is about to be deleted",
      { "roles/Clerks.yaml": undefined },
      [
        "VALUE_INVALID dashboards/Fleet ü.yaml:4:5 There is no role Clerks",
        expect.stringContaining(
          "VALUE_INVALID data-views/Long trips%3A 1%2F2.yaml:9:5 There is no role Clerks",
        ),
      ],
    ],
    [
      "a dashboard with unknown tables",
      {
        "dashboards/Fleet ü.yaml": dashboard
          .replace("fleet.longest", "fleet.shortest")
          .replace(
            "    resource: fleet.trips\n    field: status",
            "    resource: fleet.cars\n    field: status",
          ),
      },
      [
        "VALUE_INVALID dashboards/Fleet ü.yaml:15:15 There is no table or view fleet.cars",
        "VALUE_INVALID dashboards/Fleet ü.yaml:71:15 There is no table or view fleet.shortest",
      ],
    ],
    [
      "unknown fields of data views",
      {
        "data-views/Plain.yaml": "resource: fleet.trips\nfields: [id, wheels]\n",
        "data-views/Other.yaml":
          "resource: fleet.trips\npresentation: { version: 1, layout: cards, title: wheels }\n",
      },
      [
        expect.stringContaining("FIELD_UNKNOWN data-views/Other.yaml:2:"),
        expect.stringContaining("FIELD_UNKNOWN data-views/Plain.yaml:2:"),
      ],
    ],
    [
      "unknown fields of dashboards",
      {
        "dashboards/Fleet ü.yaml": dashboard
          .replace("- driver_id", "- wheels")
          .replace("field: started_at\n      - parameter", "field: status\n      - parameter"),
      },
      [
        "BODY_INVALID dashboards/Fleet ü.yaml:51:16 Must be a date or a timestamp",
        expect.stringContaining("FIELD_UNKNOWN dashboards/Fleet ü.yaml:10"),
      ],
    ],
    [
      "a name that is too long",
      { [`dashboards/${"x".repeat(101)}.yaml`]: "{}\n" },
      [expect.stringMatching(/^VALUE_INVALID dashboards\/x+\.yaml:1:1 The name of the file: /)],
    ],
  ])("that cannot be applied have faults at their places: %s", async (_name, files, expected) => {
    const own = await open();
    const before = await own.pull();
    const given = Object.entries({ ...wanted, ...files }).flatMap(([path, text]) =>
      text === undefined ? [] : [[path, text] as const],
    );
    expect(await faultsOf(own.plan(Object.fromEntries(given)))).toEqual(expected);
    expect(await own.pull()).toEqual(before);
  });
});
