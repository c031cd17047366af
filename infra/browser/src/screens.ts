import type { Page } from "playwright-core";
import type { BrowserService } from "./service.ts";

/** A screen in a state that the tests inspect and that the pictures show. */
export interface Screen {
  readonly name: string;
  /** Brings a page, which is at the service's address and signed out, to the screen. */
  show(page: Page): Promise<void>;
}

const password = "violet anchors drift slowly";

/** Every screen: empty, typical and overfull. */
export async function prepareScreens(service: BrowserService): Promise<Screen[]> {
  const people = await preparePeople(service);
  const at =
    (path: string, heading?: string) =>
    async (page: Page): Promise<void> => {
      await page.goto(path);
      await (heading === undefined
        ? page.locator("h1").waitFor()
        : page.getByRole("heading", { level: 1, name: heading }).waitFor());
    };
  const home = (token: string) => async (page: Page) => {
    await page.goto("/admin/auth/forgot");
    await page.evaluate((session) => sessionStorage.setItem("rowhouse.session", session), token);
    await page.goto("/app");
    await page.locator("h2").first().waitFor();
  };
  return [
    { name: "sign-in", show: at("/admin/auth/sign-in") },
    {
      name: "sign-in-failed",
      show: async (page) => {
        await at("/admin/auth/sign-in")(page);
        await page.locator("input[type=email]").fill("somebody@example.com");
        await page.locator("input[name=password]").fill("not the password");
        await page.locator("button[type=submit]").click();
        await page.getByRole("alert").waitFor();
      },
    },
    { name: "register", show: at("/admin/auth/register") },
    {
      name: "register-overfull",
      show: async (page) => {
        await at("/admin/auth/register")(page);
        await page.locator("input[name=name]").fill("Donaudampfschifffahrt".repeat(8));
        await page.locator("input[type=email]").fill("no address");
        await page.locator("input[name=password]").fill("password123456");
        await page.locator("button[type=submit]").click();
        await page.locator("[aria-invalid]").first().waitFor();
      },
    },
    { name: "forgot", show: at("/admin/auth/forgot") },
    {
      name: "forgot-sent",
      show: async (page) => {
        await at("/admin/auth/forgot")(page);
        await page.locator("input[type=email]").fill(`${"a-long-name-".repeat(7)}@example.com`);
        await page.locator("button[type=submit]").click();
        await page.getByRole("status").waitFor();
      },
    },
    { name: "reset", show: at("/admin/auth/reset#token=rhl_x") },
    { name: "reset-broken-link", show: at("/admin/auth/reset") },
    { name: "verify", show: at("/admin/auth/verify#token=rhl_x") },
    { name: "invitation", show: at("/admin/auth/invitation#token=rhl_x") },
    { name: "complete-refused", show: at("/admin/auth/complete#error=account_exists") },
    { name: "complete-linked", show: at("/admin/auth/complete#linked=real") },
    { name: "missing", show: at("/admin/nowhere") },
    { name: "home-empty", show: home(people.empty) },
    { name: "home-typical", show: home(people.typical) },
    {
      name: "home-account",
      show: async (page) => {
        await home(people.typical)(page);
        await page.locator("header > button").click();
        await page.getByRole("dialog").waitFor();
      },
    },
    { name: "home-overfull", show: home(people.overfull) },
  ];
}

/** Sessions of three people: one who may open nothing, one of a small office, and an administrator of everything. */
async function preparePeople(service: BrowserService) {
  const { database } = service.test;
  await database.query(`
    create schema fleet;
    create table fleet.vehicles (id int primary key, plate text);
    create table fleet.trips (id int primary key);
    create table fleet.workshop_visits (id int primary key);
    create schema "a schema with a long name, in spaces";
    create table "a schema with a long name, in spaces"."${"x".repeat(63)}" (id int primary key);
    create table fleet."جدول المركبات" (id int primary key);
    create table fleet."<img src=x onerror=alert(1)>" (id int primary key);
  `);
  for (let number = 1; number <= 40; number += 1) {
    await database.query(`create table fleet."numbered ${number}" (id int primary key)`);
  }
  const resources = (await service.administer("GET", "/resources?limit=1000")) as {
    id: string;
    schema: string;
    name: string;
  }[];
  const own = resources.filter(({ schema }) => schema === "fleet" || schema.startsWith("a schema"));
  for (const { id } of own) {
    await service.administer("PATCH", `/resources/${id}`, {
      exposedMethods: ["GET", "POST", "PATCH", "DELETE"],
    });
  }
  const role = (await service.administer("POST", "/roles", { name: "Drivers" })) as { id: string };
  for (const { id, name } of own) {
    if (!["vehicles", "trips", "workshop_visits"].includes(name)) continue;
    await service.administer("POST", "/grants", {
      roleId: role.id,
      resourceId: id,
      action: "READ",
      fields: null,
    });
  }
  await service.test.database.query(
    "insert into system.settings (key, value) values ('auth.registration_enabled', 'true')",
  );
  const nobody = (await service.administer("POST", "/roles", { name: "Guests" })) as { id: string };
  const admins = (await service.administer("GET", "/roles?search=administrators")) as {
    id: string;
  }[];
  return {
    empty: await enter(service, "guest@example.com", "Gro", nobody.id),
    typical: await enter(service, "ada@example.com", "Ada Dahl", role.id),
    overfull: await enter(
      service,
      "wolfeschlegelsteinhausenbergerdorff@example.com",
      "Wolfeschlegelsteinhausenbergerdorff Adolph Blaine Charles",
      admins[0]?.id ?? "",
    ),
  };
}

async function enter(service: BrowserService, email: string, name: string, roleId: string) {
  await service.administer("POST", "/invitations", { email, name, roleIds: [roleId] });
  const token = new URL(await service.linkTo(email)).hash.replace("#token=", "");
  const answer = await fetch(`${service.url}/api/auth/invitations/accept`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ token, password }),
  });
  const { data } = (await answer.json()) as { data: object };
  return JSON.stringify(data);
}
