import {
  createRole,
  createTestDatabase,
  createUser,
  expose,
  type TestUser,
} from "@rowhouse/testing";
import { createVault } from "@rowhouse/vault";
import {
  addInvokeGrant,
  createWorkflow,
  publishWorkflow,
  setWorkflowEnabled,
} from "@rowhouse/workflows";
import { openApp } from "./open-app.ts";

/**
 * Opens a Data API with a table and a workflow whose webhook responds once the run is accepted. Its requests are sent as a
 * member of a role.
 */
export async function openWalkedRequests() {
  const test = await createTestDatabase();
  const { database } = test;
  const admin = await createUser(database, "admin@example.com", "Administrators");
  const role = await createRole(database, "Members");
  const member = await createUser(database, "member@example.com", "Members");
  await database.query("create table public.things (id int primary key, name text)");
  await database.query("insert into public.things values (1, 'one')");
  await expose(database, "public", "things", "GET");
  await database.query(
    `insert into system.grants (role_id, resource_id, action, all_fields)
     select $1::text::uuid, id, 'READ', true from system.resources where relation_name = 'things'`,
    [role],
  );
  const actor = { userId: admin.id, tokenId: null, address: null, requestId: null };
  const definition = {
    trigger: { kind: "webhook", access: "AUTHENTICATED", response: "ASYNCHRONOUS" },
    steps: [{ id: "end", kind: "finish", result: "{{start.data}}" }],
  };
  const { id } = await createWorkflow(database, { slug: "flow", name: "Flow", definition }, actor);
  await publishWorkflow({ database, vault: createVault(() => "tests") }, id, actor);
  await setWorkflowEnabled(database, id, true, actor);
  await addInvokeGrant(database, id, role, actor);
  const { app, close } = await openApp(test);
  const send = async (status: number, path: string, init: RequestInit = {}): Promise<void> => {
    const request = new Request(`http://localhost${path}`, { ...init, headers: headersOf(member) });
    const edge = { requestId: "walk", clientAddress: "127.0.0.1" };
    const answer = await app.fetch(request, { edge } as never);
    const text = await answer.text();
    if (answer.status !== status) throw new Error(`${path}: ${answer.status} ${text}`);
  };
  return {
    walks: {
      list: async () => () => send(200, "/api/public/table/things?limit=10"),
      webhook: async () => () => send(202, "/api/workflows/flow/webhook", { method: "POST", body }),
    },
    close: async () => {
      await close();
      await test.drop();
    },
  };
}

const body = '{"n":1}';

// The content length is what the server of a process receives.
const headersOf = ({ secret }: TestUser) => ({
  authorization: `Bearer ${secret}`,
  "content-type": "application/json",
  "content-length": String(body.length),
});
