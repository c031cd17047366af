import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";

const root = new URL("../../../", import.meta.url);

const read = (path: string) => readFile(new URL(path, root), "utf8");

it("the image, the pipelines and the long run have Node 24", async () => {
  const image = await read("infra/docker/Dockerfile");
  expect(image.match(/node:\d[\w.-]*/g)).toEqual(["node:24-bookworm-slim"]);
  const gitlab = await read("infra/pipelines/gitlab-ci.yml");
  expect(gitlab.match(/^image: .*$/m)?.[0]).toBe("image: node:24");
  const github = await read("infra/pipelines/github-actions.yml");
  const jobs = github.match(/runs-on:/g) ?? [];
  expect(github.match(/node-version: 24\b/g)).toHaveLength(jobs.length);
  expect(await read("scripts/long-tests.mjs")).toContain('"node@24"');
});

it("the documents that name a version of Node name 24, and every package permits 20.19", async () => {
  for (const path of ["README.md", "docs/operations/deploy.md", "CONTRIBUTING.md"]) {
    const text = await read(path);
    expect([path, /\b24\b/.test(text), /\b20\.19\b/.test(text)]).toEqual([path, true, true]);
  }
  expect(JSON.parse(await read("package.json"))).toMatchObject({ engines: { node: ">=20.19" } });
});
