// Tier: long. Starts a browser; of this page, `all` has the screens.
import { readFile } from "node:fs/promises";
import { BlobReader, TextWriter, ZipReader } from "@zip.js/zip.js/index-native.js";
import type { Download, Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { hasChromium } from "../src/chromium.ts";
import { type Texts, zipOf } from "../src/configuration-screens.ts";
import { administratorsId, enter, enterAs } from "../src/people.ts";
import { prepareJourney, tabTo } from "./journey.ts";

interface Planned {
  readonly planId: string;
  readonly digest: string;
}

describe.runIf(hasChromium())("the page of the configuration", () => {
  const journey = prepareJourney();
  let administrator = "";

  beforeAll(async () => {
    const { service } = journey;
    administrator = await enter(
      service,
      "keeper@example.com",
      "Keeper",
      await administratorsId(service),
    );
    await service.test.database.query(`
      create schema harbor;
      create table harbor.berths (id int primary key, name text not null, note text);
      insert into harbor.berths select n, 'Berth ' || n, 'x' from generate_series(1, 20) n`);
  });

  const read = async () =>
    ((await journey.service.administer("GET", "/configuration")) as { files: Texts }).files;
  const driftCount = async () =>
    ((await journey.service.administer("GET", "/configuration/drift")) as { files: unknown[] })
      .files.length;

  /** Applies the present files, as the command line does. */
  async function applyPresent(): Promise<void> {
    const { administer } = journey.service;
    const plan = { files: await read() };
    const { planId, digest } = (await administer("POST", "/configuration/plan", plan)) as Planned;
    const source = { commit: "4f2a91c0d3b7e8f6", url: "https://git.example/c/4f2a91c0d3b7e8f6" };
    await administer("POST", "/configuration/apply", { planId, digest, source });
  }

  async function filesOf(download: Download): Promise<Texts> {
    const reader = new ZipReader(
      new BlobReader(new Blob([await readFile(await download.path())])),
      {
        useWebWorkers: false,
      },
    );
    const files: Record<string, string> = {};
    for (const entry of await reader.getEntries()) {
      if (!entry.directory) files[entry.filename] = await entry.getData(new TextWriter());
    }
    return files;
  }

  async function downloaded(page: Page, button: string): Promise<Download> {
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: button }).click(),
    ]);
    return download;
  }

  it("shows what SQL has changed, and sets it back by the keyboard alone", async () => {
    const { page } = await journey.open();
    const { keyboard } = page;
    await enterAs(page, administrator, "/admin/configuration");
    await page.getByText("Nothing has been applied yet").waitFor();
    await applyPresent();
    await page.reload();
    await page.getByText("The service is as the files say.").waitFor();
    const commit = page.getByRole("link", { name: "4f2a91c0d3" });
    expect(await commit.getAttribute("href")).toBe("https://git.example/c/4f2a91c0d3b7e8f6");
    await journey.service.test.database.query("alter table harbor.berths add column depth int");
    await page.reload();
    await page.getByRole("table", { name: "tables/harbor/berths.yaml" }).waitFor();
    await page
      .getByText("+1", { exact: true })
      .or(page.getByText("+2", { exact: true }))
      .waitFor();
    await tabTo(page, "link", "Set back…");
    await keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: /Set back to the last apply$/ }).waitFor();
    await page.getByText('drop column "depth"').waitFor();
    await page.getByText("One consent is missing.").waitFor();
    await tabTo(page, "textbox", "Type harbor.berths.depth");
    await keyboard.type("harbor.berths.depth");
    await page.getByText("One consent is missing.").waitFor({ state: "detached" });
    await tabTo(page, "button", "Apply the step");
    await keyboard.press("Enter");
    await page.getByText("One step is applied.").waitFor();
    expect(await driftCount()).toBe(0);
    await page.getByRole("link", { name: "To the configuration" }).click();
    await page.getByText("The service is as the files say.").waitFor();
    // It is the same commit again.
    await commit.waitFor();
  });

  it("downloads the present files; once they are imported, nothing differs", async () => {
    const { service } = journey;
    const { page } = await journey.open();
    await applyPresent();
    await service.administer("PATCH", "/settings", { "data.default_limit": 33 });
    await enterAs(page, administrator, "/admin/configuration");
    await page.getByRole("table", { name: "settings.yaml" }).waitFor();
    const download = await downloaded(page, "Take over into files");
    expect(download.suggestedFilename()).toBe("configuration.zip");
    const files = await filesOf(download);
    expect(files).toEqual(await read());
    expect(files["settings.yaml"]).toContain("data.default_limit: 33");
    await page.getByRole("link", { name: "Import a zip" }).click();
    await page.getByLabel("Zip with the files").setInputFiles(await zipOf(files));
    await page.getByText("Nothing to do: the service is as the files say.").waitFor();
    await page.getByRole("button", { name: "Take these files as applied" }).click();
    await page.getByText("The files are taken as applied.").waitFor();
    expect(await driftCount()).toBe(0);
  });

  it("shows the SQL of a new table, and the changed lines of a template and a grant", async () => {
    const { service } = journey;
    const { page } = await journey.open();
    const files = {
      ...(await read()),
      "templates/harbor.receipt.en.yaml": "kind: DOCUMENT\ntitle: Receipt\nformat: HTML\n",
      "templates/harbor.receipt.en.liquid": "<h1>{{ title }}</h1>\n<p>One</p>\n",
    };
    const plan = (await service.administer("POST", "/configuration/plan", { files })) as Planned;
    const { planId, digest } = plan;
    await service.administer("POST", "/configuration/apply", { planId, digest });
    await enterAs(page, administrator, "/admin/configuration/import");
    await page.getByLabel("Zip with the files").setInputFiles(
      await zipOf({
        ...files,
        "templates/harbor.receipt.en.liquid": "<h1>{{ title }}</h1>\n<p>Two</p>\n",
        "roles/Harbor masters.yaml": "grants:\n  harbor.berths:\n    READ: {}\n",
        "tables/harbor/cranes.yaml": "columns:\n  id: { type: integer }\nprimaryKey: [id]\n",
      }),
    );
    const open = (name: RegExp) => page.getByRole("button", { name }).click();
    await open(/Create the table.*harbor\.cranes/);
    await page.getByText('create table "harbor"."cranes"').waitFor();
    await open(/Set the grants/);
    await page.getByText('"all rows"').waitFor();
    await open(/Change the template/);
    const lines = page.getByRole("table", { name: "source" }).getByRole("row");
    const texts = (await lines.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, " ").trim());
    expect(texts.slice(1)).toEqual([
      "1 1 <h1>{{ title }}</h1>",
      "2 − <p>One</p>",
      "2 + <p>Two</p>",
    ]);
  });

  it("imports a zip with a folder around its files, with the variables of an environment", async () => {
    const { service } = journey;
    const { page } = await journey.open();
    const zip = {
      "fleet/rowhouse.yaml": "version: 1\nparts: [roles]\n",
      "fleet/README.md": "Ours\n",
      "fleet/roles/Pilots.yaml": `description: $${"{TEXT}"}\n`,
      "fleet/environments/staging.yaml": "TEXT: For staging\n",
      ...Object.fromEntries(
        Object.entries(await read()).flatMap(([path, text]) =>
          path.startsWith("roles/") ? [[`fleet/${path}`, text]] : [],
        ),
      ),
    };
    await enterAs(page, administrator, "/admin/configuration/import");
    await page.getByLabel("Zip with the files").setInputFiles(await zipOf(zip));
    await page.getByRole("row", { name: /roles\/Pilots\.yaml:1:14/ }).waitFor();
    await page.getByLabel("Variables of").selectOption("staging");
    await page.getByRole("listitem").filter({ hasText: "Create the role" }).waitFor();
    // Somebody else changes a role meanwhile.
    await service.administer("POST", "/roles", { name: "Between" });
    await page.getByRole("button", { name: "Apply the step" }).click();
    await page.getByText("The configuration has changed since this plan was made").waitFor();
    await page.getByRole("button", { name: "Plan again" }).click();
    await page.getByLabel("Delete Between").check();
    await page.getByRole("button", { name: "Apply 2 steps" }).click();
    await page.getByText("2 steps are applied.").waitFor();
    const roles = (await service.administer("GET", "/roles")) as Record<string, string>[];
    expect(roles.find(({ name }) => name === "Pilots")?.description).toBe("For staging");
    expect(roles.find(({ name }) => name === "Between")).toBeUndefined();
  });

  it("names the rows that stand in the way, and offers nothing to apply", async () => {
    const { page } = await journey.open();
    await journey.service.test.database.query(
      "update system.resources set exposed_methods = '{GET}' where schema_name = 'harbor'",
    );
    const files = await read();
    const path = "tables/harbor/berths.yaml";
    const checked = `${files[path] ?? ""}checks:\n  berths_id_check: { check: id > 5 }\n`;
    await enterAs(page, administrator, "/admin/configuration/import");
    await page
      .getByLabel("Zip with the files")
      .setInputFiles(await zipOf({ ...files, [path]: checked }));
    await page.getByText("Rows stand in the way.").waitFor();
    const rows = page.getByRole("link", { name: "5 rows, the first: 1" });
    const [grid] = await Promise.all([page.waitForEvent("popup"), rows.click()]);
    await grid.getByRole("gridcell", { name: "Berth 5" }).waitFor();
    expect(await grid.getByRole("gridcell", { name: /^Berth/ }).count()).toBe(5);
    await grid.close();
    expect(await page.getByRole("button", { name: /^Apply/ }).count()).toBe(0);
  });

  describe("of records that are kept in files", () => {
    interface Kind {
      /** The path of its document. */
      readonly file: string;
      /** The address of the record of a name. */
      readonly at: string;
      /** The address of another record of the kind, which is created after the apply. */
      readonly other?: string;
      /** The field that is changed. */
      readonly field: string;
      readonly text?: string;
      readonly save?: string;
    }
    const kinds: Record<string, Kind> = {};
    const names = [
      ...["role", "table", "view", "template", "workflow", "DataView", "dashboard", "settings"],
    ] as const;
    let role = "";
    let grant = "";

    /** Creates a record of each kind by the APIs, and returns the addresses of their pages. */
    async function createRecords(name: string): Promise<Record<string, string>> {
      const { administer, test } = journey.service;
      const create = async (path: string, data: object) =>
        ((await administer("POST", path, data)) as { readonly id: string }).id;
      await test.database.query(`
        create table harbor.${name} (id int primary key, length int);
        create view harbor.${name}_view as select id from harbor.${name}`);
      const found = (await administer("GET", `/resources?schema=harbor&search=${name}`)) as {
        readonly id: string;
        readonly name: string;
      }[];
      const resourceId = found.find((one) => one.name === name)?.id ?? "";
      await administer("PATCH", `/resources/${resourceId}`, { exposedMethods: ["GET"] });
      const roleId = await create("/roles", { name });
      const { user } = JSON.parse(administrator) as { readonly user: { readonly id: string } };
      const definition = { trigger: { kind: "manual", executeAs: user.id }, steps: [] };
      const ids = {
        grant: await create("/grants", { roleId, resourceId, action: "READ" }),
        template: await create("/templates", {
          ...{ kind: "DOCUMENT", key: name, language: "en", title: "Bill", format: "TEXT" },
          ...{ source: "To pay: {{ sum }}", sample: { sum: 3 } },
        }),
        workflow: await create("/workflows", { slug: name, name, definition }),
        dataView: await create("/data-views", {
          ...{ name, resourceId, roleIds: [] },
          presentation: { version: 1, layout: "table", columns: [] },
        }),
        dashboard: await create("/dashboards", { name, roleIds: [], panels: [] }),
      };
      return {
        role: `/admin/people/roles/${roleId}?tab=settings`,
        grant: `/admin/access/grants/${ids.grant}`,
        table: `/admin/structure/harbor/table/${name}?tab=presentation`,
        view: `/admin/structure/harbor/view/${name}_view`,
        template: `/admin/settings/templates/${ids.template}`,
        workflow: `/admin/workflows/${ids.workflow}/settings`,
        DataView: `/admin/data-views/${ids.dataView}`,
        dashboard: `/admin/dashboards/${ids.dashboard}?pane=board`,
        settings: "/admin/settings",
      };
    }

    beforeAll(async () => {
      const first = await createRecords("quays");
      await applyPresent();
      const second = await createRecords("piers");
      const files: Record<string, Omit<Kind, "at" | "other">> = {
        role: { file: "roles/quays.yaml", field: "Description" },
        table: { file: "tables/harbor/quays.yaml", field: "Label" },
        view: { file: "views/harbor/quays_view.yaml", field: "Comment" },
        template: { file: "templates/quays.en.yaml", field: "Title" },
        workflow: { file: "workflows/quays.yaml", field: "Name" },
        DataView: { file: "data-views/quays.yaml", field: "Description", save: "Save DataView" },
        dashboard: { file: "dashboards/quays.yaml", field: "Description" },
        settings: { file: "settings.yaml", field: "Lifetime of a session", text: "700" },
      };
      for (const [kind, one] of Object.entries(files)) {
        const other = kind === "settings" ? {} : { other: second[kind] ?? "" };
        kinds[kind] = { ...one, at: first[kind] ?? "", ...other };
      }
      role = first.role ?? "";
      grant = first.grant ?? "";
    });

    const differing = async () =>
      (
        (await journey.service.administer("GET", "/configuration/drift")) as {
          readonly files: readonly { readonly path: string }[];
        }
      ).files.map(({ path }) => path);

    it.each(names)("%s: a change follows Edit anyway, and is drift then", async (name) => {
      const kind = kinds[name];
      if (kind === undefined) throw new Error(`No ${name}`);
      const { page } = await journey.open();
      await enterAs(page, administrator, kind.at);
      const field = page.getByRole("textbox", { name: kind.field, exact: true }).first();
      const bar = page.getByRole("note").filter({ hasText: kind.file });
      await bar.waitFor();
      expect(await bar.getByRole("link").getAttribute("href")).toBe("/admin/configuration");
      expect(await field.isEditable()).toBe(false);
      expect(await differing()).not.toContain(kind.file);
      await tabTo(page, "button", "Edit anyway");
      await page.keyboard.press("Enter");
      await page.getByRole("button", { name: "Edit anyway" }).waitFor({ state: "detached" });
      expect(await bar.evaluate((element) => element === document.activeElement)).toBe(true);
      expect(await field.isEditable()).toBe(true);
      await field.fill(kind.text ?? "Changed by hand");
      const save = page.getByRole("button", { name: kind.save ?? "Save", exact: true });
      await save.first().click();
      await expect.poll(differing).toContain(kind.file);
      if (kind.other === undefined) return;
      await enterAs(page, administrator, kind.other);
      await field.waitFor();
      expect(await field.isEditable()).toBe(true);
      expect(await page.getByRole("note").count()).toBe(0);
    });

    it("the dialog of a provider is locked until Edit anyway, and its deletion asks", async () => {
      const { page } = await journey.open();
      await enterAs(page, administrator, "/admin/people/providers");
      const entry = page.getByRole("listitem").filter({ hasText: "Example ID" });
      await entry.getByRole("img", { name: "Kept in files" }).waitFor();
      await entry.getByRole("button", { name: /^Delete/ }).click();
      const question = page.getByRole("dialog", { name: "Kept in files" });
      await question.getByText("providers/real.yaml").waitFor();
      await question.getByRole("button", { name: "Cancel" }).click();
      await entry.getByRole("button", { name: /^Edit/ }).click();
      const dialog = page.getByRole("dialog", { name: /^Edit/ });
      const field = dialog.getByLabel("Client id");
      expect(await field.isEditable()).toBe(false);
      await tabTo(page, "button", "Edit anyway");
      await page.keyboard.press("Enter");
      await field.fill("another client");
      await dialog.getByRole("button", { name: "Save" }).click();
      await dialog.waitFor({ state: "detached" });
      await expect.poll(differing).toContain("providers/real.yaml");
    });

    it("what changes nothing works while a record is locked", async () => {
      const { page } = await journey.open();
      await enterAs(page, administrator, "/admin/structure/harbor/table/quays");
      await page.getByRole("note").waitFor();
      expect(await page.getByLabel("Name of the column length").isEditable()).toBe(false);
      expect(await page.getByRole("button", { name: "Drop table" }).isEnabled()).toBe(false);
      await page.getByRole("button", { name: "Open the details of length" }).click();
      expect(await page.getByRole("button", { name: "Drop the column" }).isEnabled()).toBe(false);
      await page.getByRole("link", { name: /^Keys/ }).click();
      await page.getByText("quays_pkey").waitFor();
      expect(await page.getByRole("button", { name: "Drop quays_pkey" }).isEnabled()).toBe(false);
    });

    it("a workflow that is locked is read, and neither changed nor published nor enabled", async () => {
      const { page } = await journey.open();
      const editor = kinds.workflow?.at.replace("/settings", "?view=code") ?? "";
      await enterAs(page, administrator, editor);
      await page.getByRole("note").waitFor();
      const code = page.getByRole("textbox", { name: "Code" });
      await code.click();
      await page.keyboard.type("x");
      await page.getByRole("button", { name: "Publish…" }).waitFor();
      expect(await page.getByText("Unsaved changes").count()).toBe(0);
      expect(await page.getByRole("button", { name: "Publish…" }).isEnabled()).toBe(false);
      expect(await page.getByRole("switch", { name: "Enabled" }).isEnabled()).toBe(false);
      await page.getByRole("button", { name: "Edit anyway" }).click();
      await code.click();
      await page.keyboard.type(" ");
      expect(await page.getByRole("button", { name: "Publish…" }).isEnabled()).toBe(true);
    });

    it("the matrix asks once for a role and for a table, and the page of a grant is locked", async () => {
      const { page } = await journey.open();
      const id = /roles\/([^?]+)/.exec(role)?.[1] ?? "";
      const question = page.getByRole("dialog", { name: "Kept in files" });
      const cells = page.getByRole("gridcell");
      await enterAs(page, administrator, `/admin/access?search=harbor.quays&role=${id}`);
      const { keyboard } = page;
      await cells.nth(5).click();
      await page.getByRole("menuitem", { name: "Create any new row" }).click();
      await question.getByText("roles/quays.yaml").waitFor();
      await question.getByRole("button", { name: "Cancel" }).click();
      const grants = async () =>
        (await journey.service.administer("GET", `/grants?roleId=${id}`)) as unknown[];
      expect(await grants()).toHaveLength(1);
      await cells.nth(5).click();
      await page.getByRole("menuitem", { name: "Create any new row" }).click();
      await tabTo(page, "button", "Edit anyway");
      await keyboard.press("Enter");
      await expect.poll(grants).toHaveLength(2);
      await cells.nth(6).click();
      await page.getByRole("menuitem", { name: "Change all rows" }).click();
      await expect.poll(grants).toHaveLength(3);
      await cells.nth(1).click();
      await question.getByText("tables/harbor/quays.yaml").waitFor();
      await question.getByRole("button", { name: "Cancel" }).click();
      await enterAs(page, administrator, grant);
      await page.getByRole("note").getByText("roles/quays.yaml").waitFor();
      const all = page.getByLabel(/All fields/);
      expect(await all.isEnabled()).toBe(false);
      await page.getByRole("button", { name: "Edit anyway" }).click();
      expect(await all.isEnabled()).toBe(true);
    });

    it("lists ask before a record that is kept in files is deleted, and before no other", async () => {
      const { page } = await journey.open();
      const question = page.getByRole("dialog", { name: "Kept in files" });
      const deletion = page.getByRole("dialog", { name: /quays|piers/ });
      const press = (name: RegExp) =>
        page.getByRole("row", { name }).getByRole("button").last().click();
      for (const [path, file] of [
        ["/admin/data-views", "data-views/quays.yaml"],
        ["/admin/dashboards", "dashboards/quays.yaml"],
      ] as const) {
        await enterAs(page, administrator, path);
        await page.getByRole("img", { name: "Kept in files" }).first().waitFor();
        await press(/^piers/);
        await deletion.waitFor();
        expect(await question.count()).toBe(0);
        await page.keyboard.press("Escape");
        await press(/^quays/);
        await question.getByText(file).waitFor();
        await question.getByRole("button", { name: "Cancel" }).click();
        expect(await deletion.count()).toBe(0);
        await press(/^quays/);
        await question.getByRole("button", { name: "Edit anyway" }).click();
        await deletion.getByRole("button", { name: "Cancel" }).click();
      }
    });

    it("lists mark the records that are kept in files", async () => {
      const { page } = await journey.open();
      const marked = async (path: string, name: RegExp) => {
        await enterAs(page, administrator, path);
        const row = page.getByRole("row", { name });
        await row.getByRole("img", { name: "Kept in files" }).first().waitFor();
      };
      await marked("/admin/people/roles", /^quays/);
      await marked("/admin/structure?schema=harbor", /^quays/);
      await marked("/admin/settings/templates", /quays/);
      await marked("/admin/workflows", /quays/);
      await marked("/admin/data-views", /^quays/);
      await marked("/admin/dashboards", /^quays/);
      const other = page.getByRole("row", { name: /^piers/ });
      expect(await other.getByRole("img", { name: "Kept in files" }).count()).toBe(0);
    });
  });
});
