// Tier: long. Starts a browser; of this page, `all` has the screens.
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { beforeAll, describe, expect, it } from "vitest";
import { hasChromium } from "../src/chromium.ts";
import { administratorsId, enter, enterAs } from "../src/people.ts";
import { prepareJourney, tabTo } from "./journey.ts";

interface Setting {
  readonly key: string;
  readonly value: unknown;
  readonly isSet: boolean;
}

describe.runIf(hasChromium())("the administration", () => {
  const journey = prepareJourney();
  let administrator = "";

  beforeAll(async () => {
    const { service } = journey;
    administrator = await enter(
      service,
      "boss@example.com",
      "Boss",
      await administratorsId(service),
    );
  });

  const settingOf = async (key: string) => {
    const all = (await journey.service.administer("GET", "/settings")) as Setting[];
    return all.find((setting) => setting.key === key);
  };

  it("is a missing page to everybody else, and no link leads there", async () => {
    await journey.createPerson("operator@example.com");
    const { page } = await journey.open();
    await journey.signInAt(page, "operator@example.com");
    expect(await page.getByRole("link", { name: "Administration" }).count()).toBe(0);
    await page.goto("/admin/settings");
    await page.getByRole("heading", { name: "This page does not exist" }).waitFor();
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox").waitFor();
    await page.keyboard.type("audit");
    await page.getByText("Nothing matches").waitFor();
  });

  it("settings are found, changed together, refused at their fields and restored, by the keyboard alone", async () => {
    const { page } = await journey.open();
    const { keyboard } = page;
    await enterAs(page, administrator, "/app");
    await page.getByRole("link", { name: "Administration" }).waitFor();
    await keyboard.press("Control+k");
    await page.getByRole("combobox").waitFor();
    await keyboard.type("settings");
    await page.getByRole("option", { name: /^Settings/ }).waitFor();
    await keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "Settings" }).waitFor();
    await tabTo(page, "searchbox", "Find a setting");
    await keyboard.type("rows of a list default_limit");
    await page.waitForURL("**/admin/settings?search=rows+of+a+list+default_limit");
    const limit = page.getByRole("textbox", { name: "Rows of a list", exact: true });
    await tabTo(page, "textbox", "Rows of a list");
    await keyboard.press("Control+a");
    await keyboard.type("many");
    await keyboard.press("Enter");
    await page.locator("[aria-invalid=true]").waitFor();
    // What was typed stays, and nothing was saved.
    expect(await limit.inputValue()).toBe("many");
    expect(await settingOf("data.default_limit")).toMatchObject({ isSet: false });
    await limit.focus();
    await keyboard.press("Control+a");
    await keyboard.type("20");
    await keyboard.press("Enter");
    await page.getByText("Saved", { exact: true }).waitFor();
    expect(await settingOf("data.default_limit")).toMatchObject({ isSet: true, value: 20 });
    await tabTo(page, "button", "Restore the default of Rows of a list");
    await keyboard.press("Enter");
    await tabTo(page, "button", "Save");
    await keyboard.press("Enter");
    await page.getByText("Saved", { exact: true }).waitFor();
    expect(await settingOf("data.default_limit")).toMatchObject({ isSet: false });
  });

  it("settings are typed in their units, switched, and found by their section", async () => {
    const { page } = await journey.open();
    await enterAs(page, administrator, "/admin/settings?section=limits");
    const size = page.getByRole("textbox", { name: "Size of a request" });
    expect(await size.inputValue()).toBe("1");
    await size.fill("1.5 GB");
    const time = page.getByRole("textbox", { name: "Time of an import" });
    expect(await time.inputValue()).toBe("600");
    await time.fill("90");
    await size.fill("512 KB");
    await page.getByRole("switch", { name: "Shared reads" }).click();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved", { exact: true }).waitFor();
    expect(await settingOf("limits.body_bytes")).toMatchObject({ value: 524_288 });
    expect(await settingOf("limits.import_timeout_ms")).toMatchObject({ value: 90_000 });
    expect(await settingOf("data.share_statements")).toMatchObject({ value: false });
    expect(await size.inputValue()).toBe("512");
    const sections = page.getByRole("navigation", { name: "Sections" });
    expect(await sections.locator("[aria-current]").textContent()).toBe("Limits");
    await sections.getByRole("link", { name: "Files", exact: true }).click();
    await page.waitForURL(/section=files/);
    await expect
      .poll(() =>
        page.evaluate(() => document.getElementById("settings-files")?.getBoundingClientRect().top),
      )
      .toBeLessThan(300);
    const restored = { "limits.body_bytes": null, "limits.import_timeout_ms": null };
    await journey.service.administer("PATCH", "/settings", {
      ...restored,
      "data.share_statements": null,
    });
  });

  it("warns of an unsafe value, and tries an origin out before it is saved", async () => {
    const { page } = await journey.open();
    await enterAs(page, administrator, "/admin/settings?search=cors");
    await page.getByRole("button", { name: "Add to Origins of other pages" }).click();
    await page.getByLabel("Origins of other pages, entry 1").fill("http://shop.example");
    await page.getByText("An origin without TLS").waitFor();
    await page.getByLabel("Origin of a page").fill("http://SHOP.example:80");
    await page.getByText("http://shop.example may call the service").waitFor();
    await page.getByLabel("Origin of a page").fill("https://shop.example");
    await page.getByText("https://shop.example may not call the service").waitFor();
    expect(await settingOf("security.cors_origins")).toMatchObject({ isSet: false });
    await page.getByRole("button", { name: "Discard" }).click();
    expect(await page.getByText("An origin without TLS").count()).toBe(0);
  });

  it("a mail is changed with a live preview, sent to oneself and restored, by the keyboard alone", async () => {
    const { service } = journey;
    const { page } = await journey.open();
    const { keyboard } = page;
    await enterAs(page, administrator, "/admin/settings/templates");
    await page.getByRole("table", { name: "Mail templates" }).waitFor();
    const [stored] = (await service.administer(
      "GET",
      "/templates?key=auth.invite&language=en",
    )) as { id: string; builtIn: { text: string } }[];
    const read = async () =>
      (await service.administer("GET", `/templates/${stored?.id}`)) as Record<string, unknown>;
    await page.locator(`a[href$="${stored?.id}"]`).focus();
    await keyboard.press("Enter");
    await page.getByText("Sent to a person whom an administrator invites.").waitFor();
    const preview = page.getByRole("region", { name: "Preview" });
    await preview.getByText("Hello Ada Lovelace").first().waitFor();

    await tabTo(page, "textbox", "Subject");
    await keyboard.press("End");
    await keyboard.type(" for ");
    await page.getByRole("button", { name: "Insert email" }).focus();
    await keyboard.press("Enter");
    // The cursor is behind the variable again.
    await keyboard.type("!");
    await preview.getByText("for ada@example.com!").waitFor();
    await page.getByRole("combobox", { name: "Person" }).fill("boss@");
    await page.getByRole("option").first().click();
    await preview.getByText("for boss@example.com!").waitFor();
    const name = page.getByLabel("Value of name in the preview");
    await name.fill("<b>Zoë</b> of Oslo");
    await name.fill("Zoë <3");
    await preview.frameLocator("iframe").getByText("Hello Zoë <3").waitFor();
    await page.getByLabel("HTML", { exact: true }).fill("<p>{{ nmae }}</p>");
    await page.getByText("undefined variable: nmae").waitFor();
    await page.getByRole("checkbox", { name: "Also as HTML" }).uncheck();
    await preview.locator("iframe").waitFor({ state: "detached" });

    await tabTo(page, "button", "Send me a test mail");
    await keyboard.press("Enter");
    await page.getByText("Sent to boss@example.com. The mail server said: 250").waitFor();
    expect(await service.linkTo("boss@example.com")).toContain("https://example.com/");
    expect(await read()).toMatchObject({ html: expect.stringContaining("<p>") });

    // Another administrator saves the same mail: its subject in conflict, its text beside.
    await service.administer("PATCH", `/templates/${stored?.id}`, {
      subject: "Theirs",
      text: "Theirs: {{ link }}",
    });
    await page.getByRole("button", { name: "Save" }).focus();
    await keyboard.press("Enter");
    await page.getByText("Their text: Subject").waitFor();
    expect(await read()).toMatchObject({ subject: "Theirs" });
    expect(await page.getByLabel("Text", { exact: true }).inputValue()).toBe("Theirs: {{ link }}");
    await page.getByRole("button", { name: "Save" }).focus();
    await keyboard.press("Enter");
    await page.getByText("Saved", { exact: true }).waitFor();
    expect(await read()).toMatchObject({
      subject: expect.stringMatching(/ for \{\{ email \}\}!$/),
      text: "Theirs: {{ link }}",
      html: null,
    });
    await page.getByRole("button", { name: "Restore the shipped text" }).focus();
    await keyboard.press("Enter");
    await page.getByRole("button", { name: "Save" }).focus();
    await keyboard.press("Enter");
    await expect.poll(read).toMatchObject({ ...stored?.builtIn });
  });

  it("a document is added, rendered with its sample as it is typed, saved, and deleted", async () => {
    const { page } = await journey.open();
    await enterAs(page, administrator, "/admin/settings/templates");
    await page.getByRole("button", { name: "Add a document" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Title").fill("Invoice");
    const key = dialog.getByLabel("Key");
    await key.fill("auth.reset");
    await page.keyboard.press("Enter");
    await dialog.getByText("and not begin with auth.").waitFor();
    await key.fill("invoice");
    await page.keyboard.press("Enter");
    await page.waitForURL(/templates\/[0-9a-f-]+$/);
    const frame = page.getByRole("region", { name: "Preview" }).frameLocator("iframe");
    await frame.getByRole("heading", { name: "Invoice" }).waitFor();
    await page.getByLabel("Source").fill("<style>p { color: red }</style><p>{{ who }}</p>");
    await page.getByLabel("Sample values as JSON").fill('{"who": ');
    await page.getByText("This is not a JSON object.").waitFor();
    await page.getByLabel("Sample values as JSON").fill('{"who": "<b>Zoë</b>"}');
    const line = frame.getByText("<b>Zoë</b>");
    await line.waitFor();
    // Styles of the document apply, in a page that belongs to no origin.
    expect(await line.evaluate((element) => getComputedStyle(element).color)).toBe(
      "rgb(255, 0, 0)",
    );
    expect(await line.evaluate(() => self.origin)).toBe("null");
    await page.getByLabel("Source").fill("{{ who");
    await page.getByText("not closed").first().waitFor();
    await page.getByLabel("Source").fill("{{ who }};x");
    await page.getByLabel("Format").selectOption("CSV");
    await page.getByText("<b>Zoë</b>;x").waitFor();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved", { exact: true }).waitFor();
    const [stored] = (await journey.service.administer(
      "GET",
      "/templates?kind=DOCUMENT",
    )) as object[];
    expect(stored).toMatchObject({
      key: "invoice",
      format: "CSV",
      source: "{{ who }};x",
      sample: { who: "<b>Zoë</b>" },
    });
    await page.getByRole("button", { name: "Delete" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await page.waitForURL("**/admin/settings/templates");
    await page.getByText("There is no document yet.").waitFor();
  });

  it("a language is added to a mail, refused at its field, and deleted", async () => {
    const { page } = await journey.open();
    await enterAs(page, administrator, "/admin/settings/templates");
    await page.getByRole("button", { name: "Add a language" }).click();
    const tag = page.getByLabel("Language tag");
    await tag.fill("no language");
    await page.keyboard.press("Enter");
    await page.getByText("Must be a language tag").waitFor();
    await tag.fill("fr");
    await page.keyboard.press("Enter");
    await page.waitForURL(/templates\/[0-9a-f-]+$/);
    await page.getByText("French").waitFor();
    await page.getByRole("button", { name: "Delete" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await page.waitForURL("**/admin/settings/templates");
    await page.getByRole("table", { name: "Mail templates" }).waitFor();
    expect(await page.getByText("French").count()).toBe(0);
  });

  it("the reference has requests that work as they stand, with a token that stays nowhere", async () => {
    const { service, roleId } = journey;
    await service.test.database.query(`
      create table public.parts (id int primary key, label text);
      insert into public.parts values (77, 'Bolt');
      create table public.hidden_parts (id int primary key);
    `);
    const resources = (await service.administer("GET", "/resources?search=parts")) as {
      id: string;
      name: string;
    }[];
    for (const { id } of resources) {
      await service.administer("PATCH", `/resources/${id}`, { exposedMethods: ["GET"] });
    }
    const resourceId = resources.find(({ name }) => name === "parts")?.id;
    await service.administer("POST", "/grants", {
      roleId,
      resourceId,
      action: "READ",
      fields: null,
    });

    const { page } = await journey.open();
    const { keyboard } = page;
    await enterAs(page, administrator, "/admin/reference");
    await page.getByRole("heading", { level: 1, name: "API" }).waitFor();
    await tabTo(page, "searchbox", "Find an operation");
    await keyboard.type("parts/{id}");
    const operation = page.getByRole("button", { name: "GET /api/public/table/parts/{id} " });
    await operation.focus();
    await keyboard.press("Enter");
    const command = page.locator("code", { hasText: "curl" });
    await expect.poll(() => command.textContent()).toContain("/api/public/table/parts/77'");
    await page
      .getByText('client.from({"schema":"public","name":"parts","kind":"table"})')
      .waitFor();

    await page.getByRole("button", { name: "Make a token" }).focus();
    await keyboard.press("Enter");
    await page.getByLabel("Name").fill("tried out");
    await keyboard.press("Enter");
    await page.getByRole("dialog").getByText(/^rhp_/).waitFor();
    await page.getByRole("button", { name: "Done" }).click();
    const text = (await command.textContent()) ?? "";
    const { stdout } = await promisify(execFile)("sh", ["-c", text]);
    expect(JSON.parse(stdout)).toMatchObject({ data: { id: 77, label: "Bolt" } });
    const [secret = ""] = /rhp_\w+/.exec(text) ?? [];
    expect(secret).not.toBe("");
    const traces = () =>
      page.evaluate(() =>
        [
          document.documentElement.outerHTML,
          location.href,
          JSON.stringify({ ...localStorage }),
          JSON.stringify({ ...sessionStorage }),
          JSON.stringify(history.state),
        ].join(),
      );
    await page.getByRole("link", { name: "Audit log" }).click();
    await page
      .getByRole("list", { name: /^Changes of/ })
      .first()
      .waitFor();
    expect(await traces()).not.toContain(secret);
    await page.goBack();
    await expect.poll(() => command.textContent()).toContain("Bearer $TOKEN");
    expect(await traces()).not.toContain(secret);

    // The document of a role names nothing else.
    await page.getByRole("region", { name: "public.hidden_parts" }).waitFor();
    await page.getByLabel("Document").selectOption({ label: "Data API of the role Readers" });
    await page.getByLabel("Find an operation").fill("parts");
    await page.getByRole("region", { name: "public.parts", exact: true }).waitFor();
    expect(await page.locator("main").textContent()).not.toContain("hidden_parts");

    await page.getByLabel("Document").selectOption("admin");
    await page.getByLabel("Find an operation").fill("roles/{id}/members get");
    await page.getByRole("button", { name: /^GET \/admin\/api\/roles\/\{id\}\/members/ }).click();
    await expect
      .poll(() => command.textContent())
      .toMatch(/\/admin\/api\/roles\/[0-9a-f-]{36}\/members'/);
    await page.getByText('client.admin.get("/roles/{id}/members", {"path":{"id":"').waitFor();
  });

  it("the audit log names who did what, opens the record, and leads to all of its request", async () => {
    const { service } = journey;
    const role = (await service.administer("POST", "/roles", { name: "Stewards" })) as {
      id: string;
    };
    await service.administer("PATCH", `/roles/${role.id}`, { name: "Night stewards" });
    const gone = (await service.administer("POST", "/roles", { name: "Gone" })) as { id: string };
    await service.administer("PATCH", `/roles/${gone.id}`, { description: "Not for long" });
    await service.administer("DELETE", `/roles/${gone.id}`);
    const { page } = await journey.open();
    await enterAs(page, administrator, "/admin/audit");
    await page.getByLabel("Kind of target").selectOption({ label: "a role" });
    await page.waitForURL(/targetKind=role/);
    await page.getByLabel("Time", { exact: true }).selectOption("Last hour");
    await page.waitForURL(/range=hour/);
    const rows = page.getByRole("list", { name: /^Changes of Today/ }).getByRole("listitem");
    const created = rows.filter({ hasText: "created the role Night stewards" });
    await created.waitFor();
    await rows.filter({ hasText: "changed the name of the role Night stewards" }).waitFor();
    await rows.filter({ hasText: "changed the description of a deleted role" }).waitFor();
    await rows.filter({ hasText: /deleted a role$/ }).waitFor();
    expect(await rows.allInnerTexts().then((texts) => texts.join())).not.toContain(gone.id);
    expect(await created.getByRole("link").getAttribute("href")).toBe(
      `/admin/people/roles/${role.id}`,
    );

    await created.getByRole("button").focus();
    await page.keyboard.press("Enter");
    await created.getByText(`"targetId": "${role.id}"`).waitFor();
    await created.getByRole("button", { name: "All of this request" }).click();
    await page.waitForURL(/requestId=/);
    const address = page.url();
    const log = (await service.administer(
      "GET",
      `/audit-log?targetKind=role&requestId=${new URL(address).searchParams.get("requestId")}`,
    )) as { action: string }[];
    await expect.poll(() => rows.count()).toBe(log.length);
    await page.reload();
    await page.getByRole("button", { name: "Remove the filter Request" }).click();
    await page.waitForURL((url) => !url.search.includes("requestId"));

    await page.getByRole("button", { name: "Remove all filters" }).click();
    await page.waitForURL((url) => url.search === "");
    const person = page.getByRole("combobox", { name: "Person" });
    await person.fill("boss");
    await page.getByRole("option", { name: /boss@example.com/ }).click();
    await page.waitForURL(/actorUserId=/);
    await page.getByLabel("Time", { exact: true }).selectOption("From … to …");
    await page.getByLabel("To", { exact: true }).fill("2001-01-01T00:00");
    await page.keyboard.press("Enter");
    await page.waitForURL(/until=/);
    await page.getByText("Nothing matches.").waitFor();
  });

  it("the overview names a table that nobody may use, until a role has a grant", async () => {
    const { service } = journey;
    await service.test.database.query("create table public.unreached (id int primary key)");
    const resources = (await service.administer("GET", "/resources?search=unreached")) as {
      id: string;
    }[];
    const resourceId = resources[0]?.id ?? "";
    await service.administer("PATCH", `/resources/${resourceId}`, { exposedMethods: ["GET"] });
    const { page } = await journey.open();
    await enterAs(page, administrator, "/admin");
    await page.getByRole("link", { name: "public.unreached" }).click();
    await page.waitForURL("**/admin/access?search=public.unreached");
    await service.administer("POST", "/grants", {
      roleId: journey.roleId,
      resourceId,
      action: "READ",
      fields: null,
    });
    await page.goto("/admin");
    await page.getByRole("heading", { name: "Runs of the last 24 hours" }).waitFor();
    expect(await page.getByRole("link", { name: "public.unreached" }).count()).toBe(0);
  });

  it("the overview says to whom a mail was given up, and leads to its entry of the audit log", async () => {
    const { service } = journey;
    await service.test.database.query(
      `insert into system.audit_log (action, target_kind, target_id, outcome)
       select 'mail.send', 'user', id::text, 'FAILED' from system.users where email = 'boss@example.com'`,
    );
    const { page } = await journey.open();
    await enterAs(page, administrator, "/admin");
    const lost = page.getByRole("region", { name: "Mails that were given up" });
    await lost.getByRole("link", { name: "Mail to Boss" }).click();
    await page.waitForURL("**/admin/audit?action=mail.send&targetId=*");
    await page.getByText("A mail about Boss could not be delivered").waitFor();
  });

  it("the overview counts hidden tables and failed runs alike, and leaves tests and fresh tokens out", async () => {
    const { service } = journey;
    await service.test.database.query("create table public.unseen (id int primary key)");
    const [boss] = (await service.administer("GET", "/users?search=boss@")) as { id: string }[];
    const definition = {
      trigger: { kind: "manual", executeAs: boss?.id },
      steps: [{ id: "stop", kind: "fail", message: "The depot is closed" }],
    };
    const { id } = (await service.administer("POST", "/workflows", {
      ...{ slug: "close", name: "Close the depot", definition },
    })) as { id: string };
    await service.administer("POST", `/workflows/${id}/publish`);
    await service.administer("POST", `/workflows/${id}/enable`);
    for (const _ of [1, 2]) await service.administer("POST", `/workflows/${id}/runs`, { data: {} });
    const fresh = { userId: boss?.id, plane: "api", lifetime: 7 };
    await service.administer("POST", "/tokens", { ...fresh, name: "fresh" });
    const used = (await service.administer("POST", "/tokens", { ...fresh, name: "used up" })) as {
      id: string;
    };
    await service.test.database.query(
      "update system.tokens set expires_at = now() + interval '1 day' where id = $1::text::uuid",
      [used.id],
    );
    const { page } = await journey.open();
    const failed = page.getByRole("region", { name: "Failed runs" });
    await expect
      .poll(async () => {
        await enterAs(page, administrator, "/admin");
        await page.getByRole("heading", { name: "Runs of the last 24 hours" }).waitFor();
        return (await failed.count()) === 0 ? "" : failed.textContent();
      })
      .toMatch(/Close the depotstep stop2 times, last.*The depot is closed/);
    const expiring = page.getByRole("region", { name: "Tokens that expire soon" });
    expect(await expiring.getByRole("listitem").allInnerTexts()).toEqual([
      expect.stringContaining("used up"),
    ]);
    const hidden = page.getByRole("region", { name: /tables? (?:is|are) hidden/ });
    await hidden.getByRole("link", { name: "Access matrix" }).click();
    await page.waitForURL("**/admin/access");
  });

  it("shows the workspace as a person sees it, read-only, and none of the names that they may not know", async () => {
    const { service, roleId } = journey;
    await service.test.database.query(`
      create table public.parcels (id int primary key, label text, canary_weight int);
      insert into public.parcels values (1, 'Box', 77), (2, 'canary parcel', 88);
      create table public.canary_table (id int primary key);
    `);
    const resources = (await service.administer("GET", "/resources?limit=1000")) as {
      id: string;
      name: string;
    }[];
    const idOf = (name: string) => resources.find((one) => one.name === name)?.id ?? "";
    for (const name of ["parcels", "canary_table"]) {
      const exposedMethods = ["GET", "PATCH"];
      await service.administer("PATCH", `/resources/${idOf(name)}`, { exposedMethods });
    }
    const terms = { roleId, resourceId: idOf("parcels"), fields: ["id", "label"] };
    const rowFilter = { id: { _eq: 1 } };
    await service.administer("POST", "/grants", { ...terms, action: "READ", rowFilter });
    await service.administer("POST", "/grants", { ...terms, action: "UPDATE", rowFilter });
    await journey.createPerson("limited@example.com");
    const [person] = (await service.administer("GET", "/users?search=limited@")) as {
      id: string;
    }[];

    const { page } = await journey.open();
    await enterAs(page, administrator, `/admin/people/users/${person?.id}`);
    await page.getByRole("button", { name: "View as" }).click();
    await page.getByText("You see the workspace as").waitFor();
    const answers: string[] = [];
    page.on("response", (answer) => {
      // A navigation of the test discards bodies.
      void answer.text().then(
        (text) => answers.push(text),
        () => {},
      );
    });
    await page.getByRole("heading", { name: "Welcome, Nora" }).waitFor();
    expect(await page.getByRole("link", { name: "Administration" }).count()).toBe(0);
    await page.goto("/app/data/public/table/parcels");
    await page.getByRole("gridcell", { name: "Box" }).dblclick();
    await page.keyboard.type("Crate");
    await page.keyboard.press("Enter");
    await page.getByText("You may not do this").first().waitFor();
    const [row] = await service.test.database.query(
      "select label from public.parcels where id = 1",
    );
    expect(row).toEqual({ label: "Box" });
    expect(await page.content()).not.toContain("canary");
    await page.goto("/app/data/public/table/parcels");
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.locator('[data-row="0"] [data-column="0"]').click();
    await page.keyboard.press("Control+Shift+End");
    await page.keyboard.press("Control+c");
    const copied = () => page.evaluate(() => navigator.clipboard.readText());
    await expect.poll(copied).toBe("1\tBox");
    await page.getByRole("button", { name: "Export" }).click();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("menuitem", { name: "CSV, for spreadsheets" }).click(),
    ]);
    expect(await readFile(await download.path(), "utf8")).toBe("id,label\r\n1,Box\r\n");
    await page.goto("/app/data/public/table/canary_table");
    const why = await page.getByRole("link", { name: "Why?" }).getAttribute("href");
    expect(why).toBe(
      `/admin/access/explain?${new URLSearchParams({ user: person?.id ?? "", method: "GET", path: "/api/public/table/canary_table" })}`,
    );
    await page.goto("/admin/people/users");
    await page.getByRole("heading", { name: "This page does not exist" }).waitFor();
    expect(answers.length).toBeGreaterThan(3);
    expect(answers.filter((text) => text.includes("canary") && !text.includes("<html"))).toEqual(
      [],
    );
    await page.getByRole("button", { name: "Back to the administration" }).click();
    await page.getByRole("heading", { name: "Runs of the last 24 hours" }).waitFor();
    expect(await page.getByText("You see the workspace as").count()).toBe(0);
  });

  it("seals are counted, and renewing them is harmless", async () => {
    const { page } = await journey.open();
    await enterAs(page, administrator, "/admin/settings/sealed-values");
    await page.getByRole("button", { name: "Renew the seals" }).click();
    await page.getByText("No seal was renewed.").waitFor();
  });
});
