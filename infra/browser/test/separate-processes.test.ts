// Tier: long. Starts a browser.
import { hasNginx, hasRedis } from "@rowhouse/testing";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { hasChromium } from "../src/chromium.ts";
import { depotPath, openRows, prepareDepotPerson } from "../src/data-screens.ts";
import { publish, type SeparateService, startSeparateService } from "../src/separate-service.ts";
import { newPassword, prepareJourney } from "./journey.ts";

describe.runIf(hasChromium() && hasRedis())("as separate processes", () => {
  let processes: SeparateService | undefined;
  const journey = prepareJourney(async () => {
    processes = await startSeparateService();
    return processes;
  });
  const { createPerson, signInAt } = journey;
  let session = "";
  let gateways: readonly [string, string] = ["", ""];

  beforeAll(async () => {
    gateways = processes?.gateways ?? gateways;
    ({ session } = await prepareDepotPerson(journey.service));
  });

  const query = (text: string) => journey.service.test.database.query(text);
  const kept = (page: Page) =>
    page.evaluate(() => sessionStorage.getItem("rowhouse.session") ?? "");
  const makeOf = (page: Page) => page.locator('[data-row="0"] [data-column="2"]');
  const changeMake = async (page: Page, make: string) => {
    await makeOf(page).dblclick();
    await page.keyboard.press("Control+a");
    await page.keyboard.type(make);
    await page.keyboard.press("Enter");
    await page.getByText("Undo").waitFor();
    expect(await query("select make from depot.vehicles where id = 1")).toEqual([{ make }]);
  };
  const forget = async (page: Page, email: string) => {
    await page.goto("/admin/auth/forgot");
    await page.getByLabel("Email").fill(email);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Check your mail" }).waitFor();
  };
  const reset = async (page: Page, link: string) => {
    await page.goto(link);
    await page.getByLabel("Password", { exact: true }).fill(newPassword);
    await page.getByText("This password can be used.").waitFor();
    await page.getByRole("button", { name: "Set password" }).click();
    await page.getByText("Your new password is set.").waitFor();
  };
  const continueAsOf = async (page: Page) => {
    const dialog = page.getByRole("dialog", { name: "Your session has ended" });
    await dialog.getByLabel("Password", { exact: true }).fill(newPassword);
    await dialog.getByRole("button", { name: "Continue", exact: true }).click();
    await dialog.waitFor({ state: "detached" });
  };

  describe("with two gateways", () => {
    it("a session of one gateway reads and writes rows at the other", async () => {
      const { page } = await journey.open({}, gateways[1]);
      await openRows(page, session, depotPath("vehicles"));
      await page.getByText("100 of 120 rows").waitFor();
      await changeMake(page, "Scania");
    });

    it("a sign-out at one gateway ends the session at the other, which asks for the password", async () => {
      await createPerson("two@example.com");
      const first = await journey.open({}, gateways[0]);
      await signInAt(first.page, "two@example.com");
      const second = await journey.open({}, gateways[1]);
      await second.page.goto("/livez");
      const held = await kept(first.page);
      await second.page.evaluate((text) => sessionStorage.setItem("rowhouse.session", text), held);
      await second.page.goto("/app");
      await second.page.getByRole("heading", { name: "Welcome, Nora" }).waitFor();
      await first.page.getByRole("button", { name: "Account of Nora" }).click();
      await first.page.getByRole("button", { name: "Sign out" }).click();
      await first.page.getByRole("heading", { name: "Sign in", exact: true }).waitFor();
      // The page does not wait for the service, and its request outlives it: the browser shows it to no page.
      const { token } = JSON.parse(held);
      const statusOf = async () => {
        const headers = { authorization: `Bearer ${token}` };
        return (await fetch(`${gateways[1]}/api/auth/me`, { headers })).status;
      };
      await expect.poll(statusOf, { timeout: 5000 }).toBe(401);
      await second.page.goto("/app?tab=2");
      await continueAsOf(second.page);
      await second.page.getByRole("heading", { name: "Nothing yet" }).waitFor();
      expect(new URL(second.page.url()).search).toBe("?tab=2");
    });

    it("a forgotten password at one gateway leads over the mail to the other", async () => {
      await createPerson("mail@example.com", "paper boats sail uphill");
      const second = await journey.open({}, gateways[1]);
      await forget(second.page, "mail@example.com");
      const link = await journey.service.linkTo("mail@example.com");
      expect(new URL(link).origin).toBe(gateways[0]);
      const first = await journey.open({}, gateways[0]);
      await reset(first.page, link);
      await signInAt(second.page, "mail@example.com");
    });
  });

  describe.runIf(hasNginx())("behind nginx with TLS", () => {
    let secureUrl = "";

    beforeAll(async () => {
      secureUrl = processes?.secureUrl ?? "";
      await publish(journey.service.test, secureUrl);
    });

    const open = (alsoOrigins: readonly string[] = []) =>
      journey.open({ ignoreHTTPSErrors: true, alsoOrigins }, secureUrl);

    it("a person signs in, works with rows, and continues an ended session", async () => {
      await createPerson("secure@example.com");
      const { page } = await open();
      await signInAt(page, "secure@example.com");
      await query(
        "delete from system.sessions s using system.users u where u.id = s.user_id and u.email = 'secure@example.com'",
      );
      await page.goto("/app?tab=3");
      await continueAsOf(page);
      expect(new URL(page.url()).search).toBe("?tab=3");
      const rows = await open();
      await openRows(rows.page, session, depotPath("vehicles"));
      await changeMake(rows.page, "Tatra");
    });

    it("a mail's link has the https origin, and sets a password", async () => {
      await createPerson("link@example.com", "paper boats sail uphill");
      const { page } = await open();
      await forget(page, "link@example.com");
      const link = await journey.service.linkTo("link@example.com");
      expect(new URL(link).origin).toBe(secureUrl);
      await reset(page, link);
      await signInAt(page, "link@example.com");
    });

    it("a provider leads back to the https origin", async () => {
      const { page } = await open([journey.service.provider.issuer]);
      await page.goto("/app?from=a-link");
      await page.getByRole("link", { name: "Continue with Example ID" }).click();
      await page.locator("input[name=login]").fill("ada");
      await page.locator("input[name=password]").fill("any");
      await page.keyboard.press("Enter");
      await page.getByRole("button", { name: "Continue" }).click();
      await page.getByRole("heading", { name: "Welcome, Ada" }).waitFor();
      expect(page.url()).toBe(`${secureUrl}/app?from=a-link`);
    });

    it("every response has the headers, and neither a long address nor a large import is refused", async () => {
      const { page } = await open();
      const missing: string[] = [];
      page.on("response", (response) => {
        const headers = response.headers();
        const wanted = ["strict-transport-security", "x-content-type-options"];
        missing.push(
          ...wanted.filter((name) => !(name in headers)).map((name) => `${name} ${response.url()}`),
        );
        if (!response.url().startsWith(secureUrl)) missing.push(response.url());
      });
      await openRows(page, session, depotPath("trips"));
      const token = (JSON.parse(session) as { readonly token: string }).token;
      const statuses = await page.evaluate(async (credential) => {
        const headers = { Authorization: `Bearer ${credential}` };
        const long = JSON.stringify({ note: { _in: ["x".repeat(20_000)] } });
        const filtered = await fetch(`/api/depot/table/trips?where=${encodeURIComponent(long)}`, {
          headers,
        });
        const lines = Array.from(
          { length: 30_000 },
          (_, number) => `${number + 10_000},5,2026-05-01T08:00:00Z,"Note, ${"x".repeat(50)}"`,
        );
        const imported = await fetch("/api/depot/table/trips", {
          method: "POST",
          headers: { ...headers, "Content-Type": "text/csv" },
          body: `id,vehicle_id,started_at,note\n${lines.join("\n")}\n`,
        });
        return [filtered.status, imported.status];
      }, token);
      expect(statuses).toEqual([200, 201]);
      expect(missing).toEqual([]);
      expect(await query("select count(*)::int as n from depot.trips where id >= 10000")).toEqual([
        { n: 30_000 },
      ]);
    });
  });
});
