import { Hono } from "hono";
import { describe, expect, it } from "vitest";
import { embedDocument, KeptDocuments, sendDocument } from "../src/index.ts";

describe("kept documents", () => {
  it("a document is created once per snapshot and key", async () => {
    const made: string[] = [];
    const documents = new KeptDocuments();
    const read = (snapshot: object, key: string) =>
      documents.of(snapshot, key, () => {
        made.push(key);
        return { key };
      });
    const [first, second] = [{}, {}];
    const clerk = await read(first, "clerk");
    expect(await read(first, "clerk")).toBe(clerk);
    await read(first, "manager");
    await read(second, "clerk");
    expect(made).toEqual(["clerk", "manager", "clerk"]);
  });

  it("the cache stays within its size: it removes the oldest document first and does not store a larger one", async () => {
    const made: string[] = [];
    const documents = new KeptDocuments(100);
    const snapshot = {};
    const read = (key: string, length: number) =>
      documents.of(snapshot, key, () => {
        made.push(key);
        return "x".repeat(length);
      });
    for (const key of ["a", "b", "c", "b", "c"]) await read(key, 40);
    expect(made).toEqual(["a", "b", "c"]);
    await read("large", 200);
    await read("large", 200);
    expect(made).toEqual(["a", "b", "c", "large", "large"]);
  });

  it("a document is sent with its entity tag, and as 304 to a caller that sends that tag", async () => {
    const documents = new KeptDocuments();
    const app = new Hono().get("/:name", async (c) => {
      const { name } = c.req.param();
      const kept = await documents.of(documents, name, () => name);
      return sendDocument(c, embedDocument('{"data":', kept, "}"));
    });
    const ask = (path: string, tags?: string) =>
      app.request(path, tags === undefined ? {} : { headers: { "If-None-Match": tags } });
    const first = await ask("/a");
    const tag = first.headers.get("etag") ?? "";
    expect(await first.json()).toEqual({ data: "a" });
    expect(tag).toMatch(/^"[\w-]{22}"$/);
    for (const tags of [tag, `W/${tag}`, `"other", ${tag}`, "*"]) {
      const answer = await ask("/a", tags);
      expect([tags, answer.status, await answer.text()]).toEqual([tags, 304, ""]);
    }
    for (const tags of ['"other"', "", tag.slice(1)]) {
      expect([tags, (await ask("/a", tags)).status]).toEqual([tags, 200]);
    }
    expect((await ask("/b", tag)).status).toBe(200);
  });
});
