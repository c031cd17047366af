// Tier: long. Starts a browser; own-front-end.test.ts is in every run.
import { execFile } from "node:child_process";
import { once } from "node:events";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, request as forward, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createUser, expose, smallPng } from "@rowhouse/testing";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { resourcesFile } from "../../../apps/cli/src/types/resources-file.ts";
import { closeWindows, hasChromium, openChromium } from "../src/chromium.ts";
import {
  buildApplication,
  type ServedApplication,
  serveApplication,
} from "../src/own-application.ts";
import { type BrowserService, startBrowserService } from "../src/service.ts";

// An application of one's own, on another origin, whose connection to the service loses every second answer to a write.

const root = new URL("../../../", import.meta.url);
const pathOf = (path: string) => fileURLToPath(new URL(path, root));
const password = "paper boats sail uphill";

describe.runIf(hasChromium())("a booking tool of one's own", () => {
  let service: BrowserService;
  let browser: Browser;
  let served: ServedApplication;
  let proxy: Server;
  let folder: string;
  let page: Page;
  let isCutting = false;
  const passed: string[] = [];
  const faults: string[] = [];

  const sql = (text: string) => service.test.database.query<Record<string, unknown>>(text);

  beforeAll(async () => {
    service = await startBrowserService();
    for (const statement of [
      "create extension if not exists btree_gist",
      "create schema booking",
      "create table booking.rooms (id int primary key, name text not null, picture uuid)",
      `create table booking.bookings (id int generated always as identity primary key,
         room_id int not null references booking.rooms, guest text not null, starts timestamptz not null, ends timestamptz not null,
         price numeric(8, 2) not null, number text unique, notes jsonb,
         constraint in_order check (starts < ends), constraint priced check (price > 0),
         exclude using gist (room_id with =, tstzrange(starts, ends) with &&))`,
      "comment on constraint in_order on booking.bookings is 'checkMessage: A stay ends after it begins'",
    ]) {
      await sql(statement);
    }
    await expose(service.test.database, "system", "files", "GET", "POST");
    await expose(service.test.database, "booking", "rooms", "GET");
    await expose(service.test.database, "booking", "bookings", "GET", "POST", "PATCH");
    const picture = await uploadPicture();
    await sql(
      `insert into booking.rooms values (1, 'Sea', '${picture}'), (2, 'Sky', '${picture}')`,
    );
    const { id: roleId } = (await service.administer("POST", "/roles", { name: "Desk" })) as {
      readonly id: string;
    };
    for (const [name, ...actions] of [
      ["rooms", "READ"],
      ["bookings", "READ", "CREATE", "UPDATE"],
      ["files", "READ"],
    ] as const) {
      const found = (await service.administer("GET", `/resources?search=${name}`)) as {
        readonly id: string;
        readonly name: string;
      }[];
      const resourceId = found.find((each) => each.name === name)?.id;
      for (const action of actions) {
        await service.administer("POST", "/grants", { roleId, resourceId, action });
      }
    }
    const { token } = await inviteAndAccept(roleId);
    proxy = cuttingProxy();
    await once(proxy.listen(0, "127.0.0.1"), "listening");
    const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    folder = await mkdtemp(join(tmpdir(), "rowhouse-booking-"));
    await cp(pathOf("infra/browser/booking-tool"), folder, { recursive: true });
    const document = await fetch(`${service.url}/api/openapi`, {
      headers: { Authorization: `Bearer ${token}` },
    });
    await writeFile(join(folder, "resources.ts"), resourcesFile(await document.json()));
    const code = await buildApplication(folder, url);
    served = await serveApplication(() => code);
    await service.administer("PATCH", "/settings", {
      "security.cors_origins": [served.origin],
      "system.timezone": "Europe/Oslo",
      "files.link_max_lifetime_seconds": 3600,
    });
    browser = await openChromium();
    page = await browser.newPage();
    page.setDefaultTimeout(15_000);
    page.on("pageerror", (error) => faults.push(error.message));
    await page.goto(served.origin);
  }, 120_000);
  afterAll(async () => {
    await closeWindows(browser);
    served?.stop();
    proxy?.close();
    await service?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  async function inviteAndAccept(roleId: string): Promise<{ readonly token: string }> {
    const email = "desk@example.com";
    await service.administer("POST", "/invitations", { email, roleIds: [roleId] });
    const { hash } = new URL(await service.linkTo(email));
    const answer = await fetch(`${service.url}/api/auth/invitations/accept`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ token: hash.replace("#token=", ""), name: "Ada", password }),
    });
    const { data } = (await answer.json()) as { readonly data: { readonly token: string } };
    return data;
  }

  async function uploadPicture(): Promise<string> {
    const admin = await createUser(service.test.database, "pictures@example.com", "Administrators");
    const answer = await fetch(`${service.url}/api/files?name=small.png`, {
      method: "POST",
      headers: { Authorization: `Bearer ${admin.secret}`, "Content-Type": "image/png" },
      body: new Uint8Array(smallPng()),
    });
    return ((await answer.json()) as { data: { id: string } }).data.id;
  }

  /** Forwards each request, and while it cuts loses every second answer to a write after the service has sent it. */
  function cuttingProxy(): Server {
    let writes = 0;
    return createServer((incoming, outgoing) => {
      const { method = "GET", url = "/", headers } = incoming;
      const target = forward(`${service.url}${url}`, { method, headers }, (answer) => {
        const isWrite = method === "POST" || method === "PATCH";
        const chunks: Buffer[] = [];
        answer.on("data", (chunk: Buffer) => chunks.push(chunk));
        answer.on("end", () => {
          if (method !== "OPTIONS")
            passed.push(`${method} ${url.split("?")[0]} ${answer.statusCode}`);
          if (isCutting && isWrite && writes++ % 2 === 0) return outgoing.socket?.destroy();
          outgoing.writeHead(answer.statusCode ?? 502, answer.headers).end(Buffer.concat(chunks));
        });
      });
      incoming.pipe(target);
    });
  }

  const press = (name: string) => page.getByRole("button", { name, exact: true }).click();
  const said = (text: string) => page.getByRole("status").filter({ hasText: text }).waitFor();
  const book = async (values: Readonly<Record<string, string>>) => {
    const form = page.locator("form");
    for (const [name, value] of Object.entries(values)) {
      await form.locator(`input[name=${name}]`).fill(value);
    }
    await press("Book");
  };
  const stay = {
    ...{ room_id: "1", guest: "Ada", starts: "2026-01-31T23:30:00Z", ends: "2026-02-02T10:00:00Z" },
    ...{ price: "99.50", number: "A1" },
  };
  /** The messages at the fields of the form. */
  const messages = () =>
    page
      .locator("em[data-field]")
      .evaluateAll((all) =>
        Object.fromEntries(
          all
            .filter(({ textContent }) => textContent !== "")
            .map((each) => [each.getAttribute("data-field"), each.textContent]),
        ),
      );

  it("compiles with strict settings and the types of the service, and not after a column was renamed", async () => {
    const options = {
      ...{ strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true },
      ...{
        target: "es2023",
        module: "preserve",
        jsx: "react-jsx",
        noEmit: true,
        skipLibCheck: true,
      },
      ...{
        lib: ["es2023", "dom", "dom.iterable"],
        types: [pathOf("apps/console/node_modules/vite/client")],
      },
      allowImportingTsExtensions: true,
      paths: {
        "@rowhouse/client": [pathOf("packages/client/dist/index.d.ts")],
        "react/*": [pathOf("apps/console/node_modules/@types/react/*")],
        react: [pathOf("apps/console/node_modules/@types/react")],
        "react-dom/*": [pathOf("apps/console/node_modules/@types/react-dom/*")],
      },
    };
    await writeFile(
      join(folder, "tsconfig.json"),
      JSON.stringify({ compilerOptions: options, include: ["*.ts", "*.tsx"] }),
    );
    const compile = async () => {
      const compiler = pathOf("node_modules/typescript/bin/tsc");
      const run = promisify(execFile)(process.execPath, [compiler, "-p", folder]);
      const { stdout } = await run.catch((error: { readonly stdout: string }) => error);
      return stdout;
    };
    expect(await compile()).toBe("");
    const file = join(folder, "resources.ts");
    const types = await readFile(file, "utf8");
    await writeFile(file, types.replaceAll("starts", "begins"));
    const broken = [...(await compile()).matchAll(/app\.tsx\((\d+),/g)].map(([, line]) => line);
    await writeFile(file, types);
    expect(new Set(broken).size).toBeGreaterThanOrEqual(4);
  });

  it("signs in on another origin and shows the pictures of its rooms by one request for links", async () => {
    await page.locator("input[name=email]").fill("desk@example.com");
    await page.locator("input[name=password]").fill(password);
    await press("Sign in");
    for (const name of ["Sea", "Sky"]) {
      const image = page.getByAltText(name);
      await expect
        .poll(() => image.evaluate((element: HTMLImageElement) => element.naturalWidth))
        .toBe(2);
    }
    expect(passed.filter((one) => one.includes("links"))).toEqual(["POST /api/files/links 200"]);
  });

  it("shows each refusal at its fields", async () => {
    await book({ ...stay, price: "-1" });
    await said("CHECK_VIOLATION");
    expect(await messages()).toEqual({ price: expect.any(String) });
    await book({ ...stay, ends: "2026-01-30T10:00:00Z" });
    await said("A stay ends after it begins");
    expect(await messages()).toEqual({
      starts: "A stay ends after it begins",
      ends: "A stay ends after it begins",
    });
    await book({ ...stay, room_id: "9" });
    await said("FOREIGN_KEY_VIOLATION");
    expect(Object.keys(await messages())).toEqual(["room_id"]);
    await book({ ...stay, price: "12345678" });
    await said("VALUE_INVALID");
    expect(Object.keys(await messages())).toEqual(["price"]);
    await book(stay);
    await said("Booked");
    await book({ ...stay, number: "A2" });
    await said("CONFLICT");
    expect(Object.keys(await messages())).toEqual(["room_id", "starts", "ends"]);
    await book({ ...stay, room_id: "2" });
    await said("UNIQUE_VIOLATION");
    expect(Object.keys(await messages())).toEqual(["number"]);
  });

  it("changes a row twice without reading it between, although answers are lost, and notices another change", async () => {
    passed.length = 0;
    isCutting = true;
    await press("Raise");
    await said("Price 100.50");
    await press("Raise");
    await said("Price 101.50");
    isCutting = false;
    expect(passed.filter((one) => one.startsWith("GET"))).toEqual([]);
    expect(passed.filter((one) => /^PATCH .* 200$/.test(one))).toHaveLength(4);
    await sql("update booking.bookings set price = 50 where number = 'A1'");
    await press("Raise");
    await said("PRECONDITION_FAILED");
    expect(await sql("select price::text from booking.bookings where number = 'A1'")).toEqual([
      { price: "50.00" },
    ]);
  });

  it("creates 30 rows of 30 although half of the answers are lost", async () => {
    isCutting = true;
    await press("Fill");
    await said("Filled");
    isCutting = false;
    expect(await sql("select count(*)::int as n from booking.bookings where room_id = 2")).toEqual([
      { n: 30 },
    ]);
  });

  it("sends what it kept while it was offline, with every digit and once", async () => {
    await press("Queue");
    await said("Queued");
    await press("Send queue");
    await said("Sent 1");
    await press("Send queue");
    await said("Sent 1");
    expect(await sql("select notes::text from booking.bookings where number = 'OFF'")).toEqual([
      { notes: '{"weight": 12345678901234567890.5}' },
    ]);
  });

  it("shows months of its time zone that select the bookings they count", async () => {
    await press("Months");
    const shown = page.locator("li");
    await shown.nth(2).waitFor();
    expect(await shown.allTextContents()).toEqual([
      "2026-02: 1 = 1",
      "2026-04: 30 = 30",
      "2027-01: 1 = 1",
    ]);
  });

  it("polls a list by its tag", async () => {
    const seen = page.locator("output");
    await press("Poll");
    await seen.filter({ hasText: "5 rows" }).waitFor();
    await press("Poll");
    await seen.filter({ hasText: "unchanged" }).waitFor();
    expect(passed.at(-1)).toBe("GET /api/booking/table/bookings 304");
    await sql("update booking.bookings set price = 51 where number = 'A1'");
    await press("Poll");
    await seen.filter({ hasText: "5 rows" }).waitFor();
  });

  it("has no unhandled rejection meanwhile", () => {
    expect(faults).toEqual([]);
  });
});
