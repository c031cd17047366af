import { expect } from "vitest";
import type { TestEnvironment } from "./test-environment.ts";

/** Publishes a workflow that is a tool without input. @param role may run it; null for no role */
export async function addWorkflowTool(
  { ask, admin, test }: TestEnvironment,
  slug: string,
  role: string | null,
  tool: object = { description: `Tool ${slug}.` },
): Promise<string> {
  const send = async (path: string, data: unknown = {}) => {
    const answer = await ask("POST", `/admin/api/workflows${path}`, {
      ...{ as: admin.secret, body: { data } },
    });
    expect([path, answer.faults]).toEqual([path, []]);
    return answer.body.data;
  };
  const trigger = { kind: "webhook", access: "AUTHENTICATED", response: "ASYNCHRONOUS", tool };
  const steps = [{ id: "end", kind: "finish", result: "{{start.data.body}}" }];
  const { id } = await send("", { slug, name: slug, definition: { trigger, steps } });
  await send(`/${id}/publish`);
  await send(`/${id}/enable`);
  if (role !== null) {
    const [row] = await test.database.query<{ id: string }>(
      "select id from system.roles where name = $1::text",
      [role],
    );
    await send(`/${id}/invoke-grants`, { roleId: row?.id });
  }
  return id;
}
