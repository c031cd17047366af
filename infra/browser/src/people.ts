import type { Page } from "playwright-core";
import type { BrowserService } from "./service.ts";

const password = "violet anchors drift slowly";

/** Sessions of people, as the pages keep them. */
export type People = Awaited<ReturnType<typeof preparePeople>>;

/** Goes to a page of the workspace with a session, which a small document of the same address stores. */
export async function enterAs(page: Page, session: string, path: string): Promise<void> {
  await page.goto("/livez");
  await page.evaluate((kept) => sessionStorage.setItem("rowhouse.session", kept), session);
  await page.goto(path);
}

/** Opens a page of the workspace as a person, and waits for its content. */
export async function openAs(page: Page, session: string, path: string): Promise<void> {
  await enterAs(page, session, path);
  await page.locator("h1").first().waitFor();
  await page.locator("main h2").first().waitFor();
}

/** Sessions of three people: one who may open nothing, one of a small office, and an administrator of everything. */
export async function preparePeople(service: BrowserService) {
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
  const role = (await service.administer("POST", "/roles", {
    name: "Drivers",
    tokenCreation: true,
  })) as { id: string };
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
  const admins = await administratorsId(service);
  return {
    empty: await enter(service, "guest@example.com", "Gro", nobody.id),
    typical: await enter(service, "ada@example.com", "Ada Dahl", role.id),
    administrator: await enter(service, "ivo@example.com", "Ivo", admins),
    overfull: await enter(
      service,
      "wolfeschlegelsteinhausenbergerdorff@example.com",
      "Wolfeschlegelsteinhausenbergerdorff Adolph Blaine Charles",
      admins,
    ),
  };
}

/** Returns the id of the role Administrators. */
export async function administratorsId({ administer }: BrowserService): Promise<string> {
  const roles = (await administer("GET", "/roles")) as {
    readonly id: string;
    readonly isAdministrators: boolean;
  }[];
  return roles.find(({ isAdministrators }) => isAdministrators)?.id ?? "";
}

/** Creates a person by an invitation, and returns their session as the pages keep it. */
export async function enter(service: BrowserService, email: string, name: string, roleId: string) {
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

/** What a manager of accounts may do with the tables of accounts; null for every field. */
const managing: Record<string, Record<string, readonly string[] | null>> = {
  users: {
    READ: ["id", "email", "name", "active", "is_system"],
    CREATE: ["email", "name"],
    UPDATE: ["email", "name", "active"],
  },
  roles: { READ: ["id", "name"] },
  role_members: { READ: null, CREATE: null, DELETE: null },
};

/** Exposes the tables of accounts, and grants a role their management. */
export async function grantAccounts({ administer }: BrowserService, roleId: string): Promise<void> {
  const resources = (await administer("GET", "/resources?schema=system")) as {
    readonly id: string;
    readonly name: string;
  }[];
  for (const { id: resourceId, name } of resources) {
    const exposedMethods = ["GET", "POST", "PATCH", "DELETE"];
    await administer("PATCH", `/resources/${resourceId}`, { exposedMethods });
    for (const [action, fields] of Object.entries(managing[name] ?? {})) {
      await administer("POST", "/grants", { roleId, resourceId, action, fields });
    }
  }
}
