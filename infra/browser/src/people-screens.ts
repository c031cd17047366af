import type { Page } from "playwright-core";
import { openAdministration } from "./administration-screens.ts";
import { enter, type People } from "./people.ts";
import type { Screen } from "./screen.ts";
import type { BrowserService } from "./service.ts";

type Named = { readonly id: string; readonly name: string };

/** The screens of users and roles: empty, typical and overfull. */
export async function peopleScreens(service: BrowserService, people: People): Promise<Screen[]> {
  const { administer } = service;
  const find = async (path: string, search: string) => {
    const found = (await administer(
      "GET",
      `${path}?search=${encodeURIComponent(search)}`,
    )) as Named[];
    const [first] = found;
    if (first === undefined) throw new Error(`Nothing at ${path} is named ${search}`);
    return first.id;
  };
  const long = (await administer("POST", "/users", {
    email: `${"a-long-name-".repeat(5)}@${"example.".repeat(12)}com`,
    name: "Donaudampfschifffahrtsgesellschaft ".repeat(5).trim(),
    timeZone: "America/Argentina/ComodRivadavia",
    language: "pt-BR",
  })) as Named;
  await administer("POST", "/users", { email: "layla@example.com", name: "ليلى المنصوري" });
  for (let number = 1; number <= 45; number += 1) {
    await administer("POST", "/users", {
      email: `driver-${number}@example.com`,
      name: `Driver ${number}`,
    });
    const role = (await administer("POST", "/roles", {
      name: number === 1 ? `Night shift ${"and weekends ".repeat(6)}`.trim() : `Shift ${number}`,
      description: number === 1 ? "Who works at night. ".repeat(40) : "",
      apiAccess: number % 3 > 0,
    })) as Named;
    await administer("POST", `/roles/${role.id}/members`, { userId: long.id });
  }
  await administer("POST", `/users/${await find("/users", "driver-7@")}/deactivate`);
  await enter(service, "session@example.com", "Nora", await find("/roles", "Drivers"));
  const typical = await find("/users", "ada@example.com");
  const ivo = await find("/users", "ivo@example.com");
  const drivers = await find("/roles", "Drivers");
  const night = await find("/roles", "Night shift");
  const system = await find("/users", "workflows");
  const at = (path: string) => (page: Page) =>
    openAdministration(page, people.administrator, `/admin/people${path}`);
  const press = (path: string, act: (page: Page) => Promise<void>) => async (page: Page) => {
    await at(path)(page);
    await act(page);
    await page.locator("dialog").waitFor();
  };
  return [
    { name: "people-users", show: at("/users?search=example") },
    { name: "people-users-overfull", show: at("/users") },
    { name: "people-users-empty", show: at("/users?search=nobody-at-all") },
    {
      name: "people-new-user",
      show: press("/users?search=ada", (page) => page.locator("main button").first().click()),
    },
    { name: "people-user", show: at(`/users/${typical}`) },
    { name: "people-user-overfull", show: at(`/users/${long.id}`) },
    { name: "people-user-system", show: at(`/users/${system}`) },
    { name: "people-user-permissions", show: at(`/users/${typical}?tab=permissions`) },
    { name: "people-user-permissions-overfull", show: at(`/users/${ivo}?tab=permissions`) },
    { name: "people-user-permissions-empty", show: at(`/users/${long.id}?tab=permissions`) },
    { name: "people-user-sessions", show: at(`/users/${typical}?tab=sessions`) },
    { name: "people-user-sessions-empty", show: at(`/users/${long.id}?tab=sessions`) },
    {
      name: "people-user-deactivate",
      show: press(`/users/${typical}`, (page) => page.locator("main button").first().click()),
    },
    { name: "people-roles", show: at("/roles?search=d") },
    { name: "people-roles-overfull", show: at("/roles") },
    { name: "people-role", show: at(`/roles/${drivers}`) },
    { name: "people-role-settings", show: at(`/roles/${drivers}?tab=settings`) },
    { name: "people-role-empty", show: at(`/roles/${await noMembers(service)}`) },
    { name: "people-role-overfull", show: at(`/roles/${night}`) },
    {
      name: "people-role-delete",
      show: press(`/roles/${drivers}`, (page) => page.locator("main button").first().click()),
    },
  ];
}

async function noMembers({ administer }: BrowserService): Promise<string> {
  const role = (await administer("POST", "/roles", { name: "Auditors" })) as Named;
  return role.id;
}
