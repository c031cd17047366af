// Tier: long. One of the longest files; plan.test.ts is in every run.
import { createSnapshotStore, type Database } from "@rowhouse/db";
import { createVault } from "@rowhouse/vault";
import { createSecretReader, secretsOfProviders, secretsOfWorkflows } from "@rowhouse/workflows";
import { describe, expect, it } from "vitest";
import { type Caller, type Files, readDrift } from "../src/index.ts";
import { expectSameBytes, faultsOf, openConfigurator, root, stepsOf } from "./configuration.ts";

/** The value that no file, plan, record of an apply or audit entry may have. */
const canary = "canary-5f1d";
const company = `kind: oidc
name: The company
issuer: https://id.example.com/realm
clientId: rowhouse
allowedDomains:
  - example.com
  - Example.ORG
role: Clerks
enabled: false
`;
const google = "kind: google\nname: Google\nclientId: 1.apps.example\n";
const wanted: Files = {
  ...root("roles", "providers"),
  "roles/Clerks.yaml": "apiAccess: true\n",
  "providers/company-2.yaml": `${company}clientSecret: { secret: COMPANY }\n`,
  "providers/google.yaml": google,
};

const vault = createVault(() => "a secret of the tests' own");

async function open() {
  const own = await openConfigurator();
  const { database, caller } = own;
  return { ...own, store: (...names: string[]) => storeSecrets(database, caller, names) };
}

async function storeSecrets(
  database: Database,
  { actor }: Pick<Caller, "actor">,
  names: readonly string[],
): Promise<void> {
  for (const name of names) {
    await secretsOfProviders.create(
      { database, vault },
      { name, value: `${canary} ${name}` },
      actor,
    );
  }
}

/** Returns the secrets of the providers, by key. */
async function secretsOf(database: Database): Promise<Record<string, string>> {
  const rows = await database.query<{ key: string; sealed: string }>(
    "select key, client_secret_sealed as sealed from system.auth_providers",
  );
  return Object.fromEntries(
    await Promise.all(
      rows.map(async ({ key, sealed }) => [key, await vault.open(sealed, `auth_provider:${key}`)]),
    ),
  );
}

describe("providers", () => {
  it("are the same bytes after an apply to an empty database that has their secrets", async () => {
    const own = await open();
    await own.store("COMPANY", "AUTH_GOOGLE_SECRET");
    await own.set(wanted);
    const files = await expectSameBytes(own, (database) =>
      storeSecrets(database, { actor: { ...own.caller.actor, userId: null } }, [
        "AUTH_COMPANY_2_SECRET",
        "AUTH_GOOGLE_SECRET",
      ]),
    );
    expect(files["providers/company-2.yaml"]).toBe(company);
    expect(files["providers/google.yaml"]).toBe(google);
  });

  it("copy the named secret when they are new, and keep it from then on", async () => {
    const own = await open();
    await own.store("COMPANY", "AUTH_GOOGLE_SECRET", "OTHER");
    await own.set(wanted);
    const secrets = { "company-2": `${canary} COMPANY`, google: `${canary} AUTH_GOOGLE_SECRET` };
    expect(await secretsOf(own.database)).toEqual(secrets);
    const plan = await own.set({
      ...wanted,
      "providers/company-2.yaml": company
        .replace("rowhouse", "another")
        .replace("role: Clerks\n", ""),
      "providers/google.yaml": `${google}clientSecret: { secret: OTHER }\n`,
    });
    expect(stepsOf(plan)).toEqual(["provider.update company-2"]);
    expect(await secretsOf(own.database)).toEqual(secrets);
  });

  it("follow a role that gets another name, without a step of their own", async () => {
    const own = await open();
    await own.store("COMPANY", "AUTH_GOOGLE_SECRET");
    await own.set(wanted);
    const { "roles/Clerks.yaml": _, ...others } = wanted;
    const files = {
      ...others,
      "roles/Staff.yaml": "renamedFrom: Clerks\napiAccess: true\n",
      "providers/company-2.yaml": company.replace("Clerks", "Staff"),
    };
    expect(stepsOf(await own.set(files))).toEqual(["role.update Staff"]);
    expect((await own.pull())["providers/company-2.yaml"]).toContain("role: Staff\n");
  });

  it("leave no secret in a file, a plan, a record of an apply or the audit log", async () => {
    const own = await open();
    await own.store("COMPANY", "AUTH_GOOGLE_SECRET");
    const plan = await own.set(wanted);
    const stored = await own.database.query<{ stored: string }>(
      `select coalesce(string_agg(t.text, ' '), '') as stored from (
         select p::text as text from system.configuration_plans p union all select a::text from system.configuration_applies a
         union all select l::text from system.audit_log l) t`,
    );
    expect(JSON.stringify([plan, stored, await own.pull()])).not.toContain(canary);
    expect(JSON.stringify(stored)).toContain("configuration.apply");
  });

  it("show what people changed beside the documents, and are deleted with a consent", async () => {
    const own = await open();
    await own.store("COMPANY", "AUTH_GOOGLE_SECRET");
    await own.set(wanted);
    await own.database.query("update system.auth_providers set name = 'G' where key = 'google'");
    const drift = await readDrift(own.database, createSnapshotStore(own.database));
    expect(drift.files.map(({ path }) => path)).toEqual(["providers/google.yaml"]);
    const { "providers/company-2.yaml": _, ...fewer } = wanted;
    const plan = await own.plan(fewer);
    expect(stepsOf(plan)).toEqual(["provider.update google", "provider.delete company-2"]);
    expect(await faultsOf(own.apply(plan))).toEqual([
      "BODY_INVALID -:-:- The plan needs these consents: drop:provider:company-2",
    ]);
    await own.apply(plan, ["drop:provider:company-2"]);
    expect(Object.keys(await secretsOf(own.database))).toEqual(["google"]);
  });

  it("need their secret again with another issuer, stored after the last change", async () => {
    const own = await open();
    await own.store("COMPANY", "AUTH_GOOGLE_SECRET");
    await own.set(wanted);
    const moved = {
      ...wanted,
      "providers/company-2.yaml": `${company.replace("id.example.com", "id.example.net")}clientSecret: { secret: COMPANY }\n`,
    };
    const again =
      "VALUE_INVALID providers/company-2.yaml:3:9 With another issuer the client secret is needed again: rowhouse secret set COMPANY --for providers";
    expect(await faultsOf(own.plan(moved))).toEqual([again]);
    // A description is no value.
    const deps = { database: own.database, vault };
    await secretsOfProviders.update(deps, "COMPANY", { description: "x" }, own.caller.actor);
    expect(await faultsOf(own.plan(moved))).toEqual([
      "VALUE_INVALID providers/company-2.yaml:3:9 The secret COMPANY was stored for another issuer; store it again: rowhouse secret set COMPANY --for providers",
    ]);
    const value = `${canary} for the new issuer`;
    await secretsOfProviders.update(deps, "COMPANY", { value }, own.caller.actor);
    const plan = await own.set(moved);
    expect(stepsOf(plan)).toEqual(["provider.update company-2"]);
    expect((await secretsOf(own.database))["company-2"]).toBe(value);
    expect(await faultsOf(own.plan(wanted))).toEqual([again]);
  });

  it("do not get the secret of a provider that was deleted, for another issuer", async () => {
    const own = await open();
    await own.store("COMPANY", "AUTH_GOOGLE_SECRET");
    await own.set(wanted);
    const { "providers/company-2.yaml": _, ...fewer } = wanted;
    await own.apply(await own.plan(fewer), ["drop:provider:company-2"]);
    const evil = `${company.replace("id.example.com", "evil.example.net")}clientSecret: { secret: COMPANY }\n`;
    for (const path of ["providers/company-2.yaml", "providers/other.yaml"]) {
      expect(await faultsOf(own.plan({ ...fewer, [path]: evil }))).toEqual([
        `VALUE_INVALID ${path}:10:25 The secret COMPANY was stored for another issuer; store it again: rowhouse secret set COMPANY --for providers`,
      ]);
    }
    await own.set(wanted);
  });

  it("have secrets of their own: those of workflows are not theirs", async () => {
    const own = await open();
    await own.store("AUTH_GOOGLE_SECRET");
    const deps = { database: own.database, vault };
    const payment = { name: "COMPANY", value: `${canary} payment` };
    await secretsOfWorkflows.create(deps, payment, own.caller.actor);
    expect(await faultsOf(own.plan(wanted))).toEqual([
      "VALUE_INVALID providers/company-2.yaml:10:25 Store the secret COMPANY of providers first; those of workflows are others: rowhouse secret set COMPANY --for providers",
    ]);
    // The same name for both is two secrets.
    await own.store("COMPANY");
    await own.set(wanted);
    expect((await secretsOf(own.database))["company-2"]).toBe(`${canary} COMPANY`);
    const reader = createSecretReader(own.database, vault);
    expect(await reader.load(["COMPANY", "AUTH_GOOGLE_SECRET"])).toEqual(
      new Map([["COMPANY", payment.value]]),
    );
  });

  it("that cannot be applied have faults at their places", async () => {
    const own = await open();
    await own.store("COMPANY", "AUTH_GOOGLE_SECRET", "SPARE");
    await own.set(wanted);
    const before = await own.pull();
    const faults = (files: Files) => faultsOf(own.plan({ ...wanted, ...files }));
    expect(
      await faults({
        "providers/company-2.yaml": company.replace("Clerks", "Clarks"),
        "providers/google.yaml": "kind: github\nname: Google\nclientId: c\n",
        "providers/new.yaml":
          "kind: oidc\nname: New\nclientId: c\nclientSecret:\n  secret: ABSENT\n",
        "providers/newer.yaml": "kind: github\nname: Newer\nclientId: c\n",
      }),
    ).toEqual([
      "VALUE_INVALID providers/company-2.yaml:8:7 There is no role Clarks",
      "VALUE_INVALID providers/google.yaml:1:7 It is a provider of the kind google",
      "VALUE_INVALID providers/google.yaml:1:1 With another issuer the client secret is needed again: rowhouse secret set AUTH_GOOGLE_SECRET --for providers",
      "VALUE_INVALID providers/new.yaml:1:1 A provider of the kind oidc needs an issuer",
      "VALUE_INVALID providers/new.yaml:5:11 Store the secret ABSENT of providers first; those of workflows are others: rowhouse secret set ABSENT --for providers",
      "VALUE_INVALID providers/newer.yaml:1:1 Store the secret AUTH_NEWER_SECRET of providers first; those of workflows are others: rowhouse secret set AUTH_NEWER_SECRET --for providers",
    ]);
    expect(
      await faults({
        "providers/google.yaml": `${google}clientSecret: ${canary}\nscopes: []\n`,
      }),
    ).toEqual([
      expect.stringMatching(
        /^VALUE_INVALID providers\/google\.yaml:4:15 (?:Must be an object|Invalid input: expected object, received string)$/,
      ),
      "VALUE_INVALID providers/google.yaml:5:1 Unknown key scopes",
    ]);
    expect(
      await faults({
        "providers/newer.yaml":
          "kind: oidc\nname: N\nclientId: c\nissuer: http://id.example.com\nclientSecret: { secret: SPARE }\n",
        "roles/Clerks.yaml": "apiAccess: false\n",
      }),
    ).toEqual(["BODY_INVALID providers/newer.yaml:4:9 Must be an https URL"]);
    expect(
      await faults({
        "providers/google.yaml": `${google}role: Administrators\n`,
      }),
    ).toEqual([
      "VALUE_INVALID providers/google.yaml:4:7 Must be a role with API access other than Administrators",
    ]);
    expect(await own.pull()).toEqual(before);
  });
});
