// Tier: long. One of the longest files; plan.test.ts is in every run.
import { createSnapshotStore, type Database } from "@rowhouse/db";
import { createUser } from "@rowhouse/testing";
import { createVault } from "@rowhouse/vault";
import { secretsOfWorkflows } from "@rowhouse/workflows";
import { describe, expect, it } from "vitest";
import { type Files, readDrift } from "../src/index.ts";
import { expectSameBytes, faultsOf, openConfigurator, root, stepsOf } from "./configuration.ts";

/** The value that no file, plan, record of an apply or audit entry may have. */
const canary = "canary-77c0";

const nightly = `name: Nightly
enabled: true
definition:
  trigger:
    kind: schedule
    cron: 0 3 * * *
    executeAs: Robot@example.com
  steps:
    - id: end
      kind: finish
`;
const orders = `name: "Orders: new ones"
enabled: true
invoke:
  - Clerks
  - Drivers
definition:
  trigger:
    kind: webhook
    access: AUTHENTICATED
    redactBody:
      - /card/number
    signature:
      kind: STRIPE
      secrets:
        - STRIPE_KEY
    tool:
      description: Places an order
      input:
        type: object
        properties:
          amount:
            type: number
            minimum: 0.10
  timeLimitSeconds: 60
  concurrency: 3
  priority: HIGH
  steps:
    - id: values
      kind: setValues
      values:
        "1": null
        exact: 12345678901234567890.50
        list:
          - 1e3
          - "{{ start.data.a }}"
    - id: call
      kind: httpRequest
      method: POST
      url: https://example.com/
      headers:
        X-Key: "{{ secrets.STRIPE_KEY }}"
      auth:
        kind: bearer
        token: "{{ secrets.STRIPE_KEY }}"
      body:
        a: 1.0
      retry:
        attempts: 3
      note: |-
        Two
        lines: yes
    - id: either
      kind: condition
      expression: steps.call.status == 200
      then:
        - id: each
          kind: forEach
          items: "{{ start.data.lines }}"
          steps:
            - id: document
              kind: renderDocument
              template: receipt
              name: receipt.pdf
              folder: Invoices/2026
              onError:
                steps:
                  - id: kept
                    kind: storeFile
                    name: error.txt
                    folderId: "{{ start.data.folder }}"
                    content: failed
      else:
        - id: choose
          kind: switch
          value: "{{ start.data.kind }}"
          cases:
            - equals: 1
              steps:
                - id: stored
                  kind: storeFile
                  name: a.txt
                  folder: Invoices
                  content: x
          default:
            - id: wrong
              kind: fail
              message: No
              disabled: true
published:
  trigger:
    kind: manual
    executeAs: admin@example.com
  steps:
    - id: row
      kind: updateRows
      schema: fleet
      table: trips
      where:
        distance:
          _gt: 10.50
      values:
        note: x
`;
const draft = `name: Draft
enabled: false
definition:
  trigger:
    kind: webhook
    executeAs: robot@example.com
  steps:
    - id: end
      kind: finish
published: null
`;
const watching = `name: Watching
enabled: true
definition:
  trigger:
    kind: databaseEvent
    schema: fleet
    table: trips
    on:
      - insert
    executeAs: admin@example.com
  steps:
    - id: end
      kind: finish
`;
const trips = `columns:
  id: { type: bigint, identity: ALWAYS }
  distance: { type: "numeric(8, 1)" }
primaryKey: [id]
exposed: [GET]
`;
const wanted: Files = {
  ...root("tables", "roles", "workflows"),
  "tables/fleet/trips.yaml": trips,
  "roles/Clerks.yaml": "apiAccess: true\n",
  "roles/Drivers.yaml": "apiAccess: true\n",
  "workflows/draft.yaml": draft,
  "workflows/nightly.yaml": nightly,
  "workflows/orders-2.yaml": orders,
  "workflows/watching.yaml": watching,
};

/** What no document has: a user, folders and a secret. */
async function prepare(database: Database): Promise<void> {
  await createUser(database, "Robot@example.com", "Administrators");
  await database.query(
    `with top as (insert into system.folders (name) values ('Invoices') returning id)
     insert into system.folders (name, parent_id) select '2026', id from top`,
  );
  const vault = createVault(() => "a secret of the tests' own");
  const actor = { userId: null, tokenId: null, address: null, requestId: null };
  await secretsOfWorkflows.create(
    { database, vault },
    { name: "STRIPE_KEY", value: canary },
    actor,
  );
}

async function open() {
  const own = await openConfigurator();
  await prepare(own.database);
  return own;
}

describe("workflows", () => {
  it("are the same bytes after an apply to an empty database", { timeout: 60_000 }, async () => {
    const own = await open();
    const plan = await own.set(wanted);
    expect(stepsOf(plan).filter((step) => step.startsWith("workflow."))).toEqual([
      "workflow.create draft",
      "workflow.create nightly",
      "workflow.create orders-2",
      "workflow.create watching",
      "workflow.publish nightly",
      "workflow.publish orders-2",
      "workflow.publish watching",
      "workflow.update orders-2",
      "workflow.grant orders-2: Clerks, Drivers",
      "workflow.enable nightly",
      "workflow.enable orders-2",
      "workflow.enable watching",
    ]);
    const files = await expectSameBytes(own, prepare);
    expect(files["workflows/nightly.yaml"]).toBe(nightly);
    expect(files["workflows/orders-2.yaml"]).toBe(orders);
    expect(files["workflows/draft.yaml"]).toBe(draft.replace("robot@", "Robot@"));
    expect(JSON.stringify(files)).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-/);
  });

  it("leave no secret in a file, a plan, a record of an apply or the audit log", async () => {
    const own = await open();
    const plan = await own.set(wanted);
    const stored = await own.database.query(
      `select string_agg(t.text, ' ') as stored from (
         select p::text as text from system.configuration_plans p union all select a::text from system.configuration_applies a
         union all select l::text from system.audit_log l) t`,
    );
    expect(JSON.stringify([plan, stored, await own.pull()])).not.toContain(canary);
    expect(JSON.stringify(stored)).toContain("STRIPE_KEY");
  });

  it("have a step for each change, and one of the published definition alone", async () => {
    const own = await open();
    await own.set(wanted);
    const changes: readonly (readonly [Files, readonly string[]])[] = [
      [
        { "workflows/nightly.yaml": nightly.replace("Nightly", "Each night") },
        ["workflow.update nightly"],
      ],
      [
        {
          "workflows/nightly.yaml": nightly
            .replace("0 3", "5 4")
            .replace("enabled: true", "enabled: false"),
        },
        ["workflow.update nightly", "workflow.publish nightly", "workflow.disable nightly"],
      ],
      [
        {
          "workflows/orders-2.yaml": orders.replace(
            "table: trips",
            "table: trips\n      maxAffected: 7",
          ),
        },
        ["workflow.update orders-2", "workflow.publish orders-2", "workflow.update orders-2"],
      ],
      [
        { "workflows/orders-2.yaml": orders.replace("890.50", "890.51") },
        ["workflow.update orders-2"],
      ],
      [
        { "workflows/orders-2.yaml": orders.replace("  - Drivers\n", "  - Administrators\n") },
        ["workflow.grant orders-2: Drivers, Administrators"],
      ],
      [
        { "workflows/draft.yaml": draft.replace("published: null\n", "") },
        ["workflow.publish draft"],
      ],
    ];
    let files = wanted;
    for (const [change, steps] of changes) {
      files = { ...wanted, ...change };
      expect(stepsOf(await own.set(files))).toEqual(steps);
      expect(stepsOf(await own.plan(files))).toEqual([]);
      if (change["workflows/draft.yaml"] === undefined) await own.set(wanted);
    }
    expect(await faultsOf(own.plan(wanted))).toEqual([
      "VALUE_INVALID workflows/draft.yaml:10:12 It was published before; disable it instead",
    ]);
  });

  it("follow a role that gets another name, without a step of their own", async () => {
    const own = await open();
    await own.set(wanted);
    const { "roles/Clerks.yaml": _, ...others } = wanted;
    const files = {
      ...others,
      "roles/Staff.yaml": "renamedFrom: Clerks\napiAccess: true\n",
      "workflows/orders-2.yaml": orders.replace("- Clerks", "- Staff"),
    };
    expect(stepsOf(await own.set(files))).toEqual(["role.update Staff"]);
    expect((await own.pull())["workflows/orders-2.yaml"]).toContain("  - Drivers\n  - Staff\n");
    expect(stepsOf(await own.plan(files))).toEqual([]);
  });

  it("are planned without waiting for the acceptance of runs, or for writes to a watched table", async () => {
    const own = await open();
    await own.set(wanted);
    const changed = (text: string) => text.replace("kind: finish", "kind: finish\n      result: 1");
    const { "workflows/draft.yaml": _, ...fewer } = wanted;
    await own.database.transaction(async (transaction) => {
      await transaction.query("select 1 as one from system.workflows for key share");
      await transaction.query("lock table fleet.trips in row exclusive mode");
      const plan = await own.plan({
        ...fewer,
        "workflows/nightly.yaml": changed(nightly.replace("true", "false")),
        "workflows/watching.yaml": changed(watching.replace("true", "false")),
      });
      expect(stepsOf(plan)).toEqual([
        "workflow.delete draft",
        "workflow.update nightly",
        "workflow.update watching",
        "workflow.publish nightly",
        "workflow.publish watching",
        "workflow.disable nightly",
        "workflow.disable watching",
      ]);
    });
  });

  it("show what people changed beside the documents, and are deleted with a consent", async () => {
    const own = await open();
    await own.set(wanted);
    await own.database.query(
      `update system.workflows set name = 'By hand' where slug = 'nightly';
       delete from system.workflow_invoke_grants;
       insert into system.workflows (slug, name, draft) select 'copy', 'Copy', draft from system.workflows where slug = 'draft'`,
    );
    const drift = await readDrift(own.database, createSnapshotStore(own.database));
    expect(drift.files.map(({ path }) => path)).toEqual([
      "workflows/copy.yaml",
      "workflows/nightly.yaml",
      "workflows/orders-2.yaml",
    ]);
    const { "tables/fleet/trips.yaml": _, "workflows/watching.yaml": __, ...fewer } = wanted;
    const plan = await own.plan(fewer);
    expect(stepsOf(plan)).toEqual([
      "workflow.delete copy",
      "workflow.delete watching",
      "table.drop fleet.trips",
      "workflow.update nightly",
      "workflow.grant orders-2: Clerks, Drivers",
    ]);
    expect(await faultsOf(own.apply(plan))).toEqual([
      "BODY_INVALID -:-:- The plan needs these consents: drop:workflow:copy, drop:workflow:watching, drop:fleet.trips",
    ]);
    await own.set(fewer);
    expect(stepsOf(await own.plan(fewer))).toEqual([]);
  });

  it.each<readonly [string, Files, readonly unknown[]]>([
    [
      "unknown keys, and values that no definition has",
      {
        "workflows/nightly.yaml": nightly.replace("enabled: true", "colour: red"),
        "workflows/orders-2.yaml": orders
          .replace("attempts: 3", "attempts: 99")
          .replace("kind: STRIPE", "kind: STRYPE"),
      },
      [
        "VALUE_INVALID workflows/nightly.yaml:2:1 Unknown key colour",
        expect.stringContaining("VALUE_INVALID workflows/orders-2.yaml:13:13 "),
        expect.stringContaining("VALUE_INVALID workflows/orders-2.yaml:48:19 "),
      ],
    ],
    [
      "an unknown role, address and folder",
      {
        "workflows/nightly.yaml": nightly.replace("Robot@", "nobody@"),
        "workflows/orders-2.yaml": orders
          .replace("- Drivers", "- Divers")
          .replace("Invoices/2026", "Invoices/2027"),
      },
      [
        "VALUE_INVALID workflows/nightly.yaml:7:16 There is no active user with the address nobody@example.com",
        "VALUE_INVALID workflows/orders-2.yaml:5:5 There is no role Divers",
        "VALUE_INVALID workflows/orders-2.yaml:64:23 There is no folder Invoices/2027",
      ],
    ],
    [
      "an id in place of a folder, and a workflow that cannot be enabled",
      {
        "workflows/draft.yaml": draft.replace("false", "true"),
        "workflows/orders-2.yaml": orders.replace(
          "folder: Invoices/2026",
          "folderId: 5c6b0a5e-8d53-4c39-9a53-0f4d0f1f0f11",
        ),
      },
      [
        "VALUE_INVALID workflows/draft.yaml:2:10 Only a published workflow can be enabled",
        "VALUE_INVALID workflows/orders-2.yaml:64:25 A document names a folder by its path: folder: Invoices/2026",
      ],
    ],
    [
      "what prevents a publish: a table, an expression and a secret, in several files",
      {
        "workflows/draft.yaml": draft
          .replace("published: null\n", "")
          .replace("kind: finish", "kind: condition\n      expression: 1 +"),
        "workflows/nightly.yaml": nightly.replace(
          "kind: finish",
          'kind: httpRequest\n      url: https://example.com/\n      headers: { a: "{{ secrets.ABSENT }}" }',
        ),
        "workflows/orders-2.yaml": orders.replace("note: x", 'note: "{{ nothing.a }}"'),
        "workflows/watching.yaml": watching.replace("table: trips", "table: planes"),
      },
      [
        expect.stringContaining("WORKFLOW_INVALID workflows/draft.yaml:10:19 "),
        "WORKFLOW_INVALID workflows/nightly.yaml:12:21 The secret ABSENT does not exist",
        expect.stringContaining("WORKFLOW_INVALID workflows/orders-2.yaml:102:15 "),
        "WORKFLOW_INVALID workflows/watching.yaml:7:12 The table does not exist",
      ],
    ],
  ])("that cannot be applied have faults at their places: %s", async (_name, files, expected) => {
    const own = await open();
    const before = await own.pull();
    expect(await faultsOf(own.plan({ ...wanted, ...files }))).toEqual(expected);
    expect(await own.pull()).toEqual(before);
  });
});
