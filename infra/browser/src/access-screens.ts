import type { Page } from "playwright-core";
import { enter, enterAs } from "./people.ts";
import type { Screen } from "./screen.ts";
import type { BrowserService } from "./service.ts";

/** A schema with grants of every kind, and an administrator. */
export type AccessHarbor = Awaited<ReturnType<typeof prepareAccess>>;

interface Resource {
  readonly id: string;
  readonly name: string;
  readonly exposedMethods: readonly string[];
}

/** The tables of the schema `pool`, which nothing exposes. */
export const poolTables = Array.from(
  { length: 14 },
  (_, index) => `table_${String(index + 1).padStart(2, "0")}`,
);

/** Creates tables, roles and grants: of all rows, some fields, some rows, and one that has lost a column. */
export async function prepareAccess(service: BrowserService) {
  const { database } = service.test;
  await database.query(`
    create schema harbor;
    create table harbor.cranes (id int primary key, name text not null, price numeric);
    create table harbor.loads (id int primary key, owner text not null, weight int not null, secret text);
    create table harbor.ramps (id int primary key);
    create table harbor.scales (id int primary key, retired boolean);
    insert into harbor.cranes select n, 'crane ' || n, n * 100 from generate_series(1, 12) n;
    insert into harbor.loads select n, case when n % 3 = 0 then 'dock' else 'hall' end, n * 10,
      'canary-secret-' || n from generate_series(1, 12) n;
    update harbor.loads set owner = 'canary-owner' where id = 5;
  `);
  const list = async (schema = "harbor") =>
    (await service.administer("GET", `/resources?schema=${schema}&limit=1000`)) as Resource[];
  const resource = async (name: string, schema = "harbor"): Promise<Resource> => {
    const found = (await list(schema)).find((one) => one.name === name);
    if (found === undefined) throw new Error(`No table ${name}`);
    return found;
  };
  for (const { id } of await list()) {
    await service.administer("PATCH", `/resources/${id}`, { exposedMethods: ["GET"] });
  }
  const role = (await service.administer("POST", "/roles", { name: "Porters" })) as { id: string };
  const grant = async (name: string, terms: object) =>
    (await service.administer("POST", "/grants", {
      roleId: role.id,
      resourceId: (await resource(name)).id,
      action: "READ",
      ...terms,
    })) as { id: string };
  const cranes = await grant("cranes", { fields: ["id", "name"] });
  const loads = await grant("loads", {
    fields: ["id", "owner", "weight"],
    rowFilter: { owner: { _eq: "dock" } },
  });
  const ramps = await grant("ramps", {});
  await grant("ramps", { action: "DELETE" });
  await grant("loads", { action: "CREATE", presets: { owner: "$USER.name", weight: "7" } });
  const packers = (await service.administer("POST", "/roles", { name: "Packers" })) as {
    id: string;
  };
  const scales = await grant("scales", { rowFilter: { retired: { _eq: false } } });
  await database.query("alter table harbor.scales drop column retired");
  const roles = (await service.administer("GET", "/roles?search=administrators")) as {
    id: string;
  }[];
  const porter = await enter(service, "porter@example.com", "Gro", role.id);
  const [person] = (await service.administer("GET", "/users?search=porter@example.com")) as {
    id: string;
  }[];
  let pool: Promise<void> | undefined;
  return {
    administrator: await enter(service, "chief@example.com", "Ivo", roles[0]?.id ?? ""),
    porter,
    porterId: person?.id ?? "",
    roleId: role.id,
    packersId: packers.id,
    grants: { cranes: cranes.id, loads: loads.id, ramps: ramps.id, scales: scales.id },
    grantsOf: async (roleId: string) =>
      (await service.administer("GET", `/grants?roleId=${roleId}&limit=1000`)) as {
        readonly id: string;
        readonly action: string;
      }[],
    resource,
    /** Creates 14 tables, once; two name the owner of a row, and the first another account too. */
    createPool: () => {
      pool ??= fillPool(database);
      return pool;
    },
    pool: () => list("pool"),
    hidePool: async () =>
      service.administer(
        "PATCH",
        "/resources",
        (await list("pool")).map(({ id }) => ({ id, exposedMethods: [] })),
      ),
    /** The grants of a role on the tables of a schema. */
    grantsOn: async (roleId: string, schema: string) =>
      (await service.administer(
        "GET",
        `/grants?roleId=${roleId}&search=${schema}.&limit=1000`,
      )) as { readonly action: string }[],
    /** Creates 300 tables and 50 roles, of which the first has grants. */
    createMany: async () => {
      await database.query(`create schema yard`);
      await database.query(`
        do $$ begin for n in 1..300 loop
          execute format('create table yard.%I (id int primary key)', 'table ' || lpad(n::text, 3, '0'));
        end loop; end $$`);
      await Promise.all(
        Array.from({ length: 50 }, (_, index) =>
          service.administer("POST", "/roles", {
            name: `role ${String(index + 1).padStart(2, "0")}`,
          }),
        ),
      );
    },
  };
}

async function fillPool({
  query,
}: Pick<BrowserService["test"]["database"], "query">): Promise<void> {
  await query("create schema pool");
  for (const [index, name] of poolTables.entries()) {
    const owner = "uuid references system.users (id)";
    const own = index % 2 === 1 && index < 5 ? `, owner_id ${owner}` : "";
    const both = index === 0 ? `, owner_id ${owner}, checker_id ${owner}` : "";
    await query(`create table pool.${name} (id int primary key, name text${own}${both})`);
  }
}

/** The screens of exposure and grants. */
export function accessScreens(harbor: AccessHarbor): Screen[] {
  const at = (path: string) => async (page: Page) => {
    await enterAs(page, harbor.administrator, path);
    await page.locator("main h1").waitFor();
    await page.locator("main [aria-busy=true]").waitFor({ state: "detached" });
  };
  const pool =
    (act: (page: Page) => Promise<unknown> = async () => {}, query = "") =>
    async (page: Page) => {
      await harbor.createPool();
      await at(`/admin/access?schema=pool&role=${harbor.packersId}${query}`)(page);
      await act(page);
    };
  const selectSome = async (page: Page) => {
    await page.getByRole("checkbox").nth(2).click();
    await page
      .getByRole("checkbox")
      .nth(6)
      .click({ modifiers: ["Shift"] });
  };
  const explain = `/admin/access/explain?user=${harbor.porterId}&path=`;
  const viewAs = `/admin/access/view-as?user=${harbor.porterId}&path=`;
  return [
    { name: "access", show: at("/admin/access?schema=harbor") },
    { name: "access-overfull", show: at("/admin/access") },
    { name: "access-newcomer", show: pool() },
    {
      name: "access-newcomer-folded",
      show: pool(async () => {}, "&hidden=folded"),
    },
    {
      name: "access-selected",
      show: pool(selectSome),
    },
    {
      name: "access-many",
      show: pool(async (page) => {
        await selectSome(page);
        await page.getByRole("region").getByRole("button").nth(3).click();
        await page.locator("dialog select").last().selectOption({ index: 1 });
      }),
    },
    {
      name: "access-cell-menu",
      show: pool(async (page) => {
        await page.getByRole("gridcell").nth(4).click();
        await page.getByRole("menu").waitFor();
      }),
    },
    {
      name: "access-head-menu",
      show: pool(async (page) => {
        await page.locator("[role=columnheader] button").nth(5).click();
        await page.getByRole("menu").waitFor();
      }),
    },
    {
      name: "access-copy",
      show: async (page) => {
        await at(`/admin/access?schema=harbor&role=${harbor.roleId}`)(page);
        await page.getByRole("gridcell").nth(4).click();
        await page.getByRole("menuitem").nth(3).click();
        await page.locator("dialog").waitFor();
      },
    },
    { name: "access-grant", show: at(`/admin/access/grants/${harbor.grants.loads}`) },
    { name: "access-grant-lost", show: at(`/admin/access/grants/${harbor.grants.scales}`) },
    {
      name: "access-grant-new",
      show: async (page) => {
        const { id } = await harbor.resource("loads");
        const query = `role=${harbor.packersId}&resource=${id}&action=UPDATE`;
        await at(`/admin/access/grants/new?${query}`)(page);
      },
    },
    {
      name: "access-grant-unseen",
      show: async (page) => {
        const { id } = await harbor.resource("loads");
        const query = `role=${harbor.roleId}&resource=${id}&action=DELETE`;
        await at(`/admin/access/grants/new?${query}`)(page);
        await page.locator("form section input[type=checkbox]:checked").first().uncheck();
        await page.locator("form section div[role=status]").waitFor();
      },
    },
    { name: "access-explain-empty", show: at("/admin/access/explain") },
    { name: "access-explain", show: at(`${explain}/api/harbor/table/loads`) },
    { name: "access-explain-row-permitted", show: at(`${explain}/api/harbor/table/loads/3`) },
    { name: "access-explain-row-hidden", show: at(`${explain}/api/harbor/table/loads/1`) },
    { name: "access-explain-refused", show: at(`${explain}/api/harbor/table/loads?fields=secret`) },
    { name: "access-view-as-empty", show: at("/admin/access/view-as") },
    { name: "access-view-as-tables", show: at(`/admin/access/view-as?user=${harbor.porterId}`) },
    { name: "access-view-as", show: at(`${viewAs}/api/harbor/table/loads`) },
    { name: "access-view-as-refused", show: at(`${viewAs}/api/harbor/table/scales`) },
    { name: "access-empty", show: at("/admin/access?search=no-such-table") },
  ];
}
