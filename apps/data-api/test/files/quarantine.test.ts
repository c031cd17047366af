// Tiers: usual, topologies.
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type FileAnswer, type FileEnvironment, openFileEnvironment } from "./file-environment.ts";

let files: FileEnvironment;
let hook: Server;
/** Whether the hook answers; it calls a file with the word `worm` infected. */
let isAnswering = true;

beforeAll(async () => {
  files = await openFileEnvironment();
  hook = createServer((request, response) => {
    text(request).then((body) => {
      if (!isAnswering) response.writeHead(503).end();
      else response.end(JSON.stringify({ clean: !body.includes("worm"), finding: "Worm.A" }));
    });
  }).listen(0, "127.0.0.1");
  await once(hook, "listening");
  const { port } = hook.address() as AddressInfo;
  await files.set("files.scan_url", `http://127.0.0.1:${port}/scan`);
  await files.grantFiles({ action: "READ" });
});
afterAll(async () => {
  await files.stop();
  hook.close();
});

const eventually = { timeout: 15_000, interval: 100 };

async function stateOf(id: string) {
  const [row] = await files.sql<{ state: string; isFinished: boolean; finding: string | null }>(
    `select f.state, s.finished_at is not null as "isFinished", s.finding
     from system.files f join system.file_scans s on s.file_id = f.id where f.id = '${id}'`,
  );
  return row;
}

/** What a caller can observe of an answer, without date, request id, and the length, which varies with the id's. */
function observed({ status, headers, bytes }: FileAnswer) {
  const varying = ["date", "x-request-id", "content-length"];
  const shown = [...headers].filter(([name]) => !varying.includes(name));
  const id = headers.get("x-request-id") ?? "";
  return { status, headers: shown, body: bytes.toString().replaceAll(id, "") };
}

describe("a file in quarantine", () => {
  it("is as a missing file for every caller and form, also if it is public", async () => {
    isAnswering = false;
    const { id, state } = await files.upload("worm", "name=a.png&visibility=PUBLIC");
    expect(state).toBe("QUARANTINED");
    const missing = "00000000-0000-4000-8000-00000000dead";
    for (const as of [files.admin.secret, files.member.secret, files.stranger.secret, undefined]) {
      for (const path of ["", "/a.png", "?download", "?preset=thumbnail"]) {
        for (const method of ["GET", "HEAD"]) {
          const options = { method, as, headers: { Range: "bytes=0-1" } };
          const hidden = await files.ask(`/api/files/${id}${path}`, options);
          expect(hidden.status).toBe(as === undefined ? 401 : 404);
          expect(observed(hidden)).toEqual(
            observed(await files.ask(`/api/files/${missing}${path}`, options)),
          );
        }
      }
      const link = { method: "POST", as, data: {} };
      const hidden = await files.ask(`/api/files/${id}/link`, link);
      expect(observed(hidden)).toEqual(
        observed(await files.ask(`/api/files/${missing}/link`, link)),
      );
    }
  });

  it("is served once the scanner has called it clean", async () => {
    isAnswering = true;
    const { id } = await files.upload("hello", "name=a.txt");
    await expect.poll(() => stateOf(id), eventually).toMatchObject({ state: "READY" });
    const answer = await files.ask(`/api/files/${id}`, { as: files.member.secret });
    expect(answer.bytes.toString()).toBe("hello");
  });

  it("stays there with the finding of the scanner, which the audit log records", async () => {
    isAnswering = true;
    const { id } = await files.upload("a worm", "name=a.txt");
    await expect.poll(() => stateOf(id), eventually).toMatchObject({ isFinished: true });
    expect(await stateOf(id)).toMatchObject({ state: "QUARANTINED", finding: "Worm.A" });
    const log = await files.ask(`/admin/api/audit-log?targetKind=file&targetId=${id}`, {
      as: files.admin.secret,
    });
    expect(log.json.data[0]).toMatchObject({ action: "file.quarantine", targetId: id });
    const answer = await files.ask(`/api/files/${id}`, { as: files.admin.secret });
    expect(answer.status).toBe(404);
  });

  it("takes the place of the version before it until it is released", async () => {
    isAnswering = true;
    const { id } = await files.upload("first", "name=a.txt");
    await expect.poll(() => stateOf(id), eventually).toMatchObject({ state: "READY" });
    isAnswering = false;
    const headers = { "Content-Type": "text/plain" };
    const as = files.admin.secret;
    const replaced = await files.ask(`/api/files/${id}/content`, {
      method: "PUT",
      as,
      body: "second",
      headers,
    });
    expect(replaced.status).toBe(200);
    expect((await files.ask(`/api/files/${id}`, { as })).status).toBe(404);
  });
});
