import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { type Body, expect, idOf, same } from "./upgrade-http.ts";
import type { Side } from "./upgrade-sides.ts";

/** A run that was accepted. */
export interface BegunRun {
  readonly run: string;
  /** The token in the rows that it writes. */
  readonly token: string;
}

const runPatienceMs = 60_000;
/** Longer than a worker takes to start. */
const restSeconds = 15;
const slug = "rests";
export const clerk = { email: "clerk@example.com", password: "another horse battery staple" };
/** The path of the tables in the Data API. */
export const table = "/api/public/table";

/** The records that the paths use, and requests about them as an administrator. */
export class UpgradeRecords {
  readonly session: string;
  /** Ids of the role without grants, of its member, and of the resource `public.wide`. */
  readonly ids: { readonly role: string; readonly user: string; readonly wide: string };

  private constructor(session: string, ids: UpgradeRecords["ids"]) {
    this.session = session;
    this.ids = ids;
  }

  /**
   * Creates the records.
   *
   * @param session an administrator's
   */
  static async create(first: Side, session: string): Promise<UpgradeRecords> {
    const role = await administer(session, first, "POST", "/roles", {
      name: "Clerks",
      tokenCreation: true,
    });
    const user = await administer(session, first, "POST", "/users", { ...clerk, name: "A clerk" });
    await administer(session, first, "POST", `/roles/${idOf(role)}/members`, {
      userId: idOf(user),
    });
    const wide = await firstId(session, first, "/resources?search=public.wide");
    await administer(session, first, "PATCH", `/resources/${wide}`, {
      exposedMethods: ["GET", "POST", "PATCH", "DELETE"],
    });
    await createWorkflow(session, first);
    return new UpgradeRecords(session, { role: idOf(role), user: idOf(user), wide });
  }

  administer(side: Side, method: string, path: string, data?: object): Promise<Body> {
    return administer(this.session, side, method, path, data);
  }

  async begin(side: Side): Promise<BegunRun> {
    const token = randomUUID();
    const path = `/api/workflows/${slug}/webhook`;
    const begun = await expect(side, this.session, "POST", path, { token });
    return { run: String(begun.data?.run), token };
  }

  async untilRows(side: Side, where: string, value: string): Promise<void> {
    const until = Date.now() + runPatienceMs;
    while ((await this.#countRows(side, where, value)) === 0) {
      if (Date.now() > until) throw new Error(`no row at ${where}=${value}`);
      await sleep(100);
    }
  }

  async untilEnded(side: Side, { run, token }: BegunRun): Promise<void> {
    for (const until = Date.now() + runPatienceMs; ; await sleep(100)) {
      const { data } = await expect(side, this.session, "GET", `/api/workflows/runs/${run}/result`);
      if (data?.status === "SUCCEEDED") break;
      if (data?.status === "FAILED") throw new Error(`run ${run}: ${JSON.stringify(data.error)}`);
      if (Date.now() > until) throw new Error(`run ${run} is still ${data?.status}`);
    }
    for (const where of ["entries?where[token]", "wide?where[title]"]) {
      same(await this.#countRows(side, where, token), 1);
    }
  }

  async #countRows(side: Side, where: string, value: string): Promise<number> {
    const { data } = await expect(side, this.session, "GET", `${table}/${where}[_eq]=${value}`);
    return (data as unknown as unknown[]).length;
  }
}

function administer(
  session: string,
  side: Side,
  method: string,
  path: string,
  data?: object,
): Promise<Body> {
  return expect(side, session, method, `/admin/api${path}`, data && { data });
}

async function firstId(session: string, side: Side, path: string): Promise<string> {
  const { data } = await administer(session, side, "GET", path);
  return String((data as unknown as { id: string }[])[0]?.id);
}

/** Creates a workflow whose run writes a row, rests, and writes another row. */
async function createWorkflow(session: string, side: Side): Promise<void> {
  const workflow = await administer(session, side, "POST", "/workflows", {
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
  const path = `/workflows/${idOf(workflow)}`;
  await administer(session, side, "POST", `${path}/publish`);
  await administer(session, side, "POST", `${path}/enable`);
  const roleId = await firstId(session, side, "/roles?search=Administrators");
  await administer(session, side, "POST", `${path}/invoke-grants`, { roleId });
}
