// Tiers: usual, topologies.
import { smallPng } from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type FileEnvironment, openFileEnvironment } from "./file-environment.ts";

let files: FileEnvironment;

beforeAll(async () => {
  files = await openFileEnvironment();
  await files.grantFiles({ action: "READ", rowFilter: { name: { _starts_with: "shared" } } });
});
afterAll(() => files.stop());

describe("an image preset", () => {
  it("is a form of the file with a version of its own, which a cache can revalidate", async () => {
    const { id, sha256 } = await files.upload(smallPng(), "name=shared.png");
    const as = files.member.secret;
    const whole = await files.ask(`/api/files/${id}`, { as });
    const small = await files.ask(`/api/files/${id}?preset=thumbnail`, { as });
    expect(small.status).toBe(200);
    expect(small.headers.get("content-type")).toBe("image/webp");
    expect(small.bytes.subarray(8, 12).toString()).toBe("WEBP");
    expect(small.headers.get("etag")).not.toBe(whole.headers.get("etag"));
    expect(small.headers.get("etag")).toContain(sha256);
    expect(small.headers.get("content-security-policy")).toBe(
      "default-src 'none'; base-uri 'none'; sandbox; frame-ancestors 'none'",
    );
    const headers = { "If-None-Match": small.headers.get("etag") ?? "" };
    expect((await files.ask(`/api/files/${id}?preset=thumbnail`, { as, headers })).status).toBe(
      304,
    );
    expect((await files.ask(`/api/files/${id}`, { as, headers })).status).toBe(200);
  });

  it("needs the right to the file, also after another caller has made it", async () => {
    const { id } = await files.upload(smallPng(), "name=hidden.png");
    const preset = `/api/files/${id}?preset=thumbnail`;
    expect((await files.ask(preset, { as: files.admin.secret })).status).toBe(200);
    for (const as of [files.member.secret, files.stranger.secret, undefined]) {
      for (const path of [preset, `${preset}x`]) {
        expect((await files.ask(path, { as })).status).toBe(as === undefined ? 401 : 404);
      }
    }
  });

  it("is 400 for an unknown name, and for a file that is not an image", async () => {
    const as = files.admin.secret;
    const image = await files.upload(smallPng(), "name=shared.png");
    const text = await files.upload("hello", "name=shared.txt");
    const drawing = await files.upload("<svg onload=alert(1)>", "name=shared.svg");
    const broken = await files.upload(smallPng().subarray(0, 40), "name=shared.png");
    const paths = [
      `${image.id}?preset=4000x4000`,
      ...[text, drawing, broken].map(({ id }) => `${id}?preset=thumbnail`),
    ];
    for (const path of paths) {
      const answer = await files.ask(`/api/files/${path}`, { as });
      expect(answer.status, path).toBe(400);
      expect(answer.json.errors[0]).toMatchObject({ code: "QUERY_INVALID", path: "preset" });
    }
  });

  it("is made again for a new version of the file", async () => {
    const as = files.admin.secret;
    const { id } = await files.upload(smallPng(), "name=shared.png");
    const tagOf = async () =>
      (await files.ask(`/api/files/${id}?preset=preview`, { as })).headers.get("etag");
    const before = await tagOf();
    const body = Buffer.concat([smallPng(), Buffer.from("more")]);
    await files.ask(`/api/files/${id}/content`, { method: "PUT", as, body });
    const after = await tagOf();
    expect(after).not.toBe(before);
    const [row] = await files.sql(
      `select count(*) as count from system.file_variants where file_id = '${id}'`,
    );
    expect(row?.count).toBe("1");
  });
});
