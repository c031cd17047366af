import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { account } from "./soak-environment.ts";
import type { Side } from "./upgrade-sides.ts";

/** An action of one side that the other side must observe, over HTTP. */
export interface Path {
  readonly name: string;
  /** Whether it stops and starts workers. */
  readonly ofWorkers?: true;
  /** @throws Error that states the difference from the expectation */
  readonly walk: (one: Side, other: Side) => Promise<void>;
}

const runPatienceMs = 60_000;
/** Longer than a worker takes to start. */
const restSeconds = 15;
const clerk = { email: "clerk@example.com", password: "another horse battery staple" };

/**
 * The main paths of the contract over two builds at once. Each runs in both directions.
 *
 * @param session an administrator's
 */
export async function createPaths(first: Side, session: string): Promise<Path[]> {
  const administer = (side: Side, method: string, path: string, data?: object) =>
    expect(side, session, method, `/admin/api${path}`, data && { data });
  const idOf = (body: Body) => String(body.data?.id);

  const role = await administer(first, "POST", "/roles", { name: "Clerks", tokenCreation: true });
  const user = await administer(first, "POST", "/users", { ...clerk, name: "A clerk" });
  await administer(first, "POST", `/roles/${idOf(role)}/members`, { userId: idOf(user) });
  const wide = await administer(first, "GET", "/resources?search=public.wide");
  const wideId = String((wide.data as unknown as { id: string }[])[0]?.id);
  await administer(first, "PATCH", `/resources/${wideId}`, {
    exposedMethods: ["GET", "POST", "PATCH", "DELETE"],
  });
  const slug = "rests";
  const workflow = await administer(first, "POST", "/workflows", {
    slug,
    name: "A row, a pause, a row",
    definition: {
      trigger: { kind: "webhook", access: "AUTHENTICATED", response: "ASYNCHRONOUS" },
      steps: [
        {
          id: "before",
          kind: "createRow",
          table: "entries",
          values: { kind: slug, token: "{{start.data.body.token}}" },
        },
        { id: "rest", kind: "delay", seconds: restSeconds },
        {
          id: "after",
          kind: "createRow",
          table: "wide",
          values: { title: "{{start.data.body.token}}" },
        },
        { id: "end", kind: "finish", result: { id: "{{steps.after.id}}" } },
      ],
    },
  });
  await administer(first, "POST", `/workflows/${idOf(workflow)}/publish`);
  await administer(first, "POST", `/workflows/${idOf(workflow)}/enable`);
  const administrators = await administer(first, "GET", "/roles?search=Administrators");
  const roleId = String((administrators.data as unknown as { id: string }[])[0]?.id);
  await administer(first, "POST", `/workflows/${idOf(workflow)}/invoke-grants`, { roleId });
  const table = "/api/public/table";

  const begin = async (side: Side): Promise<{ readonly run: string; readonly token: string }> => {
    const token = randomUUID();
    const path = `/api/workflows/${slug}/webhook`;
    const begun = await expect(side, session, "POST", path, { token });
    return { run: String(begun.data?.run), token };
  };
  const countRows = async (side: Side, where: string, value: string): Promise<number> => {
    const { data } = await expect(side, session, "GET", `${table}/${where}[_eq]=${value}`);
    return (data as unknown as unknown[]).length;
  };
  const untilRows = async (side: Side, where: string, value: string): Promise<void> => {
    for (const until = Date.now() + runPatienceMs; (await countRows(side, where, value)) === 0; ) {
      if (Date.now() > until) throw new Error(`no row at ${where}=${value}`);
      await sleep(100);
    }
  };
  const untilEnded = async (
    side: Side,
    { run, token }: { readonly run: string; readonly token: string },
  ): Promise<void> => {
    for (const until = Date.now() + runPatienceMs; ; await sleep(100)) {
      const { data } = await expect(side, session, "GET", `/api/workflows/runs/${run}/result`);
      if (data?.status === "SUCCEEDED") break;
      if (data?.status === "FAILED") throw new Error(`run ${run}: ${JSON.stringify(data.error)}`);
      if (Date.now() > until) throw new Error(`run ${run} is still ${data?.status}`);
    }
    for (const where of ["entries?where[token]", "wide?where[title]"]) {
      same(await countRows(side, where, token), 1);
    }
  };

  return [
    {
      name: "a sign-in, a token, and the end of both",
      walk: async (one, other) => {
        const signedIn = await expect(one, undefined, "POST", "/api/auth/login", account);
        const own = String(signedIn.data?.token);
        await expect(other, own, "GET", "/api/auth/me");
        const named = { name: randomUUID(), plane: "admin" };
        const token = await expect(one, own, "POST", "/api/auth/tokens", named);
        const secret = String(token.data?.secret);
        await expect(other, secret, "GET", `${table}/stock?limit=1`);
        await expect(other, secret, "GET", "/admin/api/roles");
        await expect(one, own, "POST", `/api/auth/tokens/${idOf(token)}/revoke`);
        await refuse(other, secret, "GET", `${table}/stock?limit=1`, 401);
        await expect(one, own, "POST", "/api/auth/logout");
        await refuse(other, own, "GET", "/api/auth/me", 401);
      },
    },
    {
      name: "rows inserted, read, listed, changed and deleted",
      walk: async (one, other) => {
        const title = randomUUID();
        const made = await expect(one, session, "POST", `${table}/wide`, { data: { title } });
        const path = `${table}/wide/${idOf(made)}`;
        await expect(other, session, "GET", path);
        const listed = await expect(
          other,
          session,
          "GET",
          `${table}/wide?where[title][_eq]=${title}`,
        );
        same(listed.data, [made.data]);
        await expect(other, session, "PATCH", path, { data: { title: `${title}2` } });
        const changed = await expect(one, session, "GET", path);
        same(changed.data?.title, `${title}2`);
        await expect(one, session, "DELETE", path);
        await refuse(other, session, "GET", path, 404);
      },
    },
    {
      name: "grants created and revoked, from the next request on",
      walk: async (one, other) => {
        const signedIn = await expect(other, undefined, "POST", "/api/auth/login", clerk);
        const own = String(signedIn.data?.token);
        const path = `${table}/wide?limit=1`;
        for (let turn = 0; turn < 3; turn += 1) {
          await refuse(other, own, "GET", path, 404);
          const terms = { roleId: idOf(role), resourceId: wideId, action: "READ", fields: ["id"] };
          const grant = await administer(one, "POST", "/grants", terms);
          await expect(other, own, "GET", path);
          await refuse(other, own, "GET", `${path}&fields=title`, 400);
          await administer(one, "PATCH", `/grants/${idOf(grant)}`, { fields: null });
          await expect(other, own, "GET", `${path}&fields=title`);
          await administer(one, "DELETE", `/grants/${idOf(grant)}`);
        }
        await refuse(other, own, "GET", path, 404);
        await administer(one, "POST", `/users/${idOf(user)}/deactivate`);
        await refuse(other, own, "GET", path, 401);
        await administer(one, "POST", `/users/${idOf(user)}/activate`);
      },
    },
    {
      name: "columns added and dropped, from the next request on",
      walk: async (one, other) => {
        const column = { name: "more", dataType: "text" };
        const path = `${table}/wide?limit=1&fields=more`;
        const alter = (change: object) =>
          administer(one, "PATCH", "/schema/public/tables/wide", { changes: [change] });
        await refuse(other, session, "GET", path, 400);
        await alter({ kind: "addColumn", ...column });
        await expect(other, session, "GET", path);
        await alter({ kind: "dropColumn", column: "more", confirm: "more" });
        await refuse(other, session, "GET", path, 400);
      },
    },
    {
      name: "a run that one side accepts while only the other has a worker",
      ofWorkers: true,
      walk: async (one, other) => {
        await one.worker.stop();
        try {
          await untilEnded(other, await begin(one));
          const sync = { token: randomUUID() };
          const path = "/api/workflows/enter-synchronous/webhook";
          const ended = await expect(one, session, "POST", path, sync);
          same(ended.data?.status, "SUCCEEDED");
        } finally {
          await one.worker.start();
        }
      },
    },
    {
      name: "a run that one side's worker starts and the other's ends",
      ofWorkers: true,
      walk: async (one, other) => {
        await other.worker.stop();
        const begun = await begin(other)
          .then(async (run) => {
            // From here on the run rests.
            await untilRows(one, "entries?where[token]", run.token);
            return run;
          })
          .finally(async () => {
            // Start this one first: calls that wait for a run need a worker.
            await other.worker.start();
            await one.worker.stop();
          });
        await untilEnded(one, begun).finally(() => one.worker.start());
      },
    },
  ];
}

interface Body {
  readonly data?: Readonly<Record<string, unknown>>;
}

async function send(
  { gateway }: Side,
  session: string | undefined,
  method: string,
  path: string,
  body?: object,
): Promise<{ readonly status: number; readonly text: string }> {
  const answer = await fetch(`${gateway.url()}${path}`, {
    method,
    headers: {
      ...(session === undefined ? {} : { authorization: `Bearer ${session}` }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: answer.status, text: await answer.text() };
}

async function expect(
  side: Side,
  ...request: [string | undefined, string, string, object?]
): Promise<Body> {
  const { status, text } = await send(side, ...request);
  if (status >= 200 && status < 300) return text === "" ? {} : (JSON.parse(text) as Body);
  throw new Error(`${side.name} ${request[1]} ${request[2]}: ${status} ${text}`);
}

async function refuse(
  side: Side,
  session: string | undefined,
  method: string,
  path: string,
  expected: number,
): Promise<void> {
  const { status, text } = await send(side, session, method, path);
  if (status !== expected)
    throw new Error(`${side.name} ${method} ${path}: ${status} instead of ${expected} ${text}`);
}

function same(found: unknown, expected: unknown): void {
  const [is, was] = [JSON.stringify(found), JSON.stringify(expected)];
  if (is !== was) throw new Error(`${is} instead of ${was}`);
}
