import type { Page } from "playwright-core";
import { openAs, type People } from "./people.ts";
import { newOne, type Screen } from "./screen.ts";
import type { BrowserService } from "./service.ts";

/** The pages of one's own account: empty, typical and overfull. */
export async function accountScreens(service: BrowserService, people: People): Promise<Screen[]> {
  await createTokens(service, people.typical, ["laptop", "nightly import"]);
  const long = Array.from({ length: 12 }, (_, number) => `${"backup-job-".repeat(8)}${number}`);
  await createTokens(service, people.overfull, long);
  const at = (session: string, page: string) => (tab: Page) =>
    openAs(tab, session, `/app/account/${page}`);
  const createToken = async (tab: Page) => {
    await at(people.typical, "tokens")(tab);
    await newOne(tab).click();
    await tab.locator("dialog input[name=name]").waitFor();
  };
  return [
    { name: "account-profile", show: at(people.typical, "profile") },
    { name: "account-security", show: at(people.typical, "security") },
    {
      name: "account-security-failed",
      show: async (tab) => {
        await at(people.typical, "security")(tab);
        await tab.locator("main button[type=submit]").last().click();
        await tab.locator("[aria-invalid]").first().waitFor();
      },
    },
    { name: "account-sessions", show: at(people.typical, "sessions") },
    { name: "account-tokens-empty", show: at(people.empty, "tokens") },
    { name: "account-tokens", show: at(people.typical, "tokens") },
    { name: "account-tokens-overfull", show: at(people.overfull, "tokens") },
    { name: "account-new-token", show: createToken },
    {
      name: "account-revoke-token",
      show: async (tab) => {
        await at(people.typical, "tokens")(tab);
        await tab.locator("main li button").last().click();
        await tab.locator("dialog").waitFor();
      },
    },
  ];
}

async function createTokens(service: BrowserService, session: string, names: readonly string[]) {
  const { token } = JSON.parse(session) as { token: string };
  for (const name of names) {
    const answer = await fetch(`${service.url}/api/auth/tokens`, {
      method: "POST",
      headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
      body: JSON.stringify({ name, plane: "api", lifetime: name === "laptop" ? 7 : 90 }),
    });
    if (!answer.ok) throw new Error(`A token of ${name}: ${answer.status} ${await answer.text()}`);
  }
}
