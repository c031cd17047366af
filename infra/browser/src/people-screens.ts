import type { Page } from "playwright-core";
import { openAdministration } from "./administration-screens.ts";
import { enter, enterAs, grantAccounts, type People } from "./people.ts";
import { newOne, type Screen } from "./screen.ts";
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
  const night = (await administer("POST", "/roles", {
    name: `Night shift ${"and weekends ".repeat(6)}`.trim(),
    description: "Who works at night. ".repeat(40),
  })) as Named;
  await service.test.database.query(
    "insert into system.users (email, name) select 'driver-' || n || '@example.com', 'Driver ' || n from generate_series(1, 55) n",
  );
  await service.test.database.query(
    "insert into system.roles (name, api_access) select 'Shift ' || n, n % 3 > 0 from generate_series(1, 55) n",
  );
  await service.test.database.query(
    "insert into system.role_members (role_id, user_id) select r.id, $1::uuid from system.roles r where r.name ~ 'hift'",
    [long.id],
  );
  await service.test.database.query(
    "insert into system.role_members (role_id, user_id) select $1::uuid, u.id from system.users u where u.email ~ '^driver-'",
    [night.id],
  );
  await administer("POST", `/users/${await find("/users", "driver-7@")}/deactivate`);
  await enter(service, "session@example.com", "Nora", await find("/roles", "Drivers"));
  const typical = await find("/users", "ada@example.com");
  const ivo = await find("/users", "ivo@example.com");
  const drivers = await find("/roles", "Drivers");
  const system = await find("/users", "workflows");
  const at = (path: string) => (page: Page) =>
    openAdministration(page, people.administrator, `/admin/people${path}`);
  const press = (path: string, act: (page: Page) => Promise<void>) => async (page: Page) => {
    await at(path)(page);
    await act(page);
    await page.locator("dialog").waitFor();
  };
  await prepareCredentials(service, typical);
  const managers = (await administer("POST", "/roles", { name: "Managers" })) as Named;
  await grantAccounts(service, managers.id);
  const manager = await enter(service, "manager@example.com", "Mette", managers.id);
  const managed = (path: string) => async (page: Page) => {
    await enterAs(page, manager, `/app/people${path}`);
    await page.locator("main h1").waitFor();
    await page.locator("main table, main form, main p").first().waitFor();
  };
  return [
    { name: "people-managed", show: managed("?search=example") },
    { name: "people-managed-overfull", show: managed("") },
    { name: "people-managed-empty", show: managed("?search=nobody-at-all") },
    {
      name: "people-managed-new-user",
      show: async (page) => {
        await managed("?search=ada")(page);
        await newOne(page).click();
        await page.locator("dialog").waitFor();
      },
    },
    { name: "people-managed-user", show: managed(`/${typical}`) },
    { name: "people-managed-user-overfull", show: managed(`/${long.id}`) },
    { name: "people-managed-user-system", show: managed(`/${system}`) },
    { name: "people-users", show: at("/users?search=example") },
    { name: "people-users-overfull", show: at("/users") },
    { name: "people-users-empty", show: at("/users?search=nobody-at-all") },
    {
      name: "people-new-user",
      show: press("/users?search=ada", (page) => newOne(page).click()),
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
      show: press(`/users/${typical}`, (page) =>
        page.locator("main button.text-danger").first().click(),
      ),
    },
    { name: "people-roles", show: at("/roles?search=d") },
    { name: "people-roles-overfull", show: at("/roles") },
    { name: "people-role", show: at(`/roles/${drivers}`) },
    { name: "people-role-rights", show: at(`/roles/${drivers}?tab=rights`) },
    { name: "people-role-settings", show: at(`/roles/${drivers}?tab=settings`) },
    { name: "people-role-empty", show: at(`/roles/${await noMembers(service)}`) },
    { name: "people-role-overfull", show: at(`/roles/${night.id}`) },
    {
      name: "people-role-delete",
      show: press(`/roles/${drivers}`, (page) =>
        page.locator("main button.text-danger").first().click(),
      ),
    },
    { name: "people-invitations", show: at("/invitations?search=example") },
    { name: "people-invitations-overfull", show: at("/invitations") },
    {
      name: "people-invitations-link",
      show: press("/invitations?search=open", async (page) => {
        // The buttons of an invitation: send again, link, revoke.
        await page.locator("main td button:nth-child(2)").first().click();
        await page.locator("dialog input[readonly]").waitFor();
      }),
    },
    {
      name: "people-invite-failed",
      show: press("/invitations", async (page) => {
        await newOne(page).click();
        await page.locator("dialog button[type=submit]").click();
        await page.locator("dialog [aria-invalid=true]").first().waitFor();
      }),
    },
    { name: "people-providers", show: at("/providers?search=real") },
    { name: "people-providers-overfull", show: at("/providers") },
    {
      name: "people-new-provider",
      show: press("/providers", (page) => newOne(page).click()),
    },
    { name: "people-tokens", show: at("/tokens?search=ada") },
    { name: "people-tokens-overfull", show: at("/tokens") },
    { name: "people-tokens-soon", show: at("/tokens?state=soon") },
    { name: "people-tokens-empty", show: at("/tokens?state=revoked") },
    { name: "people-user-tokens", show: at(`/users/${typical}?tab=tokens`) },
    {
      name: "people-new-token",
      show: press("/tokens", (page) => newOne(page).click()),
    },
  ];
}

async function noMembers({ administer }: BrowserService): Promise<string> {
  const role = (await administer("POST", "/roles", { name: "Auditors" })) as Named;
  return role.id;
}

/** Invitations, providers and tokens, some with long names. */
async function prepareCredentials({ administer }: BrowserService, owner: string): Promise<void> {
  const [role] = (await administer("GET", "/roles?search=Drivers")) as Named[];
  const invite = (email: string, name: string) =>
    administer("POST", "/invitations", { email, name, roleIds: [role?.id] }) as Promise<Named>;
  await invite("open@example.com", "Open");
  const revoked = await invite("revoked@example.com", "");
  await administer("DELETE", `/invitations/${revoked.id}`);
  await invite(`${"a-long-name-".repeat(5)}@${"invited.".repeat(12)}com`, "ليلى المنصوري");
  await administer("POST", "/provider-secrets", {
    name: `AUTH_${"EINWOHNERMELDEAMT".repeat(3)}_SECRET`,
    value: "a secret of the pictures",
    description:
      "Client secret of the residents' registration office, renewed each January. ".repeat(4),
  });
  await administer("POST", "/auth-providers", {
    key: "a-provider-with-quite-a-long-key",
    kind: "oidc",
    name: "Einwohnermeldeamt der Landeshauptstadt ".repeat(2).trim(),
    issuer: `https://id.${"department.".repeat(8)}example.com`,
    clientId: "client-".repeat(20),
    clientSecret: "not shown",
    allowedDomains: Array.from({ length: 20 }, (_, number) => `office-${number}.example.com`),
    enabled: false,
  });
  const token = (name: string, plane: string, lifetime: number) =>
    administer("POST", "/tokens", { userId: owner, name, plane, lifetime }) as Promise<Named>;
  await token("import of the night", "api", 7);
  const idle = await token(`${"backup-job-".repeat(8)}x`, "api", 90);
  await administer("POST", `/tokens/${idle.id}/deactivate`);
}
