// Tier: long. Starts a browser.
import { loadChinook } from "@rowhouse/testing";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { hasChromium } from "../src/chromium.ts";
import { enter, enterAs } from "../src/people.ts";
import { newPassword, prepareJourney } from "./journey.ts";

interface Named {
  readonly id: string;
  readonly name: string;
}

const agent = "jane@chinook.example";
const ownCustomers = '{"support_rep": {"email": {"_eq": "$USER.email"}}}';

// Another client has created the tables. Each step of the administration is made in the browser, and the next one needs
// it; the API says what became of it.
describe.runIf(hasChromium())("the Chinook sample, governed in the browser", () => {
  const journey = prepareJourney();
  let administrator = "";

  beforeAll(async () => {
    const { service } = journey;
    await loadChinook(service.test.database);
    await service.test.database.query(
      `update employee set email = '${agent}' where employee_id = 3`,
    );
    const [role] = (await list("/roles?search=administrators")) as Named[];
    administrator = await enter(service, "boss@example.com", "Boss", role?.id ?? "");
  });

  const list = (path: string) => journey.service.administer("GET", path) as Promise<Named[]>;
  const resourceOf = async (name: string) => {
    const found = await list(`/resources?schema=public&search=${name}`);
    const resource = found.find((one) => one.name === name);
    if (resource === undefined) throw new Error(`No resource ${name}`);
    return resource as Named & { readonly exposedMethods: readonly string[] };
  };
  const roleOf = async (name: string) => {
    const role = (await list(`/roles?search=${name}`)).find((one) => one.name === name);
    if (role === undefined) throw new Error(`No role ${name}`);
    return role;
  };
  const openAt = async (path: string): Promise<Page> => {
    const { page } = await journey.open();
    await enterAs(page, administrator, path);
    await page.locator("main h1").waitFor();
    return page;
  };
  const query = (text: string) => journey.service.test.database.query<object>(text);

  it("two roles are created", async () => {
    const page = await openAt("/admin/people/roles");
    for (const name of ["Listeners", "Agents"]) {
      await page.goto("/admin/people/roles");
      await page.getByRole("button", { name: "New role" }).click();
      await page.getByRole("dialog").getByLabel("Name").fill(name);
      await page.getByRole("dialog").getByRole("button", { name: "Create" }).click();
      await page.getByRole("heading", { level: 1, name }).waitFor();
    }
    expect((await roleOf("Agents")).name).toBe("Agents");
    expect((await roleOf("Listeners")).name).toBe("Listeners");
  });

  it("tables are exposed in the matrix", async () => {
    const page = await openAt("/admin/access?schema=public");
    const grid = page.getByRole("grid", { name: "Access" });
    for (const name of ["artist", "album", "customer"]) {
      await grid.getByRole("gridcell", { name: `public.${name} · GET is hidden` }).click();
      await grid.getByRole("gridcell", { name: `public.${name} · GET is exposed` }).waitFor();
    }
    await grid.getByRole("gridcell", { name: "public.customer · PATCH is hidden" }).click();
    await grid.getByRole("gridcell", { name: "public.customer · PATCH is exposed" }).waitFor();
    // The page shows a change at once, and writes one after the other.
    await expect
      .poll(async () => (await resourceOf("customer")).exposedMethods)
      .toEqual(["GET", "PATCH"]);
    expect((await resourceOf("employee")).exposedMethods).toEqual([]);
  });

  it("a view is created, exposed, and its column presented", async () => {
    const page = await openAt("/admin/structure/public/new/view");
    await page.getByRole("textbox", { name: "Name" }).fill("sales_by_artist");
    await page.getByRole("textbox", { name: "Definition" }).focus();
    await page.keyboard.insertText(
      `select ar.artist_id, ar.name, sum(l.unit_price * l.quantity) as revenue from artist ar
       join album al using (artist_id) join track t using (album_id) join invoice_line l using (track_id)
       group by ar.artist_id, ar.name`,
    );
    await page.getByText('create view "public"."sales_by_artist"').waitFor();
    await page.getByRole("button", { name: "Create" }).click();
    await page.waitForURL("**/admin/structure/public/view/sales_by_artist");
    await page.goto("/admin/access?search=public.sales_by_artist");
    await page.getByRole("gridcell", { name: "sales_by_artist · GET is hidden" }).click();
    await expect
      .poll(async () => (await resourceOf("sales_by_artist")).exposedMethods)
      .toEqual(["GET"]);
    await page.goto("/admin/structure/public/view/sales_by_artist");
    await page.getByRole("textbox", { name: "Label of revenue" }).fill("Turnover");
    await page.getByRole("combobox", { name: "Format of revenue" }).selectOption("currency");
    await page.getByRole("textbox", { name: "Currency" }).fill("USD");
    const form = page.locator("form").filter({
      has: page.getByRole("textbox", { name: "Label of revenue" }),
    });
    const save = form.getByRole("button", { name: "Save", exact: true });
    await save.click();
    await save.waitFor({ state: "detached" });
    const columns = await list(`/resources/${(await resourceOf("sales_by_artist")).id}/columns`);
    expect(columns.find(({ name }) => name === "revenue")).toMatchObject({
      label: "Turnover",
      format: { type: "currency", currency: "USD" },
    });
  });

  it("grants with and without a row filter are created", async () => {
    const [listeners, agents] = [await roleOf("Listeners"), await roleOf("Agents")];
    const open = async (role: Named, name: string, action: string) => {
      const { id } = await resourceOf(name);
      const page = await openAt(
        `/admin/access/grants/new?role=${role.id}&resource=${id}&action=${action}`,
      );
      await page.getByRole("button", { name: "Create" }).waitFor();
      return page;
    };
    for (const name of ["artist", "album", "sales_by_artist"]) {
      await create(await open(listeners, name, "READ"));
    }
    for (const action of ["READ", "UPDATE"]) {
      const page = await open(agents, "customer", action);
      await page.getByRole("button", { name: "Filter", exact: true }).first().click();
      await writeFilter(page, ownCustomers.replace("email", "nothing"));
      await page.getByText("Rows cannot be counted by a table that is not exposed").waitFor();
      await page.getByRole("button", { name: "Create" }).click();
      await page.getByRole("alert").filter({ hasText: "Unknown field" }).waitFor();
      await page.getByText("support_rep.nothing", { exact: true }).click();
      await writeFilter(page, ownCustomers);
      await page.getByText("my email").waitFor();
      if (action === "UPDATE") {
        await page.getByRole("checkbox", { name: "All fields, also those added later" }).click();
        await page.getByRole("button", { name: "Choose none" }).click();
        await page.getByRole("checkbox", { name: "phone" }).check();
      }
      await create(page);
    }
    const grants = await list(`/grants?roleId=${agents.id}`);
    expect(grants).toHaveLength(2);
    for (const grant of grants) {
      expect(grant).toMatchObject({ rowFilter: JSON.parse(ownCustomers) });
    }
    expect(grants).toContainEqual(expect.objectContaining({ action: "UPDATE", fields: ["phone"] }));
  });

  it("an invited person sees and changes their own customers, and nothing else", async () => {
    const page = await openAt("/admin/people/invitations");
    await page.getByRole("button", { name: "Invite a person" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Email").fill(agent);
    for (const name of ["Agents", "Listeners"]) {
      await dialog.getByRole("combobox", { name: "Add a role" }).fill(name);
      await page.getByRole("option", { name }).click();
      await dialog.getByRole("button", { name: `Remove the role ${name}` }).waitFor();
    }
    await dialog.getByRole("button", { name: "Send the invitation" }).click();
    await page.getByText(`The mail to ${agent} is on its way.`).waitFor();

    const { page: own } = await journey.open();
    await own.goto(await journey.service.linkTo(agent));
    await own.getByLabel("Password", { exact: true }).fill(newPassword);
    await own.getByLabel("Name").fill("Jane");
    await own.getByRole("button", { name: "Create account and sign in" }).click();
    await own.getByRole("heading", { name: "Welcome, Jane" }).waitFor();
    await own.goto("/app/data/public/table/customer");
    await own.getByText("of 21 rows").waitFor();
    await own.goto("/app/data/public/view/sales_by_artist");
    await own.getByRole("columnheader", { name: /Turnover/ }).waitFor();
    await own.goto("/app/data/public/table/employee");
    await own.getByText("There is no such table or view").waitFor();
    await own.goto("/admin");
    await own.getByRole("heading", { name: "This page does not exist" }).waitFor();
  });

  it("a token of the person reads and writes what their roles allow", async () => {
    const page = await openAt("/admin/people/tokens");
    await page.getByRole("button", { name: "New token" }).click();
    await page.getByRole("combobox", { name: "Owner" }).fill(agent);
    await page.getByRole("option", { name: agent }).click();
    await page.getByRole("textbox", { name: "Name" }).fill("phone book");
    await page.getByRole("textbox", { name: "Name" }).press("Enter");
    const dialog = page.getByRole("dialog", { name: "Secret of phone book" });
    const secret = (await dialog.locator("code").textContent()) ?? "";
    await dialog.getByRole("button", { name: "Done" }).click();

    const ask = async (method: string, path: string, data?: object) => {
      const answer = await fetch(`${journey.service.url}/api/public${path}`, {
        method,
        headers: { Authorization: `Bearer ${secret}`, "Content-Type": "application/json" },
        ...(data === undefined ? {} : { body: JSON.stringify({ data }) }),
      });
      return [answer.status, ((await answer.json()) as { data?: unknown }).data];
    };
    const own = await query(
      "select customer_id, email from customer where support_rep_id = 3 order by customer_id",
    );
    expect(own).toHaveLength(21);
    const path = "/table/customer?fields=customer_id,email&order_by=customer_id";
    expect(await ask("GET", path)).toEqual([200, own]);
    const phone = "+47 22 00 00 00";
    expect(await ask("PATCH", "/table/customer/1", { phone })).toMatchObject([200, { phone }]);
    expect((await ask("PATCH", "/table/customer/1", { country: "Norway" }))[0]).toBe(400);
    expect((await ask("PATCH", "/table/customer/2", { phone }))[0]).toBe(404);
    expect((await ask("GET", "/table/employee"))[0]).toBe(404);
    expect(await ask("GET", "/view/sales_by_artist?order_by=artist_id&limit=1000")).toEqual([
      200,
      await query("select * from sales_by_artist order by artist_id"),
    ]);
  });

  it("the audit log tells who did all of it", async () => {
    const [boss] = (await list("/users?search=boss@example.com")) as Named[];
    const page = await openAt(`/admin/audit?actorUserId=${boss?.id}`);
    const entries = page.getByRole("list", { name: /^Changes of/ }).getByRole("listitem");
    await entries.first().waitFor();
    const log = (await list(`/audit-log?actorUserId=${boss?.id}&limit=1000`)) as unknown as {
      readonly action: string;
    }[];
    await expect.poll(() => entries.count()).toBe(log.length);
    expect(new Set(log.map(({ action }) => action))).toEqual(
      new Set([
        ...["role.create", "resource.update", "view.create", "grant.create"],
        ...["invitation.create", "invitation.accept", "session.create", "token.create"],
      ]),
    );
  });

  async function create(page: Page): Promise<void> {
    await page.getByRole("button", { name: "Create" }).click();
    await page.getByRole("button", { name: "Save" }).waitFor();
  }

  async function writeFilter(page: Page, text: string): Promise<void> {
    await page.getByRole("button", { name: "Text" }).click();
    // Text that replaces colored text in one step inherits its color as an inline style, which the policy refuses.
    await page.getByRole("textbox", { name: "Filter as JSON" }).focus();
    await page.keyboard.press("Control+a");
    await page.keyboard.press("Delete");
    await page.keyboard.insertText(text);
    await page.keyboard.press("Control+Enter");
  }
});
