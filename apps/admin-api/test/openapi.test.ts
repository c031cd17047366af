// Tiers: usual, topologies.
import { documentFaults } from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openTestEnvironment, type TestEnvironment } from "./test-environment.ts";

// Every response in this package's tests is compared with the document as well: see `openTestEnvironment`.

let api: TestEnvironment;
let document: Document;
beforeAll(async () => {
  api = await openTestEnvironment();
  document = (await api.ask("GET", "/openapi?exports=true")).body;
});
afterAll(() => api.test.drop());

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly tags: readonly string[];
  readonly security?: readonly object[];
  readonly responses: Readonly<Record<string, object>>;
}
interface Document {
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

const operations = () =>
  Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ method, path, operation })),
  );

describe("the document of the Admin API", () => {
  it("passes a public OpenAPI validator", async () => {
    expect(await documentFaults(document)).toEqual([]);
  });

  it("contains exactly the mounted routes", () => {
    const documented = operations().map(
      ({ method, path }) => `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ":$1")}`,
    );
    expect(documented.sort()).toEqual([...new Set(api.routes)].sort());
  });

  it("gives every operation an id, a tag and a summary", () => {
    const names = operations().map(({ operation }) => operation.operationId);
    const repeated = names.filter((name, index) => names.indexOf(name) !== index);
    // If two routes derive the same name, give one of them an explicit `operationId`.
    expect(repeated).toEqual([]);
    const known = document.tags.map(({ name }) => name);
    for (const { path, operation } of operations()) {
      expect(operation.summary, path).toBeTruthy();
      expect(known).toEqual(expect.arrayContaining([...operation.tags]));
    }
  });

  it("lists the refusals of every operation with their codes", () => {
    for (const { method, path, operation } of operations()) {
      if (operation.security?.length === 0) continue;
      const statuses = Object.keys(operation.responses);
      expect(statuses, `${method} ${path}`).toEqual(
        expect.arrayContaining(["400", "401", "403", "500", "503", "504"]),
      );
    }
    const responses = document.paths["/admin/api/roles"]?.post?.responses ?? {};
    expect(responses["409"]).toEqual({ $ref: "#/components/responses/CONFLICT" });
    expect(responses["400"]).toEqual({
      $ref: "#/components/responses/BODY_INVALID.QUERY_INVALID",
    });
  });
});
