// Tier: long. Starts a browser; of this page, `all` has the screens.
import { createHash } from "node:crypto";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { hasChromium } from "../src/chromium.ts";
import { openRows } from "../src/data-screens.ts";
import { enterLibrary, type Library, prepareLibrary, preparePapers } from "../src/library.ts";
import { enter, enterAs } from "../src/people.ts";
import { samplePicture } from "../src/sample-files.ts";
import { prepareJourney, tabTo } from "./journey.ts";

describe.runIf(hasChromium())("the library", () => {
  const journey = prepareJourney();
  let library: Library;
  beforeAll(async () => {
    library = await prepareLibrary(journey.service);
    await preparePapers(journey.service, library.roleId);
  });

  const open = async (search = "", session = library.session): Promise<Page> => {
    const { page } = await journey.open();
    await enterAs(page, session, `/app/files${search}`);
    await page.locator("h1").waitFor();
    return page;
  };
  const query = async (text: string, ...parameters: string[]) =>
    (await journey.service.test.database.query(text, parameters)) as Record<string, unknown>[];
  const fileOf = (name: string) =>
    query("select id, sha256, state, visibility from system.files where name = $1::text", name);
  const bytesOf = (size: number) => Buffer.from(Array.from({ length: size }, (_, at) => at % 251));
  const text = (name: string, content: string | Buffer) => ({
    ...{ name, mimeType: "text/plain", buffer: Buffer.from(content) },
  });
  const chooseFiles = async (page: Page, files: ReturnType<typeof text>[]) => {
    // A listener and a round trip, so that the browser announces the dialog instead of showing it.
    page.on("filechooser", () => {});
    await page.evaluate(() => document.title);
    const [chooser] = await Promise.all([
      page.waitForEvent("filechooser"),
      page.keyboard.press("Enter"),
    ]);
    await chooser.setFiles(files);
  };

  it("is used with the keyboard alone: folder, upload, rename, publish, replace", async () => {
    const page = await open();
    await tabTo(page, "button", "New folder");
    await page.keyboard.press("Enter");
    await page.keyboard.type("Reports");
    await page.keyboard.press("Enter");
    await tabTo(page, "link", "Reports");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "Reports" }).waitFor();
    await tabTo(page, "button", "Upload", "Shift+Tab");
    await chooseFiles(page, [text("first.txt", "one")]);
    await page.getByText("1 of 1 uploaded").waitFor();
    await page.getByRole("link", { name: /first\.txt/ }).waitFor();
    await page.getByRole("link", { name: /first\.txt/ }).focus();
    await page.keyboard.press("Enter");
    const panel = page.getByRole("complementary", { name: "Details" });
    await panel.getByText("one", { exact: true }).waitFor();
    await tabTo(page, "textbox", "Name");
    await page.keyboard.press("ControlOrMeta+A");
    await page.keyboard.type("report.txt");
    await page.keyboard.press("Enter");
    await panel.getByText("Saved").waitFor();
    await page.getByRole("link", { name: /report\.txt/ }).waitFor();

    await tabTo(page, "button", "Make public");
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog", { name: "Make “report.txt” public?" });
    await dialog.getByText("cannot be taken back completely").waitFor();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await expect
      .poll(() => panel.getByLabel("Public address").inputValue())
      .toMatch(/\/report\.txt$/);
    const address = await panel.getByLabel("Public address").inputValue();
    expect(await (await fetch(address)).text()).toBe("one");

    await tabTo(page, "button", "Replace", "Shift+Tab");
    await chooseFiles(page, [text("another-name.txt", "two")]);
    await panel.getByText("two", { exact: true }).waitFor();
    expect(await (await fetch(address)).text()).toBe("two");
    await tabTo(page, "button", "Make private");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog", { name: "Make “report.txt” private?" }).waitFor();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await panel.getByRole("button", { name: "Make public" }).waitFor();
    // Without a credential, a private file and none are the same 401.
    expect((await fetch(address)).status).toBe(401);
    await page.getByRole("button", { name: "Make public" }).focus();
    await page.keyboard.press("Escape");
    await panel.waitFor({ state: "hidden" });
  });

  it("shows the same folder, search and file to everybody who has the address, also after a move", async () => {
    const target = await library.createFolder("Target");
    const id = await library.upload("moved.txt", "moves", { title: "Moved" });
    const page = await open(`?open=${id}&view=list&search=moved`);
    await page.getByRole("row", { name: /Moved/ }).waitFor();
    await page.getByRole("button", { name: "Move", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "Move “Moved”" });
    await dialog.getByLabel("To folder").fill("targ");
    await page.keyboard.press("Enter");
    await dialog.getByRole("button", { name: "Move" }).click();
    await dialog.waitFor({ state: "hidden" });
    const again = await open(`?folder=${target}&open=${id}`);
    await again.getByRole("link", { name: /Moved/ }).waitFor();
    await again.getByRole("heading", { level: 2, name: "Moved" }).waitFor();
    await again.getByRole("link", { name: "Files" }).last().click();
    await again.getByRole("heading", { level: 1, name: "Files" }).waitFor();
    expect(new URL(again.url()).search).toBe("");
  });

  it("takes many dropped files, and says in words which one it refuses", async () => {
    const page = await open();
    await query("insert into system.settings (key, value) values ('files.max_bytes', '5000')");
    try {
      const data = await page.evaluateHandle(() => {
        const transfer = new DataTransfer();
        for (const name of ["a.txt", "b.txt", "c.txt", "d.txt"]) {
          transfer.items.add(new File([name.repeat(10)], name));
        }
        transfer.items.add(new File([new Uint8Array(9000)], "large.bin"));
        return transfer;
      });
      const area = page.locator("main section").first();
      await area.dispatchEvent("dragenter", { dataTransfer: data });
      await page.getByText("Drop the files to upload them to Files").waitFor();
      await area.dispatchEvent("drop", { dataTransfer: data });
      await page.getByText("4 of 5 uploaded").waitFor();
      await page.getByRole("alert").waitFor();
      expect(await fileOf("large.bin")).toEqual([]);
      await page.getByRole("link", { name: /d\.txt/ }).waitFor();
      await query("delete from system.settings where key = 'files.max_bytes'");
      await page.getByRole("button", { name: "Try large.bin again" }).click();
      await page.getByText("5 of 5 uploaded").waitFor();
      await page.getByRole("button", { name: "Dismiss finished" }).click();
      await page.getByText("5 of 5 uploaded").waitFor({ state: "hidden" });
    } finally {
      await query("delete from system.settings where key = 'files.max_bytes'");
    }
  });

  it("continues an upload after a lost connection and after a pause, and ends it when it is canceled", async () => {
    const page = await open();
    const content = bytesOf(6_000_000);
    let sent = 0;
    let isLost = false;
    await page.route("**/api/files/uploads/*", async (route) => {
      if (route.request().method() !== "PATCH") return route.continue();
      sent += 1;
      // The second chunk never arrives, and no later one until the connection is back.
      if (isLost || sent === 2) {
        isLost = true;
        return route.abort("connectionreset");
      }
      return route.continue();
    });
    await tabTo(page, "button", "Upload");
    await chooseFiles(page, [text("resumed.bin", content)]);
    await expect.poll(() => isLost).toBe(true);
    await page.getByRole("button", { name: "Pause resumed.bin" }).click();
    await page.getByText("paused at").waitFor();
    const stopped = sent;
    isLost = false;
    await page.getByRole("button", { name: "Continue resumed.bin" }).click();
    await page.getByText("1 of 1 uploaded").waitFor();
    expect(sent).toBeGreaterThan(stopped);
    const [file] = await fileOf("resumed.bin");
    expect(file?.sha256).toBe(createHash("sha256").update(content).digest("hex"));

    await page.getByRole("button", { name: "Dismiss resumed.bin" }).click();
    isLost = true;
    await tabTo(page, "button", "Upload");
    await chooseFiles(page, [text("canceled.bin", content)]);
    await page.getByRole("button", { name: "Cancel canceled.bin" }).click();
    await page.getByRole("region", { name: "Uploads" }).waitFor({ state: "hidden" });
    await expect
      .poll(() => query("select 1 from system.uploads where name = 'canceled.bin'"))
      .toEqual([]);
    expect(await fileOf("canceled.bin")).toEqual([]);
  });

  it("shows a picture again whose link has expired, and an icon where there is none", async () => {
    const id = await library.upload("expired.png", samplePicture(60, 40, 20));
    const broken = await library.upload("broken.png", samplePicture(60, 40, 90));
    await query("delete from system.file_variants where file_id = $1::text::uuid", broken);
    const { page } = await journey.open();
    let failures = 0;
    await page.route(`**/api/files/${id}/*ticket=*`, (route) => {
      failures += 1;
      return failures === 1 ? route.fulfill({ status: 404 }) : route.continue();
    });
    await page.route(`**/api/files/${broken}/*ticket=*`, (route) => route.fulfill({ status: 404 }));
    await enterAs(page, library.session, "/app/files?search=.png");
    const tile = (name: string) => page.getByRole("link", { name: new RegExp(name) });
    await expect
      .poll(() =>
        tile("expired")
          .locator("img")
          .evaluate((img: HTMLImageElement) => img.naturalWidth),
      )
      .toBeGreaterThan(0);
    expect(failures).toBe(2);
    await tile("broken").locator("svg").waitFor();
  });

  it("reports a refused name and a folder that is not empty in the words of the service", async () => {
    const page = await open();
    await page.getByRole("button", { name: "New folder" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill("a/b");
    await dialog.getByRole("button", { name: "Create" }).click();
    await dialog.getByText("without slashes and control characters").waitFor();
    await dialog.getByLabel("Name").fill("Full");
    await dialog.getByRole("button", { name: "Create" }).click();
    await dialog.waitFor({ state: "hidden" });
    const [folder] = await query("select id from system.folders where name = 'Full'");
    await library.upload("inside.txt", "x", { folder_id: String(folder?.id) });
    await page.getByRole("button", { name: "Actions for the folder Full" }).click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await dialog.getByRole("button", { name: "Delete" }).click();
    await dialog.getByRole("alert").waitFor();
    expect(await query("select 1 from system.folders where name = 'Full'")).toHaveLength(1);
  });

  describe("in a form", () => {
    it("a file is chosen, uploaded and removed with the keyboard, and the grid shows it", async () => {
      await library.upload("portrait.png", samplePicture(80, 60, 200));
      await query("insert into archive.papers (id, title) values (1, 'Lease')");
      const { page } = await journey.open();
      const record = encodeURIComponent('["archive/table/papers/1"]');
      await openRows(page, library.session, `/app/data/archive/table/papers?open=${record}`);
      await tabTo(page, "button", "Choose a file: Photo");
      await page.keyboard.press("Enter");
      const dialog = page.getByRole("dialog", { name: "Choose a file" });
      await dialog.getByRole("button", { name: "Use portrait.png" }).waitFor();
      await tabTo(page, "searchbox", "Search in all folders");
      await page.keyboard.type("portrait");
      await tabTo(page, "button", "Use portrait.png");
      await page.keyboard.press("Enter");
      await dialog.waitFor({ state: "hidden" });
      // The dialog that chooses can upload too.
      await tabTo(page, "button", "Choose a file: Scan");
      await page.keyboard.press("Enter");
      await tabTo(page, "button", "Upload a new file");
      await chooseFiles(page, [text("scan.txt", "scanned")]);
      await page.getByRole("link", { name: "Open scan.txt in the library" }).waitFor();
      await page.keyboard.press("ControlOrMeta+S");
      await page.getByText("2 changes, not saved").waitFor({ state: "hidden" });
      const rows = () =>
        query(
          `select p.name as photo, s.name as scan from archive.papers a
             left join system.files p on p.id = a.photo_id left join system.files s on s.id = a.scan_id where a.id = 1`,
        );
      expect(await rows()).toEqual([{ photo: "portrait.png", scan: "scan.txt" }]);
      const grid = page.getByRole("grid");
      await grid.getByRole("img", { name: "portrait.png" }).waitFor();
      await grid.getByText("scan.txt").waitFor();
      await tabTo(page, "button", "Choose a file: Photo", "Shift+Tab");
      await page.keyboard.press("Delete");
      await page.keyboard.press("ControlOrMeta+S");
      await expect.poll(rows).toEqual([{ photo: null, scan: "scan.txt" }]);
    });

    it("the library names the rows that refer to a file, and a file in use stays", async () => {
      const id = await library.upload("used.txt", "used");
      await query(
        "insert into archive.papers (id, title, scan_id) values (2, 'Deed', $1::text::uuid)",
        id,
      );
      const page = await open(`?open=${id}`);
      const panel = page.getByRole("complementary", { name: "Details" });
      await panel.getByText("Deed").waitFor();
      await panel.getByRole("button", { name: "Delete" }).click();
      const dialog = page.getByRole("dialog", { name: "Delete “used.txt”?" });
      await dialog.getByText("1 row that is open to you refers to it").waitFor();
      await dialog.getByRole("button", { name: "Delete" }).click();
      await dialog.getByRole("alert").waitFor();
      expect(await fileOf("used.txt")).toHaveLength(1);
      await page.keyboard.press("Escape");
      await panel.getByRole("link", { name: "Papers" }).click();
      await page.getByText("1 of 1 row").waitFor();
    });
  });

  it("is no page for a person without the right, and nothing of it loads", async () => {
    const session = JSON.stringify({
      token: await journey.createPerson("nobody@example.com"),
      user: { email: "nobody@example.com" },
    });
    const { page } = await journey.open();
    const requests: string[] = [];
    page.on("request", (request) => requests.push(request.url()));
    await enterAs(page, session, "/app/files");
    await page.getByRole("heading", { name: "This page does not exist" }).waitFor();
    expect(await page.getByRole("navigation").getByText("Files").count()).toBe(0);
    expect(requests.filter((url) => /files-page|\/api\/files|system\/table/.test(url))).toEqual([]);
  });

  it("shows a person with some fields only these, and offers nothing that they may not do", async () => {
    await library.upload("plain.txt", "CANARY-CONTENT", { description: "CANARY-DESCRIPTION" });
    const { session } = await enterLibrary(journey.service, "Lookers", "looker@example.com", {
      files: { READ: ["id", "name"] },
      folders: {},
    });
    const { page } = await journey.open();
    const bodies: Promise<string>[] = [];
    page.on("response", (response) => bodies.push(response.text().catch(() => "")));
    await enterAs(page, session, "/app/files?search=plain");
    await page.getByRole("link", { name: /plain\.txt/ }).click();
    const panel = page.getByRole("complementary", { name: "Details" });
    await panel.getByRole("heading", { name: "Facts" }).waitFor();
    const names = await page.locator("main button, aside button").allInnerTexts();
    expect(
      names.filter((name) => /upload|folder|replace|move|delete|download|public/i.test(name)),
    ).toEqual([]);
    const seen = `${(await Promise.all(bodies)).join()}${await page.content()}`;
    expect(seen).not.toContain("CANARY");
  });
});

describe.runIf(hasChromium())("the use of files", () => {
  const journey = prepareJourney();

  it("begins for the chosen roles in one step and ends again, with the keyboard alone", async () => {
    const { administer, test } = journey.service;
    const reader = await enter(journey.service, "nora@example.com", "Nora", journey.roleId);
    const [role] = (await administer("GET", "/roles?search=administrators")) as { id: string }[];
    const session = await enter(journey.service, "ida@example.com", "Ida", role?.id ?? "");
    const { page: readers } = await journey.open();
    await enterAs(readers, reader, "/app/files");
    await readers.getByRole("heading", { name: "This page does not exist" }).waitFor();
    expect(await readers.getByRole("button", { name: /Use files/ }).count()).toBe(0);

    const { page } = await journey.open();
    await enterAs(page, session, "/app/files");
    await page.getByText("Files are not in use").waitFor();
    await tabTo(page, "button", "Use files…");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog", { name: "Use files" }).waitFor();
    await page.getByRole("combobox", { name: "Add a role" }).focus();
    await page.keyboard.type("Readers");
    await page.getByRole("option", { name: "Readers" }).waitFor();
    await page.keyboard.press("Enter");
    await tabTo(page, "combobox", "The roles may");
    await page.keyboard.type("read and");
    await page.getByText("Uploaders change and delete only their own files.").waitFor();
    await tabTo(page, "button", "Use files");
    await page.keyboard.press("Enter");
    await page.getByText("No files here yet").waitFor();

    await readers.reload();
    await tabTo(readers, "button", "Upload");
    readers.on("filechooser", () => {});
    await readers.evaluate(() => document.title);
    const [chooser] = await Promise.all([
      readers.waitForEvent("filechooser"),
      readers.keyboard.press("Enter"),
    ]);
    const own = { name: "own.txt", mimeType: "text/plain", buffer: Buffer.from("mine") };
    await chooser.setFiles([own]);
    await readers.getByText("1 of 1 uploaded").waitFor();
    await readers.getByRole("link", { name: /own\.txt/ }).click();
    await readers.getByRole("textbox", { name: "Name" }).waitFor();
    expect(await readers.getByRole("button", { name: "Make public" }).count()).toBe(0);
    const { token } = JSON.parse(reader) as { readonly token: string };
    const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
    const change = async (id: unknown, data: object) =>
      (
        await fetch(`${journey.service.url}/api/system/table/files/${id}`, {
          ...{ method: "PATCH", headers, body: JSON.stringify({ data }) },
        })
      ).status;
    const [mine] = (await test.database.query("select id from system.files")) as { id: string }[];
    expect(await change(mine?.id, { title: "Mine" })).toBe(200);
    expect(await change(mine?.id, { visibility: "PUBLIC" })).toBe(400);
    await test.database.query("update system.files set uploaded_by = null");
    expect(await change(mine?.id, { title: "Another" })).toBe(404);

    await page.goto("/admin/settings?search=files");
    await tabTo(page, "switch", "Use files");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog", { name: "Stop using files?" }).waitFor();
    await tabTo(page, "button", "Stop using files");
    await page.keyboard.press("Enter");
    await expect
      .poll(() => page.getByRole("switch", { name: "Use files" }).getAttribute("aria-checked"))
      .toBe("false");
    await readers.reload();
    await readers.getByRole("heading", { name: "This page does not exist" }).waitFor();
    expect(await change(mine?.id, { title: "Mine" })).toBe(404);
    const grants = (await administer("GET", `/grants?roleId=${journey.roleId}`)) as unknown[];
    expect(grants).toHaveLength(6);
  });
});
