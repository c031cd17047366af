import { createSnapshotStore } from "@rowhouse/db";
import { createTestDatabase, type TestDatabase } from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readDrift, readManaged } from "../src/index.ts";
import { type Configurator, createConfigurator, faultsOf, root, stepsOf } from "./configuration.ts";

const long = "…".repeat(80);
const names = ["con", "Café", "Cafe\u0301", long, "a.b", "Zeta \u001b[J"];

let test: TestDatabase;
let own: Configurator;
beforeAll(async () => {
  test = await createTestDatabase();
  own = await createConfigurator(test);
  for (const name of names) {
    await test.database.query(
      "insert into system.roles (name, api_access) values ($1::text, true)",
      [name],
    );
  }
  await test.database.query(
    `create type public."Sales" as enum ('A'); create type public.sales as enum ('A')`,
  );
  await test.database.query('create schema nul; create table nul."AUX" (id int primary key)');
});
afterAll(() => test.drop());

const roles = (files: Readonly<Record<string, string>>) =>
  Object.keys(files).filter((path) => /^(?:roles|types)\//.test(path));

describe("names that a file system refuses, changes or confuses", () => {
  it("have files of their own, whose paths say the names", async () => {
    const files = await own.pull();
    expect(roles(files)).toEqual([
      "roles/%63on.yaml",
      `roles/${"%E2%80%A6".repeat(22)}%/${"%E2%80%A6".repeat(22)}%/${"%E2%80%A6".repeat(22)}%/${"%E2%80%A6".repeat(14)}.yaml`,
      "roles/Cafe%CC%81.yaml",
      "roles/Café.yaml",
      "roles/Zeta %1B%5BJ.yaml",
      "roles/a%2Eb.yaml",
      "types/public/%53ales.yaml",
      "types/public/sales.yaml",
    ]);
    expect(Object.keys(files)).toContain("tables/%6Eul/%41%55%58.yaml");
    expect(stepsOf(await own.plan(files))).toEqual([]);
  });

  it("are read from the paths of files that were written before", async () => {
    const files = {
      ...root("roles", "types"),
      "types/public/Sales.yaml": "values: [A]\n",
      "types/public/sales.yaml": "values: [A]\n",
      ...Object.fromEntries(
        ["con", "Café", "Cafe%CC%81", "a%2Eb", "Zeta %1B%5BJ"].map((name) => [
          `roles/${name}.yaml`,
          "apiAccess: true\n",
        ]),
      ),
      [`roles/${"%E2%80%A6".repeat(80)}.yaml`]: "apiAccess: true\n",
    };
    expect(stepsOf(await own.plan(files))).toEqual([]);
  });

  it("are read in NFC if an archive has decomposed them", async () => {
    const files = { ...root("roles"), "roles/Cafe\u0301.yaml": "apiAccess: false\n" };
    const { steps } = await own.plan(files);
    expect(steps.find(({ kind }) => kind === "role.update")).toMatchObject({
      subject: "Café",
      document: "roles/Cafe\u0301.yaml",
    });
  });

  it("are a fault if two files say the same one, at the given path", async () => {
    const files = { ...root("roles"), "roles/Sales.yaml": "", "roles/%53ales.yaml": "colour: red" };
    expect(await faultsOf(own.plan(files))).toEqual([
      "VALUE_INVALID roles/%53ales.yaml:1:1 Unknown key colour",
      "VALUE_INVALID roles/Sales.yaml:-:- roles/%53ales.yaml is a file of the same document; delete one of them",
    ]);
  });

  it("keep one path in files, drift and the list of managed documents", async () => {
    await own.set(await own.pull());
    const paths = (await readManaged(test.database)).map(({ path }) => path);
    expect(paths).toEqual(expect.arrayContaining(roles(await own.pull())));
    await test.database.query(`alter type public."Sales" add value 'B'`);
    const drift = await readDrift(test.database, createSnapshotStore(test.database));
    expect(drift.files.map(({ path }) => path)).toEqual(["types/public/%53ales.yaml"]);
    await test.database.query("drop type public.sales");
    const { files } = await readDrift(test.database, createSnapshotStore(test.database));
    expect(files.map(({ path, after }) => [path, after])).toEqual([
      ["types/public/Sales.yaml", "values:\n  - A\n  - B\n"],
      ["types/public/sales.yaml", null],
    ]);
  });

  it("are refused for new records if people cannot read them, and kept by records that have them", async () => {
    const present = await own.pull();
    const files = {
      ...present,
      "roles/Zeta %1B%5BJ.yaml": "apiAccess: false\n",
      "roles/Next%E2%80%AE.yaml": "apiAccess: true\n",
      "dashboards/%E3%85%A4.yaml": "",
    };
    expect(await faultsOf(own.plan(files))).toEqual([
      expect.stringMatching(
        /^BODY_INVALID roles\/Next%E2%80%AE\.yaml:1:1 A name must have a visible/,
      ),
    ]);
    const { "roles/Next%E2%80%AE.yaml": _, ...others } = files;
    expect(await faultsOf(own.plan(others))).toEqual([
      expect.stringMatching(/^BODY_INVALID dashboards\/.*\.yaml:1:1 A name must have a visible/),
    ]);
    const { "dashboards/%E3%85%A4.yaml": __, ...kept } = others;
    expect(stepsOf(await own.plan(kept))).toEqual(["role.update Zeta \u001b[J"]);
  });
});
