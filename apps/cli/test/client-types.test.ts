// Tiers: usual, topologies.
import type { Document } from "@rowhouse/client/openapi";
import { signIn, startTestEnvironment, type TestEnvironment } from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type OperationsFile, operationsFile } from "../src/openapi/operations-file.ts";

let environment: TestEnvironment;
let token: string;
beforeAll(async () => {
  environment = await startTestEnvironment();
  const answer = await fetch(`${environment.url}/api/auth/login`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(signIn),
  });
  const body = (await answer.json()) as { readonly data: { readonly token: string } };
  token = body.data.token;
});
afterAll(() => environment.stop());

const all = () => true;
const files: Readonly<Record<string, OperationsFile & { readonly document: string }>> = {
  admin: { name: "AdminOperations", prefix: "/admin/api", includes: all, document: "/openapi" },
  app: { name: "AppOperations", prefix: "/app/api", includes: all, document: "/openapi" },
  api: {
    name: "ApiOperations",
    prefix: "/api",
    includes: (path) => /^\/api\/(?:auth\/|workflows\/|openapi$)/.test(path),
    document: "/openapi",
  },
};

describe("the types of the client", () => {
  it.each(Object.keys(files))(
    "of the %s operations are those of the service's document; `npm run types:client` writes them",
    async (name) => {
      const { document, ...file } = files[name] ?? expect.fail(name);
      const answer = await fetch(`${environment.url}${file.prefix}${document}?exports=true`, {
        headers: { Authorization: `Bearer ${token}` },
      });
      const text = operationsFile((await answer.json()) as Document, file);
      const path = `../../../packages/client/src/api/${name}-operations.generated.ts`;
      await expect(text).toMatchFileSnapshot(path);
    },
  );
});
