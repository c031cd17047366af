import type { Page } from "playwright-core";
import { enterAs, type People } from "./people.ts";
import type { Screen } from "./screen.ts";
import type { BrowserService } from "./service.ts";

/** The question whether a program may have access: typical, overfull and refused. */
export async function consentScreens(service: BrowserService, people: People): Promise<Screen[]> {
  await service.administer("PATCH", "/settings", {
    "mcp.enabled": true,
    "mcp.oauth": true,
    "mcp.dynamic_registration": true,
    "mcp.access": "READ_WRITE",
  });
  const desk = await register(service, "Desk assistant", "http://127.0.0.1:33418/callback");
  const host = `${"assistant-of-a-department-".repeat(2)}x.${"a-long-part-of-a-name.".repeat(3)}example.com`;
  const name = `<b>Wolfe</b>schlegelsteinhausenbergerdorff \u202eDesk\u202c ${"assistant".repeat(5)}`;
  const long = await register(service, name, `https://${host}/${"callback/".repeat(20)}`);
  await approve(service, people.typical, desk);
  const ask = (session: string, { clientId, redirectUri }: Client) => {
    const query = new URLSearchParams(parameters(service, { clientId, redirectUri }));
    return async (page: Page) => {
      await enterAs(page, session, `/admin/auth/authorize?${query}`);
      await page.locator("h1").waitFor();
      await page.locator("form, [role=alert]").first().waitFor();
    };
  };
  return [
    { name: "consent", show: ask(people.typical, desk) },
    { name: "consent-overfull", show: ask(people.overfull, long) },
    {
      name: "consent-refused",
      show: ask(people.typical, { ...desk, redirectUri: "https://elsewhere.example.com/" }),
    },
    { name: "consent-not-permitted", show: ask(people.empty, desk) },
  ];
}

interface Client {
  readonly clientId: string;
  readonly redirectUri: string;
}

function parameters({ url }: BrowserService, { clientId, redirectUri }: Client) {
  return {
    response_type: "code",
    client_id: clientId,
    redirect_uri: redirectUri,
    code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
    code_challenge_method: "S256",
    resource: `${url}/mcp`,
    scope: "read write workflows",
    state: "of a screen",
  };
}

async function register(service: BrowserService, name: string, redirect: string): Promise<Client> {
  const answer = await fetch(`${service.url}/oauth/register`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({
      client_name: name,
      redirect_uris: [redirect],
      token_endpoint_auth_method: "none",
    }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`A client ${name}: ${answer.status} ${text}`);
  const { client_id: clientId } = JSON.parse(text) as { client_id: string };
  return { clientId, redirectUri: redirect };
}

async function approve(service: BrowserService, session: string, client: Client): Promise<void> {
  const { token } = JSON.parse(session) as { readonly token: string };
  const asked = parameters(service, client);
  const answer = await fetch(`${service.url}/api/auth/authorizations`, {
    method: "POST",
    headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
    body: JSON.stringify({
      clientId: asked.client_id,
      redirectUri: asked.redirect_uri,
      responseType: asked.response_type,
      codeChallenge: asked.code_challenge,
      codeChallengeMethod: asked.code_challenge_method,
      resource: asked.resource,
      scope: asked.scope,
      ...{ decision: "APPROVE", scopes: ["read", "write"], name: "desk at work", days: 90 },
    }),
  });
  if (!answer.ok) throw new Error(`A consent: ${answer.status} ${await answer.text()}`);
}
