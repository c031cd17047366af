// Tier: long. Starts processes.
import { connect, createServer, type Server, type Socket } from "node:net";
import {
  type AppProcess,
  createTestDatabase,
  launchApp,
  runApp,
  type TestDatabase,
} from "@rowhouse/testing";
import { afterAll, beforeAll, expect, it } from "vitest";

const password = "a password of the tests' own";
const secret = "a secret of the tests' own, long enough";
let test: TestDatabase;
let real: string;
const servers: Server[] = [];
const sockets = new Set<Socket>();

beforeAll(async () => {
  test = await createTestDatabase();
  const [row] = await test.database.query<{ number: string }>(
    "select current_setting('server_version_num') as number",
  );
  real = row?.number ?? "";
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  for (const server of servers) await new Promise((resolve) => server.close(resolve));
  await test.drop();
});

/** Returns the address of the test's database at a proxy that replaces the version of the server in its answers. */
async function reportedAs(number: string): Promise<string> {
  const { hostname, port } = new URL(test.url);
  const server = createServer((near) => {
    const far = connect(Number(port), hostname);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket
        .on("error", () => {})
        .on("close", () => {
          sockets.delete(socket);
          near.destroy();
          far.destroy();
        });
    }
    near.pipe(far);
    far.on("data", (bytes: Buffer) => {
      near.write(Buffer.from(bytes.toString("latin1").replaceAll(real, number), "latin1"));
    });
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const url = new URL(test.url);
  url.port = String(typeof address === "object" ? address?.port : undefined);
  return url.href;
}

const linesOf = ({ output }: AppProcess) =>
  output()
    .split("\n")
    .filter((line) => line.includes("is newer than the versions"));

async function serverOf({ url }: AppProcess): Promise<unknown> {
  const signedIn = await fetch(`${url}/api/auth/login`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ email: "admin@example.com", password }),
  });
  const { data } = (await signedIn.json()) as { data: { token: string } };
  const answer = await fetch(`${url}/admin/api/database-server`, {
    headers: { Authorization: `Bearer ${data.token}` },
  });
  return answer.json();
}

it("a server newer than those of the tests starts with one warning, and administrators read it", async () => {
  const environment = {
    ...{ ROWHOUSE_SECRET: secret, ROWHOUSE_ADMIN_PASSWORD: password },
    DATABASE_URL: await reportedAs("190000"),
  };
  const app = await launchApp("standalone", environment);
  try {
    await app.untilReady();
    const [line = "", ...others] = linesOf(app);
    expect(others).toEqual([]);
    expect(JSON.parse(line)).toMatchObject({
      ...{ level: 40, postgresql: "19.0" },
      msg: expect.stringMatching(
        /tested on \(15 to 18\)\. Not tried: its locks and event triggers/,
      ),
    });
    expect(await serverOf(app)).toMatchObject({
      data: { version: "19.0", isTested: false, testedFrom: 15, testedTo: 18 },
    });
  } finally {
    await app.stop();
  }
  const service = await launchApp("data-api", environment);
  try {
    await service.untilReady();
    expect(linesOf(service)).toHaveLength(1);
  } finally {
    await service.stop();
  }
});

it("a tested server starts without the warning", async () => {
  const app = await launchApp("standalone", {
    ...{ ROWHOUSE_SECRET: secret, ROWHOUSE_ADMIN_PASSWORD: password, DATABASE_URL: test.url },
  });
  try {
    await app.untilReady();
    expect(linesOf(app)).toEqual([]);
    expect(await serverOf(app)).toMatchObject({
      data: { isTested: true, codeMayAdminister: true },
    });
  } finally {
    await app.stop();
  }
});

it("a server older than those of the tests is refused", async () => {
  const { code, output } = await runApp("data-api", {
    ...{ ROWHOUSE_SECRET: secret, DATABASE_URL: await reportedAs("140009") },
  });
  expect(code).toBe(1);
  expect(output).toMatch(/is PostgreSQL 14: Rowhouse needs 15 or newer/);
});
