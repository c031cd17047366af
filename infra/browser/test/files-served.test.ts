// Tier: all. Starts a browser.
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import {
  createUser,
  expose,
  smallPng,
  startTestEnvironment,
  type TestEnvironment,
  type TestUser,
} from "@rowhouse/testing";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { closeWindows, hasChromium, openChromium } from "../src/chromium.ts";
import { attackOn, hostileFiles } from "./hostile-files.ts";

describe.runIf(hasChromium())("files in a browser", () => {
  let environment: TestEnvironment;
  let admin: TestUser;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  /** Another origin: serves a page with a file in it, and receives a request from each script that runs. */
  let beacon: Server;
  let hits: string[];

  beforeAll(async () => {
    environment = await startTestEnvironment({ kind: "one" });
    const { database } = environment.test;
    admin = await createUser(database, "files@example.com", "Administrators");
    await expose(database, "system", "files", "GET", "POST", "PATCH");
    browser = await openChromium();
    beacon = createServer((request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? "", "http://beacon");
      const address = searchParams.get("address");
      if (pathname === "/attack.html" && address !== null) {
        response.setHeader("Content-Type", "text/html");
        response.end(attackOn(address));
        return;
      }
      if (pathname !== "/favicon.ico") hits.push(pathname);
      response.end();
    }).listen(0, "127.0.0.1");
    await once(beacon, "listening");
  });
  afterAll(async () => {
    await closeWindows(browser);
    beacon.close();
    await environment.stop();
  });
  beforeEach(async () => {
    hits = [];
    context = await browser.newContext();
    page = await context.newPage();
    page.on("dialog", (dialog) => {
      hits.push("dialog");
      dialog.dismiss().catch(() => {});
    });
  });
  afterEach(() => context.close());

  const beaconPort = () => (beacon.address() as AddressInfo).port;
  const beaconUrl = () => `http://127.0.0.1:${beaconPort()}`;
  /** An origin of another site than the service. */
  const foreignUrl = () => `http://localhost:${beaconPort()}`;

  /** Uploads a file and returns its address. */
  async function upload(content: Buffer, name: string, type: string, visibility = "PUBLIC") {
    const query = new URLSearchParams({ name, visibility });
    const answer = await fetch(`${environment.url}/api/files?${query}`, {
      method: "POST",
      headers: { Authorization: `Bearer ${admin.secret}`, "Content-Type": type },
      body: new Uint8Array(content),
    });
    expect(answer.status, await answer.clone().text()).toBe(201);
    const { data } = (await answer.json()) as { data: { id: string } };
    return `${environment.url}/api/files/${data.id}`;
  }

  /** Returns an address of a private file that works without a header. */
  async function linkTo(address: string): Promise<string> {
    const link = await fetch(`${address}/link`, {
      method: "POST",
      headers: { Authorization: `Bearer ${admin.secret}`, "Content-Type": "application/json" },
      body: '{"data":{}}',
    });
    const { data } = (await link.json()) as { data: { url: string } };
    return `${environment.url}${data.url}`;
  }

  /** Opens a page of an origin that includes a file in every way. */
  async function attack(origin: string, address: string): Promise<void> {
    const target = `${origin}/attack.html?${new URLSearchParams({ address })}`;
    if (origin === environment.url) {
      await page.route(target, (route) =>
        route.fulfill({ contentType: "text/html", body: attackOn(address) }),
      );
    }
    await page.goto(target, { waitUntil: "load" });
    await page.waitForTimeout(150);
  }

  const shownFrames = (address: string) =>
    page.frames().filter((frame) => frame !== page.mainFrame() && frame.url().startsWith(address));

  it("runs a script of the same kind outside a file, so that the test can fail", async () => {
    const [hostile] = hostileFiles(beaconUrl());
    await page.setContent(hostile?.content.toString() ?? "");
    await expect.poll(() => hits).toEqual(["/page"]);
  });

  it.each(hostileFiles("").map(({ name }) => name))(
    "runs no script of %s, opened or included by a page of any origin",
    async (name) => {
      const file = hostileFiles(beaconUrl()).find((one) => one.name === name);
      if (file === undefined) throw new Error("No such file");
      const address = await upload(file.content, file.name, file.claimedType);
      for (const origin of [environment.url, foreignUrl()]) {
        await attack(origin, address);
        const frames = shownFrames(address);
        for (const frame of frames) {
          // Text may be shown; it is not a page.
          expect(await frame.evaluate(() => document.contentType)).toBe("text/plain");
        }
        expect(await page.title()).toBe("attack");
      }
      const opened = await context.newPage();
      const download = opened.waitForEvent("download", { timeout: 2000 }).catch(() => undefined);
      const response = await opened.goto(address).catch(() => undefined);
      if (response === undefined || response === null) {
        expect((await download)?.suggestedFilename()).toBe(name);
      } else {
        expect(response.headers()["content-type"]).toBe("text/plain; charset=utf-8");
        expect(await opened.title()).toBe("");
      }
      expect(hits).toEqual([]);
    },
    30_000,
  );

  it.each([
    ["a right-to-left override", "photo\u202Egnp.html", "photo_gnp.html"],
    ["quotes and a parameter", 'a"; filename="b.exe', /^a.; filename=.b\.exe$/],
    ["other scripts", "Übersicht 世界.html", "Übersicht 世界.html"],
    ["255 characters", `${"n".repeat(250)}.html`, `${"n".repeat(250)}.html`],
    ["an escape", "100%0d%0aX: y.html", /^100%0d%0aX. y\.html$/],
  ])("names a download with %s as the file, and adds no header", async (_case, name, expected) => {
    const address = await upload(Buffer.from("<html>"), name, "text/html");
    const download = page.waitForEvent("download");
    await page.goto(address).catch(() => undefined);
    const suggested = (await download).suggestedFilename();
    if (typeof expected === "string") expect(suggested).toBe(expected);
    else expect(suggested).toMatch(expected);
  });

  it("rejects a name with a line break", async () => {
    const query = new URLSearchParams({ name: "a\r\nSet-Cookie: x=1.html" });
    const answer = await fetch(`${environment.url}/api/files?${query}`, {
      method: "POST",
      headers: { Authorization: `Bearer ${admin.secret}`, "Content-Type": "text/html" },
      body: "x",
    });
    expect(answer.status).toBe(400);
  });

  it("shows an image in place, and other origins show it if it is public or by a link", async () => {
    const widthAt = async (origin: string, address: string) => {
      await attack(origin, address);
      return page.evaluate(() => document.images[0]?.naturalWidth);
    };
    const other = foreignUrl();
    const address = await upload(smallPng(), "image.png", "image/png");
    const opened = await page.goto(address);
    expect(opened?.headers()["content-disposition"]).toBe("inline; filename=image.png");
    expect(await page.evaluate(() => document.images[0]?.naturalWidth)).toBe(2);
    expect(await widthAt(environment.url, address)).toBe(2);
    expect(await widthAt(other, address)).toBe(2);

    const secret = await upload(smallPng(), "secret.png", "image/png", "PRIVATE");
    const ticket = await linkTo(secret);
    expect(await widthAt(environment.url, ticket)).toBe(2);
    expect(await widthAt(other, ticket)).toBe(2);
    for (const address of [secret, ticket.replace(/ticket=.*/, "ticket=v1.AAAA")]) {
      expect(await widthAt(environment.url, address)).toBe(0);
      expect(await widthAt(other, address)).toBe(0);
    }
  });

  it("by a link are shown and read by a page of an allowed origin, from its cache the second time", async () => {
    const { database } = environment.test;
    const set = (key: string, value: unknown) =>
      database.query(
        `insert into system.settings (key, value) values ($1::text, $2::text::jsonb)
         on conflict (key) do update set value = excluded.value`,
        [key, JSON.stringify(value)],
      );
    // Under a name of its own, as behind `files.public_url`.
    const filesUrl = environment.url.replace("127.0.0.1", "localhost");
    await set("files.public_url", filesUrl);
    await set("files.link_max_lifetime_seconds", 3600);
    await set("security.cors_origins", [beaconUrl()]);
    const { pathname } = new URL(await upload(smallPng(), "small.png", "image/png", "PRIVATE"));
    const linkOf = async (more: object) => {
      const answer = await fetch(`${environment.url}/api/files/links`, {
        method: "POST",
        headers: { Authorization: `Bearer ${admin.secret}`, "Content-Type": "application/json" },
        body: JSON.stringify({
          data: { ids: [pathname.split("/")[3]], lifetimeSeconds: 3600, ...more },
        }),
      });
      const { data } = (await answer.json()) as { data: { url: string }[] };
      return data[0]?.url ?? "";
    };
    await page.goto(`${beaconUrl()}/own-page`);
    let cached = 0;
    const devtools = await context.newCDPSession(page);
    await devtools.send("Network.enable");
    devtools.on("Network.responseReceived", ({ response }) => {
      if (response.fromDiskCache === true) cached += 1;
    });
    devtools.on("Network.requestServedFromCache", () => {
      cached += 1;
    });
    const show = (url: string) =>
      page.evaluate(async (address) => {
        const image = new Image();
        image.src = address;
        await image.decode().catch(() => undefined);
        return image.naturalWidth;
      }, url);
    const read = (url: string) =>
      page.evaluate(
        async (address) =>
          (await fetch(address)).arrayBuffer().then(({ byteLength }) => byteLength),
        url,
      );
    for (const more of [{}, { preset: "thumbnail" }]) {
      const url = await linkOf(more);
      expect(new URL(url).origin).toBe(filesUrl);
      expect(await show(url)).toBe(2);
      await page.reload();
      cached = 0;
      expect(await show(await linkOf(more))).toBe(2);
      expect(cached).toBeGreaterThan(0);
      // The image has left an answer without the headers of CORS in the cache.
      expect(await read(url)).toBeGreaterThan(0);
    }
    await set("security.cors_origins", []);
    await page.reload();
    const url = await linkOf({ lifetimeSeconds: 1800 });
    expect(await show(url)).toBe(2);
    expect(await read(url).catch(() => "refused")).toBe("refused");
    await set("files.public_url", null);
  });

  it("is framed by a page only if it is public", async () => {
    const text = Buffer.from("Some words.");
    const open = await upload(text, "open.txt", "text/plain");
    await attack(foreignUrl(), open);
    expect(shownFrames(open)).not.toEqual([]);
    const ticket = await linkTo(await upload(text, "secret.txt", "text/plain", "PRIVATE"));
    for (const origin of [environment.url, foreignUrl()]) {
      await attack(origin, ticket);
      expect(shownFrames(ticket)).toEqual([]);
    }
    expect(await (await page.goto(ticket))?.text()).toBe("Some words.");
  });
});
