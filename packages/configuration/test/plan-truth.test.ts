// Tier: long. Plans and applies for each kind of name; plan.test.ts is in every run.
import { createUser, expose, runAs } from "@rowhouse/testing";
import { createVault } from "@rowhouse/vault";
import { secretsOfProviders } from "@rowhouse/workflows";
import { describe, expect, it } from "vitest";
import type { Files, Plan } from "../src/index.ts";
import { type Configurator, faultsOf, openConfigurator, root } from "./configuration.ts";

type Opened = Awaited<ReturnType<typeof openConfigurator>>;

const workflow = `name: Nightly
definition:
  trigger:
    kind: schedule
    cron: 0 3 * * *
    executeAs: robot@example.com
  steps:
    - id: end
      kind: finish
`;
const renderer = workflow.replace(
  "    - id: end\n",
  "    - id: document\n      kind: renderDocument\n      template: receipt\n      name: receipt.pdf\n      folder: Invoices\n    - id: end\n",
);
const clerks = "description: Those who write\napiAccess: true\n";
const tables = "columns:\n  id: { type: integer }\nprimaryKey: [id]\nexposed: [GET]\n";
const provider = "kind: google\nname: Google\nclientId: 1.apps.example\n";
const vault = createVault(() => "a secret of the tests' own");

/** Makes the role anew, with the same document: other members, another id. */
const anotherRole = async ({ database }: Opened) => {
  await database.query("update system.roles set name = 'Former' where name = 'Clerks'");
  await database.query(
    "insert into system.roles (name, description, api_access) values ('Clerks', 'Those who write', true)",
  );
};
const role = { "roles/Clerks.yaml": clerks };
const view = { "data-views/Trips.yaml": "resource: public.trips\nroles: [Clerks]\n" };
const dashboard = {
  "dashboards/Today.yaml":
    "roles: [Clerks]\npanels:\n  - id: text\n    kind: TEXT\n    layout: { x: 0, y: 0, w: 12, h: 3 }\n    definition: { markdown: Trips }\n",
};

/** What a plan names, and what happens to the name before the plan is applied. */
const cases: Record<
  string,
  [before: Files, planned: Files, change: (own: Opened) => Promise<unknown>]
> = {
  "the user of a workflow's runs": [
    {},
    { ...root("workflows"), "workflows/nightly.yaml": workflow },
    async ({ database, administrator }) => {
      const move =
        "update system.users set email = 'old@example.com' where email = 'robot@example.com'";
      await runAs(database, administrator.id, move);
      await createUser(database, "robot@example.com", "Administrators");
    },
  ],
  "the folder of a workflow's files": [
    {},
    { ...root("workflows"), "workflows/nightly.yaml": renderer },
    async ({ database }) => {
      await database.query("update system.folders set name = 'Old' where name = 'Invoices'");
      await database.query("insert into system.folders (name) values ('Invoices')");
    },
  ],
  "a role that may start a workflow": [
    role,
    { ...root("workflows"), "workflows/nightly.yaml": `${workflow}invoke: [Clerks]\n` },
    anotherRole,
  ],
  "a role that gets a grant": [
    { ...role, "tables/public/trips.yaml": tables },
    { ...root("roles"), "roles/Clerks.yaml": `${clerks}grants:\n  public.trips: { READ: {} }\n` },
    anotherRole,
  ],
  "a role that is deleted": [role, root("roles"), anotherRole],
  "a table of a grant": [
    { ...role, "tables/public/trips.yaml": tables },
    { ...root("roles"), "roles/Clerks.yaml": `${clerks}grants:\n  public.trips: { READ: {} }\n` },
    async ({ database }) => {
      await database.query("drop table public.trips");
      await database.query("create table public.trips (id int primary key)");
    },
  ],
  "a table that is dropped": [
    { "tables/public/trips.yaml": tables },
    root("tables"),
    async ({ database }) => {
      await database.query("alter table public.trips rename to former");
      await database.query("create table public.trips (id int primary key)");
      await database.query(
        "update system.resources set exposed_methods = '{GET}' where relation_name = 'trips'",
      );
      await database.query("drop table public.former");
    },
  ],
  "the role of registrations": [
    role,
    { ...root("settings"), "settings.yaml": "auth.registration_role: Clerks\n" },
    anotherRole,
  ],
  "the role of a provider's accounts": [
    role,
    { ...root("providers"), "providers/google.yaml": `${provider}role: Clerks\n` },
    anotherRole,
  ],
  "the secret of a provider": [
    {},
    { ...root("providers"), "providers/google.yaml": provider },
    ({ database, caller: { actor } }) =>
      secretsOfProviders.update(
        { database, vault },
        "AUTH_GOOGLE_SECRET",
        { value: "another one" },
        actor,
      ),
  ],
  "a role of a DataView": [
    { ...role, "tables/public/trips.yaml": tables },
    { ...root("data-views"), ...view },
    anotherRole,
  ],
  "the table of a DataView": [
    { ...role, "tables/public/trips.yaml": tables },
    { ...root("data-views"), ...view },
    async ({ database }) => {
      await database.query("drop table public.trips");
      await database.query("create table public.trips (id int primary key)");
      await expose(database, "public", "trips", "GET");
    },
  ],
  "a role of a dashboard": [
    { ...role, "tables/public/trips.yaml": tables },
    { ...root("dashboards"), ...dashboard },
    anotherRole,
  ],
};

async function open(before: Files): Promise<Opened> {
  const own = await openConfigurator();
  const { database, caller } = own;
  await createUser(database, "robot@example.com", "Administrators");
  await database.query("insert into system.folders (name) values ('Invoices')");
  const secret = { name: "AUTH_GOOGLE_SECRET", value: "canary-2c81" };
  await secretsOfProviders.create({ database, vault }, secret, caller.actor);
  await own.set({ ...root("roles", "tables"), ...before });
  return own;
}

const applyAll = (own: Configurator, plan: Plan) =>
  own.apply(
    plan,
    plan.steps.flatMap(({ needsConsent }) => needsConsent),
  );

describe("a plan is stale if a name stands for another record than it did: ", () => {
  it.each(Object.entries(cases))("%s", async (_, [before, planned, change]) => {
    const own = await open(before);
    const plan = await own.plan(planned);
    expect(plan.steps.length).toBeGreaterThan(0);
    await change(own);
    expect(await faultsOf(applyAll(own, plan))).toEqual([expect.stringContaining("PLAN_STALE")]);
    // The same files can be planned anew.
    const again = await own.plan(planned);
    expect(again.digest).not.toBe(plan.digest);
    await applyAll(own, again);
  });
});
