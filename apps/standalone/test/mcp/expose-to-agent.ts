import { signIn, type TestEnvironment } from "@rowhouse/testing";
import { expect } from "vitest";
import { createClient } from "../client.ts";

/** A resource as the Admin API lists it. */
type Resource = { readonly id: string; readonly kind: string };

/**
 * Switches MCP on, exposes every table of a schema for reading, and grants it to a user of its own. Returns a personal
 * token of that user.
 */
export async function exposeToAgent(
  environment: TestEnvironment,
  schema: string,
  settings: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const client = createClient(environment);
  const as = await client.signIn(signIn);
  const administer = async (method: string, path: string, data?: unknown) => {
    const body = data === undefined ? {} : { body: { data } };
    const answer = await client.ask(method, `/admin/api${path}`, { as, ...body });
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
    return answer.body.data;
  };
  await administer("PATCH", "/settings", { "mcp.enabled": true, ...settings });
  const role = await administer("POST", "/roles", { name: "Agents" });
  const user = await administer("POST", "/users", {
    ...{ email: "agent@example.com", name: "Agent", password: "a long sentence of an agent" },
  });
  await administer("POST", `/roles/${role.id}/members`, { userId: user.id });
  const resources: Resource[] = await administer("GET", `/resources?schema=${schema}`);
  for (const { id } of resources) {
    await administer("PATCH", `/resources/${id}`, { exposedMethods: ["GET"] });
    await administer("POST", "/grants", { roleId: role.id, resourceId: id, action: "READ" });
  }
  const token = await administer("POST", "/tokens", {
    ...{ userId: user.id, name: "an agent", plane: "api" },
  });
  return token.secret;
}
