// Tiers: usual, topologies.
import { createHash, randomBytes } from "node:crypto";
import { createUser } from "@rowhouse/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  clientId,
  clientSecret,
  type MisbehavingProvider,
  startMisbehavingProvider,
} from "./misbehaving-provider.ts";
import {
  linkIn,
  openTestEnvironment,
  publicUrl,
  type TestEnvironment,
} from "./test-environment.ts";

const app = "https://app.example.com";
const page = `${app}/account/page`;
const notAllowed = "Must be an address that the setting auth.return_addresses allows";
const password = "paper boats sail uphill";

let environment: TestEnvironment;
let provider: MisbehavingProvider;
let roleId = "";

beforeAll(async () => {
  environment = await openTestEnvironment();
  provider = await startMisbehavingProvider();
  const [role] = await environment.test.database.query<{ id: string }>(
    "select id from system.roles where name = 'Members'",
  );
  roleId = role?.id ?? "";
  await environment.set("auth.provider_hosts", [new URL(provider.issuer).host]);
  await environment.set("auth.registration_role", roleId);
  await environment.set("auth.registration_enabled", true);
  const made = await administer("POST", "/auth-providers", {
    ...{ key: "some", kind: "oidc", name: "Some", issuer: provider.issuer },
    ...{ clientId, clientSecret, roleId },
  });
  expect(made.status, made.text).toBe(201);
});
afterAll(async () => {
  await provider.stop();
  await environment.stop();
});
beforeEach(() => environment.set("auth.return_addresses", [`${app}/account/*`]));

const post = (path: string, body: object, as?: string) =>
  environment.ask("POST", `/api/auth/${path}`, { as, body });
const administer = (method: string, path: string, data?: unknown) =>
  environment.ask(method, `/admin/api${path}`, {
    as: environment.admin.secret,
    ...(data === undefined ? {} : { body: { data } }),
  });
let serial = 0;
const newEmail = () => {
  serial += 1;
  return `returning${serial}@example.com`;
};
/** The link in the mails to an address since the last call. */
const linksTo = async (email: string) => {
  const mails = (await environment.mails()).filter((mail) => mail.includes(`To: ${email}\r\n`));
  return mails.map((mail) => {
    const plain = mail.replaceAll(/=\r?\n/g, "").replaceAll("=3D", "=");
    return /https:\/\/[^\s<>"]+#token=[^\s<>"]+/.exec(plain)?.[0] ?? plain;
  });
};
const linkOn = (address: string, kind: string) =>
  new RegExp(`^${address.replaceAll(".", "\\.")}#token=rhl_\\w{36}&kind=${kind}$`);

describe("a link in a mail", () => {
  it("leads to an allowed page of another front end, which learns what its secret is for", async () => {
    const email = newEmail();
    const account = { email, password, name: "Ada" };
    expect((await post("register", { ...account, returnTo: page })).status).toBe(201);
    const [verify = ""] = await linksTo(email);
    expect(verify).toMatch(linkOn(page, "verify"));
    const token = new URLSearchParams(new URL(verify).hash.slice(1)).get("token");
    expect((await post("email/verify", { token })).status).toBe(204);
    expect((await post("login", { email, password })).status).toBe(200);

    expect((await post("password/forgot", { email, returnTo: page })).status).toBe(204);
    const [reset = ""] = await linksTo(email);
    expect(reset).toMatch(linkOn(page, "reset"));
    // The mail about a taken address has a link to another page.
    const other = newEmail();
    await createUser(environment.test.database, other, "Members");
    expect((await post("register", { ...account, email: other, returnTo: page })).status).toBe(201);
    expect((await linksTo(other))[0]).toMatch(linkOn(page, "reset"));
  });

  it("leads there for another confirmation, another address of the account and invitations", async () => {
    const late = newEmail();
    await createUser(environment.test.database, late, "Members");
    await environment.test.database.query(
      "update system.users set email_verified_at = null where email = $1::text",
      [late],
    );
    const asked = { email: late, returnTo: `${page}?locale=de` };
    expect((await post("email/resend", asked)).status).toBe(204);
    expect((await linksTo(late))[0]).toMatch(
      /^https:\/\/app\.example\.com\/account\/page\?locale=de#token=rhl_\w+&kind=verify$/,
    );

    const email = newEmail();
    await post("register", { email, password, name: "Bo", returnTo: page });
    const token = linkIn(await environment.mails(), email);
    await post("email/verify", { token });
    const session = (await post("login", { email, password })).body.data.token;
    const change = { currentPassword: password, newEmail: newEmail(), returnTo: page };
    expect((await post("email/change", change, session)).status).toBe(204);
    expect((await linksTo(change.newEmail))[0]).toMatch(linkOn(page, "verify"));

    const guest = newEmail();
    const invitation = await administer("POST", "/invitations", {
      ...{ email: guest, roleIds: [roleId], returnTo: page },
    });
    expect(invitation.status, invitation.text).toBe(201);
    expect((await linksTo(guest))[0]).toMatch(linkOn(page, "invitation"));
    const { id } = invitation.body.data;
    const query = `?returnTo=${encodeURIComponent(page)}`;
    expect((await administer("POST", `/invitations/${id}/mail${query}`)).status).toBe(200);
    expect((await linksTo(guest))[0]).toMatch(linkOn(page, "invitation"));
    const link = await administer("POST", `/invitations/${id}/link${query}`);
    expect(link.body.data.url).toMatch(linkOn(page, "invitation"));
    const secret = new URLSearchParams(new URL(link.body.data.url).hash.slice(1)).get("token");
    const entered = await post("invitations/accept", { token: secret, password });
    expect(entered.body.data.user.email).toBe(guest);
  });

  it("leads to the page of this service without an address, and if it is removed while the mail waits", async () => {
    const { email } = environment.member;
    await environment.mails();
    await post("password/forgot", { email });
    expect((await linksTo(email))[0]).toMatch(
      /^https:\/\/[^/]+\/admin\/auth\/reset#token=rhl_\w+$/,
    );

    const other = newEmail();
    await createUser(environment.test.database, other, "Members");
    await environment.set("auth.return_addresses", [page]);
    // The mail is written to the outbox in a transaction that waits for this lock.
    await environment.test.database.transaction(async (transaction) => {
      await transaction.query("lock table system.mails in access exclusive mode");
      expect((await post("password/forgot", { email: other, returnTo: page })).status).toBe(204);
      await transaction.query(
        "update system.settings set value = '[]' where key = 'auth.return_addresses'",
      );
    });
    expect((await linksTo(other))[0]).toMatch(/\/admin\/auth\/reset#token=rhl_\w+$/);
  });

  it("is not sent for any other address, which is 400 with its path whether or not the account exists", async () => {
    const { email, secret } = environment.member;
    const mailed = ["password/forgot", "email/resend"].flatMap((path) =>
      [email, "nobody@example.com"].map((one) => [path, { email: one }] as const),
    );
    const bodies = [
      ...mailed,
      ["register", { email: newEmail(), password, name: "Eve" }] as const,
      ["email/change", { currentPassword: "wrong", newEmail: newEmail() }] as const,
    ];
    await environment.mails();
    for (const returnTo of [
      "https://evil.example/",
      `${app}/account/../evil`,
      `${app}@evil.example/`,
      `${page}#token=mine`,
      "/account/page",
      "javascript:alert(1)",
      "",
    ]) {
      for (const [path, body] of bodies) {
        const answer = await environment.ask("POST", `/api/auth/${path}`, {
          ...(path === "email/change" ? { as: secret } : {}),
          body: { ...body, returnTo },
          headers: { Origin: app, Referer: page },
        });
        expect([path, answer.status, answer.body.errors]).toEqual([
          path,
          400,
          [{ code: "BODY_INVALID", path: "/returnTo", message: notAllowed }],
        ]);
      }
    }
    const invited = await administer("POST", "/invitations", {
      ...{ email: newEmail(), roleIds: [roleId], returnTo: "https://evil.example/" },
    });
    expect(invited.faults).toEqual(["VALUE_INVALID /data/returnTo"]);
    expect(await environment.mails()).toEqual([]);
    const links = await environment.test.database.query(
      "select from system.links l join system.users u on u.id = l.user_id where u.email = $1::text and l.kind = 'CHANGE'",
      [email],
    );
    expect(links).toEqual([]);
  });
});

describe("a sign-in through a provider", () => {
  const verifier = randomBytes(32).toString("base64url");
  const challenge = createHash("sha256").update(verifier).digest("base64url");
  const startPath = (parameters: Record<string, string>) =>
    `/api/auth/oauth/some?${new URLSearchParams(parameters)}`;
  const begin = async (parameters: Record<string, string>) => {
    const answer = await environment.ask("GET", startPath(parameters));
    expect(answer.status, answer.text).toBe(302);
    const url = new URL(answer.headers.get("location") ?? "");
    return { url, cookie: (answer.headers.get("set-cookie") ?? "").split(";")[0] ?? "" };
  };
  const comeBack = async (
    { url, cookie }: Awaited<ReturnType<typeof begin>>,
    query: Record<string, string> = { code: "c" },
  ) => {
    const { searchParams } = url;
    provider.say(searchParams.get("nonce") ?? "", { subject: "ada" });
    const state = searchParams.get("state") ?? "";
    const path = `/api/auth/oauth/some/callback?${new URLSearchParams({ ...query, state })}`;
    const answer = await environment.ask("GET", path, { headers: { Cookie: cookie } });
    const { origin, pathname, hash } = new URL(answer.headers.get("location") ?? "");
    return { page: origin + pathname, ...Object.fromEntries(new URLSearchParams(hash.slice(1))) };
  };
  const own = { return_to: page, code_challenge: challenge, code_challenge_method: "S256" };
  const exchange = (body: object) => post("oauth/exchange", body);
  const codeOf = async (parameters: Record<string, string>): Promise<string> => {
    const { code = "" } = (await comeBack(await begin(parameters))) as { code?: string };
    return code;
  };

  it("ends at an allowed page of another front end, with a code that needs its verifier", async () => {
    const back = await comeBack(await begin(own));
    expect(back).toEqual({ page, code: expect.stringMatching(/^rhl_/) });
    const { code } = back as unknown as { code: string };
    for (const codeVerifier of [undefined, "x".repeat(43), challenge]) {
      const refused = await exchange({ code, codeVerifier });
      expect(refused.faults).toEqual(["BODY_INVALID /code"]);
    }
    expect((await exchange({ code, codeVerifier: "short" })).faults).toEqual([
      "BODY_INVALID /codeVerifier",
    ]);
    const entered = await exchange({ code, codeVerifier: verifier });
    expect([entered.status, typeof entered.body.data.token]).toEqual([200, "string"]);
    expect((await exchange({ code, codeVerifier: verifier })).status).toBe(400);
  });

  it("gives the pages of this service a code without a verifier, and each only its own", async () => {
    const code = await codeOf({ return_to: "/app" });
    expect((await exchange({ code, codeVerifier: verifier })).status).toBe(400);
    expect((await exchange({ code })).status).toBe(200);
    const other = await codeOf({ ...own, code_challenge: "c".repeat(43) });
    expect((await exchange({ code: other, codeVerifier: verifier })).status).toBe(400);
  });

  it("is refused at its start for any other address and without a challenge, also for a browser", async () => {
    const { code_challenge: _, ...without } = own;
    for (const headers of [{}, { Accept: "text/html" }]) {
      const faultsOf = async (parameters: Record<string, string>) => {
        const answer = await environment.ask("GET", startPath(parameters), { headers });
        expect(answer.headers.get("set-cookie")).toBeNull();
        return [answer.status, ...(answer.faults ?? [])];
      };
      for (const to of ["https://evil.example/", `${app}/`, `${page}#code=mine`, "https:evil"]) {
        expect(await faultsOf({ ...own, return_to: to })).toEqual([400, "QUERY_INVALID return_to"]);
      }
      expect(await faultsOf(without)).toEqual([400, "QUERY_INVALID code_challenge"]);
      expect(await faultsOf({ ...own, code_challenge: "short" })).toEqual([
        400,
        "QUERY_INVALID code_challenge",
      ]);
      expect(await faultsOf({ ...own, code_challenge_method: "plain" })).toEqual([
        400,
        "QUERY_INVALID code_challenge_method",
      ]);
    }
    const path = await environment.ask("GET", startPath({ ...own, return_to: "/app" }));
    expect(path.faults).toEqual(["QUERY_INVALID code_challenge"]);
  });

  it("tells its failures to the same page, and ends here if the address was removed meanwhile", async () => {
    const canceled = await comeBack(await begin(own), { error: "access_denied" });
    expect(canceled).toEqual({ page, error: "canceled" });
    const nowhere = await environment.ask("GET", startPath(own).replace("/some", "/none"), {
      headers: { Accept: "text/html" },
    });
    expect(nowhere.headers.get("location")).toBe(`${page}#error=unknown_provider`);

    const late = await begin(own);
    await environment.set("auth.return_addresses", []);
    expect(await comeBack(late)).toEqual({
      page: `${publicUrl}/admin/auth/complete`,
      error: "expired",
    });
  });
});

describe("registration", () => {
  const change = (data: object) => administer("PATCH", "/settings", data);
  const refusal = (key: string) => [400, [`VALUE_INVALID /data/${key}`]];
  const outcome = async (data: object) => {
    const { status, faults } = await change(data);
    return [status, faults];
  };

  it("needs a role with API access: in either order, and while it is enabled", async () => {
    const made = await administer("POST", "/roles", { name: "Outsiders", apiAccess: false });
    const outsiders = made.body.data.id;
    await change({ "auth.registration_enabled": null, "auth.registration_role": null });

    const enabled = "auth.registration_enabled";
    const role = "auth.registration_role";
    expect(await outcome({ [enabled]: true })).toEqual(refusal(enabled));
    expect(await outcome({ [enabled]: true, [role]: outsiders })).toEqual(refusal(enabled));
    const { body } = await change({ [enabled]: true });
    expect(body.errors[0].message).toContain(role);
    expect(await outcome({ [enabled]: true, [role]: roleId })).toEqual([200, []]);
    for (const value of [null, outsiders]) {
      expect(await outcome({ [role]: value })).toEqual(refusal(role));
    }
    expect((await change({ [role]: null })).body.errors[0].message).toContain(enabled);

    const lost = await administer("PATCH", `/roles/${roleId}`, { apiAccess: false });
    expect([lost.status, lost.faults]).toEqual([409, ["CONFLICT /data/apiAccess"]]);
    expect(lost.body.errors[0].message).toContain(enabled);
    const deleted = await administer("DELETE", `/roles/${roleId}`);
    expect([deleted.status, deleted.body.errors[0].message]).toEqual([
      409,
      expect.stringContaining(role),
    ]);

    // Another setting can change in an installation that was set up before.
    await environment.set(role, null);
    expect(await outcome({ "auth.mails_per_minute": 100_000 })).toEqual([200, []]);
    expect(await outcome({ [enabled]: false })).toEqual([200, []]);
    const free = await administer("PATCH", `/roles/${roleId}`, { apiAccess: false });
    expect(free.status).toBe(200);
  });

  it("waits for a concurrent change of its role, so that one of the two is refused", async () => {
    await administer("PATCH", `/roles/${roleId}`, { apiAccess: true });
    await change({ "auth.registration_enabled": null, "auth.registration_role": roleId });
    for (let round = 0; round < 5; round += 1) {
      const [setting, role] = await Promise.all([
        change({ "auth.registration_enabled": true }),
        administer("PATCH", `/roles/${roleId}`, { apiAccess: false }),
      ]);
      expect([setting.status === 200, role.status === 200].filter(Boolean)).toHaveLength(1);
      await change({ "auth.registration_enabled": null });
      await administer("PATCH", `/roles/${roleId}`, { apiAccess: true });
    }
  });
});
